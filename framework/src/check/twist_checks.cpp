// Level 3 of bodies and joints as solvers take them in twists: their definitions, against frames, rows and gradients.
#include <Eigen/Geometry>
#include <cstring>

#include "check/bodies_at_random.h"
#include "trammel/constraint.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/extensions/implicit_twists.h"

namespace trammel::conformance {
namespace {

constexpr double rounding = 1e-11;  // of sums of some ten products

/// T of bodies by TwistForm, and numbers as it stores them.
struct Twists {
  const TwistForm& form;
  const BodyTable& table;
  Index bodies;

  Index size() const { return form.size(); }
  bool spatial() const { return size() == 6; }
  Index stride() const { return spatial() ? 8 : 4; }
  Index columns() const { return spatial() ? 7 : 3; }
  Index place(Index k) const { return spatial() && k > 2 ? k + 1 : k; }

  /// E column by column, then n, of every body.
  std::vector<MatrixXd> motions(const void* states) const {
    std::vector<MatrixXd> T(static_cast<std::size_t>(bodies), MatrixXd(table.local(), columns()));
    VectorXd twists = VectorXd::Zero(bodies * stride()), g = VectorXd::Zero(table.intrinsic_rows()),
             a(table.coordinates());
    for (Index k = 0; k < columns(); ++k) {
      for (Index b = 0; k < size() && b < bodies; ++b) twists[b * stride() + place(k)] = 1;
      if (k == size()) g.setOnes();
      form.accelerations(states, twists.data(), view_of(std::as_const(g)), view_of(a));
      for (Index b = 0; b < bodies; ++b)
        T[static_cast<std::size_t>(b)].col(k) = a.segment(table.first(b), table.local());
      twists.setZero();
    }
    return T;
  }
  /// A wrench or twist as it is stored.
  VectorXd stored(const double* numbers) const {
    VectorXd x(size());
    for (Index k = 0; k < size(); ++k) x[k] = numbers[place(k)];
    return x;
  }
  /// A block between two bodies as it is stored: rows and columns over E, then n.
  MatrixXd block(const double* numbers) const {
    MatrixXd B = MatrixXd::Zero(columns(), columns());
    for (Index k = 0; k < columns(); ++k) B.col(k).head(size()) = stored(numbers + k * stride());
    if (!spatial()) return B;
    B.row(6).head(6) = stored(numbers + 56).transpose();
    B(6, 6) = numbers[59];
    return B;
  }
  Index block_numbers() const { return spatial() ? 64 : 12; }
};

void same(const MatrixXd& value, const MatrixXd& expected, const char* what, const std::string& where) {
  const double scale = 1 + expected.cwiseAbs().maxCoeff(), off = (value - expected).cwiseAbs().maxCoeff() / scale;
  require(off < rounding, "{}: {} differ by {:.1e} (relative)", where, what, off);
}

/// r and the axes of a body.
VectorXd frame(const void* state, bool spatial) {
  if (spatial) {
    const auto& b = *static_cast<const SpatialBodyState*>(state);
    VectorXd x(12);
    x << Eigen::Map<const Eigen::Vector3d>(b.r), Eigen::Map<const Eigen::Matrix<double, 9, 1>>(b.A);
    return x;
  }
  const auto& b = *static_cast<const PlanarBodyState*>(state);
  return Eigen::Vector3d(b.r[0], b.r[1], b.phi);
}

/// How the frame of a body changes along twist k.
VectorXd frame_rate(const void* state, Index k, bool spatial) {
  if (!spatial) return Eigen::Vector3d::Unit(k);
  VectorXd rate = VectorXd::Zero(12);
  if (k < 3) {
    rate[k] = 1;
    return rate;
  }
  using Axes = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Map<const Axes> A(static_cast<const SpatialBodyState*>(state)->A);
  Eigen::Map<Axes> change(rate.data() + 3);
  for (Index j = 0; j < 3; ++j) change.col(j) = Eigen::Vector3d::Unit(k - 3).cross(Eigen::Vector3d(A.col(j)));
  return rate;
}

/// TwistForm against its definition, body by body.
void judge_form(Bodies& at, const Twists& twists, Random& random) {
  const std::vector<MatrixXd> T = twists.motions(at.states());
  const Index c = at.table.local(), size = twists.size();
  const MatrixXd M = at.mass();
  VectorXd f(at.n), wrenches = VectorXd::Zero(at.count * twists.stride()),
                    along = VectorXd::Zero(at.table.intrinsic_rows());
  VectorXd inertia = VectorXd::Zero(at.count * (twists.spatial() ? 7 : 2));
  for (Index k = 0; k < at.n; ++k) f[k] = uniform(random, -2, 2);
  twists.form.inertia(at.states(), inertia.data());
  twists.form.wrenches(at.states(), view_of(std::as_const(f)), wrenches.data());
  twists.form.along_intrinsic(at.states(), view_of(std::as_const(f)), view_of(along));
  for (Index b = 0; b < at.count; ++b) {
    const std::string where = fmt::format("body {}", b + 1);
    const Index first = at.table.first(b);
    const MatrixXd& own = T[static_cast<std::size_t>(b)];
    for (Index k = 0; k < size; ++k) {
      VectorXd dq = VectorXd::Zero(at.n);
      dq.segment(first, c) = own.col(k);
      const VectorXd rate = frame_rate(at.state(b), k, twists.spatial());
      const double error = difference_error(
          rate, at.along(dq, VectorXd::Zero(at.n), [&] { return frame(at.state(b), twists.spatial()); }));
      require(error < derivative_tolerance, "{}: along twist {} its frame does not move as the twist says: {:.1e}",
              where, k + 1, error);
    }
    if (twists.spatial()) {
      MatrixXd row = MatrixXd::Zero(1, c);
      const MatrixView view{row.data(), 1, c, 1};
      const void* attached[1] = {at.state(b)};
      ConstraintOutput out;
      out.Phi_q = &view;
      require_ok(at.system.intrinsic()->evaluate({0.3, attached, nullptr, nullptr}, out), "the intrinsic constraint");
      same(row * own, MatrixXd(VectorXd::Unit(7, 6).transpose()), "the intrinsic row times E and n, and 0 and 1,",
           where);
    }
    MatrixXd expected = MatrixXd::Zero(size, size);
    const double* J = inertia.data() + b * (twists.spatial() ? 7 : 2);
    if (twists.spatial()) {
      expected.diagonal() << J[0], J[0], J[0], J[1], J[2], J[3];
      expected(3, 4) = expected(4, 3) = J[4], expected(3, 5) = expected(5, 3) = J[5],
                  expected(4, 5) = expected(5, 4) = J[6];
    } else {
      expected.diagonal() << J[0], J[0], J[1];
    }
    const MatrixXd E = own.leftCols(size);
    same(expected, E.transpose() * M.block(first, first, c, c) * E, "inertia and E^T M E", where);
    same(twists.stored(wrenches.data() + b * twists.stride()), E.transpose() * f.segment(first, c),
         "wrenches and E^T f", where);
    if (twists.spatial()) {
      const double by_n = own.col(6).dot(f.segment(first, c)), told = along[b];
      require(std::abs(told - by_n) < rounding * (1 + std::abs(by_n)), "{}: along_intrinsic is {:g}, n^T f is {:g}",
              where, told, by_n);
    }
    MatrixXd full(2, c);
    for (Index k = 0; k < 2 * c; ++k) full.data()[k] = uniform(random, -2, 2);
    VectorXd rows = VectorXd::Zero(2 * twists.stride()), by_rows = VectorXd::Zero(2);
    const TwistRows wanted{b, 2, full.data(), rows.data(), twists.spatial() ? by_rows.data() : nullptr};
    twists.form.rows(at.states(), &wanted, 1);
    for (Index k = 0; k < 2; ++k) {
      same(twists.stored(rows.data() + k * twists.stride()), E.transpose() * full.row(k).transpose(),
           "rows and Phi_q E", where);
      if (twists.spatial()) same(by_rows.segment(k, 1), full.row(k) * own.col(6), "rows and Phi_q n", where);
    }
  }
}

/// ImplicitTwists against T^T A T.
void judge_blocks(Bodies& at, const Twists& twists, const ImplicitTwists& implicit, Random& random) {
  const std::vector<MatrixXd> T = twists.motions(at.states());
  const Index c = at.table.local();
  constexpr double c0 = 0.3, c1 = 0.7;
  VectorXd a(at.n), mu = VectorXd::Zero(at.table.intrinsic_rows()), K = at.room(), Q_q = at.room(), Q_v = at.room();
  for (Index k = 0; k < at.n; ++k) a[k] = uniform(random, -2, 2);
  for (Index k = 0; k < mu.size(); ++k) mu[k] = uniform(random, -2, 2);
  at.motion.mass_gradient(at.states(), view_of(std::as_const(a)), K.data());
  require_ok(at.motion.force_gradients(0.3, at.states(), Q_q.data(), Q_v.data()), "force_gradients");
  const MatrixXd A = at.mass() + c0 * (at.diagonal(K) - at.diagonal(Q_q)) - c1 * at.diagonal(Q_v);
  VectorXd own = VectorXd::Zero(at.count * twists.block_numbers());
  implicit.own_blocks(at.states(), {view_of(std::as_const(a)), view_of(std::as_const(mu)), c0, c1, own.data()});
  for (Index b = 0; b < at.count; ++b) {
    const Index first = at.table.first(b);
    const MatrixXd& motion = T[static_cast<std::size_t>(b)];
    MatrixXd full = A.block(first, first, c, c);
    if (twists.spatial()) full.bottomRightCorner(4, 4).diagonal().array() += c0 * mu[b];  // (mu p)_q
    same(twists.block(own.data() + b * twists.block_numbers()), motion.transpose() * full * motion,
         "own_blocks and T^T (M + c1 C + c0 K) T", fmt::format("body {}", b + 1));
    const Index other = (b + 1) % at.count;
    MatrixXd any(c, c);
    for (Index k = 0; k < c * c; ++k) any.data()[k] = uniform(random, -2, 2);
    VectorXd added = VectorXd::Zero(twists.block_numbers());
    const CoordinateBlock block{b, other, any.data(), added.data()};
    implicit.add_blocks(at.states(), &block, 1);
    implicit.add_blocks(at.states(), &block, 1);
    same(twists.block(added.data()), 2 * motion.transpose() * any * T[static_cast<std::size_t>(other)],
         "add_blocks and T_i^T A T_j", fmt::format("bodies {} and {}", b + 1, other + 1));
  }
}

bool of_rigid_bodies(const BodyTable& table) { return !table.mixed() && table.width(0) >= table.frame_columns(); }

void body_twists(Subject& subject) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    const auto* form = find_extension<TwistForm>(model.model);
    const auto* implicit = find_extension<ImplicitTwists>(model.model);
    if (form == nullptr || !of_rigid_bodies(model.numbers->assembly().table)) continue;
    any = true;
    for (const double length : {1.0, 1.02}) {
      Bodies at(model, subject.random, length);
      const Twists twists{*form, at.table, at.count};
      try {
        judge_form(at, twists, subject.random);
        if (implicit != nullptr) judge_blocks(at, twists, *implicit, subject.random);
      } catch (const Failed& failure) {
        fail("{}: {}", file.filename().string(), failure.what());
      }
    }
  }
  if (!any) skip("it offers no twists (TwistForm) of rigid bodies");
}

