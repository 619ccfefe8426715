// Rosenbrock methods for M^ x'' = Q^(t, x, x'): one implementation for every table (Sandu et al. 2001, Algorithm 1).
//
// With Pi = M^ - h g M^J2 - h^2 g^2 M^J1, g = gamma, and everything in M^, J1, J2, f_t = d(x'')/dt taken at the step's
// start,
//   Y_i  = x + h alpha_i x' + h sum_{j<i} theta_ij z_j,   Y'_i = x' + sum_{j<i} a_ij z_j                          (1)
//   Pi z_i = h g M^ f(t + alpha_i h, Y_i, Y'_i) + h^2 g gamma_i (M^ f_t + M^J1 x')
//            + g M^ sum_{j<i} c_ij z_j + h^2 g M^J1 sum_{j<i} delta_ij z_j                                         (2)
//   x_1 = x + h x' + h sum mu_i z_i,   x'_1 = x' + sum m_i z_i                                                     (3)
// f is the acceleration at the stage's own configuration; M^ stays that of the step's start. (The printed Eq. 45 has
// Q^ of the stage in place of M^ f, which is of order 1 unless M^ is constant.)
//
// Error estimate: (3) with the weights minus the hatted ones, or, with error_filter, that filtered as in
// L. F. Shampine, ACM Trans. Math. Softw. 8 (1982) 93-113: delta = (I - h g f_y)^-1 e with f_y of the first-order form,
//   Pi delta_v = M^ e_v + h g M^J1 e_x,   delta_x = e_x + h g delta_v                                              (4)
// Dense output: weights b_i(s), s = (t - t_n) / h, of least length that meet the first `dense_conditions` of the order
// conditions of a step s h, and b at s = 1:
//   sum b_i = s, sum b_i beta_i = s^2/2, sum b_i beta_ij beta_j = s^3/6, sum b_i alpha_i^2 = s^3/3                 (5)
// The fourth touches x' only, so that x is of order 3 with three of them. The stages of the 4(3) method cannot meet all
// four: that its third-order conditions are dependent is what gives it an embedded formula.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/methods/rosenbrock_table.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// `Method` is a struct of static constexpr members: stages, order, embedded_order, dense_conditions, any_jacobian (a
/// W-method: its order holds with any J1 and J2), base (RosenbrockBase<stages>).
template <class Method>
class RosenbrockNystrom final : public Integrator, private ExactJacobians {
  static constexpr int s = Method::stages;
  static constexpr RosenbrockTable<s> table{Method::base};
  using Map = StateLayout::Map;
  using Weights = Eigen::Matrix<double, 1, s>;

