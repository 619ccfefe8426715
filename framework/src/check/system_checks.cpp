// Level 3 of systems: mass, forces and energy of bodies and of problems.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "check/bodies_at_random.h"
#include "check/second_order_derivatives.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/system.h"

namespace trammel::conformance {
namespace {

// --- Bodies --------------------------------------------------------------------------------------------------------

void with_bodies(Subject& subject, const std::function<void(Bodies&)>& look) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    any = true;
    for (const double length : {1.0, 1.02}) {
      Bodies bodies(model, subject.random, length);
      try {
        look(bodies);
      } catch (const Failed& failure) {
        fail("{}: {}", file.filename().string(), failure.what());
      }
    }
  }
  if (!any) skip("it hosts no bodies");
}

void body_mass(Subject& subject) {
  with_bodies(subject, [](Bodies& at) {
    const MatrixXd M = at.mass();
    for (Index b = 0; b < at.count; ++b) {
      const Index first = at.table.first(b), width = at.table.width(b);
      const MatrixXd block = M.block(first, first, width, width);
      if (at.system.mass(b) == 0 && block.isZero(0)) continue;  // a frame between joints
      const double skew = (block - block.transpose()).norm() / block.norm();
      require(skew < 1e-12, "the mass block of body {} is not symmetric: {:.1e} (relative)", b + 1, skew);
      const VectorXd v = at.v.segment(first, width);
      require(v.dot(block * v) > 0, "the mass block of body {} is not positive on the tangent space", b + 1);
    }
    const VectorXd none = VectorXd::Zero(at.n);
    require(at.states_with(view_of(none)) == at.states_with({}),
            "kinematics without velocities are not those of bodies at rest");
    at.move(at.q, at.v);
    const VectorXd Mv = at.times_mass(at.v);
    const double of_blocks = (M * at.v - Mv).norm();
    require(of_blocks < 1e-11 * (1 + Mv.norm()), "apply_mass differs from mass_blocks by {:.1e}", of_blocks);
    const double T = at.motion.kinetic_energy(at.states()), half = 0.5 * at.v.dot(Mv);
    require(std::abs(T - half) < 1e-11 * (1 + half), "the kinetic energy is {:g} J, v^T M v / 2 is {:g} J", T, half);
  });
}

void body_mass_gradient(Subject& subject) {
  with_bodies(subject, [&](Bodies& at) {
    VectorXd x(at.n);
    for (Index k = 0; k < at.n; ++k) x[k] = uniform(subject.random, -2, 2);
    VectorXd blocks = at.room();
    at.motion.mass_gradient(at.states(), {x.data(), at.n}, blocks.data());
    const MatrixXd gradient = at.diagonal(blocks);
    for (Index k = 0; k < at.n; ++k) {
      const VectorXd expected = gradient.col(k);
      const double error = difference_error(
          expected, at.along(VectorXd::Unit(at.n, k), VectorXd::Zero(at.n), [&] { return at.times_mass(x); }));
      require(error < derivative_tolerance, "(M x)_q differs from differences of M x by {:.1e} in coordinate {}", error,
              at.table.within(k));
    }
  });
}

void body_force_gradients(Subject& subject) {
  with_bodies(subject, [](Bodies& at) {
    VectorXd q_blocks = at.room(), v_blocks = at.room();
    require_ok(at.motion.force_gradients(0.3, at.states(), q_blocks.data(), v_blocks.data()), "force_gradients");
    const MatrixXd by_q = at.diagonal(q_blocks), by_v = at.diagonal(v_blocks);
    const VectorXd none = VectorXd::Zero(at.n);
    for (Index k = 0; k < at.n; ++k) {
      const VectorXd unit = VectorXd::Unit(at.n, k);
      const VectorXd q_column = by_q.col(k), v_column = by_v.col(k);
      const double q_error = difference_error(q_column, at.along(unit, none, [&] { return at.force(); }));
      const double v_error = difference_error(v_column, at.along(none, unit, [&] { return at.force(); }));
      require(q_error < derivative_tolerance, "dQ/dq of its own forces differs by {:.1e} in coordinate {}", q_error,
              at.table.within(k));
      require(v_error < derivative_tolerance, "dQ/dv of its own forces differs by {:.1e} in coordinate {}", v_error,
              at.table.within(k));
    }
  });
}

