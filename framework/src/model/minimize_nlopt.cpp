// NLopt's limited-memory BFGS on the potential energy, where the build found NLopt.
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <vector>

#include "model/minimize.h"

#ifdef TRAMMEL_HAVE_NLOPT
#include <nlopt.h>
#endif

namespace trammel {

#ifdef TRAMMEL_HAVE_NLOPT
namespace {

/// w = w_0 + L^-T x with L L^T the mass matrix at the start: gradients in x are L^-1 dV/dw.
struct Scaled {
  StaticEnergy& energy;
  const MinimizeOptions& options;
  MinimizeReport& report;
  nlopt_opt optimizer;
  Eigen::LLT<Eigen::MatrixXd> mass;
  Eigen::VectorXd w0;
  double nearest;  ///< smallest acceleration so far
  Eigen::VectorXd best;
  double V0;
  Eigen::VectorXd g0;
  bool again;  ///< started near the minimum
  bool stopped = false;
  /// NLopt ends at gradients of 1e-8, whatever their unit.
  double scale() const { return again ? 1e6 : 1; }

  static double evaluate(unsigned n, const double* x, double* gradient, void* data) {
    auto& self = *static_cast<Scaled*>(data);
    const Eigen::Map<const Eigen::VectorXd> at(x, n);
    self.energy.begin_line(self.w0 + self.mass.matrixU().solve(at) - self.energy.w());
    const Status moved = self.energy.move_along(1);
    ++self.report.iterations;
    self.report.evaluations = self.energy.evaluations;
    if (!moved) {  // no such position: uphill, back to the last one
      self.energy.begin_line(Eigen::VectorXd::Zero(n));
      self.energy.move_along(0);
      if (gradient != nullptr)
        Eigen::Map<Eigen::VectorXd>(gradient, n) = at - self.mass.matrixU() * (self.energy.w() - self.w0);
      return 1e3 * (1 + std::abs(self.energy.energy()));
    }
    const Eigen::VectorXd scaled = self.mass.matrixL().solve(self.energy.gradient());
    const double acceleration = self.energy.largest(self.mass.matrixU().solve(scaled));
    if (acceleration < self.nearest) self.nearest = acceleration, self.best = self.energy.w();
    self.stopped = self.stopped || !goes_on(self.options.progress, self.report.iterations, acceleration);
    if (acceleration <= self.options.tolerance || self.stopped) nlopt_force_stop(self.optimizer);
    if (gradient != nullptr) Eigen::Map<Eigen::VectorXd>(gradient, n) = self.scale() * scaled;
    // Near the minimum energies differ by rounding only; the mean slope times the way tells them apart.
    constexpr double near = 1e-3;  // of the model's unit, or rad
    const Eigen::VectorXd way = self.energy.w() - self.w0;
    if (self.again && self.energy.largest(way) <= near)
      return self.scale() * 0.5 * (self.energy.gradient() + self.g0).dot(way);
    return self.scale() * (self.energy.energy() - self.V0);
  }
};

}  // namespace

bool have_nlopt() { return true; }

Status minimize_nlopt(StaticEnergy& energy, const MinimizeOptions& options, MinimizeReport& report) {
  Status status;
  // From the best point once more, in its own coordinates, as long as that helps: the line search ends where energies
  // differ by rounding.
  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    status = energy.choose();
    if (!status || energy.size() == 0) return status;
    const auto d = static_cast<unsigned>(energy.size());
    Scaled scaled{energy,
                  options,
                  report,
                  nlopt_create(NLOPT_LD_LBFGS, d),
                  Eigen::LLT<Eigen::MatrixXd>(energy.metric()),
                  energy.w(),
                  std::numeric_limits<double>::infinity(),
                  energy.w(),
                  energy.energy(),
                  energy.gradient(),
                  round > 0};
    std::vector<double> x(d, 0.0);
    double lowest = 0;
    nlopt_set_min_objective(scaled.optimizer, Scaled::evaluate, &scaled);
    nlopt_set_maxeval(scaled.optimizer, static_cast<int>(options.most_iterations));
    nlopt_optimize(scaled.optimizer, x.data(), &lowest);
    nlopt_destroy(scaled.optimizer);
    energy.begin_line(scaled.best - energy.w());
    status = energy.move_along(1);
    report.acceleration = scaled.nearest;
    if (scaled.stopped) return Status::failure(StatusCode::failed, search_interrupted);
    if (!status || scaled.nearest <= options.tolerance) return status;
    if (report.iterations >= options.most_iterations) break;
  }
  return Status::failure(StatusCode::not_converged, "minimum of the potential energy", -1, report.acceleration);
}
#else
bool have_nlopt() { return false; }

Status minimize_nlopt(StaticEnergy&, const MinimizeOptions&, MinimizeReport&) {
  return Status::failure(StatusCode::unsupported, "NLopt");
}
#endif

}  // namespace trammel
