// Level 3 of constraints: every derivative against differences of what it is the derivative of, and what reactions do.
//
// Phi_q is compared with Phi, everything else with the Jacobian that was: errors do not add up over orders. Rows that
// hold for velocities only come behind the others as the kernel sees them (extensions/velocity_rows.h): they have no Phi to
// be compared with, and all other comparisons are the same.
#include "check/element_channels.h"
#include "check/element_point.h"
#include "trammel/constraint.h"
#include "trammel/extensions/contact.h"

namespace trammel::conformance {
namespace {

struct Evaluation {
  VectorXd Phi, nu, gamma;
  MatrixXd Phi_q;
};

/// A constraint at a point, with all its outputs as dense matrices over its bodies.
class ConstraintAt {
 public:
  ConstraintAt(ElementPoint& point, const ConstraintSlot& slot, Random& random)
      : point(point),
        element(*slot.constraint),
        m(slot.rows),
        of_velocities(slot.velocity_rows),
        x(point.local(random)),
        a(point.local(random)),
        lambda(m) {
    for (Index k = 0; k < m; ++k) lambda[k] = uniform(random, -2, 2);
  }

  Evaluation evaluate() const {
    Evaluation e{VectorXd::Zero(m), VectorXd::Zero(m), VectorXd::Zero(m), MatrixXd::Zero(m, point.size())};
    const auto views = point.row_blocks(e.Phi_q);
    ConstraintOutput out;
    out.Phi = {e.Phi.data(), m}, out.nu = {e.nu.data(), m}, out.gamma = {e.gamma.data(), m};
    out.Phi_q = views.data();
    require_ok(element.evaluate(point.at(), out), "evaluate");
    return e;
  }
  MatrixXd jacobian_gradient() const {
    MatrixXd result = MatrixXd::Zero(m, point.size());
    require_ok(element.jacobian_gradient(point.at(), point.segments(x).data(), point.row_blocks(result).data()),
               "jacobian_gradient");
    return result;
  }
  MatrixXd multiplier_gradient() const {
    MatrixXd result = MatrixXd::Zero(point.size(), point.size());
    require_ok(element.multiplier_gradient(point.at(), {lambda.data(), m}, point.square_blocks(result).data()),
               "multiplier_gradient");
    return result;
  }
  void acceleration_gradient(MatrixXd& by_q, MatrixXd& by_v) const {
    by_q = by_v = MatrixXd::Zero(m, point.size());
    require_ok(element.acceleration_gradient(point.at(), point.segments(a).data(), point.row_blocks(by_q).data(),
                                             point.row_blocks(by_v).data()),
               "acceleration_gradient");
  }
  /// psi = Phi_q a - gamma
  VectorXd psi() const {
    const Evaluation e = evaluate();
    return e.Phi_q * a - e.gamma;
  }

  using Value = std::function<VectorXd()>;
  /// f moved by e along (dq, dv, dt), as a function of e.
  std::function<VectorXd(double)> along(const VectorXd& dq, const VectorXd& dv, double dt, const Value& f) const {
    return [this, dq, dv, dt, f](double e) {
      point.move(dq.size() > 0 ? VectorXd(e * dq) : dq, dv.size() > 0 ? VectorXd(e * dv) : dv, e * dt, {});
      const VectorXd value = f();
      point.back();
      return value;
    };
  }
  VectorXd unit(Index column) const { return VectorXd::Unit(point.size(), column); }
  /// The columns of `derivative` against differences of f by q (or v).
  void compare(const MatrixXd& derivative, const char* name, const char* of, bool by_velocity, const Value& f) const {
    for (Index column = 0; column < point.size(); ++column) {
      if (!point.free(column / point.width())) continue;
      const auto moved = by_velocity ? along({}, unit(column), 0, f) : along(unit(column), {}, 0, f);
      const double error = difference_error(derivative.col(column), moved);
      if (error < derivative_tolerance) continue;
      fail("{} differs from differences of {} by {:.1e} (relative) in the column of coordinate {} of body {}", name, of,
           error, column % point.width(), column / point.width() + 1);
    }
  }

  ElementPoint& point;
  const Constraint& element;
  Index m, of_velocities;  ///< all rows, and the last of them that hold for velocities only
  VectorXd x, a, lambda;
};

/// Runs `look` at points near the assembled state of every use, on and off |p| = 1.
void at_constraint_points(Subject& subject, const std::function<void(const ConstraintAt&)>& look) {
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    try {
      for (const double length : {1.0, 1.02, 0.97}) {
        at_one_of_three([&](int) {
          ElementPoint point(model, slot);
          point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
          point.disturb(subject.random, 0.05, length);
          look(ConstraintAt(point, slot, subject.random));
        });
      }
      along_motion(subject, model, slot, [&](ElementPoint& point) { look(ConstraintAt(point, slot, subject.random)); });
    } catch (const Failed& failure) {
      fail("{}: {}", place_of(model, slot), failure.what());
    }
  });
}

