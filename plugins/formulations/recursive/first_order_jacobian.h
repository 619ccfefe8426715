// The exact f_y of y = (theta, theta', z), y' = (theta', theta'', z').
//
// With dq, dv and p, the derivatives of q, v and B theta'' + c at fixed theta'' (motion.h, (1)), and the contractions K, C,
// G_q, G_v of ConstrainedLinearization,
//   M da + Phi_q^T dlambda = -K dq - C dv + Q_z dz,   Phi_q da = -G_q dq - G_v dv                                 (1)
//   dtheta'' = B^+ (da - p)                                                                                       (2)
// and for balls, along their four numbers x, x.dx'' = -dh (turns.h, (3)).
#pragma once

#include <algorithm>

#include "joint_space.h"
#include "turns.h"

namespace trammel::recursive {

class FirstOrderJacobian {
  static constexpr Index columns = 8;  // that are solved for at once

 public:
  /// Behind Work in memory.scratch.
  struct Room {
    Room(Layout& at, const Tree& tree)
        : work(at, tree),
          dq(at.scratch.vector(tree.n)),
          dv(at.scratch.vector(tree.n)),
          dtheta(at.scratch.vector(tree.thetas)),
          dtheta1(at.scratch.vector(tree.thetas)),
          f(at.scratch.vector(tree.n)),
          g(at.scratch.vector(tree.m)),
          none_z(at.scratch.vector(tree.nz)),
          rate(at.scratch.vector(tree.nz)),
          p(at.scratch.vectors(tree.n, columns)),
          block(at.scratch.vectors(tree.n + tree.m, columns)) {}
    Work work;
    VectorView dq, dv, dtheta, dtheta1, f, g, none_z, rate;
    sdk::StateLayout::Vectors p, block;
  };

  FirstOrderJacobian(const JointSpace& space, const Room& room) : space_(space), room_(room) {}

  Status compute(ConstrainedSystem& system, double t, ConstVectorView y, const Kept& kept, MatrixView f_y) const {
    const Tree& tree = space_.tree;
    const Index d = tree.thetas, nz = tree.nz;
    const Work& work = room_.work;
    const ConstVectorView theta = y.segment(0, d), theta1 = y.segment(d, d), z = y.segment(2 * d, nz);
    ConstrainedLinearization* const linearization = system.linearization();
    InternalStateLinearization* const internal = nz > 0 ? system.internal_linearization() : nullptr;
    if (linearization == nullptr || (nz > 0 && internal == nullptr))
      return Status::failure(StatusCode::unsupported, "no linearization of the system");
    space_.lift(theta, theta1, kept, work);
    Status status = space_.accelerate(system, t, theta, theta1, z, work, work.lambda, work.theta2);
    if (status) status = linearization->linearize(work.a, work.lambda);
    if (!status) return status;
    space_.motion->place(theta.data, theta1.data, work.theta2.data, kept.signs.data);
    for (const VectorView& x : {room_.dtheta, room_.dtheta1, room_.none_z}) x.map().setZero();
    f_y.map().setZero();
    f_y.map().block(0, d, d, d).setIdentity();
    for (Index first = 0; status && first < 2 * d; first += columns) {
      const Index end = std::min(first + columns, 2 * d);
      for (Index k = first; status && k < end; ++k) status = column(*linearization, internal, k, k - first, f_y);
      if (status) status = solve(system, end - first);
      for (Index k = first; status && k < end; ++k) {
        column_of(k - first).map() -= room_.p[k - first];
        space_.motion->relative(column_of(k - first).data, f_y.map().col(k).data() + d);
      }
    }
    if (status) lengths(theta, theta1, f_y);
    room_.dq.map().setZero(), room_.dv.map().setZero();
    for (Index first = 0; status && first < nz; first += columns) {
      status = internal_states(system, *internal, first, std::min(first + columns, nz), f_y);
    }
    return status;
  }

 private:
  VectorView column_of(Index k) const { return room_.block.view(k).segment(0, space_.tree.n); }
  VectorView rows_of(Index k) const { return room_.block.view(k).segment(space_.tree.n, space_.tree.m); }

  /// (1) for one theta or rate, and the rates of z.
  Status column(ConstrainedLinearization& linearization, InternalStateLinearization* internal, Index k, Index at,
                MatrixView f_y) const {
    const Index d = space_.tree.thetas, nz = space_.tree.nz;
    const VectorView unit = k < d ? room_.dtheta : room_.dtheta1;
    unit[k % d] = 1;
    space_.motion->derive(room_.dtheta.data, room_.dtheta1.data, room_.dq.data, room_.dv.data, room_.p[at].data());
    unit[k % d] = 0;
    Status status = linearization.apply_linearization(room_.dq, room_.dv, column_of(at), rows_of(at));
    for (const VectorView& x : {column_of(at), rows_of(at)}) x.map() = -x.map();
    if (status && nz > 0) {
      const VectorView rates{f_y.map().col(k).data() + 2 * d, nz};
      status = internal->apply_internal_linearization(room_.dq, room_.dv, room_.none_z, room_.f, rates);
    }
    return status;
  }

  Status internal_states(ConstrainedSystem& system, InternalStateLinearization& internal, Index first, Index end,
                         MatrixView f_y) const {
    const Index d = space_.tree.thetas, nz = space_.tree.nz;
    Status status;
    for (Index k = first; status && k < end; ++k) {
      const Index at = k - first;
      room_.none_z[k] = 1;
      status = internal.apply_internal_linearization(room_.dq, room_.dv, room_.none_z, column_of(at), room_.rate);
      room_.none_z[k] = 0;
      column_of(at).map() = -column_of(at).map();
      rows_of(at).map().setZero();
      f_y.map().col(2 * d + k).segment(2 * d, nz) = room_.rate.map();
    }
    if (status) status = solve(system, end - first);
    for (Index k = first; status && k < end; ++k) {
      space_.motion->relative(column_of(k - first).data, f_y.map().col(2 * d + k).data() + d);
    }
    return status;
  }

  /// What (2) leaves out, along the four numbers of balls.
  void lengths(ConstVectorView theta, ConstVectorView theta1, MatrixView f_y) const {
    const Index d = space_.tree.thetas;
    space_.motion->balls([&](Index first, Index) {
      const Vec4<> x = sdk::vec4(theta.data + first), x1 = sdk::vec4(theta1.data + first),
                   x2 = sdk::vec4(room_.work.theta2.data + first);
      double by_position[4], by_rate[4], along[4];
      store(gauge_by_position(x, x1, x2), by_position), store(gauge_by_rate(x, x1), by_rate);
      store((-1 / dot(x, x)) * x, along);
      for (Index k = 0; k < 4; ++k) {
        for (Index i = 0; i < 4; ++i) {
          f_y(d + first + i, first + k) += along[i] * by_position[k];
          f_y(d + first + i, d + first + k) += along[i] * by_rate[k];
        }
      }
    });
  }

  Status solve(ConstrainedSolve& system, Index count) const {
    if (auto* all = find_extension<BlockSolve>(system)) {
      all->solve_block(room_.block.data, count);
      return Status::success();
    }
    Status status;
    for (Index k = 0; status && k < count; ++k) {
      room_.f.map() = column_of(k).map(), room_.g.map() = rows_of(k).map();
      status = system.solve(room_.f, room_.g, column_of(k), {});
    }
    return status;
  }

  const JointSpace& space_;
  const Room& room_;
};

}  // namespace trammel::recursive