void body_power(Subject& subject) {
  with_bodies(subject, [](Bodies& at) {
    const VectorXd a = at.acceleration();
    const auto energy = at.moving(a, [&] { return VectorXd(VectorXd::Constant(1, at.energy())); });
    const double error = difference_error(VectorXd::Zero(1), energy);
    require(error < derivative_tolerance, "the energy of free bodies changes: {:.1e} per second (relative)", error);
  });
}

/// `reduce` of 1 to 7 rows of a body, against the columns of W that `expand` gives.
void reduced_rows(const Bodies& at, const BodyReduction& reduction, Index b, Random& random) {
  const Index c = at.table.width(b), r = at.table.reduced_coordinates();
  const VectorXd g = VectorXd::Zero(at.table.intrinsic_rows());
  std::vector<VectorXd> W;
  for (Index k = 0; k < r; ++k) {
    const VectorXd w = VectorXd::Unit(r, k);
    VectorXd x(at.n);
    reduction.expand(at.states(), view_of(w), view_of(g), view_of(x));
    if (!x.segment(at.table.first(b), c).isZero(0)) W.push_back(x.segment(at.table.first(b), c));
  }
  const auto width = static_cast<Index>(W.size());
  for (Index m = 1; m <= 7; ++m) {
    MatrixXd full(m, c), reduced = MatrixXd::Zero(m, at.system.coordinates()), expected(m, width);
    for (Index k = 0; k < m * c; ++k) full.data()[k] = uniform(random, -2, 2);
    const ReductionBlock block{b, m, full.data(), reduced.data()};
    reduction.reduce(at.states(), &block, 1);
    for (Index k = 0; k < width; ++k) expected.col(k) = full * W[static_cast<std::size_t>(k)];
    const double off = (reduced.leftCols(width) - expected).norm() / (1 + expected.norm());
    require(off < 1e-12, "{} reduced rows of body {} differ from rows times W by {:.1e}", m, b + 1, off);
  }
}

void body_reduction(Subject& subject) {
  with_bodies(subject, [&](Bodies& at) {
    const BodyReduction* const reduction = at.system.reduction();
    if (reduction == nullptr) return;
    const Index r = at.table.reduced_coordinates(), rows = at.table.intrinsic_rows();
    const VectorXd Q = at.force();
    const Constraint* own = at.system.intrinsic();
    VectorXd w(r), x(at.n), g = VectorXd::Zero(rows);
    for (Index b = 0; b < rows; ++b) {
      const void* attached[1] = {at.state(at.table.intrinsic_body(b))};
      ConstraintOutput out;
      out.gamma = {g.data() + b, 1};
      require_ok(own->evaluate({0.3, attached, nullptr, nullptr}, out), "the intrinsic constraint");
    }
    reduction->reduce_force(at.states(), {Q.data(), at.n}, {w.data(), r});
    reduction->expand(at.states(), {w.data(), r}, {g.data(), static_cast<Index>(g.size())}, {x.data(), at.n});
    // In planar models W W^T = M^-1; in spatial ones the part of Q along p is that of the normalisation's multiplier.
    const VectorXd expected = at.acceleration();
    const double error = (x - expected).norm() / (1 + expected.norm());
    require(error < 1e-9, "accelerations by reduce_force and expand differ from those of the full equations by {:.1e}",
            error);
    for (Index b = 0; b < at.count; ++b) reduced_rows(at, *reduction, b, subject.random);
    if (rows == 0) return;
    VectorXd by_rows(at.n), by_zero(at.n);
    w.setZero();
    reduction->expand(at.states(), {w.data(), r}, view_of(std::as_const(g)), view_of(by_zero));
    reduction->expand(at.states(), {}, view_of(std::as_const(g)), view_of(by_rows));
    require((by_zero - by_rows).norm() < 1e-12 * (1 + by_zero.norm()), "expand of an empty w is not that of w = 0");
  });
}

// --- Problems ------------------------------------------------------------------------------------------------------

