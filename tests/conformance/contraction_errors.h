// Every derivative of an element against high-order differences of what it is the derivative of.
//
// Central differences of eighth order, f'(x) = sum_k c_k (f(x + k h) - f(x - k h)) / h + O(h^8), per direction the best
// of several h: large ones are near rounding for smooth elements, small ones are there for stiff laws and spline knots.
// Phi_q is compared with Phi, everything else with the Jacobian that was: errors do not add up over orders.
#pragma once

#include <array>

#include "element_point.h"

namespace conformance {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// df/de at e = 0 for f of a step e.
template <class F>
VectorXd central_difference(const F& f, double h) {
  constexpr double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  VectorXd sum = (c[0] / h) * (f(h) - f(-h));
  for (int k = 2; k <= 4; ++k) sum += (c[k - 1] / h) * (f(k * h) - f(-k * h));
  return sum;
}

/// Largest entry of expected - df/de, for the best step, relative to the larger of 1, |expected| and |f|.
template <class F>
double difference_error(const VectorXd& expected, const F& f) {
  double best = INFINITY;
  const double scale = std::max({1.0, expected.cwiseAbs().maxCoeff(), f(0).cwiseAbs().maxCoeff()});
  for (const double h : {1e-2, 2e-3, 4e-4, 8e-5}) {
    best = std::min(best, (expected - central_difference(f, h)).cwiseAbs().maxCoeff() / scale);
  }
  return best;
}

inline void raise_to(double& largest, double error) {
  if (!(error <= largest)) largest = error;
}

/// Largest relative error of each contraction; what an element does not have stays zero.
struct ContractionErrors {
  // Constraints: Phi_q, gamma (with nu), (Phi_q x)_q, (Phi_q^T lambda)_q, (Phi_q a - gamma)_q and _v, time derivatives.
  double Phi_q = 0, gamma = 0, jacobian = 0, multiplier = 0, acceleration_q = 0, acceleration_v = 0, time = 0;
  // Forces: Q_q, Q_v, Q_t, and the power balance Q v = -dV/dt - dissipation + work.
  double Q_q = 0, Q_v = 0, Q_t = 0, power = 0;
  bool exact_gradients = true;  ///< false: the kernel differences Q
};

template <class State>
class Differences {
 public:
  static constexpr Index c = State::coordinates;

  Differences(ElementPoint<State>& point, Random& random) : point_(point), random_(random) {}

  /// The last `of_velocities` rows hold for velocities only: they have no Phi.
  void constraint(const Constraint& element, ContractionErrors& errors, Index of_velocities = 0) {
    const Index m = element.rows(), K = point_.bodies();
    if (m == 0) return;  // a one-sided contact
    const VectorXd x = local(), a = local(), v = point_.velocity();
    VectorXd lambda(m);
    for (Index k = 0; k < m; ++k) lambda[k] = uniform(random_, -2, 2);

    const MatrixXd J = evaluate(element).Phi_q, x_q = jacobian_gradient(element, x), l_q = multiplier(element, lambda);
    const auto [psi_q, psi_v] = acceleration(element, a);
    const Evaluation here = evaluate(element);
    const auto psi = [&] {
      const Evaluation e = evaluate(element);
      return VectorXd(e.Phi_q * a - e.gamma);
    };
    for (Index column = 0; column < K * c; ++column) {
      if (!point_.free(column / c)) continue;
      const auto by_q = [&](auto&& f) { return along(unit(column), point_.zero(), 0, f); };
      if (const Index positions = m - of_velocities; positions > 0) {
        raise_to(errors.Phi_q, difference_error(J.col(column).head(positions),
                                                by_q([&] { return VectorXd(evaluate(element).Phi.head(positions)); })));
      }
      raise_to(errors.jacobian,
               difference_error(x_q.col(column), by_q([&] { return VectorXd(evaluate(element).Phi_q * x); })));
      raise_to(errors.multiplier, difference_error(l_q.col(column), by_q([&] {
                                                     return VectorXd(evaluate(element).Phi_q.transpose() * lambda);
                                                   })));
      raise_to(errors.acceleration_q, difference_error(psi_q.col(column), by_q(psi)));
      raise_to(errors.acceleration_v, difference_error(psi_v.col(column), along(point_.zero(), unit(column), 0, psi)));
    }
    // d/dt (Phi_q v - nu) along the motion without acceleration is -gamma.
    raise_to(errors.gamma, difference_error(-here.gamma, along(v, point_.zero(), 1, [&] {
               const Evaluation e = evaluate(element);
               return VectorXd(e.Phi_q * v - e.nu);
             })));
    time(element, a, here, errors);
  }

