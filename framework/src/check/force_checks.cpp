// Level 3 of forces: gradients against differences, the energy account, action and reaction.
#include <cmath>

#include "check/element_point.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/static_potential.h"
#include "trammel/force.h"

namespace trammel::conformance {
namespace {

class ForceAt {
 public:
  ForceAt(ElementPoint& point, const ForceElement& element) : point(point), element(element), n(point.size()) {}

  VectorXd Q() const {
    VectorXd result = VectorXd::Zero(n);
    require_ok(element.force(point.at(), point.segments(result).data()), "force");
    return result;
  }
  VectorXd rate() const {
    VectorXd result = VectorXd::Zero(point.internal_states());
    if (result.size() > 0) {
      require_ok(element.internal_rate(point.at(), {result.data(), point.internal_states()}), "internal_rate");
    }
    return result;
  }
  /// False: no exact gradients; the kernel takes differences.
  bool gradients(MatrixXd& by_q, MatrixXd& by_v) const {
    by_q = by_v = MatrixXd::Zero(n, n);
    const Status status =
        element.gradients(point.at(), point.square_blocks(by_q).data(), point.square_blocks(by_v).data());
    if (status.code == StatusCode::unsupported) return false;
    require_ok(status, "gradients");
    return true;
  }
  /// Nothing if it keeps no account.
  bool energy(ForceEnergy& result) const {
    result = {};
    const Status status = element.energy(point.at(), result);
    if (status.code == StatusCode::unsupported) return false;
    require_ok(status, "energy");
    return true;
  }

  using Value = std::function<VectorXd()>;
  std::function<VectorXd(double)> along(const VectorXd& dq, const VectorXd& dv, double dt, const VectorXd& dz,
                                        const Value& f) const {
    const auto times = [](const VectorXd& x, double e) { return x.size() > 0 ? VectorXd(e * x) : x; };
    return [this, dq, dv, dt, dz, f, times](double e) {
      point.move(times(dq, e), times(dv, e), e * dt, times(dz, e));
      const VectorXd value = f();
      point.back();
      return value;
    };
  }
  void compare(const MatrixXd& derivative, const char* name, bool by_velocity) const {
    for (Index column = 0; column < n; ++column) {
      if (!point.free(column / point.width())) continue;
      const VectorXd unit = VectorXd::Unit(n, column);
      const double error =
          difference_error(derivative.col(column), by_velocity ? along({}, unit, 0, {}, [&] { return Q(); })
                                                               : along(unit, {}, 0, {}, [&] { return Q(); }));
      require(error < derivative_tolerance,
              "{} differs from differences of Q by {:.1e} (relative) in the column of coordinate {} of body {}", name,
              error, column % point.width(), column / point.width() + 1);
    }
  }

  ElementPoint& point;
  const ForceElement& element;
  Index n;
};

void at_force_points(Subject& subject, const std::function<void(const ForceAt&)>& look) {
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    try {
      for (const double length : {1.0, 1.02, 0.97}) {
        at_one_of_three([&](int) {
          ElementPoint point(model, slot, slot.force);
          point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
          point.disturb(subject.random, 0.05, length);
          look(ForceAt(point, *slot.force));
        });
      }
      along_motion(subject, model, slot, [&](ElementPoint& point) { look(ForceAt(point, *slot.force)); });
    } catch (const Failed& failure) {
      fail("{}: {}", place_of(model, slot), failure.what());
    }
  });
}

void stiffness(Subject& subject) {
  at_force_points(subject, [](const ForceAt& at) {
    MatrixXd by_q, by_v;
    if (!at.gradients(by_q, by_v)) skip("it gives no gradients; the kernel takes differences");
    at.compare(by_q, "dQ/dq", false);
  });
}

void damping(Subject& subject) {
  at_force_points(subject, [](const ForceAt& at) {
    MatrixXd by_q, by_v;
    if (!at.gradients(by_q, by_v)) skip("it gives no gradients; the kernel takes differences");
    at.compare(by_v, "dQ/dv", true);
  });
}

void time_gradient(Subject& subject) {
  at_force_points(subject, [](const ForceAt& at) {
    VectorXd Q_t = VectorXd::Zero(at.n);
    require_ok(at.element.time_gradient(at.point.at(), at.point.segments(Q_t).data()), "time_gradient");
    const double error = difference_error(Q_t, at.along({}, {}, 1, {}, [&] { return at.Q(); }));
    require(error < derivative_tolerance, "dQ/dt differs from differences of Q by {:.1e} (relative)", error);
  });
}

/// Q v = -dV/dt - dissipation + work along the motion: for v alone, that Q is minus the gradient of V.
void potential(Subject& subject) {
  at_force_points(subject, [](const ForceAt& at) {
    ForceEnergy here;
    if (!at.energy(here)) skip("it keeps no account of energy; all its power counts as work");
    const VectorXd v = at.point.velocity();
    const VectorXd V_rate = VectorXd::Constant(1, -at.Q().dot(v) - here.dissipation + here.work);
    const double error = difference_error(V_rate, at.along(v, {}, 1, at.rate(), [&] {
      ForceEnergy e;
      at.energy(e);
      return VectorXd(VectorXd::Constant(1, e.potential));
    }));
    require(error < derivative_tolerance, "the power Q v differs from -dV/dt - dissipation + work by {:.1e} (relative)",
            error);
  });
}

