// Davidon, Fletcher and Powell's variable metric method.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "model/minimize.h"

namespace trammel {
namespace {

constexpr double longest_search_step = 0.3;  // of the model's unit, or rad: of a coordinate in one line search
constexpr double slope_share = 0.1;          // of the slope at its start, at the end of a line search
constexpr int most_trials = 30;              // in one line search
constexpr double energy_rounding = 1e-12;    // relative: an energy that rises by less has not risen
// Other independent coordinates are taken where the condition of Phi_u has grown by this factor, or u was not found.
constexpr double worse_condition = 3;
// No coordinate moved by more in a whole line search, of the model's unit or rad: rounding keeps the accelerations above their tolerance.
constexpr double search_settled = 1e-13;

class Dfp {
 public:
  Dfp(StaticEnergy& energy, const MinimizeOptions& options, MinimizeReport& report)
      : energy_(energy), options_(options), report_(report) {}

  Status run() {
    Status status = restart();
    Index fruitless = 0;
    for (report_.iterations = 0; status; ++report_.iterations) {
      if (report_.acceleration <= options_.tolerance) return status;
      if (report_.iterations >= options_.most_iterations) break;
      if (!goes_on(options_.progress, report_.iterations, report_.acceleration))
        return Status::failure(StatusCode::failed, search_interrupted);
      const Eigen::VectorXd g = energy_.gradient(), w = energy_.w();
      Eigen::VectorXd p = -(H_ * g);
      if (!(g.dot(p) < 0)) p = -(metric_ * g);
      const bool moved = search(g, p);
      const double length = energy_.largest(energy_.w() - w);
      if (length <= search_settled && report_.acceleration <= 1e3 * options_.tolerance) return status;
      if (!moved || length <= search_settled) {
        if (++fruitless > 2) break;
        status = restart();
        continue;
      }
      fruitless = 0;
      update(energy_.w() - w, energy_.gradient() - g);
      measure();
      if (++updates_ >= most_updates()) {
        status = restart();
        continue;
      }
      if (missed_ || energy_.condition() > worse_condition * condition_) status = exchange();
    }
    return status
               ? Status::failure(StatusCode::not_converged, "minimum of the potential energy", -1, report_.acceleration)
               : status;
  }

 private:
  /// Other independent coordinates, and the inverse mass matrix as metric.
  Status restart() {
    const Status status = energy_.choose();
    if (!status) return status;
    const Eigen::Index d = energy_.size();
    const Eigen::LDLT<Eigen::MatrixXd> mass(energy_.metric());
    metric_ = mass.solve(Eigen::MatrixXd::Identity(d, d));
    H_ = metric_;
    updates_ = 0;
    condition_ = energy_.condition();
    measure();
    return metric_.allFinite() ? status : Status::failure(StatusCode::singular, "mass matrix");
  }

  /// A quadratic energy takes as many updates as there are coordinates. Short line searches, those that end where u is
  /// not found, make H_ too small along their directions, which updates of this family do not mend by themselves.
  Index most_updates() const { return std::max<Index>(60, 2 * energy_.size()); }

  /// Other independent coordinates, dw' = S dw; what is known of the curvature is kept.
  Status exchange() {
    const Eigen::MatrixXd T = energy_.tangent(), H = H_;
    const Index updates = updates_;
    const Status status = restart();
    updates_ = updates;
    if (!status || T.cols() != energy_.size()) return status;
    Eigen::MatrixXd S(T.cols(), T.cols());
    for (Eigen::Index k = 0; k < S.rows(); ++k) S.row(k) = T.row(energy_.independent()[static_cast<std::size_t>(k)]);
    H_ = S * H * S.transpose();
    return status;
  }

  void measure() {
    report_.evaluations = energy_.evaluations;
    report_.acceleration = energy_.size() > 0 ? energy_.largest(metric_ * energy_.gradient()) : 0;
  }

  /// A point along p where the slope is small and the energy no higher; false if there is none.
  bool search(const Eigen::VectorXd& g, const Eigen::VectorXd& p) {
    const double V0 = energy_.energy(), slope0 = g.dot(p);
    const double allowed = energy_rounding * (std::abs(V0) + 1e-3);
    double low = 0, slope_low = slope0, high = -1,
           slope_high = 0;  // bracket: downhill at low, uphill or no point at high
    double alpha = std::min(1.0, longest_search_step / energy_.largest(p));
    const double largest = alpha < 1 ? alpha : longest_search_step / energy_.largest(p);
    bool found = false, high_has_slope = false;
    missed_ = false;
    energy_.begin_line(p);
    for (int trial = 0; trial < most_trials; ++trial) {
      const bool there = energy_.move_along(alpha).ok();
      missed_ = missed_ || !there;
      const double slope = there ? energy_.gradient().dot(p) : 0;
      const bool lower = there && energy_.energy() <= V0 + allowed;
      if (lower && std::abs(slope) <= -slope_share * slope0) return true;
      if (lower && slope < 0) {
        low = alpha, slope_low = slope, found = true;
        if (high < 0 && alpha >= largest) return true;  // still downhill at the longest step
      } else {
        high = alpha, slope_high = slope, high_has_slope = lower;
      }
      if (high < 0) {
        alpha = std::min(largest, 3 * alpha);
      } else if (high_has_slope) {
        const double share = slope_low / (slope_low - slope_high);  // secant, kept inside the bracket
        alpha = low + std::clamp(share, 0.05, 0.95) * (high - low);
      } else {
        alpha = low + 0.3 * (high - low);
      }
      if (high > 0 && high - low <= 1e-12 * high) break;
    }
    return energy_.move_along(low).ok() && found;
  }

  // Fletcher and Powell, Eq. 4: H += s s^T / (s.y) - (H y)(H y)^T / (y.H y).
  void update(const Eigen::VectorXd& s, const Eigen::VectorXd& y) {
    const double sy = s.dot(y);
    const Eigen::VectorXd Hy = H_ * y;
    const double yHy = y.dot(Hy);
    if (!(sy > 1e-14 * s.norm() * y.norm()) || !(yHy > 0)) return;  // the energy does not curve upwards along s
    H_.noalias() += s * (s.transpose() / sy) - Hy * (Hy.transpose() / yHy);
  }

  StaticEnergy& energy_;
  const MinimizeOptions& options_;
  MinimizeReport& report_;
  Eigen::MatrixXd metric_, H_;
  double condition_ = 0;
  Index updates_ = 0;    ///< of H_ since it was the metric
  bool missed_ = false;  ///< the last line search met a w without u
};

}  // namespace

Status minimize_dfp(StaticEnergy& energy, const MinimizeOptions& options, MinimizeReport& report) {
  return Dfp(energy, options, report).run();
}

}  // namespace trammel
