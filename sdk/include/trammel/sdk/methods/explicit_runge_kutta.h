// Explicit Runge-Kutta methods: one implementation for every tableau. A new method is its tableau and a descriptor.
//
//   k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j)                                                                  (1)
//   y_1 = y + h sum_i b_i k_i                                                                                     (2)
//
// Error estimate, computed minus compared:
//   e = h sum_i (b_i - b^_i) k_i                                                                                  (3)
// Tableaus with b_low follow DOP853 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.10):
//   e5 as (3) with b^, e3 as (3) with b_low                                                                       (4)
//   err = |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)                                                                     (5)
// which behaves like h^8. Controllers see vectors, so the vector handed over is
//   e = e5 |e5| / sqrt(|e5|^2 + 0.01 |e3|^2)                                                                      (6)
// with the weighted norm of the run's tolerances and mask: its norm is (5), and a projection of it into a tangent space
// means what it means for any other method.
//
// Continuous extension, theta = (t - t_0) / h, D = y_1 - y, B = h k_1 - D, C = D - h f(t_0 + h, y_1) - B
// (ibid., II.6 and II.10, CONTD5 and CONTD8):
//   y(theta) = y + theta (D + (1-theta) (B + theta (C + (1-theta) (d_1 + theta (d_2 + (1-theta) (d_3 + ...))))))  (7)
// with d_r = h sum_i d_ri k_i. Without rows d this is the cubic Hermite polynomial H for orders up to 3. For higher
// ones f is evaluated once more on it, at theta* = (3 + sqrt 3) / 6 where the derivative of theta^2 (1-theta)^2 is
// largest, 2 theta*
// (1-theta*) (1-2 theta*) = -sqrt(3) / 9, and the polynomial of degree 4 that has this slope there is of order 4
// (bootstrapping: Enright, Jackson, Norsett, Thomsen, ACM Trans. Math. Softw. 12 (1986) 193-218):
//   y(theta) = H(theta) - theta^2 (1-theta)^2 9 / sqrt(3) [h f(t_0 + theta* h, H(theta*)) - H'(theta*)]             (8)
// evaluated only where a row or an event lies inside the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/methods/tableau.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/tolerances.h"

namespace trammel::sdk {

template <class Tableau>
class ExplicitRungeKutta final : public Integrator, public LinearStability {
  using Traits = TableauTraits<Tableau>;
  using Map = Eigen::Map<Eigen::VectorXd>;
  static constexpr int s = Tableau::stages;
  static constexpr bool fsal = Traits::first_same_as_last();
  static constexpr int extra = Traits::extra_stages();
  static constexpr int end = fsal ? s - 1 : s;  ///< column of f(t + h, y_1)
  static constexpr bool bootstrapped = Traits::bootstrapped();
  static constexpr int columns = end + 1 + extra + (bootstrapped ? 1 : 0);
  static constexpr int quartic = columns - 1;  ///< column of the last term of (8), over h, where there is one

 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.order = Tableau::order;
    traits.error_order = Traits::error_order();
    traits.interpolation_order = Traits::interpolation_order();
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override { return {flags + columns * size.n, 2 * size.n}; }

  const void* extension(const char* id) const override {
    return offer_extensions<LinearStability, MethodFamily>(id, this, &runge_kutta_family);
  }