  void force(const ForceElement& element, ContractionErrors& errors) {
    const Index K = point_.bodies(), n = K * c;
    MatrixXd Q_q = MatrixXd::Zero(n, n), Q_v = Q_q;
    const auto q_views = square(Q_q), v_views = square(Q_v);
    errors.exact_gradients = element.gradients(point_.at(), q_views.data(), v_views.data()).ok();
    const auto Q = [&] { return this->Q(element); };
    for (Index column = 0; errors.exact_gradients && column < n; ++column) {
      if (!point_.free(column / c)) continue;
      raise_to(errors.Q_q, difference_error(Q_q.col(column), along(unit(column), point_.zero(), 0, Q)));
      raise_to(errors.Q_v, difference_error(Q_v.col(column), along(point_.zero(), unit(column), 0, Q)));
    }
    VectorXd Q_t = VectorXd::Zero(n);
    const auto t_views = segments(Q_t);
    REQUIRE(element.time_gradient(point_.at(), t_views.data()).ok());
    raise_to(errors.Q_t, difference_error(Q_t, along(point_.zero(), point_.zero(), 1, Q)));
    power(element, errors);
  }

 private:
  struct Evaluation {
    VectorXd Phi, nu, gamma;
    MatrixXd Phi_q;
  };

  /// f at the point moved by e (dq, dv, dt), as a function of e.
  template <class F>
  auto along(const VectorXd& dq, const VectorXd& dv, double dt, F f, const VectorXd& dz = {}) {
    return [this, dq, dv, dt, dz, f](double e) {
      const VectorXd none = VectorXd::Zero(point_.internal_states());
      point_.move(e * dq, e * dv, e * dt, dz.size() > 0 ? VectorXd(e * dz) : none);
      const VectorXd value = f();
      point_.move(point_.zero(), point_.zero(), 0, none);
      return value;
    };
  }
  VectorXd unit(Index column) const { return VectorXd::Unit(point_.bodies() * c, column); }
  VectorXd local() {
    VectorXd x = point_.zero();
    for (Index k = 0; k < x.size(); ++k) {
      if (point_.free(k / c)) x[k] = uniform(random_, -2, 2);
    }
    return x;
  }
  std::vector<MatrixView> row_blocks(MatrixXd& matrix) const {
    std::vector<MatrixView> views;
    const Index m = static_cast<Index>(matrix.rows());
    for (Index b = 0; b < point_.bodies(); ++b) {
      views.push_back(point_.free(b) ? MatrixView{matrix.data() + b * c * m, m, c, m} : MatrixView{});
    }
    return views;
  }
  std::vector<MatrixView> square(MatrixXd& matrix) const {
    std::vector<MatrixView> views;
    const Index n = static_cast<Index>(matrix.rows());
    for (Index i = 0; i < point_.bodies(); ++i) {
      for (Index j = 0; j < point_.bodies(); ++j) {
        const bool wanted = point_.free(i) && point_.free(j);
        views.push_back(wanted ? MatrixView{matrix.data() + i * c + j * c * n, c, c, n} : MatrixView{});
      }
    }
    return views;
  }
  std::vector<VectorView> segments(VectorXd& vector) const {
    std::vector<VectorView> views;
    for (Index b = 0; b < point_.bodies(); ++b) {
      views.push_back(point_.free(b) ? VectorView{vector.data() + b * c, c} : VectorView{});
    }
    return views;
  }
  std::vector<ConstVectorView> locals(const VectorXd& x) const {
    std::vector<ConstVectorView> views;
    for (Index b = 0; b < point_.bodies(); ++b) views.push_back({x.data() + b * c, c});
    return views;
  }