void jacobian(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    const Index positions = at.m - at.of_velocities;
    at.compare(at.evaluate().Phi_q.topRows(positions), "Phi_q", "Phi", false,
               [&] { return VectorXd(at.evaluate().Phi.head(positions)); });
  });
}

void velocity(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    const Index positions = at.m - at.of_velocities;
    const double error =
        difference_error(-at.evaluate().nu.head(positions),
                         at.along({}, {}, 1, [&] { return VectorXd(at.evaluate().Phi.head(positions)); }));
    require(error < derivative_tolerance, "nu differs from -Phi_t by {:.1e} (relative)", error);
    if (!at.element.rheonomic())
      require(at.evaluate().nu.isZero(0), "nu is not zero, but rheonomic() says that time does not occur");
  });
}

void gamma(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    // d/dt (Phi_q v - nu) along the motion without acceleration is -gamma.
    const VectorXd v = at.point.velocity();
    const double error = difference_error(-at.evaluate().gamma, at.along(v, {}, 1, [&] {
      const Evaluation e = at.evaluate();
      return VectorXd(e.Phi_q * v - e.nu);
    }));
    require(error < derivative_tolerance,
            "gamma differs from -((Phi_q v)_q v + 2 Phi_qt v + Phi_tt) by {:.1e} (relative)", error);
  });
}

void jacobian_gradient(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    at.compare(at.jacobian_gradient(), "(Phi_q x)_q", "Phi_q x", false,
               [&] { return VectorXd(at.evaluate().Phi_q * at.x); });
  });
}

void multiplier_gradient(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    at.compare(at.multiplier_gradient(), "(Phi_q^T lambda)_q", "Phi_q^T lambda", false,
               [&] { return VectorXd(at.evaluate().Phi_q.transpose() * at.lambda); });
  });
}

void acceleration_gradient_q(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    MatrixXd by_q, by_v;
    at.acceleration_gradient(by_q, by_v);
    at.compare(by_q, "(Phi_q a - gamma)_q", "Phi_q a - gamma", false, [&] { return at.psi(); });
  });
}

void acceleration_gradient_v(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    MatrixXd by_q, by_v;
    at.acceleration_gradient(by_q, by_v);
    at.compare(by_v, "(Phi_q a - gamma)_v", "Phi_q a - gamma", true, [&] { return at.psi(); });
  });
}

void time_derivatives(Subject& subject) {
  at_constraint_points(subject, [](const ConstraintAt& at) {
    MatrixXd Phi_tq = MatrixXd::Zero(at.m, at.point.size());
    VectorXd Phi_tt = VectorXd::Zero(at.m), acceleration_t = Phi_tt;
    const auto views = at.point.row_blocks(Phi_tq);
    const ConstraintTimeDerivatives wanted{views.data(), {Phi_tt.data(), at.m}, {acceleration_t.data(), at.m}};
    const Status status = at.element.time_derivatives(at.point.at(), at.point.segments(at.a).data(), wanted);
    if (status.code == StatusCode::unsupported) skip("{}", status.what);
    require_ok(status, "time_derivatives");
    const auto judge = [&](const VectorXd& value, const char* name, const ConstraintAt::Value& f) {
      const double error = difference_error(value, at.along({}, {}, 1, f));
      require(error < derivative_tolerance, "{} differs from differences by {:.1e} (relative)", name, error);
    };
    const Index positions = at.m - at.of_velocities;
    judge(Phi_tq.topRows(positions).reshaped(), "Phi_tq",
          [&] { return VectorXd(at.evaluate().Phi_q.topRows(positions).reshaped()); });
    judge(Phi_tt.head(positions), "Phi_tt", [&] { return VectorXd(-at.evaluate().nu.head(positions)); });
    at.compare(-Phi_tq.bottomRows(at.of_velocities), "b_q", "b", false,
               [&] { return VectorXd(at.evaluate().nu.tail(at.of_velocities)); });
    const VectorXd v = at.point.velocity();
    judge((Phi_tt + Phi_tq * v).tail(at.of_velocities), "drift - b_q v, the change of B v - b with time,", [&] {
      const Evaluation e = at.evaluate();
      return VectorXd((e.Phi_q * v - e.nu).tail(at.of_velocities));
    });
    judge(acceleration_t, "d/dt (Phi_q a - gamma)", [&] { return at.psi(); });
  });
}

