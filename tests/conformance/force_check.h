// Compares a force plugin with its oracle at random states: force, gradients, and the balance of its power.
#pragma once

#include <cstdio>
#include <functional>

#include "element_harness.h"

namespace conformance {

// A few hundred operations on numbers of size 1 to 1000.
inline constexpr double derivative_tolerance = 1e-12;
// Central differences with step 1e-6 of a smooth energy of size 100: rounding 1e-8, truncation 1e-10.
inline constexpr double difference_tolerance = 1e-6;

/// Q, gradients and energy of one element at one state, and what it has because of internal states.
struct Evaluation {
  std::vector<std::vector<double>> Q, Q_t;
  Blocks Q_q, Q_v;
  std::vector<double> rate, rate_t;
  Blocks Q_z, rate_q, rate_v, rate_z;

  Evaluation(const ForceElement& element, const ElementState& s, Index c, const std::vector<bool>& free,
             const std::vector<bool>& pairs)
      : Q(free.size()),
        Q_t(free.size()),
        Q_q(c, c, pairs, 0),
        Q_v(c, c, pairs, 0),
        rate(static_cast<std::size_t>(element.internal_states())),
        rate_t(rate),
        Q_z(c, element.internal_states(), free, 0),
        rate_q(element.internal_states(), c, free, 0),
        rate_v(element.internal_states(), c, free, 0),
        rate_z(element.internal_states(), element.internal_states(), {true}, 0) {
    std::vector<VectorView> views(free.size()), rates(free.size());
    for (std::size_t k = 0; k < free.size(); ++k) {
      Q[k].assign(static_cast<std::size_t>(c), 0), Q_t[k] = Q[k];
      if (free[k]) views[k] = {Q[k].data(), c}, rates[k] = {Q_t[k].data(), c};
    }
    REQUIRE(element.force(s, views.data()).ok());
    REQUIRE(element.time_gradient(s, rates.data()).ok());
    REQUIRE(element.gradients(s, Q_q.views(), Q_v.views()).ok());
    const Index states = element.internal_states();
    if (states == 0) return;
    REQUIRE(element.internal_rate(s, {rate.data(), states}).ok());
    InternalGradients out;
    out.Q_z = Q_z.views(), out.rate_q = rate_q.views(), out.rate_v = rate_v.views();
    out.rate_z = rate_z.views()[0], out.rate_t = {rate_t.data(), states};
    REQUIRE(element.internal_gradients(s, out).ok());
  }
  double internal_error(const Evaluation& reference) const {
    return std::max({vector_error(rate, reference.rate), vector_error(rate_t, reference.rate_t),
                     Q_z.error(reference.Q_z), rate_q.error(reference.rate_q), rate_v.error(reference.rate_v),
                     rate_z.error(reference.rate_z)});
  }
};

template <class State>
ForceEnergy energy_at(const ForceElement& element, const std::vector<State>& states, double t,
                      const double* z = nullptr) {
  std::vector<const void*> attached;
  for (const State& b : states) attached.push_back(&b);
  ElementState s;
  s.t = t, s.bodies = attached.data(), s.z = z;
  ForceEnergy energy;
  REQUIRE(element.energy(s, energy).ok());
  return energy;
}

/// d/dt of the potential along the motion, by central differences.
template <class State>
double potential_rate(const ForceElement& element, const std::vector<State>& states, double t,
                      const double* z = nullptr) {
  const double h = 1e-6;
  double value[2];
  for (int side = 0; side < 2; ++side) {
    std::vector<State> moved = states;
    for (State& b : moved) {
      double q[7], v[7];
      sdk::coordinates_of(b, q, v);
      for (Index k = 0; k < State::coordinates; ++k) q[k] += (side == 0 ? -h : h) * v[k];
      set_state(b, q, v);
    }
    value[side] = energy_at(element, moved, t + (side == 0 ? -h : h), z).potential;
  }
  return (value[1] - value[0]) / (2 * h);
}

/// Largest error of Q = -V_q at rest, V differenced to eighth order: with steps of 0.01, coordinates of size 1 and an
/// energy of size 100, rounding is 1e-12.
template <class State>
double potential_error(const ForceElement& element, std::vector<State> states, const std::vector<bool>& free,
                       double t) {
  constexpr Index c = State::coordinates;
  constexpr double h = 0.01, weights[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
  std::vector<const void*> attached;
  for (State& b : states) {
    double q[7], v[7], rest[7] = {};
    sdk::coordinates_of(b, q, v);
    set_state(b, q, rest);
    attached.push_back(&b);
  }
  ElementState s;
  s.t = t, s.bodies = attached.data();
  std::vector<std::vector<double>> Q(states.size(), std::vector<double>(static_cast<std::size_t>(c), 0.0));
  std::vector<VectorView> views(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (free[k]) views[k] = {Q[k].data(), c};
  }
  REQUIRE(element.force(s, views.data()).ok());
  double worst = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (!free[k]) continue;
    std::vector<double> slope;
    double q[7], v[7];
    sdk::coordinates_of(states[k], q, v);
    for (Index n = 0; n < c; ++n) {
      double V_q = 0;
      for (int m = 1; m <= 4; ++m) {
        for (const double side : {1.0, -1.0}) {
          std::vector<State> moved = states;
          double at[7];
          std::copy(q, q + 7, at);
          at[n] += side * m * h;
          set_state(moved[k], at, v);
          V_q += side * weights[m - 1] / h * energy_at(element, moved, t).potential;
        }
      }
      slope.push_back(-V_q);
    }
    worst = std::max(worst, vector_error(Q[k], slope));
  }
  return worst;
}

struct ForceErrors {
  double Q = 0, Q_q = 0, Q_v = 0, Q_t = 0, power = 0, internal = 0;
};

inline void keep_larger(double& largest, double error) {
  if (!(error <= largest)) largest = error;
}

inline void print_header() {
  static bool done = false;
  if (!done) std::printf("%-28s Q        Q_q      Q_v      Q_t      power balance\n", "element");
  done = true;
}

/// `wanted`: which states the element is defined at, all if empty.
template <class State, class Make>
void check_force(const std::string& name, std::vector<std::vector<std::int32_t>> lists, const Make& make,
                 const std::function<bool(const std::vector<State>&)>& wanted = {}) {
  constexpr Index c = State::coordinates;
  Random random(77);
  Model<State> model;
  model.ground = ground_state<State>();
  model.states = {random_state<State>(random, 1), random_state<State>(random, 1)};
  ForceErrors errors;
  for (const std::vector<std::int32_t>& bodies : lists) {
    const auto [element, oracle] = make(bodies, model, random);
    std::vector<bool> free, pairs;
    for (const std::int32_t b : bodies) free.push_back(b != -1);
    for (const bool i : free) {
      for (const bool j : free) pairs.push_back(i && j);
    }
    for (int sample = 0; sample < 30; ++sample) {
      const double length = sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97;
      std::vector<State> states;
      do {
        states.clear();
        for (const std::int32_t b : bodies)
          states.push_back(b == -1 ? model.ground : random_state<State>(random, length));
      } while (wanted && !wanted(states));
      std::vector<const void*> attached;
      for (const State& b : states) attached.push_back(&b);
      ElementState s;
      std::vector<double> z(static_cast<std::size_t>(element->get()->internal_states()));
      for (double& x : z) x = uniform(random, -10, 10);
      s.t = uniform(random, 0, 2), s.bodies = attached.data(), s.z = z.data();
      const Evaluation hand(**element, s, c, free, pairs), reference(*oracle, s, c, free, pairs);
      double power = 0;
      for (std::size_t k = 0; k < free.size(); ++k) {
        if (!free[k]) continue;
        keep_larger(errors.Q, vector_error(hand.Q[k], reference.Q[k]));
        keep_larger(errors.Q_t, vector_error(hand.Q_t[k], reference.Q_t[k]));
        double q[7], v[7];
        sdk::coordinates_of(states[k], q, v);
        for (std::size_t n = 0; n < static_cast<std::size_t>(c); ++n) power += hand.Q[k][n] * v[n];
      }
      keep_larger(errors.Q_q, hand.Q_q.error(reference.Q_q));
      keep_larger(errors.Q_v, hand.Q_v.error(reference.Q_v));
      keep_larger(errors.internal, hand.internal_error(reference));
      // Q.v = -dV/dt - dissipation + work
      const ForceEnergy energy = energy_at(**element, states, s.t, s.z);
      const double balance = power + potential_rate(**element, states, s.t, s.z) + energy.dissipation - energy.work;
      keep_larger(errors.power, std::abs(balance) / std::max(1.0, std::abs(power)));
      CHECK(energy.dissipation >= 0);
    }
  }
  print_header();
  std::printf("%-28s %.1e  %.1e  %.1e  %.1e  %.1e\n", name.c_str(), errors.Q, errors.Q_q, errors.Q_v, errors.Q_t,
              errors.power);
  CHECK(std::max({errors.Q, errors.Q_q, errors.Q_v, errors.Q_t, errors.internal}) < derivative_tolerance);
  CHECK(errors.power < difference_tolerance);
}

}  // namespace conformance
