// Implicit matrices of planar rigid bodies: their coordinates are their twists, and M is all they have of their own.
#pragma once

#include "planar_bodies.h"
#include "trammel/extensions/implicit_twists.h"

namespace trammel::planar {

class PlanarImplicit final : public ImplicitTwists {
 public:
  /// `data` outlives it; all bodies are rigid.
  explicit PlanarImplicit(const std::vector<BodyData>& data) : data_(data) {}

  void own_blocks(const void*, const OwnTwistBlocks& own) const override {
    double* out = own.out;
    for (const BodyData& data : data_) {
      for (Index k = 0; k < 12; ++k) out[k] = 0;
      out[0] = out[5] = data.mass, out[10] = data.inertia;
      out += 12;
    }
  }
  void add_blocks(const void*, const CoordinateBlock* blocks, Index count) const override {
    for (const CoordinateBlock* block = blocks; block != blocks + count; ++block) {
      for (Index k = 0; k < 9; ++k) block->to[k / 3 * 4 + k % 3] += block->from[k];
    }
  }

 private:
  const std::vector<BodyData>& data_;
};

}  // namespace trammel::planar