/// Q . dq = -dV of bodies at rest.
void static_potential(Subject& subject) {
  bool any = false;
  at_force_points(subject, [&](const ForceAt& at) {
    const auto* statics = find_extension<StaticPotential>(at.element);
    if (statics == nullptr) return;
    const VectorXd ahead = at.point.velocity(), stop = -ahead;
    const auto at_rest = [&](double e, const ForceAt::Value& f) {
      at.point.move(e * ahead, stop, 0, {});
      const VectorXd value = f();
      at.point.back();
      return value;
    };
    const auto potential = [&] {
      double V = 0;
      return VectorXd(VectorXd::Constant(1, statics->static_potential(at.point.at(), V) ? V : NAN));
    };
    if (std::isnan(at_rest(0, potential)[0])) return;
    any = true;
    const VectorXd power = at_rest(0, [&] { return VectorXd(VectorXd::Constant(1, -at.Q().dot(ahead))); });
    const double error = difference_error(power, [&](double e) { return at_rest(e, potential); });
    require(error < derivative_tolerance, "at rest Q differs from minus the gradient of its potential by {:.1e}",
            error);
  });
  if (!any) skip("it tells statics of no potential (StaticPotential)");
}

void dissipation(Subject& subject) {
  at_force_points(subject, [&](const ForceAt& at) {
    ForceEnergy energy;
    if (!at.energy(energy)) skip("it keeps no account of energy");
    require(energy.dissipation >= -1e-12 * (1 + std::abs(energy.work)), "dissipation is {:g} W: it gives energy",
            energy.dissipation);
  });
}

void internal(Subject& subject) {
  at_force_points(subject, [](const ForceAt& at) {
    const Index nz = at.point.internal_states(), c = at.point.width(), K = at.point.bodies();
    if (nz == 0) skip("no internal states");
    MatrixXd Q_z = MatrixXd::Zero(at.n, nz), r_q = MatrixXd::Zero(nz, at.n), r_v = r_q, r_z = MatrixXd::Zero(nz, nz);
    VectorXd r_t = VectorXd::Zero(nz);
    std::vector<MatrixView> Q_views;
    for (Index b = 0; b < K; ++b) {
      Q_views.push_back(at.point.free(b) ? MatrixView{Q_z.data() + b * c, c, nz, at.n} : MatrixView{});
    }
    const auto q_views = at.point.row_blocks(r_q), v_views = at.point.row_blocks(r_v);
    InternalGradients out;
    out.Q_z = Q_views.data(), out.rate_q = q_views.data(), out.rate_v = v_views.data();
    out.rate_z = {r_z.data(), nz, nz, nz}, out.rate_t = {r_t.data(), nz};
    const Status status = at.element.internal_gradients(at.point.at(), out);
    if (status.code == StatusCode::unsupported) skip("it gives no gradients of its internal states");
    require_ok(status, "internal_gradients");
    const auto judge = [&](const VectorXd& value, const char* name, const std::function<VectorXd(double)>& f) {
      const double error = difference_error(value, f);
      require(error < derivative_tolerance, "{} differs from differences by {:.1e} (relative)", name, error);
    };
    const auto rate = [&] { return at.rate(); };
    for (Index k = 0; k < nz; ++k) {
      const VectorXd unit = VectorXd::Unit(nz, k);
      judge(Q_z.col(k), "dQ/dz", at.along({}, {}, 0, unit, [&] { return at.Q(); }));
      judge(r_z.col(k), "d(z')/dz", at.along({}, {}, 0, unit, rate));
    }
    for (Index k = 0; k < at.n; ++k) {
      if (!at.point.free(k / c)) continue;
      judge(r_q.col(k), "d(z')/dq", at.along(VectorXd::Unit(at.n, k), {}, 0, {}, rate));
      judge(r_v.col(k), "d(z')/dv", at.along({}, VectorXd::Unit(at.n, k), 0, {}, rate));
    }
    judge(r_t, "d(z')/dt", at.along({}, {}, 1, {}, rate));
  });
}

/// Forces between exactly two bodies; ground's part is asked for as well.
void action_reaction(Subject& subject) {
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    if (slot.bodies.size() != 2 || slot.bodies[0] == slot.bodies[1]) return;
    if (!claims_of(*slot.force).objective()) return;  // a field that acts on both
    applies = true;
    ElementPoint point(model, slot, slot.force);
    point.disturb(subject.random, 0.02, 1);
    VectorXd Q = VectorXd::Zero(point.size());
    require_ok(slot.force->force(point.at(), point.segments(Q, true).data()), "force");
    Wrench sum;
    for (Index b = 0; b < 2; ++b) {
      sum.add(model.numbers->assembly().output, point.state(b), {Q.data() + b * point.width(), point.width()});
    }
    const double rest = std::max(sum.force.norm(), sum.moment.norm()) / std::max(1.0, Q.cwiseAbs().maxCoeff());
    require(rest < 1e-10, "{}: forces and moments on its two bodies leave {:.1e} (relative)", place_of(model, slot),
            rest);
  });
  if (!applies) skip("no use between two bodies, or it claims to know directions of space (ForceClaims)");
}

