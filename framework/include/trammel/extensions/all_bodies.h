// Optional ability of the constraint that every body carries by itself: all bodies in one call.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// What BodySystem::intrinsic() evaluates body by body, for the n bodies that have this row at once, in their order. Null
/// pointers: not wanted.
struct AllBodiesOutput {
  double* Phi = nullptr;    ///< n
  double* Phi_q = nullptr;  ///< n rows of c numbers one after another
  double* nu = nullptr;     ///< n
  double* gamma = nullptr;  ///< n
};

class AllBodies {
 public:
  static constexpr const char* id = "trammel.all_bodies/1";

  /// [hot] `states` as BodySystem::kinematics writes them; `rows` is n. Every entry of every wanted output is written.
  virtual void evaluate_all(const void* states, Index rows, const AllBodiesOutput& out) const = 0;

 protected:
  ~AllBodies() = default;
};

}  // namespace trammel