/// A joint at a point: J in twists of its bodies, and T of each.
struct JointAt {
  JointAt(const CaseModel& model, const Twists& twists, const ConstraintSlot& slot_, ElementPoint& point_)
      : slot(slot_), point(point_), T(2), J(2), along(2) {
    // All bodies of the model where the joint's are: only those count.
    const auto bytes = static_cast<std::size_t>(model.numbers->assembly().system.state_bytes());
    std::vector<double> states((static_cast<std::size_t>(twists.bodies) * bytes + 7) / 8);
    const auto at = [&](Index body) {
      return reinterpret_cast<char*>(states.data()) + static_cast<std::size_t>(body) * bytes;
    };
    for (Index b = 0; b < twists.bodies; ++b) std::memcpy(at(b), point.state(point.free(0) ? 0 : 1), bytes);
    for (Index k = 0; k < 2; ++k) {
      if (point.free(k)) std::memcpy(at(slot.bodies[static_cast<std::size_t>(k)]), point.state(k), bytes);
    }
    const std::vector<MatrixXd> motions = twists.motions(states.data());
    MatrixXd Phi_q = MatrixXd::Zero(slot.rows, point.size());
    const auto views = point.row_blocks(Phi_q);
    ConstraintOutput out;
    out.Phi_q = views.data();
    require_ok(slot.constraint->evaluate(point.at(), out), "evaluate");
    for (Index k = 0; k < 2; ++k) {
      if (!point.free(k)) continue;
      const auto b = static_cast<std::size_t>(k);
      T[b] = motions[static_cast<std::size_t>(slot.bodies[b])];
      const MatrixXd all = Phi_q.middleCols(k * point.width(), point.width()) * T[b];
      J[b] = all.leftCols(twists.size());
      along[b] = twists.spatial() ? VectorXd(all.col(6)) : VectorXd::Zero(slot.rows);
    }
  }
  const ConstraintSlot& slot;
  ElementPoint& point;
  std::vector<MatrixXd> T, J;
  std::vector<VectorXd> along;
};

