// The matrices of the second-order view at a point; equations (1) to (4) stand in second_order.h.
#pragma once

#include <Eigen/Cholesky>

#include "loops.h"
#include "turns.h"

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
  void make_room(const JointSpace& space, const Loops& loops);
  /// R = B^T (f + M p) with the balls' part, and S of the rows in use, along (dtheta, dtheta').
  Status vary(const Vector& dtheta, const Vector& dtheta1, Vector& R, Vector& S);
  /// B^T M B x with the balls' masses.
  void inertia(const Vector& x, Vector& out);
  /// The column -Z^T (R - B^T M B C_u^-1 S) of all three, R and S as `vary` gives them. Leaves C_u^-1 S in S.
  void close(Vector& R, Vector& S, Eigen::Ref<Vector> column);
  Status differentiate_by_time();
  void find_balls();

  struct Ball {
    Index first;
    double mass;  ///< over x.x
    Vec4<> x, by_position, by_rate;
  };

  // Of the call.
  ConstrainedSystem* system_ = nullptr;
  const JointSpace* space_ = nullptr;
  Loops* loops_ = nullptr;
  const MotionPoint* at_ = nullptr;

  Matrix Z_;  // N x d; none where there are no loops
  Vector dq_, dv_, p_, f_, g_, product_;
  Vector R_, S_, moved_, none_, direction_, rate_;  // N, S_ as many as dependent thetas
  Vector by_time_, rate_by_time_, along_, turning_, force_;
  Vector Q_t_, of_v_, rows_t_, accelerations_t_;
  std::vector<Ball> balls_, found_;
  Eigen::LLT<Matrix> cholesky_;
};

}  // namespace trammel::recursive
