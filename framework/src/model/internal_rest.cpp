// Newton's method on the internal states alone.
#include "model/internal_rest.h"

#include <algorithm>

#include "linalg/dense.h"
#include "linalg/sizes.h"

namespace trammel {
namespace {

constexpr int most_steps = 30;
constexpr double settled = 1e-10;  // last step, of the state
constexpr double rounded = 1e-12;  // the same, of the largest state: what cancels in laws
constexpr double arrived = 1e-9;   // of the state: where it may be although it would leave
constexpr double drift = 1e-6;     // 1/s, of the state
constexpr double regular = 1e-12;  // rank of (z')_z, rows of length 1
constexpr double rounding = 1e-9;  // of the largest eigenvalue: a real part that is none
constexpr double bent = 0.1;       // share of z' that a step of Newton's method may leave where it is straight

class StatesAtRest {
 public:
  StatesAtRest(ConstrainedModel& model, double t, ConstVectorView q, VectorView z)
      : model_(model),
        t_(t),
        q_(q),
        z_(z),
        rest_(Eigen::VectorXd::Zero(model.coordinates())),
        none_(Eigen::VectorXd::Zero(model.constraints())),
        f_(model.coordinates()),
        g_z_(z.size, z.size) {}

  /// z' and its gradient at z.
  bool evaluate() {
    Status status = model_.evaluate(t_, q_, view(rest_), z_, evaluate_dynamics | evaluate_Phi);
    if (!status) return false;
    g_ = model_.z_rate().map();
    status = model_.derivatives().linearize(view(rest_), view(none_));
    Eigen::VectorXd dz = Eigen::VectorXd::Zero(z_.size);
    for (Index k = 0; status && k < z_.size; ++k) {
      dz[k] = 1;
      status = model_.derivatives().apply_internal_linearization(view(rest_), view(rest_), view(dz), view(f_),
                                                                 {g_z_.col(k).data(), z_.size});
      dz[k] = 0;
    }
    return status && g_.allFinite() && g_z_.allFinite();
  }

  /// By lags of very different length; states that nothing brings back stay.
  Eigen::VectorXd step() const {
    const Eigen::VectorXd length = lengths();
    return dense::least_squares(length.asDiagonal().inverse() * g_z_, -g_.cwiseQuotient(length));
  }

  bool full_rank() const {
    return dense::rank(lengths().asDiagonal().inverse() * g_z_, regular) == static_cast<Index>(g_z_.cols());
  }

  /// Whether the states stay near a place where they rest.
  bool stays() const {
    const Eigen::VectorXcd s = dense::eigenvalues(g_z_);
    return s.real().maxCoeff() <= rounding * s.cwiseAbs().maxCoeff();
  }

  const Eigen::VectorXd& rate() const { return g_; }
  /// Of the rows of (z')_z; z' over them is a distance in z.
  Eigen::VectorXd lengths() const {
    return g_z_.rowwise().norm().unaryExpr([](double length) { return length > 0 ? length : 1; });
  }

 private:
  ConstrainedModel& model_;
  double t_;
  ConstVectorView q_;
  VectorView z_;
  Eigen::VectorXd rest_, none_, f_, g_;
  Eigen::MatrixXd g_z_;
};

}  // namespace

bool rest_internal_states(ConstrainedModel& model, double t, ConstVectorView q, double tolerance, VectorView z) {
  if (z.size == 0) return true;
  const Eigen::VectorXd start = z.map();
  StatesAtRest states(model, t, q, z);
  if (!states.evaluate()) return false;
  const bool held = states.stays();
  const Eigen::VectorXd lengths = states.lengths(), first = states.rate().cwiseQuotient(lengths);
  bool converged = false, straight = true;
  for (int k = 0; k < most_steps && !converged; ++k) {
    const Eigen::VectorXd step = states.step();
    if (!step.allFinite()) return false;
    z.map() += step;
    if (!states.evaluate()) return false;
    if (k == 0)
      straight =
          states.rate().cwiseQuotient(lengths).lpNorm<Eigen::Infinity>() <= bent * first.lpNorm<Eigen::Infinity>();
    const double largest = z.map().lpNorm<Eigen::Infinity>();
    converged = k > 0 && (step.array().abs() <= (settled * z.map().array().abs()).max(rounded * largest)).all();
  }
  if (!converged) return false;
  const Eigen::ArrayXd size = z.map().array().abs();
  if (!states.full_rank() && !(states.rate().array().abs() <= (drift * size).max(tolerance)).all()) return false;
  const bool there = ((z.map() - start).array().abs() <= (arrived * size).max(tolerance)).all();
  return there || (held && straight && states.stays());
}

}  // namespace trammel