void with_problems(Subject& subject, const std::function<void(System&, VectorXd& x, VectorXd& v)>& look) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers != nullptr) continue;
    any = true;
    System& system = model.model.system();
    const Index n = system.ode() != nullptr ? system.ode()->size() : system.second_order()->size();
    VectorXd x = VectorXd::Zero(n), v = x;
    system.initial({x.data(), n}, {v.data(), n});
    for (Index k = 0; k < n; ++k) x[k] += uniform(subject.random, -0.2, 0.2), v[k] += uniform(subject.random);
    look(system, x, v);
  }
  if (!any) skip("no problem: it hosts bodies");
}

void problem_jacobian(Subject& subject) {
  with_problems(subject, [](System& system, VectorXd& x, VectorXd& v) {
    const auto n = static_cast<Index>(x.size());
    const auto judge = [](const VectorXd& value, const std::string& name, const std::function<VectorXd(double)>& f) {
      const double error = difference_error(value, f);
      require(error < derivative_tolerance, "{} differs from differences by {:.1e} (relative)", name, error);
    };
    if (OdeSystem* ode = system.ode(); ode != nullptr) {
      const auto f = [&](double t, const VectorXd& at) {
        VectorXd out(n);
        require_ok(ode->rhs(t, {at.data(), n}, {out.data(), n}), "rhs");
        return out;
      };
      MatrixXd J(n, n);
      const Status status = ode->jacobian(0.3, {x.data(), n}, {J.data(), n, n, n});
      if (status.code == StatusCode::unsupported) skip("it gives no Jacobian; methods take differences");
      for (Index k = 0; k < n; ++k) {
        judge(J.col(k), "f_y", [&](double e) { return f(0.3, x + e * VectorXd::Unit(n, k)); });
      }
      VectorXd f_t(n);
      if (ode->time_gradient(0.3, {x.data(), n}, {f_t.data(), n}).ok()) {
        judge(f_t, "f_t", [&](double e) { return f(0.3 + e, x); });
      }
      return;
    }
    if (!second_order_derivatives(*system.second_order(), 0.3, x, v, derivative_tolerance))
      skip("it gives no Jacobians");
  });
}

void problem_mass(Subject& subject) {
  with_problems(subject, [](System& system, VectorXd& x, VectorXd& v) {
    if (system.second_order() == nullptr) skip("a first-order problem");
    SecondOrderSystem& problem = *system.second_order();
    const auto n = static_cast<Index>(x.size());
    if (!problem.linearize(0.3, {x.data(), n}, {v.data(), n})) skip("it gives no mass");
    MatrixXd M(n, n);
    for (Index k = 0; k < n; ++k) {
      const VectorXd unit = VectorXd::Unit(n, k);
      require_ok(problem.apply_mass({unit.data(), n}, {M.col(k).data(), n}), "apply_mass");
    }
    require((M - M.transpose()).norm() < 1e-12 * M.norm(), "the mass matrix is not symmetric");
    double kinetic = 0, potential = 0;
    const bool known = system.energy(0.3, {x.data(), n}, {v.data(), n}, kinetic, potential);
    require(v.dot(M * v) > 0, "the mass matrix is not positive");
    if (!known) return;
    const double half = 0.5 * v.dot(M * v);
    require(std::abs(kinetic - half) < 1e-11 * (1 + half), "the kinetic energy is {:g} J, v^T M v / 2 is {:g} J",
            kinetic, half);
  });
}