/// Values inside random boxes of arguments, some narrow, some wide, about those of the element's place.
void law_bounds(Subject& subject) {
  constexpr int boxes = 40, single = 6, looks = 25;
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const auto* laws = find_extension<StateLaws>(*slot.force);
    if (laws == nullptr || laws->law_count() == 0) return;
    ElementPoint point(model, slot, slot.force);
    point.disturb(subject.random, 0.05, 1);
    const Index n = laws->law_argument_count();
    VectorXd x(n), rate(n), low[2] = {x, x}, high[2] = {x, x}, at(n), at_rate(n);
    require_ok(laws->law_places(point.at(), {x.data(), n}, {rate.data(), n}), "law_places");
    for (Index k = 0; k < n; ++k) rate[k] = std::isfinite(rate[k]) ? rate[k] : 0;
    // Then boxes along one argument alone: sums of intervals hide what is missing of one.
    const int arguments = 2 * static_cast<int>(n) + 1;
    for (int box = 0; box < boxes + single * arguments; ++box) {
      const double size = std::pow(10, uniform(subject.random, -4, 1));
      const int along = box < boxes ? -1 : (box - boxes) % arguments;
      const auto range = [&](int argument, double middle, double& from, double& to) {
        const double scale = size * (1 + std::abs(middle)), moved = middle + scale * uniform(subject.random);
        from = moved - scale * uniform(subject.random, 0, 1), to = moved + scale * uniform(subject.random, 0, 1);
        if (along < 0 ? subject.random() % 4 == 0 : argument != along) from = to = moved;
      };
      for (Index k = 0; k < n; ++k)
        range(2 * k, x[k], low[0][k], high[0][k]), range(2 * k + 1, rate[k], low[1][k], high[1][k]);
      double t[2];
      range(2 * n, point.time(), t[0], t[1]);
      const StateLaws::Box given{{low[0].data(), high[0].data()}, {low[1].data(), high[1].data()}, {t[0], t[1]}};
      for (Index i = 0; i < laws->law_count(); ++i) {
        double bounds[2] = {std::nan(""), std::nan("")};
        if (!laws->law_bounds(i, given, bounds)) continue;
        require(bounds[0] <= bounds[1], "{}: law {} has bounds that are none: {} to {}", place_of(model, slot), i,
                bounds[0], bounds[1]);
        applies = true;
        for (int look = 0; look < looks; ++look) {
          const auto inside = [&](double from, double to) {
            return look == 0 ? from : look == 1 ? to : from + uniform(subject.random, 0, 1) * (to - from);
          };
          for (Index k = 0; k < n; ++k)
            at[k] = inside(low[0][k], high[0][k]), at_rate[k] = inside(low[1][k], high[1][k]);
          double force = 0;
          if (!laws->law(i, at.data(), at_rate.data(), inside(t[0], t[1]), &force)) continue;
          const double rounding = 1e-12 * std::max(std::abs(bounds[0]), std::abs(bounds[1]));
          require(!(force < bounds[0] - rounding) && !(force > bounds[1] + rounding),
                  "{}: law {} is {} inside a box for which its bounds say {} to {}", place_of(model, slot), i, force,
                  bounds[0], bounds[1]);
        }
      }
    }
  });
  if (!applies) skip("it tells no bounds of its laws");
}

}  // namespace

void add_force_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run) {
    checks.push_back({id, Level::mathematics, what, cause, run, "contract.repeatable"});
  };
  add("math.stiffness", "dQ/dq is the derivative of the force", "the part by which the lever arm turns was left out",
      stiffness);
  add("math.damping", "dQ/dv is the derivative of the force",
      "the sign of the damping, or blocks of the wrong pair of bodies", damping);
  add("math.time_gradient", "dQ/dt is the partial time derivative", "a schedule without time_gradient", time_gradient);
  add("math.potential", "Q is minus the gradient of the potential, but for dissipation and work",
      "the sign of the force or of the potential; damping not counted as dissipation", potential);
  add("math.static_potential", "at rest Q is minus the gradient of the potential that statics asks for",
      "the sign of the potential, or a load that turns along", static_potential);
  add("math.dissipation", "dissipation is not negative", "the sign of the damper's power", dissipation);
  add("math.internal", "the gradients of the internal states are derivatives",
      "a missing coupling in internal_gradients", internal);
  add("math.action_reaction", "forces and moments on two bodies cancel",
      "the force acts at different points of the two bodies, or a moment was left out", action_reaction);
  add("math.law_bounds", "bounds of laws hold all of their values", "an argument that the bounds take for a number",
      law_bounds);
}

}  // namespace trammel::conformance
