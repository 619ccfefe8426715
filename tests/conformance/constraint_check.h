// Compares a constraint plugin with its oracle at random states: every output and every contraction.
#pragma once

#include <cstdio>

#include "element_harness.h"
#include "oracle_pose.h"
#include "trammel/sdk/elements/auto_constraint.h"

namespace conformance {

struct ConstraintErrors {
  double Phi = 0, Phi_q = 0, gamma = 0, jacobian = 0, multiplier = 0, acceleration_q = 0, acceleration_v = 0;
  double symmetry = 0, time = 0;

  double largest() const {
    return std::max({Phi, Phi_q, gamma, jacobian, multiplier, acceleration_q, acceleration_v, symmetry, time});
  }
  void print(const std::string& name, Index rows) const {
    static bool header = false;
    if (!header) {
      std::printf("%-28s rows  Phi      Phi_q    gamma    (Pqx)_q  (PqTl)_q psi_q    psi_v    symmetry time\n",
                  "element");
      header = true;
    }
    std::printf("%-28s %4d  %.1e  %.1e  %.1e  %.1e  %.1e  %.1e  %.1e  %.1e  %.1e\n", name.c_str(),
                static_cast<int>(rows), Phi, Phi_q, gamma, jacobian, multiplier, acceleration_q, acceleration_v,
                symmetry, time);
  }
};

inline void raise(double& largest, double error) {
  if (!(error <= largest)) largest = error;
}

/// One comparison at the states of `s`.
template <class State>
void compare(const Constraint& element, const Constraint& oracle, const ElementState& s, Random& random,
             ConstraintErrors& errors) {
  constexpr Index c = State::coordinates;
  const Index m = element.rows();
  REQUIRE(m == oracle.rows());
  const Index count = element.body_count();
  REQUIRE(count == oracle.body_count());
  std::vector<bool> free, pairs;
  for (Index i = 0; i < count; ++i) {
    REQUIRE(element.body(i).index == oracle.body(i).index);
    free.push_back(!element.body(i).is_ground());
    for (Index j = 0; j < count; ++j) pairs.push_back(!element.body(i).is_ground() && !element.body(j).is_ground());
  }

  std::vector<double> x(static_cast<std::size_t>(count * c)), lambda(static_cast<std::size_t>(m));
  for (double& value : x) value = uniform(random, -2, 2);
  for (double& value : lambda) value = uniform(random, -5, 5);
  std::vector<ConstVectorView> views(free.size());
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (free[k]) views[k] = {x.data() + k * static_cast<std::size_t>(c), c};
  }

  // Prefilled with different numbers: an entry that is not written shows as a difference.
  struct Run {
    std::vector<double> Phi, nu, gamma, Phi_tt, acceleration_t;
    Blocks Phi_q, Phi_tq, jacobian, multiplier, acceleration_q, acceleration_v;
    Run(const Constraint& element, const ElementState& s, const ConstVectorView* x, const std::vector<double>& lambda,
        const std::vector<bool>& free, const std::vector<bool>& pairs, double fill)
        : Phi(lambda.size(), fill),
          nu(lambda.size(), fill),
          gamma(lambda.size(), fill),
          Phi_tt(lambda.size(), fill),
          acceleration_t(lambda.size(), fill),
          Phi_q(element.rows(), c, free, fill),
          Phi_tq(element.rows(), c, free, fill),
          jacobian(element.rows(), c, free, fill),
          multiplier(c, c, pairs, fill),
          acceleration_q(element.rows(), c, free, fill),
          acceleration_v(element.rows(), c, free, fill) {
      const Index m = element.rows();
      ConstraintOutput out;
      out.Phi = {Phi.data(), m}, out.nu = {nu.data(), m}, out.gamma = {gamma.data(), m};
      out.Phi_q = Phi_q.views();
      REQUIRE(element.evaluate(s, out).ok());
      REQUIRE(element.jacobian_gradient(s, x, jacobian.views()).ok());
      REQUIRE(element.multiplier_gradient(s, {lambda.data(), m}, multiplier.views()).ok());
      REQUIRE(element.acceleration_gradient(s, x, acceleration_q.views(), acceleration_v.views()).ok());
      ConstraintTimeDerivatives rheonomic;
      rheonomic.Phi_tq = Phi_tq.views();
      rheonomic.Phi_tt = {Phi_tt.data(), m}, rheonomic.acceleration_t = {acceleration_t.data(), m};
      REQUIRE(element.time_derivatives(s, x, rheonomic).ok());
    }
  };
  const Run hand(element, s, views.data(), lambda, free, pairs, 1e3),
      reference(oracle, s, views.data(), lambda, free, pairs, -1e3);
  raise(errors.Phi, vector_error(hand.Phi, reference.Phi));
  raise(errors.Phi_q, hand.Phi_q.error(reference.Phi_q));
  raise(errors.gamma, std::max(vector_error(hand.gamma, reference.gamma), vector_error(hand.nu, reference.nu)));
  raise(errors.jacobian, hand.jacobian.error(reference.jacobian));
  raise(errors.multiplier, hand.multiplier.error(reference.multiplier));
  raise(errors.acceleration_q, hand.acceleration_q.error(reference.acceleration_q));
  raise(errors.acceleration_v, hand.acceleration_v.error(reference.acceleration_v));

