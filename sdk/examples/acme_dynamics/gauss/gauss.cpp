// Plugin `acme.gauss`: Gauss-Legendre collocation, s stages, order 2 s, symplectic and symmetric.
//
//   F_i = f(t_0 + c_i h, y_0 + h sum_j a_ij F_j)                                                                    (1)
//   y_1 = y_0 + h sum_j b_j F_j                                                                                     (2)
//   u(t_0 + theta h) = y_0 + h sum_j b_j(theta) F_j        the collocation polynomial: dense output, s >= 3         (3)
// The stage derivatives are iterated on, from the polynomial through those of the step before, to the last digits,
// since an iteration that ends early destroys the method's invariants (Hairer, Lubich, Wanner, VIII.6; Hairer,
// McLachlan, Razakarivony, BIT 48 (2008) 231-243):
//   fixed point   F_i <- f(...)                                                                                     (4)
//   Newton        (I - h A x J) dF = f(...) - F,  J = f_y(t_0, y_0)                                                 (5)
#include <trammel/extensions/integrator_extensions.h>
#include <trammel/sdk/math/lu.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/state_layout.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "coefficients.h"

namespace acme::gauss {
namespace {

using namespace trammel;
using Layout = sdk::StateLayout;
using Map = Layout::Map;
using Stages = Layout::Matrix;  // n x s, column i is F_i

enum class Iteration : std::int32_t { fixed_point, newton };

class Gauss final : public Integrator, LinearStability {
 public:
  struct Parameters {
    std::int64_t stages;
    Iteration iteration;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, stages, "1", "Number of stages s; the order is 2 s.")
          .at_least(1)
          .at_most(most_stages)
          .otherwise("2"),
      TRAMMEL_FIELD(Parameters, iteration, "1",
                    "How the stages are solved: fixed_point for problems that are not stiff, newton for others.")
          .choices("fixed_point|newton")
          .otherwise("\"fixed_point\""));