void judge_directions(const JointAt& at, const Twists& twists, const FreeDirections& joint, Index child) {
  const Index size = twists.size(), rows = at.slot.rows, other = 1 - child;
  VectorXd basis = VectorXd::Zero(size * twists.stride()), shift = VectorXd::Zero(3), of_child = VectorXd::Zero(rows),
           of_other = VectorXd::Zero(rows);
  joint.free_directions(at.point.at(), child,
                        {basis.data(), shift.data(), twists.spatial() ? of_child.data() : nullptr,
                         twists.spatial() ? of_other.data() : nullptr});
  const auto b = static_cast<std::size_t>(child), p = static_cast<std::size_t>(other);
  const std::string where = fmt::format("of its body {}", child + 1);
  MatrixXd directions(size, size);
  for (Index k = 0; k < size; ++k) directions.col(k) = twists.stored(basis.data() + k * twists.stride());
  same(at.J[b] * directions, MatrixXd::Identity(rows, size), "J basis and [1 0]", where);
  if (twists.spatial()) same(of_child, at.along[b], "along_child and Phi_q n", where);
  if (!at.point.free(other)) return;
  // J_other t = -J_child (r'' + alpha x e, alpha)
  MatrixXd moved = MatrixXd::Identity(size, size);
  if (twists.spatial()) {
    for (Index k = 0; k < 3; ++k)
      moved.block(0, 3 + k, 3, 1) = Eigen::Vector3d::Unit(k).cross(Eigen::Vector3d(shift.head(3)));
    same(of_other, at.along[p], "along_parent and Phi_q n", where);
  } else {
    moved(0, 2) = -shift[1], moved(1, 2) = shift[0];
  }
  same(at.J[p], -at.J[b] * moved, "J of the other body and that of the shift", where);
}

