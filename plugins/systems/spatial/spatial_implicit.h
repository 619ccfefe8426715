// Implicit matrices of spatial rigid bodies in twists.
#pragma once

#include "spatial_bodies.h"
#include "trammel/extensions/implicit_twists.h"

namespace trammel::spatial {

class SpatialImplicit final : public ImplicitTwists {
 public:
  /// `data` outlives it; all bodies are rigid.
  explicit SpatialImplicit(const std::vector<BodyData>& data) : data_(data) {}

  void own_blocks(const void* states, const OwnTwistBlocks& own) const override;
  void add_blocks(const void* states, const CoordinateBlock* blocks, Index count) const override;

 private:
  const std::vector<BodyData>& data_;
};

}  // namespace trammel::spatial
