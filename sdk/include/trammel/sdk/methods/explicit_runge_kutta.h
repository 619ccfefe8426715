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
#include "trammel/sdk/math/weighted_sum.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/methods/tableau.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/state_layout.h"
#include "trammel/tolerances.h"

namespace trammel::sdk {

template <class Tableau>
class ExplicitRungeKutta final : public Integrator, public LinearStability {
  using Traits = TableauTraits<Tableau>;
  using Map = StateLayout::Map;
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

  MemorySize memory(const ProblemSize& size) const override {
    return {StateLayout::size<Kept>(size.n), StateLayout::size<Work>(size.n)};
  }

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

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    const Kept kept = kept_in(memory, state);
    kept.first = unknown;
    kept.end_known = kept.extra_known = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    const Index n = state.x.size;
    OdeSystem& f = *problem.ode;
    Map y_1 = next.x.map();
    const Kept kept = kept_in(memory, state);
    Work work = StateLayout::place<Work>(memory.scratch, n);
    StepResult result;

    if (kept.first == is_end && kept.end_known != 0) {
      kept.k[0] = kept.k[end];
    } else if (kept.first != is_k_1) {
      kept.first = unknown;
      result.status = f.rhs(state.t, state.x, kept.k.view(0));  // (1), i = 1
      if (!result.status) return result;
    }
    kept.first = is_k_1;
    kept.end_known = kept.extra_known = 0;

    for (int i = 1; i < s; ++i) {  // (1)
      weigh(state.x.data, h, &Tableau::a[static_cast<std::size_t>(i * (i - 1) / 2)], i, kept, work.stage);
      result.status =
          f.rhs(state.t + Tableau::c[static_cast<std::size_t>(i)] * h, {work.stage.data(), n}, kept.k.view(i));
      if (!result.status) return result;
    }
    if constexpr (fsal) {
      y_1 = work.stage;  // the last row of a is b
      kept.end_known = 1;
    } else {
      weigh(state.x.data, h, Tableau::b.data(), s, kept, y_1);  // (2)
    }
    result.status = check_finite(y_1);
    if (!result.status) return result;
    if constexpr (Traits::has_estimate) {
      if (error.size > 0) result.status = estimate(problem, state, h, next, error, kept, work);
    }
    result.h = h;
    result.order = Tableau::order;
    return result;
  }

  void accept(const Problem&, const ConstStateView& state, bool changed, const Memory& memory) const override {
    kept_in(memory, state).first = changed ? unknown : is_end;
  }

  /// k_1 stays valid: it belongs to the state that the step failed to leave.
  void reject(const Memory&) const override {}

  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const double h = to.t - from.t;
    const double theta = (t - from.t) / h, theta_1 = 1 - theta;
    const Kept kept = kept_in(memory, from);
    Work work = StateLayout::place<Work>(memory.scratch, from.x.size);
    const Status ready = complete(problem, from, to, h, kept, work);
    if (!ready) return ready;

