// Spatial rigid bodies as twists, for solvers that eliminate a mechanism body by body.
#pragma once

#include "spatial_bodies.h"
#include "trammel/extensions/free_directions.h"

namespace trammel::spatial {

/// a_p = E(p)^T alpha/2 + p g/(p.p): E p = 0, and alpha^T (A J A^T) alpha is what 4 G^T J G makes of it, on and off |p| = 1.
class SpatialTwists final : public TwistForm {
 public:
  /// `data` and `runs` outlive it; all bodies are rigid.
  SpatialTwists(const std::vector<BodyData>& data, const sdk::BodyRuns& runs) : data_(data), runs_(runs) {}

  Index size() const override { return 6; }
  void inertia(const void* states, double* out) const override;
  void wrenches(const void* states, ConstVectorView f, double* out) const override;
  void accelerations(const void* states, const double* twists, ConstVectorView g, VectorView a) const override;
  void rows(const void* states, const TwistRows* blocks, Index count) const override;
  void along_intrinsic(const void* states, ConstVectorView f, VectorView out) const override;

 private:
  const std::vector<BodyData>& data_;
  const sdk::BodyRuns& runs_;
};

}  // namespace trammel::spatial