  Evaluation evaluate(const Constraint& element) const {
    const Index m = element.rows();
    Evaluation e{VectorXd::Zero(m), VectorXd::Zero(m), VectorXd::Zero(m), MatrixXd::Zero(m, point_.bodies() * c)};
    const auto views = row_blocks(e.Phi_q);
    ConstraintOutput out;
    out.Phi = {e.Phi.data(), m}, out.nu = {e.nu.data(), m}, out.gamma = {e.gamma.data(), m};
    out.Phi_q = views.data();
    REQUIRE(element.evaluate(point_.at(), out).ok());
    return e;
  }
  MatrixXd jacobian_gradient(const Constraint& element, const VectorXd& x) const {
    MatrixXd result = MatrixXd::Zero(element.rows(), point_.bodies() * c);
    REQUIRE(element.jacobian_gradient(point_.at(), locals(x).data(), row_blocks(result).data()).ok());
    return result;
  }
  MatrixXd multiplier(const Constraint& element, const VectorXd& lambda) const {
    MatrixXd result = MatrixXd::Zero(point_.bodies() * c, point_.bodies() * c);
    const ConstVectorView view{lambda.data(), element.rows()};
    REQUIRE(element.multiplier_gradient(point_.at(), view, square(result).data()).ok());
    return result;
  }
  std::array<MatrixXd, 2> acceleration(const Constraint& element, const VectorXd& a) const {
    const MatrixXd zero = MatrixXd::Zero(element.rows(), point_.bodies() * c);
    std::array<MatrixXd, 2> out{zero, zero};
    REQUIRE(
        element
            .acceleration_gradient(point_.at(), locals(a).data(), row_blocks(out[0]).data(), row_blocks(out[1]).data())
            .ok());
    return out;
  }

  void time(const Constraint& element, const VectorXd& a, const Evaluation& here, ContractionErrors& errors) {
    const Index m = element.rows();
    const auto by_t = [&](auto&& f) { return along(point_.zero(), point_.zero(), 1, f); };
    raise_to(errors.gamma, difference_error(-here.nu, by_t([&] { return evaluate(element).Phi; })));
    MatrixXd Phi_tq = MatrixXd::Zero(m, point_.bodies() * c);
    VectorXd Phi_tt = VectorXd::Zero(m), acceleration_t = Phi_tt;
    const auto views = row_blocks(Phi_tq);
    const trammel::ConstraintTimeDerivatives wanted{views.data(), {Phi_tt.data(), m}, {acceleration_t.data(), m}};
    REQUIRE(element.time_derivatives(point_.at(), locals(a).data(), wanted).ok());
    raise_to(errors.time,
             difference_error(Phi_tq.reshaped(), by_t([&] { return VectorXd(evaluate(element).Phi_q.reshaped()); })));
    raise_to(errors.time, difference_error(Phi_tt, by_t([&] { return VectorXd(-evaluate(element).nu); })));
    raise_to(errors.time, difference_error(acceleration_t, by_t([&] {
                                             const Evaluation e = evaluate(element);
                                             return VectorXd(e.Phi_q * a - e.gamma);
                                           })));
  }

  VectorXd Q(const ForceElement& element) const {
    VectorXd result = point_.zero();
    const auto views = segments(result);
    REQUIRE(element.force(point_.at(), views.data()).ok());
    return result;
  }

  void power(const ForceElement& element, ContractionErrors& errors) {
    trammel::ForceEnergy energy;
    if (!element.energy(point_.at(), energy)) return;
    VectorXd rate(point_.internal_states());
    if (rate.size() > 0) REQUIRE(element.internal_rate(point_.at(), {rate.data(), point_.internal_states()}).ok());
    const double supplied = Q(element).dot(point_.velocity());
    const VectorXd expected = VectorXd::Constant(1, -supplied - energy.dissipation + energy.work);
    raise_to(errors.power, difference_error(expected, along(
                                                          point_.velocity(), point_.zero(), 1,
                                                          [&] {
                                                            trammel::ForceEnergy e;
                                                            REQUIRE(element.energy(point_.at(), e).ok());
                                                            return VectorXd(VectorXd::Constant(1, e.potential));
                                                          },
                                                          rate)));
  }

  ElementPoint<State>& point_;
  Random& random_;
};

/// The largest errors over the uses of an element in its cases, at points on and off |p| = 1.
inline ContractionErrors contraction_errors(const trammel::ShippedElement& element) {
  ContractionErrors errors;
  Random random(2024);
  for_each_use(element, [&](const LoadedModel& loaded, const auto& slot, auto state) {
    using State = decltype(state);
    for (const double length : {1.0, 1.02, 0.97}) {
      ElementPoint<State> point(loaded, slot);
      point.set_time(uniform(random, 0.1, 0.9) * loaded.run.analysis.duration);
      point.disturb(random, 0.05, length);
      Differences<State> differences(point, random);
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
        differences.constraint(*slot.constraint, errors, slot.velocity_rows);
      } else {
        differences.force(*slot.force, errors);
      }
    }
  });
  return errors;
}

}  // namespace conformance
