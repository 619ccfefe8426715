// Bodies: those of a case at a random state, for checks of their host.
#pragma once

#include <Eigen/LU>

#include "check/element_point.h"
#include "trammel/system.h"

namespace trammel::conformance {

/// All bodies of a case at a random state; blocks as a block-diagonal matrix.
class Bodies {
 public:
  Bodies(const CaseModel& model, std::mt19937& random, double length)
      : system(model.numbers->assembly().system),
        motion(system.motion()),
        table(model.numbers->assembly().table),
        count(model.model.body_count()),
        n(table.coordinates()) {
    q = Eigen::Map<const VectorXd>(model.q.data(), n);
    v = VectorXd::Zero(n);
    for (Index k = 0; k < n; ++k) q[k] += uniform(random, -0.3, 0.3), v[k] = uniform(random, -2, 2);
    for (Index b = 0; b < count; ++b) {
      if (table.width(b) != SpatialBodyState::coordinates) continue;
      auto p = q.segment(table.first(b) + 3, 4);
      auto rate = v.segment(table.first(b) + 3, 4);
      p *= length / p.norm();
      rate -= p.dot(rate) / p.squaredNorm() * p;
    }
    states_.resize(static_cast<std::size_t>(count + 1) * (static_cast<std::size_t>(system.state_bytes()) / 8 + 1));
    move(q, v);
  }
  void move(const VectorXd& at_q, const VectorXd& at_v) {
    motion.kinematics({at_q.data(), n}, {at_v.data(), n}, states_.data());
  }
  const void* states() const { return states_.data(); }
  /// What `kinematics` makes of these velocities, or of none; moves the bodies.
  std::vector<double> states_with(ConstVectorView velocities) {
    motion.kinematics({q.data(), n}, velocities, states_.data());
    return states_;
  }
  const void* state(Index b) const {
    return reinterpret_cast<const char*>(states_.data()) + static_cast<std::ptrdiff_t>(b) * system.state_bytes();
  }

  MatrixXd diagonal(const VectorXd& blocks) const {
    MatrixXd matrix = MatrixXd::Zero(n, n);
    for (Index b = 0; b < count; ++b) {
      const Index w = table.width(b);
      matrix.block(table.first(b), table.first(b), w, w) =
          Eigen::Map<const MatrixXd>(blocks.data() + table.square(b), w, w);
    }
    return matrix;
  }
  VectorXd room() const { return VectorXd::Zero(table.square(count)); }
  MatrixXd mass() const {
    VectorXd M = room();
    motion.mass_blocks(states(), M.data());
    return diagonal(M);
  }
  VectorXd times_mass(const VectorXd& x) const {
    VectorXd out(n);
    motion.apply_mass(states(), {x.data(), n}, {out.data(), n});
    return out;
  }
  VectorXd force() const {
    VectorXd Q(n);
    require_ok(motion.force(0.3, states(), {Q.data(), n}), "force");
    return Q;
  }
  double energy() const { return motion.kinetic_energy(states()) + motion.potential_energy(0.3, states()); }
  /// Accelerations of the free bodies: [M p; p^T 0] per body, with the rows that every body carries by itself.
  VectorXd acceleration() const {
    const VectorXd Q = force();
    const MatrixXd M = mass();
    VectorXd a(n);
    for (Index b = 0; b < count; ++b) {
      const Index c = table.width(b), first = table.first(b);
      const Constraint* own = table.shape(b).intrinsic ? system.intrinsic() : nullptr;
      const Index m = own == nullptr ? 0 : own->rows();
      MatrixXd kkt = MatrixXd::Zero(c + m, c + m), row = MatrixXd::Zero(m, c);
      VectorXd right = VectorXd::Zero(c + m), gamma = VectorXd::Zero(m);
      if (own != nullptr) {
        const void* attached[1] = {state(b)};
        const MatrixView view{row.data(), m, c, m};
        ConstraintOutput out;
        out.Phi_q = &view, out.gamma = {gamma.data(), m};
        require_ok(own->evaluate({0.3, attached, nullptr, nullptr}, out), "the intrinsic constraint");
      }
      kkt.topLeftCorner(c, c) = M.block(first, first, c, c);
      kkt.topRightCorner(c, m) = row.transpose();
      kkt.bottomLeftCorner(m, c) = row;
      right << Q.segment(first, c), gamma;
      a.segment(first, c) = kkt.fullPivLu().solve(right).head(c);
    }
    return a;
  }
  /// f at states moved by e (dq, dv).
  std::function<VectorXd(double)> along(const VectorXd& dq, const VectorXd& dv, const std::function<VectorXd()>& f) {
    return [this, dq, dv, f](double e) {
      move(q + e * dq, v + e * dv);
      const VectorXd value = f();
      move(q, v);
      return value;
    };
  }
  /// f of the motion with the accelerations a, e seconds from now.
  std::function<VectorXd(double)> moving(const VectorXd& a, const std::function<VectorXd()>& f) {
    return [this, a, f](double e) {
      move(q + e * v + e * e / 2 * a, v + e * a);
      const VectorXd value = f();
      move(q, v);
      return value;
    };
  }
  /// The columns of `gradient` are the derivatives of `value` by the coordinates of body b, or by its velocities. `name`:
  /// of the gradient.
  void require_columns(Index b, const std::string& name, const MatrixXd& gradient, bool by_v,
                       const std::function<VectorXd()>& value) {
    const VectorXd none = VectorXd::Zero(n);
    for (Index k = 0; k < table.width(b); ++k) {
      const VectorXd unit = VectorXd::Unit(n, table.first(b) + k), column = gradient.col(k);
      const double error = difference_error(column, along(by_v ? none : unit, by_v ? unit : none, value));
      require(error < derivative_tolerance, "{} differs from differences by {:.1e} in coordinate {}", name, error, k);
    }
  }

  const BodySystem& system;
  const BodyMotion& motion;
  const BodyTable& table;
  Index count, n;
  VectorXd q, v;

 private:
  std::vector<double> states_;
};

}  // namespace trammel::conformance
