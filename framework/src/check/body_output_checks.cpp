// Level 3 of bodies as results and reactions see them, and of the row that every body carries by itself.
#include <Eigen/Geometry>
#include <cmath>

#include "check/bodies_at_random.h"
#include "trammel/extensions/body_frames.h"

namespace trammel::conformance {
namespace {

/// Every body of all cases at random states; `where` is for messages.
void each_body(Subject& subject, double length,
               const std::function<void(System&, Bodies&, Index b, const std::string& where)>& look) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    any = true;
    Bodies bodies(model, subject.random, length);
    for (Index b = 0; b < bodies.count; ++b)
      look(model.model.system(), bodies, b, fmt::format("{}: body {}", file.filename().string(), b + 1));
  }
  if (!any) skip("it hosts no bodies");
}

/// One body, and its accelerations as results hand them over.
struct Shown {
  Bodies& at;
  Index b;
  const BodyOutput& output = at.system.output();
  const VectorXd a = at.acceleration();
  const VectorXd own_a = padded();

  VectorXd padded() const {
    VectorXd local = VectorXd::Zero(at.system.coordinates());
    local.head(at.table.width(b)) = a.segment(at.table.first(b), at.table.width(b));
    return local;
  }
  /// Position, velocity and acceleration of a point, columns.
  Eigen::Matrix3d point(const Eigen::Vector3d& local) const {
    Eigen::Matrix3d x = Eigen::Matrix3d::Zero();
    output.point(at.state(b), local.data(), view_of(own_a), x.col(0).data(), x.col(1).data(), x.col(2).data());
    return x;
  }
  VectorXd columns() const {
    VectorXd values(output.column_count());
    output.column_values(at.state(b), view_of(values));
    return values;
  }
  VectorXd acceleration_columns() const {
    VectorXd values(output.acceleration_column_count());
    output.acceleration_values(at.state(b), view_of(own_a), view_of(values));
    return values;
  }
};

void judge_point(const Shown& shown, const Eigen::Vector3d& local, const std::string& where) {
  const Eigen::Matrix3d now = shown.point(local);
  for (const int k : {0, 1}) {
    const double error =
        difference_error(now.col(k + 1), shown.at.moving(shown.a, [&] { return VectorXd(shown.point(local).col(k)); }));
    require(error < derivative_tolerance, "{}: the {} of a point is not the rate of its {}: {:.1e} (relative)", where,
            k == 0 ? "velocity" : "acceleration", k == 0 ? "position" : "velocity", error);
  }
}

/// Every column of accelerations is the rate of a column.
void judge_columns(const Shown& shown, const std::string& where) {
  const VectorXd accelerations = shown.acceleration_columns();
  for (Index k = 0; k < static_cast<Index>(accelerations.size()); ++k) {
    double nearest = 1;
    for (Index i = 0; i < shown.output.column_count(); ++i) {
      const VectorXd expected = VectorXd::Constant(1, accelerations[k]);
      const auto column = [&] { return VectorXd(shown.columns().segment(i, 1)); };
      nearest = std::min(nearest, difference_error(expected, shown.at.moving(shown.a, column)));
    }
    require(nearest < derivative_tolerance, "{}: '{}' is the rate of none of its columns, by {:.1e} (relative)", where,
            shown.output.acceleration_column_name(k), nearest);
  }
}

/// F . v + T . omega = Q . v for all forces Q.
void judge_wrench(const Shown& shown, Random& random, const std::string& where) {
  const Bodies& at = shown.at;
  const Index width = at.table.width(shown.b);
  const Eigen::Matrix3d centre = shown.point(Eigen::Vector3d::Zero());
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Matrix3d end = shown.point(Eigen::Vector3d::Unit(k));
    const Eigen::Vector3d axis = end.col(0) - centre.col(0), rate = end.col(1) - centre.col(1);
    if (axis.squaredNorm() > 0) omega += 0.5 * axis.cross(rate) / axis.squaredNorm();
  }
  VectorXd Q = VectorXd::Zero(at.system.coordinates());
  for (Index k = 0; k < width; ++k) Q[k] = uniform(random, -2, 2);
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = force;
  shown.output.wrench(at.state(shown.b), {Q.data(), width}, force.data(), torque.data());
  const double by_wrench = force.dot(centre.col(1)) + torque.dot(omega);
  const double power = Q.head(width).dot(at.v.segment(at.table.first(shown.b), width));
  require(std::abs(by_wrench - power) < 1e-10 * (1 + std::abs(power)),
          "{}: a force has the power {:g} W, its wrench {:g} W", where, power, by_wrench);
}