void judge_multipliers(const JointAt& at, const Twists& twists, const MultiplierTwists& joint, Random& random) {
  const Index c = at.point.width();
  VectorXd lambda(at.slot.rows);
  for (Index k = 0; k < lambda.size(); ++k) lambda[k] = uniform(random, -2, 2);
  MatrixXd full = MatrixXd::Zero(at.point.size(), at.point.size());
  require_ok(at.slot.constraint->multiplier_gradient(at.point.at(), view_of(std::as_const(lambda)),
                                                     at.point.square_blocks(full).data()),
             "multiplier_gradient");
  std::vector<VectorXd> blocks(4, VectorXd::Zero(twists.block_numbers()));
  double* to[4] = {};
  for (Index k = 0; k < 4; ++k) {
    if (at.point.free(k / 2) && at.point.free(k % 2)) to[k] = blocks[static_cast<std::size_t>(k)].data();
  }
  for (int twice = 0; twice < 2; ++twice)  // it adds
    joint.add_multiplier_twists(at.point.at(), view_of(std::as_const(lambda)), 0.25, to);
  for (Index k = 0; k < 4; ++k) {
    if (to[k] == nullptr) continue;
    const auto i = static_cast<std::size_t>(k / 2), j = static_cast<std::size_t>(k % 2);
    const MatrixXd expected = 0.5 * at.T[i].transpose() * full.block(k / 2 * c, k % 2 * c, c, c) * at.T[j];
    same(twists.block(to[k]), expected, "add_multiplier_twists and T_i^T (Phi_q^T lambda)_q T_j",
         fmt::format("bodies {} and {}", i + 1, j + 1));
    require(i == j || joint.couples() || blocks[static_cast<std::size_t>(k)].isZero(0),
            "couples() is false, and blocks between its bodies are not 0");
  }
}

void joint_twists(Subject& subject) {
  bool any = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    const auto* form = find_extension<TwistForm>(model.model);
    const auto* directions = find_extension<FreeDirections>(*slot.constraint);
    const auto* multipliers = find_extension<MultiplierTwists>(*slot.constraint);
    if (form == nullptr || !of_rigid_bodies(model.numbers->assembly().table) || slot.bodies.size() != 2 ||
        (directions == nullptr && multipliers == nullptr))
      return;
    any = true;
    const Twists twists{*form, model.numbers->assembly().table, model.model.body_count()};
    try {
      for (const double length : {1.0, 1.02, 0.97}) {
        ElementPoint point(model, slot);
        point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
        point.disturb(subject.random, 0.05, length);
        const JointAt at(model, twists, slot, point);
        for (Index child = 0; directions != nullptr && child < 2; ++child) {
          if (point.free(child)) judge_directions(at, twists, *directions, child);
        }
        if (multipliers != nullptr) judge_multipliers(at, twists, *multipliers, subject.random);
      }
    } catch (const Failed& failure) {
      fail("{}: {}", place_of(model, slot), failure.what());
    }
  });
  if (!any) skip("it offers neither FreeDirections nor MultiplierTwists between two bodies");
}

}  // namespace

void add_body_twist_checks(std::vector<Check>& checks) {
  checks.push_back({"math.body_twists", Level::mathematics,
                    "twists of bodies move their frames, and blocks in twists are T^T A T",
                    "body axes in place of global ones, or terms left out off |p| = 1", body_twists, "math.body_mass"});
}

void add_joint_twist_checks(std::vector<Check>& checks) {
  checks.push_back({"math.joint_twists", Level::mathematics,
                    "free directions leave the rows alone, and gradients in twists are those of coordinates",
                    "directions of the wrong body, or a shift between centres of the wrong sign", joint_twists,
                    "math.jacobian"});
}

}  // namespace trammel::conformance