/// B and b are functions of time and positions.
void velocity_rows(Subject& subject) {
  bool applies = false;
  at_constraint_points(subject, [&applies](const ConstraintAt& at) {
    if (at.of_velocities == 0) return;
    applies = true;
    const Evaluation before = at.evaluate();
    at.point.move({}, at.x, 0, {});
    const Evaluation after = at.evaluate();
    at.point.back();
    const auto changed = [&](const MatrixXd& a, const MatrixXd& b) {
      return (a - b).bottomRows(at.of_velocities).cwiseAbs().maxCoeff() > 0;
    };
    require(!changed(before.Phi_q, after.Phi_q), "B depends on the velocities");
    require(!changed(before.nu, after.nu), "b depends on the velocities");
    require(before.Phi_q.bottomRows(at.of_velocities).cwiseAbs().maxCoeff() > 0, "B is zero");
  });
  if (!applies) skip("no rows that hold for velocities only");
}

/// Constraints between two and more bodies only: one body against space may prefer a direction.
void invariance(Subject& subject) {
  bool applies = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    if (slot.bodies.size() < 2 || slot.rows == 0) return;
    applies = true;
    ElementPoint point(model, slot);  // assembled: rows off their constraint may be taken in the axes of one body
    const VectorXd before = ConstraintAt(point, slot, subject.random).evaluate().Phi;
    point.move_rigidly(subject.random);
    const VectorXd after = ConstraintAt(point, slot, subject.random).evaluate().Phi;
    const double change = (after - before).cwiseAbs().maxCoeff();
    require(change < 1e-11, "{}: moving all its bodies as one changes Phi by {:.1e}", place_of(model, slot), change);
  });
  if (!applies) skip("no use between two bodies");
}

/// Row by row: forces and moments of Phi_q^T on all bodies, ground included, cancel.
void workless(Subject& subject) {
  bool applies = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    if (slot.bodies.size() < 2 || slot.rows == 0) return;
    applies = true;
    ElementPoint point(model, slot);  // assembled: only then do a row's force and its opposite share a line
    point.move_rigidly(subject.random);
    const Index m = slot.rows, c = point.width();
    MatrixXd all = MatrixXd::Zero(m, point.size());
    std::vector<MatrixView> views;
    for (Index b = 0; b < point.bodies(); ++b) views.push_back({all.data() + b * c * m, m, c, m});
    ConstraintOutput out;
    out.Phi_q = views.data();
    require_ok(slot.constraint->evaluate(point.at(), out), "evaluate");
    for (Index row = 0; row < m; ++row) {
      Wrench sum;
      double scale = 1;
      for (Index b = 0; b < point.bodies(); ++b) {
        const VectorXd Q = all.row(row).segment(b * c, c);
        scale = std::max(scale, Q.cwiseAbs().maxCoeff());
        sum.add(model.numbers->assembly().output, point.state(b), {Q.data(), c});
      }
      const double rest = std::max(sum.force.norm(), sum.moment.norm()) / scale;
      require(rest < 1e-10, "{}: the reactions of row {} on its bodies leave a net force or moment of {:.1e} per unit",
              place_of(model, slot), row, rest);
    }
  });
  if (!applies) skip("no use between two bodies");
}

/// A row that other parts of the model take from a constraint: a joint's coordinate, the gap of a contact.
struct InnerRow {
  std::string name;  ///< of the channel that shows it, or "gap"
  const Constraint* row;
};

std::vector<InnerRow> inner_rows_of(const Constraint& element) {
  std::vector<InnerRow> rows;
  if (const auto* joint = find_extension<JointCoordinates>(element); joint != nullptr) {
    for (Index i = 0; i < joint->coordinate_count(); ++i)
      rows.push_back({joint->coordinate_name(i), &joint->coordinate(i)});
  }
  if (const auto* contact = find_extension<UnilateralContact>(element); contact != nullptr)
    rows.push_back({"gap", &contact->gap()});
  return rows;
}

void judge_inner_row(const ConstraintAt& at) {
  const Evaluation here = at.evaluate();
  at.compare(here.Phi_q, "its row", "it", false, [&] { return at.evaluate().Phi; });
  const VectorXd v = at.point.velocity();
  const double error =
      difference_error(-here.gamma, at.along(v, {}, 1, [&] { return VectorXd(at.evaluate().Phi_q * v); }));
  require(error < derivative_tolerance, "its gamma differs from -(Phi_q v)_q v by {:.1e} (relative)", error);
  require(here.nu.isZero(0) && !at.element.rheonomic(), "it depends on time");
  at.compare(at.jacobian_gradient(), "its (Phi_q x)_q", "Phi_q x", false,
             [&] { return VectorXd(at.evaluate().Phi_q * at.x); });
  at.compare(at.multiplier_gradient(), "its (Phi_q^T lambda)_q", "Phi_q^T lambda", false,
             [&] { return VectorXd(at.evaluate().Phi_q.transpose() * at.lambda); });
  MatrixXd by_q, by_v;
  at.acceleration_gradient(by_q, by_v);
  at.compare(by_q, "its (Phi_q a - gamma)_q", "Phi_q a - gamma", false, [&] { return at.psi(); });
  at.compare(by_v, "its (Phi_q a - gamma)_v", "Phi_q a - gamma", true, [&] { return at.psi(); });
}