void body_outputs(Subject& subject) {
  each_body(subject, 1, [&](System& system, Bodies& at, Index b, const std::string& where) {
    // Points of bodies that deform are those of their frames: math.body_frames.
    if (find_extension<BodyFrames>(system) != nullptr) skip("bodies with frames of their own");
    if (at.system.mass(b) == 0) return;  // a frame between joints has no acceleration of its own
    const Shown shown{at, b};
    const bool flat = at.table.frame_columns() == PlanarBodyState::coordinates;
    judge_point(shown, Eigen::Vector3d::Zero(), where);
    if (at.table.width(b) == at.system.coordinates()) judge_point(shown, {0.4, -0.3, flat ? 0 : 0.7}, where);
    judge_columns(shown, where);
    judge_wrench(shown, subject.random, where);
  });
}

/// The row that bodies carry by themselves, at one body.
struct OwnRows {
  Bodies& at;
  Index b;
  const Constraint& row = *at.system.intrinsic();
  Index m = row.rows(), c = at.table.width(b);

  ElementState state(const void* const* attached) const { return {0.3, attached, nullptr, nullptr}; }
  struct Values {
    VectorXd Phi, nu, gamma;
    MatrixXd Phi_q;
  };
  Values values() const {
    Values x{VectorXd(m), VectorXd(m), VectorXd(m), MatrixXd(m, c)};
    const void* attached[1] = {at.state(b)};
    const MatrixView view{x.Phi_q.data(), m, c, m};
    require_ok(row.evaluate(state(attached), {view_of(x.Phi), &view, view_of(x.nu), view_of(x.gamma)}),
               "the intrinsic constraint");
    return x;
  }
  void judge(Random& random, const std::string& where) const {
    VectorXd x(c), lambda(m);
    for (Index k = 0; k < c; ++k) x[k] = uniform(random, -2, 2);
    for (Index k = 0; k < m; ++k) lambda[k] = uniform(random, -2, 2);
    const void* attached[1] = {at.state(b)};
    const ConstVectorView x_view = view_of(std::as_const(x));
    MatrixXd by_q = MatrixXd::Zero(m, c), by_v = by_q, square = MatrixXd::Zero(c, c);
    const MatrixView q_view{by_q.data(), m, c, m}, v_view{by_v.data(), m, c, m}, square_view{square.data(), c, c, c};
    const auto columns = [&](const char* name, const MatrixXd& gradient, bool by_v,
                             const std::function<VectorXd()>& value) {
      at.require_columns(b, fmt::format("{}: {} of its own row", where, name), gradient, by_v, value);
    };
    columns("Phi_q", values().Phi_q, false, [&] { return values().Phi; });
    require_ok(row.jacobian_gradient(state(attached), &x_view, &q_view), "jacobian_gradient");
    columns("(Phi_q x)_q", by_q, false, [&] { return VectorXd(values().Phi_q * x); });
    require_ok(row.multiplier_gradient(state(attached), view_of(std::as_const(lambda)), &square_view),
               "multiplier_gradient");
    columns("(Phi_q^T lambda)_q", square, false, [&] { return VectorXd(values().Phi_q.transpose() * lambda); });
    require_ok(row.acceleration_gradient(state(attached), &x_view, &q_view, &v_view), "acceleration_gradient");
    const auto residual = [&] {
      const Values now = values();
      return VectorXd(now.Phi_q * x - now.gamma);
    };
    columns("(Phi_q a - gamma)_q", by_q, false, residual);
    columns("(Phi_q a - gamma)_v", by_v, true, residual);
    const Values now = values();
    VectorXd ahead = VectorXd::Zero(at.n);
    ahead.segment(at.table.first(b), c) = at.v.segment(at.table.first(b), c);
    const double bent = difference_error(-now.gamma, at.along(ahead, VectorXd::Zero(at.n), [&] {
      return VectorXd(values().Phi_q * ahead.segment(at.table.first(b), c));
    }));
    require(bent < derivative_tolerance, "{}: gamma of its own row differs from -(Phi_q v)_q v by {:.1e}", where, bent);
  }
};

void body_rows(Subject& subject) {
  bool any = false;
  each_body(subject, 1.02, [&](System&, Bodies& at, Index b, const std::string& where) {
    if (!at.table.shape(b).intrinsic || at.system.intrinsic() == nullptr) return;
    any = true;
    OwnRows{at, b}.judge(subject.random, where);
  });
  if (!any) skip("its bodies carry no rows by themselves");
}

}  // namespace

void add_body_output_checks(std::vector<Check>& checks) {
  checks.push_back({"math.body_outputs", Level::mathematics,
                    "points, columns and wrenches of bodies belong to their motion",
                    "a torque about another point, or the centripetal part of an acceleration left out", body_outputs,
                    "math.body_mass"});
  checks.push_back({"math.body_rows", Level::mathematics, "the row that bodies carry has the derivatives that it gives",
                    "a factor of two: rows of Euler parameters are quadratic", body_rows, "math.body_mass"});
}

}  // namespace trammel::conformance
