// The matrices of the second-order view at a point; equations (1) to (4) stand in second_order.h.
#pragma once

#include "loops.h"

namespace trammel::recursive {

/// A point of the motion: all joint coordinates, the accelerations and multipliers of all coordinates in `work`.
struct MotionPoint {
  const Eigen::VectorXd &theta, &theta1, &theta2;
  const Kept& kept;
  const Work& work;
};

class ReducedMatrices {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

 public:
  /// [step] M^, M^ J1, M^ J2 and M^ d(w'')/dt at the system's last evaluation, which is at this point. Factorizes C_u there.
  Status compute(ConstrainedSystem& system, const JointSpace& space, Loops& loops, const MotionPoint& at);

  Matrix M, MJ1, MJ2;  ///< d x d
  Vector MJt;          ///< d

 private:
  void make_room(const Tree& tree, const Loops& loops);
  Status form(ConstrainedSystem& system, const JointSpace& space, const Loops& loops, const MotionPoint& at);
  Status form_by_time(ConstrainedSystem& system, const JointSpace& space, const MotionPoint& at);
  void add_balls(const JointSpace& space, const MotionPoint& at);
  Status reduce(ConstrainedSystem& system, const JointSpace& space, const Loops& loops, const MotionPoint& at);

  Matrix mass_, K_, D_;                // N x N
  Matrix S_position_, S_rate_;         // rows of the cuts that are used
  Vector dq_, dv_, p_, f_, time_f_;    // n
  Vector g_, time_v_, time_g_;         // m
  Vector product_, force_, unit_;
};

}  // namespace trammel::recursive