/// d/dt (T + V) along the motion: what dissipation takes is even in v, what forces from outside give is odd.
void problem_power(Subject& subject) {
  with_problems(subject, [](System& system, VectorXd& x, VectorXd& v) {
    if (system.second_order() == nullptr) skip("a first-order problem");
    const auto n = static_cast<Index>(x.size());
    double kinetic = 0, potential = 0;
    if (!system.energy(0, {x.data(), n}, {v.data(), n}, kinetic, potential)) skip("it knows no energy");
    const auto power = [&](const VectorXd& rate, double t) {
      VectorXd a(n);
      require_ok(system.second_order()->acceleration(t, {x.data(), n}, {rate.data(), n}, {a.data(), n}),
                 "acceleration");
      constexpr double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 2e-3;
      const auto energy = [&](double e) {
        const VectorXd at = x + e * rate + e * e / 2 * a, going = rate + e * a;
        double T = 0, V = 0;
        system.energy(t, {at.data(), n}, {going.data(), n}, T, V);
        return T + V;
      };
      double sum = 0;
      for (int k = 1; k <= 4; ++k) sum += c[k - 1] / h * (energy(k * h) - energy(-k * h));
      return sum;
    };
    const double scale = 1 + std::abs(kinetic) + std::abs(potential), ahead = power(v, 0), back = power(-v, 0);
    require(ahead + back < 1e-7 * scale, "energy appears: its rate is {:g} W at v and {:g} W at -v", ahead, back);
    const double later = power(v, 0.7);
    if (std::abs(later - ahead) > 1e-9 * scale) return;  // driven from outside
    require(std::abs(ahead - back) < 1e-7 * scale,
            "the potential does not belong to the forces: energy changes by {:g} W at v and {:g} W at -v", ahead, back);
  });
}

/// Bound of frequencies against the eigenvalues of -da/dx, where motion is slow and nothing damps.
void problem_frequency(Subject& subject) {
  bool any = false;
  with_problems(subject, [&](System& system, VectorXd& x, VectorXd& v) {
    const auto* bound = find_extension<FrequencyBound>(system);
    if (bound == nullptr || system.second_order() == nullptr) return;
    any = true;
    const auto n = static_cast<Index>(x.size());
    const VectorXd rest = 0 * v;
    MatrixXd stiffness(n, n);
    const auto acceleration = [&](const VectorXd& at) {
      VectorXd a(n);
      require_ok(system.second_order()->acceleration(0.3, view_of(at), view_of(rest), view_of(a)), "acceleration");
      return a;
    };
    constexpr double h = 1e-4;
    for (Index k = 0; k < n; ++k) {
      const VectorXd step = h * VectorXd::Unit(n, k);
      stiffness.col(k) = (acceleration(x - step) - acceleration(x + step)) / (2 * h);
    }
    const double highest = std::sqrt(std::max(stiffness.eigenvalues().real().maxCoeff(), 0.0));
    require(bound->highest_frequency() > (1 - 1e-6) * highest,
            "highest_frequency() is {:g} rad/s; it vibrates at {:g} rad/s", bound->highest_frequency(), highest);
  });
  if (!any) skip("no second-order problem that bounds its frequencies (FrequencyBound)");
}

}  // namespace

void add_system_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run,
                       const char* needs = "contract.create") {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  const char* const mass = "math.body_mass";
  add("math.body_mass", "mass blocks are symmetric, positive on the tangent space, and those of the kinetic energy",
      "an inertia in the wrong axes, or a factor of four between rates of Euler parameters and angular velocity",
      body_mass);
  add("math.body_mass_gradient", "(M x)_q is the derivative of M x", "the mass taken as constant", body_mass_gradient,
      mass);
  add("math.body_force_gradients", "gradients of the own forces are derivatives", "quadratic velocity terms left out",
      body_force_gradients);
  add("math.body_power", "free bodies keep their energy",
      "quadratic velocity terms of the wrong sign, or gravity without potential", body_power, mass);
  add("math.body_reduction", "the reduced equations have the solution of the full ones",
      "W^T in place of W, or the part along p left out", body_reduction, mass);
  add("math.problem_mass", "the mass matrix is symmetric, positive and that of the kinetic energy",
      "an entry on one side only", problem_mass);
  add("math.problem_jacobian", "Jacobians are derivatives, and the implicit solve solves",
      "M J1 given as J1, or terms left out", problem_jacobian, "math.problem_mass");
  add("math.problem_power", "no energy appears, and the potential belongs to the forces",
      "the sign of the damping or of the potential", problem_power, "math.problem_mass");
  add("math.problem_frequency", "no motion is faster than the bound of frequencies",
      "a square root too many, or a norm of another matrix", problem_frequency, "math.problem_mass");
}

}  // namespace trammel::conformance