    Map &D = work.sum, &nested = work.stage, result = out.x.map();
    nested.setZero();  // (7), from the inside
    if constexpr (Traits::has_extension) {
      for (int r = static_cast<int>(Tableau::d.size()) - 1; r >= 0; --r) {
        const double factor = r % 2 == 0 ? theta : theta_1;
        if constexpr (keeps_d()) {
          nested = kept.k[place_of_d(r)] + factor * nested;
        } else {
          weigh(nullptr, h, Tableau::d[static_cast<std::size_t>(r)].data(), columns, kept, D);
          nested = D + factor * nested;
        }
      }
    }
    if constexpr (bootstrapped) nested = h * kept.k[quartic];
    extend(from.x.map(), to.x.map(), theta, h, kept, D, nested, result);
    return Status::success();
  }

 private:
  // Where f at the present state is found.
  static constexpr double unknown = 0, is_k_1 = 1, is_end = 2;

  struct Kept {
    Kept(StateLayout& at, Index n)
        : first(at.number()), end_known(at.number()), extra_known(at.number()), k(at.vectors(n, columns)) {}
    double &first, &end_known, &extra_known;
    StateLayout::Vectors k;  ///< k_1 ... k_s, f(t + h, y_1) unless it is k_s, extra stages
  };
  struct Work {
    Work(StateLayout& at, Index n) : sum(at.vector(n)), stage(at.vector(n)) {}
    Map sum, stage;
  };
  static Kept kept_in(const Memory& memory, const ConstStateView& state) {
    return StateLayout::place<Kept>(memory.state, state.x.size);
  }

  /// (7), `nested` being d_1 + ...
  template <class Vector>
  static void extend(const Vector& y, const Vector& y_1, double theta, double h, const Kept& kept, Map& D, Map& nested,
                     Map& result) {
    D = y_1 - y;
    // C + (1-theta) (...) and B + theta (...), with B = h k_1 - D and C = 2 D - h k_1 - h f_1.
    nested = 2 * D - h * (kept.k[0] + kept.k[end]) + (1 - theta) * nested;
    nested = h * kept.k[0] - D + theta * nested;
    result = y + theta * (D + (1 - theta) * nested);
  }

  /// The last term of (8), over h.
  static Status bootstrap(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double h,
                          const Kept& kept, Work& work) {
    const double root = std::sqrt(3.0), theta = (3 + root) / 6;
    Map &D = work.sum, &H = work.stage, term = kept.k[quartic];
    term.setZero();
    extend(from.x.map(), to.x.map(), theta, h, kept, D, term, H);
    const Status status = problem.ode->rhs(from.t + theta * h, {H.data(), from.x.size}, kept.k.view(quartic));
    if (!status) return status;
    // H' = D/h (6 theta (1-theta)) + k_1 (1-theta) (1-3 theta) + f_1 theta (3 theta-2)
    D = (to.x.map() - from.x.map()) / h;
    term = -9 / root *
           (term - 6 * theta * (1 - theta) * D - (1 - theta) * (1 - 3 * theta) * kept.k[0] -
            theta * (3 * theta - 2) * kept.k[end]);
    return status;
  }

  /// out = y + h sum_i w_i k_i; y nullptr: 0.
  static void weigh(const double* y, double h, const double* w, int count, const Kept& kept, Map& out) {
    weighted_sum(
        y, h, w, count, [&](int i) { return kept.k[i].data(); }, out.size(), out.data());
  }

  static Status check_finite(const Map& y) {
    for (Index i = 0; i < y.size(); ++i) {
      if (!std::isfinite(y[i])) return Status::failure(StatusCode::not_finite, "a component of the new state", i, y[i]);
    }
    return Status::success();
  }

  static Status estimate(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                         VectorView error, const Kept& kept, [[maybe_unused]] Work& work) {
    Map e = error.map();
    weigh(nullptr, h, difference(Tableau::b_hat).data(), s, kept, e);  // (3)
    if constexpr (Traits::has_low_estimate) {
      Map& e3 = work.sum;
      weigh(nullptr, h, difference(Tableau::b_low).data(), s, kept, e3);  // (4)
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

  /// Stages after the first that no d_r contains are not needed once the step is over: d_r is kept in the column of number r
  /// among them, or -1.
  static constexpr int place_of_d(int r) {
    for (int k = 1; k < end; ++k) {
      bool used = false;
      for (const auto& row : Tableau::d) used = used || row[static_cast<std::size_t>(k)] != 0;
      if (!used && r-- == 0) return k;
    }
    return -1;
  }
  static constexpr bool keeps_d() {
    if constexpr (Traits::has_extension) {
      return place_of_d(static_cast<int>(Tableau::d.size()) - 1) > 0;
    } else {
      return false;
    }
  }

  /// Evaluates what (7) needs and the step did not, once per step.
  static Status complete(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double h,
                         const Kept& kept, [[maybe_unused]] Work& work) {
    if (kept.end_known == 0) {
      const Status status = problem.ode->rhs(to.t, to.x, kept.k.view(end));
      if (!status) return status;
      kept.end_known = 1;
    }
    if constexpr (bootstrapped) {
      if (kept.extra_known != 0) return Status::success();
      const Status status = bootstrap(problem, from, to, h, kept, work);
      kept.extra_known = status.ok();
      return status;
    }
    if constexpr (extra > 0 || keeps_d()) {
      if (kept.extra_known != 0) return Status::success();
      if constexpr (extra > 0) {
        int row = 0;
        for (int k = 0; k < extra; ++k) {
          weigh(from.x.data, h, &Tableau::a_extra[static_cast<std::size_t>(row)], end + 1 + k, kept, work.stage);
          const Status status = problem.ode->rhs(from.t + Tableau::c_extra[static_cast<std::size_t>(k)] * h,
                                                 {work.stage.data(), from.x.size}, kept.k.view(end + 1 + k));
          if (!status) return status;
          row += end + 1 + k;
        }
      }
      if constexpr (keeps_d()) {
        for (int r = 0; r < static_cast<int>(Tableau::d.size()); ++r) {
          Map d_r = kept.k[place_of_d(r)];
          weigh(nullptr, h, Tableau::d[static_cast<std::size_t>(r)].data(), columns, kept, d_r);
        }
      }
      kept.extra_known = 1;
    }
    return Status::success();
  }
};

}  // namespace trammel::sdk