  raise(errors.time, hand.Phi_tq.error(reference.Phi_tq));
  raise(errors.time, std::max(vector_error(hand.Phi_tt, reference.Phi_tt),
                              vector_error(hand.acceleration_t, reference.acceleration_t)));

  // (Phi_q^T lambda)_q is a Hessian: block (i, j) is the transpose of block (j, i).
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      const MatrixView &a = hand.multiplier.views()[count * i + j], &b = hand.multiplier.views()[count * j + i];
      if (a)
        raise(errors.symmetry,
              (a.map() - b.map().transpose()).cwiseAbs().maxCoeff() / std::max(1.0, a.map().cwiseAbs().maxCoeff()));
    }
  }

  // Each output alone must equal what it is in company.
  std::vector<double> alone(lambda.size(), 7);
  ConstraintOutput only;
  only.gamma = {alone.data(), m};
  REQUIRE(element.evaluate(s, only).ok());
  CHECK(alone == hand.gamma);
  only = {};
  only.Phi = {alone.data(), m};
  REQUIRE(element.evaluate(s, only).ok());
  CHECK(alone == hand.Phi);
}

// Both sides do a few hundred operations on numbers of size 1 to 100; 1e-12 leaves a factor of about 50.
constexpr double derivative_tolerance = 1e-12;

/// `make(bodies, model)` gives the pair (plugin component, oracle) for a body list over two free bodies (0, 1) and
/// ground (-1); two of them.
template <class State, class Make>
void check_constraint(const std::string& name, const Make& make,
                      const std::vector<std::vector<std::int32_t>>& body_lists = {{0, 1}, {-1, 1}, {0, -1}}) {
  Random random(20240611);
  Model<State> model;
  model.ground = ground_state<State>();
  for (int b = 0; b < 4; ++b) model.states.push_back(random_state<State>(random, 1));
  ConstraintErrors errors;
  Index rows = 0;
  for (const std::vector<std::int32_t>& bodies : body_lists) {
    const auto [element, oracle] = make(bodies, model, random);
    rows = (*element)->rows();
    for (int sample = 0; sample < 30; ++sample) {
      const double length = sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97;  // |p|
      std::vector<State> states(bodies.size());
      std::vector<const void*> attached(bodies.size());
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        states[k] = bodies[k] == -1 ? model.ground : random_state<State>(random, length);
        attached[k] = &states[k];
      }
      ElementState s;
      s.t = uniform(random, -3, 3);
      const double references[4] = {17.3, -9.4, 0.2, 101.7};  // of angles that count turns
      s.bodies = attached.data(), s.angle_references = references;
      compare<State>(**element, *oracle, s, random, errors);
    }
  }
  errors.print(name, rows);
  CHECK(errors.largest() < derivative_tolerance);
}

}  // namespace conformance
