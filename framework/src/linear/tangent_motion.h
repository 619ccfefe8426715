// TangentMotion: small motions of a model about a state, in its own coordinates, as far as the constraints allow them.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

class ConstrainedModel;

/// Of y = (q, v, z), y' = (v, a, z') = f(t, y), with d independent coordinates w: a column for every entry of x = (dw, dw', dz).
struct TangentMotion {
  std::vector<Index> independent;
  Eigen::VectorXd a;     ///< at the state
  Eigen::MatrixXd dy;    ///< (2n + nz) x (2d + nz): dy = (T dw, V dw + T dw', dz)
  Eigen::MatrixXd rate;  ///< f_y dy
};

/// [setup] All of it at a state that the constraints allow, by exact contractions. What forces see of the last accepted step
/// stays what it is. A failure is that of the evaluation, of the partition, or of rows that hold for velocities only.
Status find_tangent_motion(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                           TangentMotion& motion);
/// [setup] `independent` and `dy` alone, where the model is linearized already.
Status find_tangent(ConstrainedModel& model, ConstVectorView v, TangentMotion& motion);

}  // namespace trammel
