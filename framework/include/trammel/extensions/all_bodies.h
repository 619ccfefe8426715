// Optional ability of the constraint that every body carries by itself: all bodies in one call.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// What BodySystem::intrinsic() evaluates body by body, for bodies 0 to n - 1 at once. Null pointers: not wanted.
struct AllBodiesOutput {
  double* Phi = nullptr;    ///< n
  double* Phi_q = nullptr;  ///< n rows of c numbers one after another
  double* nu = nullptr;     ///< n
  double* gamma = nullptr;  ///< n
};

class AllBodies {
 public:
  static constexpr const char* id = "trammel.all_bodies/1";

  /// [hot] `states` as BodySystem::kinematics writes them. Every entry of every wanted output is written.
  virtual void evaluate_all(const void* states, Index bodies, const AllBodiesOutput& out) const = 0;

 protected:
  ~AllBodies() = default;
};

}  // namespace trammel
