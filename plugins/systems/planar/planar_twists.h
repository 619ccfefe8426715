// Planar rigid bodies as twists: their coordinates' accelerations as they are.
#pragma once

#include "planar_bodies.h"
#include "trammel/extensions/free_directions.h"

namespace trammel::planar {

class PlanarTwists final : public TwistForm {
 public:
  /// `data` outlives it; all bodies are rigid.
  explicit PlanarTwists(const std::vector<BodyData>& data) : data_(data) {}

  Index size() const override { return 3; }
  void inertia(const void*, double* out) const override {
    for (const BodyData& data : data_) out[0] = data.mass, out[1] = data.inertia, out += 2;
  }
  void wrenches(const void*, ConstVectorView f, double* out) const override {
    const double* in = f.data;
    for (std::size_t n = data_.size(); n > 0; --n, in += 3, out += 4)
      out[0] = in[0], out[1] = in[1], out[2] = in[2], out[3] = 0;
  }
  void accelerations(const void*, const double* twists, ConstVectorView, VectorView a) const override {
    double* out = a.data;
    for (std::size_t n = data_.size(); n > 0; --n, twists += 4, out += 3)
      out[0] = twists[0], out[1] = twists[1], out[2] = twists[2];
  }
  void rows(const void*, const TwistRows* blocks, Index count) const override {
    for (const TwistRows* block = blocks; block != blocks + count; ++block) {
      const Index m = block->rows;
      for (Index r = 0; r < m; ++r) {
        const double* in = block->full + r;
        double* out = block->twist + 4 * r;
        out[0] = in[0], out[1] = in[m], out[2] = in[2 * m], out[3] = 0;
      }
    }
  }

 private:
  const std::vector<BodyData>& data_;
};

}  // namespace trammel::planar