  explicit Gauss(const Parameters& p) : k_(static_cast<int>(p.stages)), newton_(p.iteration == Iteration::newton) {}

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = 2 * k_.s;
    traits.interpolation_order = std::max(3, k_.s);
    traits.implicit = newton_;
    return traits;
  }
  const void* extension(const char* id) const override {
    // Beyond |h mu| of about 1 the fixed point iteration does not converge, whatever the method would do.
    return newton_ ? sdk::offer_extensions<LinearStability>(id, this) : nullptr;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<Kept>(size.n, k_.s), Layout::size<Work>(size.n, k_.s, newton_)};
  }
  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    kept_in(memory, state).known = 0;
    return Status::success();
  }
  void accept(const Problem&, const ConstStateView& state, bool changed, const Memory& memory) const override {
    Kept kept = kept_in(memory, state);
    kept.known = changed ? 0 : 1;
    kept.step_before = kept.step_tried;
    kept.before = kept.now;
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    Kept kept = kept_in(memory, state);
    Work work = Layout::place<Work>(memory.scratch, state.x.size, k_.s, newton_);
    StepResult result;
    result.h = kept.step_tried = h;
    result.order = 2 * k_.s;
    result.status = begin(*problem.ode, state, h, kept);
    if (result.status && newton_) result.status = factorize(*problem.ode, state, h, work);
    if (result.status) result.status = iterate(*problem.ode, state, h, kept.now, work, result.newton_iterations);
    if (!result.status) return result;
    next.x.map() = state.x.map();
    for (int j = 0; j < k_.s; ++j) next.x.map() += h * k_.b[j] * kept.now.col(j);  // (2)
    if (!next.x.map().allFinite()) result.status = Status::failure(StatusCode::not_finite, "state");
    return result;
  }

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    if (k_.s < 3) return Status::failure(StatusCode::unsupported, "Hermite's cubic is better");
    const double h = to.t - from.t;
    const Stages F = kept_in(memory, from).now;
    out.x.map() = from.x.map();
    for (int j = 0; j < k_.s; ++j) out.x.map() += h * k_.integral(j, (t - from.t) / h) * F.col(j);  // (3)
    return Status::success();
  }

  /// |N(z) / N(-z)|, N(z) = sum_j (2 s - j)! s! / ((2 s)! j! (s - j)!) z^j: the diagonal Pade approximation of exp.
  double spectral_radius(double re, double im) const override {
    const std::complex<double> z(re, im);
    std::complex<double> above = 1, below = 1, power = 1;
    double factor = 1;
    for (int j = 1; j <= k_.s; ++j) {
      factor *= double(k_.s - j + 1) / (double(2 * k_.s - j + 1) * j);
      power *= z;
      above += factor * power;
      below += (j % 2 == 0 ? factor : -factor) * power;
    }
    return std::abs(above / below);
  }

 private:
  struct Kept {
    Kept(Layout& at, Index n, int s)
        : known(at.number()),
          step_before(at.number()),
          step_tried(at.number()),
          before(at.matrix(n, s)),
          now(at.matrix(n, s)) {}
    double& known;  ///< whether `before` is
    double &step_before, &step_tried;
    Stages before, now;  ///< F of the last accepted step, and of the attempt
  };
  struct Work {
    Work(Layout& at, Index n, int s, bool newton)
        : y(at.vector(n)),
          F_new(at.matrix(n, s)),
          f(at.vector(n)),
          f_moved(at.vector(n)),
          J(at.matrix(newton ? n : 0, newton ? n : 0)),
          factors(at.numbers(sdk::Lu::size(newton ? n * s : 0)), newton ? n * s : 0) {}
    Map y;
    Stages F_new;
    Map f, f_moved;  ///< of differences
    Layout::Matrix J;
    sdk::Lu factors;
  };
  Kept kept_in(const Memory& memory, const ConstStateView& state) const {
    return Layout::place<Kept>(memory.state, state.x.size, k_.s);
  }
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr double smallest = 1e-280;  // far below it roundings are no longer relative

  /// Where the iteration begins.
  Status begin(OdeSystem& system, const ConstStateView& state, double h, Kept& kept) const {
    Stages& F = kept.now;
    if (kept.known == 0) {
      const Status status = system.rhs(state.t, state.x, {F.data(), state.x.size});
      for (int i = 1; i < k_.s; ++i) F.col(i) = F.col(0);
      return status;
    }
    for (int i = 0; i < k_.s; ++i) {
      F.col(i).setZero();
      const double theta = 1 + k_.c[i] * h / kept.step_before;
      for (int j = 0; j < k_.s; ++j) F.col(i) += k_.lagrange(j, theta) * kept.before.col(j);
    }
    return Status::success();
  }

  Status iterate(OdeSystem& system, const ConstStateView& state, double h, Stages& F, Work& work,
                 int& iterations) const {
    const Index n = state.x.size;
    Stages& F_new = work.F_new;
    double change_before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 100; ++iteration) {
      for (int i = 0; i < k_.s; ++i) {
        const Status status = stage(system, state, h, i, F, work);
        if (!status) return status;
      }
      if (newton_) {
        F_new -= F;
        work.factors.solve(Map(F_new.data(), n * k_.s));  // (5)
        F_new += F;
        ++iterations;
      }
      const double change = std::abs(h) * (F_new - F).cwiseAbs().maxCoeff();
      const double scale = smallest + state.x.map().cwiseAbs().maxCoeff() + std::abs(h) * F_new.cwiseAbs().maxCoeff();
      F = F_new;
      if (!F.allFinite()) return Status::failure(StatusCode::not_finite, "iteration of the stages");
      if (change <= epsilon * scale) return Status::success();
      if (!(change < change_before)) {  // rounding rules, or there is no convergence
        return change <= 1e3 * epsilon * scale
                   ? Status::success()
                   : Status::failure(StatusCode::not_converged, "iteration of the stages", -1, change);
      }
      change_before = change;
    }
    return Status::failure(StatusCode::not_converged, "iteration of the stages", -1, change_before);
  }
  /// Column i of the new F: f at stage i of (1).
  Status stage(OdeSystem& system, const ConstStateView& state, double h, int i, const Stages& F, Work& work) const {
    const Index n = state.x.size;
    Map& y = work.y;
    y.setZero();
    for (int j = 0; j < k_.s; ++j) y += k_.a[i][j] * F.col(j);
    y = state.x.map() + h * y;
    return system.rhs(state.t + k_.c[i] * h, {y.data(), n}, {work.F_new.col(i).data(), n});
  }

  /// The matrix of (5); differences where the problem has no Jacobian.
  Status factorize(OdeSystem& system, const ConstStateView& state, double h, Work& work) const {
    const Index n = state.x.size;
    Layout::Matrix& J = work.J;
    Status status = system.jacobian(state.t, state.x, {J.data(), n, n, n});
    if (status.code == StatusCode::unsupported) status = difference(system, state, work);
    if (!status) return status;
    sdk::Lu& factors = work.factors;
    for (int i = 0; i < k_.s; ++i) {
      for (int j = 0; j < k_.s; ++j) factors.matrix().block(i * n, j * n, n, n) = -h * k_.a[i][j] * J;
    }
    factors.matrix().diagonal().array() += 1;
    return factors.factorize();
  }
  static Status difference(OdeSystem& system, const ConstStateView& state, Work& work) {
    const Index n = state.x.size;
    Map &y = work.y, &f = work.f, &f_moved = work.f_moved;
    Status status = system.rhs(state.t, state.x, {f.data(), n});
    y = state.x.map();
    for (Index j = 0; status.ok() && j < n; ++j) {
      const double step = std::sqrt(epsilon) * std::max(1e-3, std::abs(y[j]));
      y[j] += step;
      status = system.rhs(state.t, {y.data(), n}, {f_moved.data(), n});
      y[j] = state.x[j];
      work.J.col(j) = (f_moved - f) / step;
    }
    return status;
  }

  Coefficients k_;
  bool newton_;
};

}  // namespace
}  // namespace acme::gauss

TRAMMEL_PLUGIN(
    "acme.gauss", "1.0.0", "BSD-3-Clause",
    component<acme::gauss::Gauss>(Host::any, "acme.gauss",
                                  "Gauss-Legendre collocation of order 2 s, symplectic and symmetric, fixed steps.",
                                  "Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), II.1.3"));
