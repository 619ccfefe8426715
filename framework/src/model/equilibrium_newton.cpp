// Equations of equilibrium by Newton's method.
#include "model/equilibrium_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/dense.h"
#include "linalg/sizes.h"
#include "model/way_along_rows.h"

namespace trammel {
namespace {

constexpr Index most_steps_to_rest = 60;
constexpr double longest_step_to_rest = 0.5;  // m or rad: Newton's steps far away from an equilibrium mean nothing
constexpr double newton_settled = 1e-10;      // last change of a coordinate, m or rad; the next is its square
constexpr double singular = 1e-17;            // reciprocal condition
constexpr double solved = 1e-12;              // of the right-hand side: what a singular matrix may leave of it

class NewtonSearch {
 public:
  NewtonSearch(ConstrainedModel& model, double t, VectorView q)
      : model_(model),
        t_(t),
        q_(q),
        n_(model.coordinates()),
        nz_(model.internal_states()),
        z_(Eigen::Map<const Eigen::VectorXd>(model.point().z().data(), nz_)),
        rest_(Eigen::VectorXd::Zero(n_)),
        lambda_(Eigen::VectorXd::Zero(model.constraints())) {
    for (Index r = 0; r < model.constraints(); ++r) {
      if (!model.rank().is_redundant(r)) kept_.push_back(r);
    }
  }

  Status run(EquilibriumReport& report, const SearchProgress& progress) {
    Status status = least_squares_multipliers();
    for (report.iterations = 0; status && report.iterations < most_steps_to_rest; ++report.iterations) {
      double length = 0, internal = 0;
      status = step(length, internal, report.condition);
      model_.point().update_angle_references();
      if (status && length <= newton_settled && internal <= newton_settled) return status;
      if (status && !goes_on(progress, report.iterations, length))
        status = Status::failure(StatusCode::failed, search_interrupted);
    }
    return status ? Status::failure(StatusCode::not_converged, "Newton's method on the equations of equilibrium")
                  : status;
  }

 private:
  Status evaluate() { return model_.evaluate(t_, q_, view(rest_), view(z_), evaluate_dynamics | evaluate_Phi); }

  Status least_squares_multipliers() {
    Eigen::VectorXd left(n_), none = Eigen::VectorXd::Zero(model_.constraints());
    Status status = evaluate();
    if (status) status = model_.factorize(ProjectionWeights::identity);
    if (status) status = model_.solve(model_.Q(), view(none), view(left), view(lambda_));
    return status;
  }

  /// `internal`: change of the internal states, a share of the largest where that is above 1.
  Status step(double& length, double& internal, double& condition) {
    Status status = evaluate();
    if (status) status = model_.derivatives().linearize(view(rest_), view(lambda_));  // rest_: also a = 0
    if (!status) return status;
    const auto m = static_cast<Index>(kept_.size());
    const Eigen::Index size = n_ + m + nz_;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd f(n_), g(model_.constraints()), unit = Eigen::VectorXd::Zero(n_),
                                                    row = Eigen::VectorXd::Zero(model_.constraints()),
                                                    no_z = Eigen::VectorXd::Zero(nz_);
    for (Index j = 0; j < n_; ++j) {
      unit[j] = 1;
      model_.derivatives().apply_linearization(view(unit), view(rest_), view(f), view(g));
      A.col(j).head(n_) = f;
      if (nz_ > 0) status = internal_column(view(unit), view(no_z), A, j);
      if (!status) return status;
      unit[j] = 0;
    }
    for (Index k = 0; k < nz_; ++k) {
      no_z[k] = 1;
      status = internal_column(view(rest_), view(no_z), A, n_ + m + k);
      if (!status) return status;
      no_z[k] = 0;
    }
    for (Index i = 0; i < m; ++i) {
      row[kept_[static_cast<std::size_t>(i)]] = 1;
      model_.apply_jacobian_transpose(view(row), view(f));
      A.col(n_ + i).head(n_) = f;
      A.row(n_ + i).head(n_) = f;
      row[kept_[static_cast<std::size_t>(i)]] = 0;
    }
    Eigen::VectorXd b(size);
    model_.apply_jacobian_transpose(view(lambda_), view(f));
    b.head(n_) = model_.Q().map() - f;
    for (Index i = 0; i < m; ++i) b[n_ + i] = -model_.Phi()[kept_[static_cast<std::size_t>(i)]];
    if (nz_ > 0) b.tail(nz_) = -model_.z_rate().map();
    for (Eigen::Index i = 0; i < size; ++i) {
      const double largest = A.row(i).cwiseAbs().maxCoeff();
      if (largest > 0) A.row(i) /= largest, b[i] /= largest;
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
    const double reciprocal = lu.rcond();
    const bool regular = reciprocal > singular;
    if (regular) condition = std::max(condition, 1 / reciprocal);
    Eigen::VectorXd x(size);
    if (regular)
      x = lu.solve(b);
    else
      x = dense::least_squares(A, b);  // motions without stiffness stay
    if (!x.allFinite() ||
        (!regular && !((A * x - b).lpNorm<Eigen::Infinity>() <= solved * (1 + b.lpNorm<Eigen::Infinity>()))))
      return Status::failure(StatusCode::singular, "matrix of the equilibrium equations", -1, condition);
    length = model_.unit().largest_coordinate({x.data(), n_});
    if (length > longest_step_to_rest) x *= longest_step_to_rest / length;
    if (model_.assembly().velocity_rows() > 0)
      status = move_along_rows(model_, t_, q_, {x.data(), n_});
    else
      q_.map() += x.head(n_);
    z_ += x.tail(nz_);
    if (nz_ > 0) internal = x.tail(nz_).lpNorm<Eigen::Infinity>() / std::max(1.0, z_.lpNorm<Eigen::Infinity>());
    for (Index i = 0; i < m; ++i) lambda_[kept_[static_cast<std::size_t>(i)]] += x[n_ + i];
    return status;
  }

  /// -Q_z dz, added, and (z')_q dq + (z')_z dz.
  Status internal_column(ConstVectorView dq, ConstVectorView dz, Eigen::MatrixXd& A, Eigen::Index column) {
    Eigen::VectorXd f(n_), r(nz_);
    const Status status = model_.derivatives().apply_internal_linearization(dq, view(rest_), dz, view(f), view(r));
    A.col(column).head(n_) += f;
    A.col(column).tail(nz_) = r;
    return status;
  }

  ConstrainedModel& model_;
  double t_;
  VectorView q_;
  Index n_, nz_;
  Eigen::VectorXd z_;
  std::vector<Index> kept_;
  Eigen::VectorXd rest_, lambda_;
};

}  // namespace

Status newton_equilibrium(ConstrainedModel& model, double t, VectorView q, double tolerance, EquilibriumReport& report,
                          const SearchProgress& progress) {
  const std::vector<double> start(q.data, q.data + q.size);
  Status status = NewtonSearch(model, t, q).run(report, progress);
  for (Index i = 0; i < q.size; ++i)
    report.moved = std::max(report.moved, std::abs(q[i] - start[static_cast<std::size_t>(i)]));
  RestAcceleration left;
  const std::vector<double>& z = model.point().z();
  const Status measured = acceleration_at_rest(model, t, q, {z.data(), static_cast<Index>(z.size())}, left);
  report.acceleration = left.largest;
  if (status) status = measured;
  if (status && !(left.in_unit <= tolerance) && left.in_unit > rest_rounding(model, t, q)) {
    status = Status::failure(StatusCode::not_converged, "accelerations at rest", -1, report.acceleration);
  }
  return status;
}

}  // namespace trammel