 public:
  struct Parameters {
    bool error_filter;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, error_filter, "1",
                    "Multiply the error estimate by (I - h gamma f_y)^-1, so that stiff components do not dominate it.")
          .otherwise("false"));

  explicit RosenbrockNystrom(const Parameters& p) : filtered_(p.error_filter) { choose_dense_weights(); }

  const void* extension(const char* id) const override {
    return Method::any_jacobian ? nullptr : offer_extensions<ExactJacobians>(id, this);
  }
  const char* otherwise() const override { return "'rosenbrock_nystrom_w2', 'ros2', 'sdirk4', 'trapezoidal' or 'bdf'"; }

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.order = Method::order;
    traits.error_order = Method::embedded_order;
    traits.interpolation_order = Method::dense_conditions == 4 ? 3 : 2;
    traits.implicit = true;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {StateLayout::size<Kept>(size.n), StateLayout::size<Work>(size.n)};
  }

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    kept_in(memory, state).known = 0;
    return Status::success();
  }
  void accept(const Problem&, const ConstStateView& state, bool, const Memory& memory) const override {
    kept_in(memory, state).known = 0;
  }
  /// What is known at the step's start (f, the Jacobians) stays.
  void reject(const Memory&) const override {}

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    SecondOrderSystem& system = *problem.second_order;
    const Index n = state.x.size;
    const double g = table.gamma;
    const auto x = state.x.map(), v = state.v.map();
    Map x_1 = next.x.map(), v_1 = next.v.map();
    const Kept kept = kept_in(memory, state);
    Work work = StateLayout::place<Work>(memory.scratch, n);
    Map &f = work.f, &Mf = work.Mf, &r = work.r, &sum = work.sum, &image = work.image;
    StepResult result;
    result.h = h;
    result.order = Method::order;
    Status& status = result.status;

    if (kept.known == 0) status = linearize(system, state, kept, work);
    if (status) status = system.prepare(h * h * g * g, h * g);
    for (std::size_t i = 0; status && i < s; ++i) {
      if (i == 0) {
        f = kept.f;
      } else if (!table.same_point(i)) {
        combine(table.theta[i], kept, x_1);
        combine(table.a[i], kept, v_1);
        x_1 = x + h * (table.alpha[i] * v + x_1);  // (1)
        v_1 += v;
        status = system.acceleration(state.t + table.alpha[i] * h, next.x, next.v, view(f));
      }
      if (status && !table.same_point(i)) status = system.apply_mass(view(f), view(Mf));
      if (!status) break;
      r = h * g * Mf + h * h * g * table.gammas[i] * kept.time_term;  // (2)
      if (i > 0) {
        combine(table.c[i], kept, sum);
        status = system.apply_mass(view(sum), view(image));
        r += g * image;
        combine(table.delta[i], kept, sum);
        if (status) status = system.apply_J1(view(sum), view(image));
        r += h * h * g * image;
      }
      if (status) status = system.solve(view(r), kept.z.view(static_cast<Index>(i)));
    }
    if (!status) return result;
    combine(table.mu, kept, x_1);
    combine(table.m, kept, v_1);
    x_1 = x + h * (v + x_1);  // (3)
    v_1 += v;
    if (error.size > 0) status = estimate(system, h, error, kept, work);
    return result;
  }

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Kept kept = kept_in(memory, from);
    const double h = to.t - from.t, part = (t - from.t) / h;
    const Eigen::Vector3d powers(part, part * part, part * part * part);
    const Weights b = powers.transpose() * dense_;
    StageRow<s> m{}, mu{};
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t j = 0; j < s; ++j) {
        m[j] += b[static_cast<Index>(i)] * table.to_l[i][j];
        mu[j] += b[static_cast<Index>(i)] * table.to_position[i][j];
      }
    }
    Map x = out.x.map(), v = out.v.map();
    combine(mu, kept, x);
    combine(m, kept, v);
    x = from.x.map() + h * (part * from.v.map() + x);
    v += from.v.map();
    return Status::success();
  }

 private:
  struct Kept {
    Kept(StateLayout& at, Index n)
        : known(at.number()), f(at.vector(n)), time_term(at.vector(n)), z(at.vectors(n, s)) {}
    double& known;     ///< whether the next two and the Jacobians are those of this state
    Map f, time_term;  ///< f_n, M^ f_t + M^J1 x'
    StateLayout::Vectors z;
  };
  struct Work {
    Work(StateLayout& at, Index n)
        : f(at.vector(n)), Mf(at.vector(n)), r(at.vector(n)), sum(at.vector(n)), image(at.vector(n)) {}
    Map f, Mf, r, sum, image;
  };
  static Kept kept_in(const Memory& memory, const ConstStateView& state) {
    return StateLayout::place<Kept>(memory.state, state.x.size);
  }
  static VectorView view(Map& x) { return {x.data(), static_cast<Index>(x.size())}; }

  /// sum = sum_j w_j z_j
  static void combine(const StageRow<s>& w, const Kept& kept, Map& sum) {
    sum.setZero();
    for (std::size_t j = 0; j < s; ++j) {
      if (w[j] != 0) sum += w[j] * kept.z[static_cast<Index>(j)];
    }
  }

  static Status linearize(SecondOrderSystem& system, const ConstStateView& state, const Kept& kept, Work& work) {
    Map f = kept.f, term = kept.time_term;
    Map& image = work.image;
    Status status = system.acceleration(state.t, state.x, state.v, view(f));
    if (status) status = system.linearize(state.t, state.x, state.v);
    if (status) status = system.time_gradient(view(term));
    if (status) status = system.apply_J1(state.v, view(image));
    if (!status) return status;
    term += image;
    kept.known = 1;
    return status;
  }

  Status estimate(SecondOrderSystem& system, double h, VectorView error, const Kept& kept, Work& work) const {
    const Index n = error.size / 2;
    StageRow<s> m{}, mu{};
    for (std::size_t i = 0; i < s; ++i) m[i] = table.m[i] - table.m_hat[i], mu[i] = table.mu[i] - table.mu_hat[i];
    Map e_x(error.data, n), e_v(error.data + n, n);
    Map &r = work.r, &image = work.image;
    combine(mu, kept, e_x);
    combine(m, kept, e_v);
    e_x *= h;
    if (!filtered_) return Status::success();
    Status status = system.apply_mass(view(e_v), view(r));  // (4)
    if (status) status = system.apply_J1(view(e_x), view(image));
    r += h * table.gamma * image;
    if (status) status = system.solve(view(r), view(e_v));
    e_x += h * table.gamma * e_v;
    return status;
  }

  /// (5) as powers of s: b(s) = (s, s^2, s^3) dense_.
  void choose_dense_weights() {
    constexpr int rows = Method::dense_conditions;
    const StageMatrix<s> Gamma = rosenbrock::sum<s>(Method::base.gammas, {}, table.gamma);
    const StageMatrix<s> beta = rosenbrock::sum<s>(Method::base.alpha, Gamma, 0);
    Eigen::Matrix<double, 4, s> conditions;
    for (std::size_t i = 0; i < s; ++i) {
      double first = 0, second = 0;
      for (std::size_t j = 0; j < s; ++j) {
        first += beta[i][j];
        for (std::size_t k = 0; k < s; ++k) second += beta[i][j] * beta[j][k];
      }
      conditions.col(static_cast<Index>(i)) << 1, first, second, table.alpha[i] * table.alpha[i];
    }
    const Eigen::Matrix<double, rows, s> A = conditions.template topRows<rows>();
    Eigen::Matrix<double, rows, 3> right = Eigen::Matrix<double, rows, 3>::Zero();
    right(0, 0) = 1;
    right(1, 1) = 0.5;
    if constexpr (rows > 2) right(2, 2) = 1.0 / 6;
    if constexpr (rows > 3) right(3, 2) = 1.0 / 3;
    const Eigen::Matrix<double, rows, rows> normal = A * A.transpose();
    dense_ = (A.transpose() * normal.ldlt().solve(right)).transpose();
    // What is left of b at s = 1 is of no consequence for (5).
    const Weights b = Eigen::Map<const Weights>(Method::base.b.data());
    dense_.row(2) += b - dense_.colwise().sum();
  }

  bool filtered_;
  Eigen::Matrix<double, 3, s> dense_;
};

}  // namespace trammel::sdk
