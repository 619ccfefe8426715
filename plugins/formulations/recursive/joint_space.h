// JointSpace: a system seen in the joint coordinates of its tree; what the two views of the formulation share.
#pragma once

#include <memory>

#include "motion.h"
#include "trammel/constrained_system.h"
#include "trammel/sdk/formulations/velocity_level.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::recursive {

using Layout = sdk::MemoryLayout;

/// What a run keeps, in front in memory.state.
struct Kept {
  Kept(Layout& at, const Tree& tree)
      : begun(at.state.number()),
        theta(at.state.vector(tree.thetas)),
        signs(at.state.vector(static_cast<Index>(tree.links.size()))) {}
  double& begun;
  VectorView theta;  ///< of the last step's end: angles go on from there
  VectorView signs;  ///< TreeMotion::measure
};

/// Of one call, in front in memory.scratch.
struct Work {
  Work(Layout& at, const Tree& tree)
      : q(at.scratch.vector(tree.n)),
        v(at.scratch.vector(tree.n)),
        a(at.scratch.vector(tree.n)),
        c(at.scratch.vector(tree.n)),
        theta(at.scratch.vector(tree.thetas)),
        theta1(at.scratch.vector(tree.thetas)),
        theta2(at.scratch.vector(tree.thetas)),
        zero(at.scratch.vector(tree.thetas)),
        lambda(at.scratch.vector(tree.m)) {}
  VectorView q, v, a, c;
  VectorView theta, theta1, theta2, zero;
  VectorView lambda;
};

class JointSpace {
 public:
  explicit JointSpace(const ConstrainedLayout& system) : tree(system), motion(TreeMotion::of(tree)) {}

  /// (q, v) -> (theta, theta'), angles near those kept; the signs are kept.
  void measure(ConstVectorView q, ConstVectorView v, const Kept& kept, const Work& work, VectorView theta,
               VectorView theta1) const {
    motion->measure(q.data, kept.theta.data, theta.data, kept.signs.data);
    work.zero.map().setZero();
    motion->place(theta.data, work.zero.data, work.zero.data, kept.signs.data);
    motion->relative(v.data, theta1.data);
  }

  /// (theta, theta') -> (q, v), and c as accelerations without joint accelerations.
  void lift(ConstVectorView theta, ConstVectorView theta1, const Kept& kept, const Work& work) const {
    work.zero.map().setZero();
    motion->place(theta.data, theta1.data, work.zero.data, kept.signs.data);
    motion->write(work.q.data, work.v.data, work.c.data);
  }

  /// theta'' by the accelerations of all coordinates, after `lift`: theta'' = B^+ (a - c). Leaves a in `work`, and the
  /// multipliers in `lambda`, which may be empty. `more`: further parts of the evaluation.
  Status accelerate(ConstrainedSystem& system, double t, ConstVectorView theta, ConstVectorView theta1,
                    ConstVectorView z, const Work& work, VectorView lambda, VectorView theta2,
                    unsigned more = 0) const {
    Status status = system.evaluate(t, work.q, work.v, z, evaluate_dynamics | more);
    if (status) status = system.factorize(ProjectionWeights::mass);
    if (status) status = system.solve(system.Q(), system.gamma(), work.a, lambda);
    if (!status) return status;
    work.c.map() = work.a.map() - work.c.map();
    motion->relative(work.c.data, theta2.data);
    motion->hold_lengths(theta.data, theta1.data, theta2.data);
    return status;
  }

  Tree tree;
  std::unique_ptr<TreeMotion> motion;
};

}  // namespace trammel::recursive