  /// |R(z)|, R(z) = y_1 for y' = mu y, y_0 = 1, z = h mu: (1) and (2) with f = mu y.
  double spectral_radius(double re, double im) const override {
    const std::complex<double> z(re, im);
    std::array<std::complex<double>, s> k;
    std::complex<double> R = 1;
    for (int i = 0; i < s; ++i) {
      std::complex<double> stage = 1;
      for (int j = 0; j < i; ++j) stage += z * Traits::a(i, j) * k[static_cast<std::size_t>(j)];
      k[static_cast<std::size_t>(i)] = stage;
      R += z * Tableau::b[static_cast<std::size_t>(i)] * stage;
    }
    return std::abs(R);
  }

  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    memory.state[first] = unknown;
    memory.state[end_known] = 0;
    memory.state[extra_known] = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView error,
                     const Memory& memory) const override {
    const Index n = state.x.size;
    OdeSystem& f = *problem.ode;
    const auto y = state.x.map();
    Map y_1 = next.x.map(), sum(memory.scratch, n), stage(memory.scratch + n, n);
    StepResult result;

    if (memory.state[first] == is_end && memory.state[end_known] != 0) {
      column(memory, 0, n) = column(memory, end, n);
    } else if (memory.state[first] != is_k_1) {
      memory.state[first] = unknown;
      result.status = f.rhs(state.t, state.x, view(memory, 0, n));  // (1), i = 1
      if (!result.status) return result;
    }
    memory.state[first] = is_k_1;
    memory.state[end_known] = 0;
    memory.state[extra_known] = 0;

    for (int i = 1; i < s; ++i) {  // (1)
      weigh(&Tableau::a[static_cast<std::size_t>(i * (i - 1) / 2)], i, memory, sum);
      stage = y + h * sum;
      result.status =
          f.rhs(state.t + Tableau::c[static_cast<std::size_t>(i)] * h, {stage.data(), n}, view(memory, i, n));
      if (!result.status) return result;
    }
    if constexpr (fsal) {
      y_1 = stage;  // the last row of a is b
      memory.state[end_known] = 1;
    } else {
      weigh(Tableau::b.data(), s, memory, sum);  // (2)
      y_1 = y + h * sum;
    }
    result.status = check_finite(y_1);
    if (!result.status) return result;
    if constexpr (Traits::has_estimate) {
      if (error.size > 0) result.status = estimate(problem, state, h, next, error, memory);
    }
    result.h = h;
    result.order = Tableau::order;
    return result;
  }

  void accept(const Problem&, const ConstStateView&, bool changed, const Memory& memory) const override {
    memory.state[first] = changed ? unknown : is_end;
  }

