// Derivatives of a translational spring-damper with respect to its numbers.
#pragma once

#include <cmath>
#include <limits>

#include "trammel/sdk/elements/point_parameters.h"
#include "trammel/sdk/elements/scalar_force.h"
#include "trammel/sdk/elements/scalar_law.h"

// With Q = -F l_q^T of tsda.cpp and F = F(l, l', t; p) of scalar_law.h, for numbers of the law
//   Q_p = -F_p l_q^T,  F_k = s, F_c = l', F_{F_c} = tanh(l'/r_c), F_{r_c} = -F_c (1 - tanh^2) l'/r_c^2, F_{l_0} = -E_l (1)
// and for points
//   Q_p = -(F_l l_p + F_r l'_p) l_q^T - F (l_q^T)_p                                                                 (2)
// all zero where a one-sided spring does not act. V_p is s^2/2 for k, -[E] for l_0, [E] l_p for points.
namespace trammel::tsda {

/// Lengths below this have lost their direction to rounding, m.
constexpr double coincident = 1e-14;

template <class State, class Length>
class Numbers final : public ForceParameterDerivatives {
 public:
  static constexpr Index N = Length::coordinates;

  /// `law` and `length` live as long.
  Numbers(const sdk::TwoBodies& two, const sdk::EndPoints& ends, const sdk::LawKeys& keys, FunctionRef free_length,
          sdk::Side side, const sdk::ScalarLaw& law, const Length& length, const ModelInfo& model)
      : keys_(keys),
        law_(law),
        length_(length),
        points_(two, ends, sdk::DistanceParameters<State>::Length::none, 0, model),
        law_numbers_(free_length != nullptr ? 5 : 4),
        one_sided_(side != sdk::Side::both) {
    double value = 0;
    potential_known_ = !keys.law.given() && (keys.spring == nullptr || keys.spring->evaluate(0, 0, &value).ok());
  }

  Index parameter_count() const override { return law_numbers_ + points_.parameter_count(); }
  const char* parameter_name(Index i) const override {
    constexpr const char* names[] = {"stiffness", "damping", "friction", "friction_speed", "free_length"};
    return i < law_numbers_ ? names[i] : points_.parameter_name(i - law_numbers_);
  }

  Status parameter_derivatives(Index i, const ElementState& s, const ForceDerivatives& out) const override {
    const sdk::ScalarTerms<N> x = length_.terms(s);
    if (!(x.value > coincident)) {
      return Status::failure(StatusCode::out_of_domain,
                             "the end points of a tsda coincide: its force has no direction");
    }
    sdk::LawTerms F, E;
    Status status = law_.evaluate(x.value, x.rate, s.t, true, F);
    if (status) status = law_.elastic(x.value, s.t, true, E);
    if (!status) return status;
    double stretch[2], unused[2], slope = 0;
    status = law_.arguments(x.value, x.rate, s.t, stretch, unused);
    if (status) status = spring_slope(stretch[0], slope);
    if (!status) return status;
    const bool acts = law_.acts(x.value, x.rate, s.t), elastic_acts = law_.active(E.F);

    double by_law = 0, potential = 0;  // F_p and V_p
    if (i >= law_numbers_) return by_point(i - law_numbers_, s, x, F, elastic_acts ? E.F : 0, out);
    const double share = std::tanh(x.rate / keys_.friction_speed);
    switch (i) {
      case 0:
        by_law = stretch[0], potential = elastic_acts ? 0.5 * stretch[0] * stretch[0] : 0;
        if (one_sided_ && keys_.spring != nullptr) potential = std::numeric_limits<double>::quiet_NaN();
        break;
      case 1: by_law = x.rate; break;
      case 2: by_law = share; break;
      case 3:
        by_law = -keys_.friction * (1 - share * share) * x.rate / (keys_.friction_speed * keys_.friction_speed);
        break;
      default: by_law = -slope, potential = elastic_acts ? -E.F : 0; break;
    }
    write(x, acts ? by_law : 0, out);
    tell(potential, out);
    return Status::success();
  }

 private:
  /// k + F_s'.
  Status spring_slope(double stretch, double& slope) const {
    double value[2] = {0, 0};
    const Status status = keys_.spring != nullptr ? keys_.spring->evaluate(stretch, 1, value) : Status::success();
    slope = keys_.stiffness + value[1];
    return status;
  }
  static void write(const sdk::ScalarTerms<N>& x, double F_p, const ForceDerivatives& out) {
    for (Index b = 0; out.Q != nullptr && b < 2; ++b) {
      for (Index k = 0; out.Q[b].data != nullptr && k < N; ++k) out.Q[b].data[k] = -F_p * x.q[b][k];
    }
  }
  void tell(double potential, const ForceDerivatives& out) const {
    if (out.potential != nullptr)
      *out.potential = potential_known_ ? potential : std::numeric_limits<double>::quiet_NaN();
  }

  /// Equation (2).
  Status by_point(Index i, const ElementState& s, const sdk::ScalarTerms<N>& x, const sdk::LawTerms& F, double E,
                  const ForceDerivatives& out) const {
    constexpr double one = 1;
    double l_p = 0, rate_p = 0, gradient[2][N] = {};
    const VectorView force[2] = {{gradient[0], N}, {gradient[1], N}};
    RowDerivatives wanted;
    wanted.Phi = {&l_p, 1}, wanted.velocity = {&rate_p, 1}, wanted.force = force;
    const Status status = points_.parameter_derivatives(i, s, nullptr, {&one, 1}, wanted);
    write(x, F.F_x * l_p + F.F_r * rate_p, out);
    for (Index b = 0; out.Q != nullptr && b < 2; ++b) {
      for (Index k = 0; out.Q[b].data != nullptr && k < N; ++k) out.Q[b].data[k] -= F.F * gradient[b][k];
    }
    tell(E * l_p, out);
    return status;
  }

  sdk::LawKeys keys_;
  const sdk::ScalarLaw& law_;
  const Length& length_;
  sdk::DistanceParameters<State> points_;
  Index law_numbers_;
  bool one_sided_, potential_known_ = true;
};

}  // namespace trammel::tsda