void inner_rows(Subject& subject) {
  bool applies = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    for (const InnerRow& inner : inner_rows_of(*slot.constraint)) {
      applies = true;
      const std::string where = fmt::format("{}, {}", place_of(model, slot), inner.name);
      require(inner.row->rows() == 1, "{}: it has {} rows; one was expected", where, inner.row->rows());
      ConstraintSlot part = slot;
      part.constraint = inner.row, part.rows = 1, part.velocity_rows = 0, part.bodies.clear();
      part.angles = find_extension<CountedAngles>(*inner.row);
      for (Index b = 0; b < inner.row->body_count(); ++b) part.bodies.push_back(inner.row->body(b).index);
      try {
        for (const double length : {1.0, 1.02, 0.97}) {
          ElementPoint point(model, part);
          point.disturb(subject.random, 0.02, length);
          judge_inner_row(ConstraintAt(point, part, subject.random));
        }
        ElementPoint whole(model, slot), point(model, part);
        const SeenChannels channels = see_channels(*slot.constraint, whole.at());
        const Index shown = channels.find(inner.name);
        if (shown < 0) continue;
        const double value = ConstraintAt(point, part, subject.random).evaluate().Phi[0], told = channels.values[shown];
        constexpr double rounding = 1e-9;  // of two ways to one number, a quotient or an angle in one of them
        require(std::abs(value - told) < rounding * (1 + std::abs(told)), "it is {:g}, the channel of its name {:g}",
                value, told);
      } catch (const Failed& failure) {
        fail("{}: {}", where, failure.what());
      }
    }
  });
  if (!applies) skip("it has neither coordinates (JointCoordinates) nor a gap (UnilateralContact)");
}

}  // namespace

void add_constraint_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run,
                       const char* needs = "contract.repeatable") {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  const char* const jac = "math.jacobian";
  add("math.jacobian", "Phi_q is the derivative of Phi with respect to q",
      "a wrong sign or a missing term in the Jacobian; columns of the wrong body; blocks written row by row", jacobian);
  add("math.velocity", "nu = -Phi_t", "the sign of nu, or a time-dependent row without rheonomic() = true", velocity);
  add("math.gamma", "gamma = -((Phi_q v)_q v + 2 Phi_qt v + Phi_tt)",
      "the sign of gamma, a factor of two in the mixed term, or centripetal terms left out", gamma, jac);
  add("math.jacobian_gradient", "(Phi_q x)_q is the derivative of Phi_q x",
      "x taken of the wrong body, or second derivatives of the rotation matrix left out", jacobian_gradient, jac);
  add("math.multiplier_gradient", "(Phi_q^T lambda)_q is the derivative of Phi_q^T lambda",
      "blocks out[i k + j] of the wrong pair of bodies, or transposed", multiplier_gradient, jac);
  add("math.acceleration_gradient_q", "(Phi_q a - gamma)_q is the derivative of Phi_q a - gamma",
      "terms quadratic in v left out of the q-gradient", acceleration_gradient_q, "math.gamma");
  add("math.acceleration_gradient_v", "(Phi_q a - gamma)_v is the derivative of Phi_q a - gamma",
      "a factor of two: gamma is quadratic in v", acceleration_gradient_v, "math.gamma");
  add("math.time_derivatives", "Phi_tq, Phi_tt and d/dt (Phi_q a - gamma) are the time derivatives",
      "a time-dependent row without time_derivatives of its own", time_derivatives, "math.velocity");
  add("math.velocity_rows", "B and b of rows that hold for velocities only are functions of time and positions",
      "velocities beyond the first power in B v - b", velocity_rows, jac);
  add("math.invariance", "moving all its bodies as one leaves Phi as it is",
      "a direction or a point that should move with a body was kept in global axes", invariance, jac);
  add("math.inner_rows", "coordinates of joints and gaps of contacts have the derivatives that they give",
      "derivatives of the joint's own rows in place of the coordinate's", inner_rows, "contract.repeatable");
  add("math.workless", "the reactions on its bodies cancel: action equals reaction",
      "the columns of one body are wrong, or missing where it is ground", workless, "math.invariance");
}

}  // namespace trammel::conformance