  /// k_1 stays valid: it belongs to the state that the step failed to leave.
  void reject(const Memory&) const override {}

  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t, const StateView& out,
                     const Memory& memory) const override {
    const Index n = from.x.size;
    const double h = to.t - from.t;
    const double theta = (t - from.t) / h, theta_1 = 1 - theta;
    const Status ready = complete(problem, from, to, h, memory);
    if (!ready) return ready;

    Map D(memory.scratch, n), nested(memory.scratch + n, n), result = out.x.map();
    nested.setZero();  // (7), from the inside
    if constexpr (Traits::has_extension) {
      constexpr int rows = static_cast<int>(Tableau::d.size());
      for (int r = rows - 1; r >= 0; --r) {
        weigh(Tableau::d[static_cast<std::size_t>(r)].data(), columns, memory, D);
        nested = h * D + (r % 2 == 0 ? theta : theta_1) * nested;
      }
    }
    if constexpr (bootstrapped) nested = h * column(memory, quartic, n);
    extend(from.x.map(), to.x.map(), theta, h, memory, D, nested, result);
    return Status::success();
  }

 private:
  // memory.state: [first, end_known, extra_known, k_1 ... k_s, f(t + h, y_1) unless it is k_s, extra stages]
  static constexpr int first = 0, end_known = 1, extra_known = 2, flags = 3;
  // Values of `first`: where f at the present state is found.
  static constexpr double unknown = 0, is_k_1 = 1, is_end = 2;

  static Map column(const Memory& memory, int i, Index n) { return Map(memory.state + flags + i * n, n); }
  static VectorView view(const Memory& memory, int i, Index n) { return {memory.state + flags + i * n, n}; }

  /// (7), `nested` being d_1 + ...
  template <class Vector>
  static void extend(const Vector& y, const Vector& y_1, double theta, double h, const Memory& memory, Map& D,
                     Map& nested, Map& result) {
    const Index n = static_cast<Index>(y.size());
    D = y_1 - y;
    // C + (1-theta) (...) and B + theta (...), with B = h k_1 - D and C = 2 D - h k_1 - h f_1.
    nested = 2 * D - h * (column(memory, 0, n) + column(memory, end, n)) + (1 - theta) * nested;
    nested = h * column(memory, 0, n) - D + theta * nested;
    result = y + theta * (D + (1 - theta) * nested);
  }

  /// The last term of (8), over h.
  static Status bootstrap(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double h,
                          const Memory& memory) {
    const Index n = from.x.size;
    const double root = std::sqrt(3.0), theta = (3 + root) / 6;
    Map D(memory.scratch, n), H(memory.scratch + n, n), term = column(memory, quartic, n);
    term.setZero();
    extend(from.x.map(), to.x.map(), theta, h, memory, D, term, H);
    const Status status = problem.ode->rhs(from.t + theta * h, {H.data(), n}, view(memory, quartic, n));
    if (!status) return status;
    // H' = D/h (6 theta (1-theta)) + k_1 (1-theta) (1-3 theta) + f_1 theta (3 theta-2)
    D = (to.x.map() - from.x.map()) / h;
    term = -9 / root *
           (term - 6 * theta * (1 - theta) * D - (1 - theta) * (1 - 3 * theta) * column(memory, 0, n) -
            theta * (3 * theta - 2) * column(memory, end, n));
    return status;
  }

  /// sum = sum_i w_i k_i
  static void weigh(const double* w, int count, const Memory& memory, Map& sum) {
    sum.setZero();
    for (int i = 0; i < count; ++i) {
      if (w[i] != 0) sum += w[i] * column(memory, i, static_cast<Index>(sum.size()));
    }
  }

  static Status check_finite(const Map& y) {
    for (Index i = 0; i < y.size(); ++i) {
      if (!std::isfinite(y[i])) return Status::failure(StatusCode::not_finite, "a component of the new state", i, y[i]);
    }
    return Status::success();
  }

  static Status estimate(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                         VectorView error, const Memory& memory) {
    Map e = error.map();
    weigh(difference(Tableau::b_hat).data(), s, memory, e);
    e *= h;  // (3)
    if constexpr (Traits::has_low_estimate) {
      Map e3(memory.scratch, state.x.size);
      weigh(difference(Tableau::b_low).data(), s, memory, e3);
      e3 *= h;  // (4)
      const double square5 = square_norm(problem, state.x, next.x, e),
                   square3 = square_norm(problem, state.x, next.x, e3);
      const double denominator = square5 + 0.01 * square3;
      if (denominator > 0) e *= std::sqrt(square5 / denominator);  // (6)
    }
    return check_finite(e);
  }

  static constexpr std::array<double, s> difference(const std::array<double, s>& b_hat) {
    std::array<double, s> e{};
    for (std::size_t i = 0; i < s; ++i) e[i] = Tableau::b[i] - b_hat[i];
    return e;
  }

  /// sum_i mask_i (e_i / (atol_i + rtol_i max(|y_i|, |y_1i|)))^2; only ratios of it are used.
  static double square_norm(const Problem& problem, ConstVectorView y, ConstVectorView y_1, const Map& e) {
    const ConstVectorView mask = problem.ode->mask();
    double sum = 0;
    for (Index i = 0; i < e.size(); ++i) {
      const double scale = allowed_error(problem.tolerances, i, y[i], y_1[i]);
      const double weighted = scale > 0 ? mask[i] * e[i] / scale : mask[i] * e[i];
      sum += weighted * weighted;
    }
    return sum;
  }

  /// Evaluates what (7) needs and the step did not, once per step.
  static Status complete(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double h,
                         const Memory& memory) {
    const Index n = from.x.size;
    if (memory.state[end_known] == 0) {
      const Status status = problem.ode->rhs(to.t, to.x, view(memory, end, n));
      if (!status) return status;
      memory.state[end_known] = 1;
    }
    if constexpr (bootstrapped) {
      if (memory.state[extra_known] != 0) return Status::success();
      const Status status = bootstrap(problem, from, to, h, memory);
      memory.state[extra_known] = status.ok();
      return status;
    }
    if constexpr (extra > 0) {
      if (memory.state[extra_known] != 0) return Status::success();
      Map sum(memory.scratch, n), stage(memory.scratch + n, n);
      int row = 0;
      for (int k = 0; k < extra; ++k) {
        weigh(&Tableau::a_extra[static_cast<std::size_t>(row)], end + 1 + k, memory, sum);
        stage = from.x.map() + h * sum;
        const Status status = problem.ode->rhs(from.t + Tableau::c_extra[static_cast<std::size_t>(k)] * h,
                                               {stage.data(), n}, view(memory, end + 1 + k, n));
        if (!status) return status;
        row += end + 1 + k;
      }
      memory.state[extra_known] = 1;
    }
    return Status::success();
  }
};

}  // namespace trammel::sdk
