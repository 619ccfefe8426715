// Planar rigid bodies as twists: their coordinates' accelerations as they are.
#pragma once

#include "planar_bodies.h"
#include "trammel/extensions/free_directions.h"

namespace trammel::planar {

class PlanarTwists final : public TwistForm {
 public:
  /// `data` and `runs` outlive it; all bodies are rigid.
  PlanarTwists(const std::vector<BodyData>& data, const sdk::BodyRuns& runs) : data_(data), runs_(runs) {}

  Index size() const override { return 3; }
  void inertia(const void*, double* numbers) const override {
    double* out = numbers;
    for (const BodyData& data : data_) out[0] = data.mass, out[1] = data.inertia, out += 2;
  }
  void wrenches(const void*, ConstVectorView f, double* wrenches) const override {
    runs_.in_parts([&](const sdk::BodyPart& part) {
      const double* in = f.data + part.coordinates;
      double* out = wrenches + 4 * part.begin;
      for (Index n = part.begin; n < part.end; ++n, in += 3, out += 4)
        out[0] = in[0], out[1] = in[1], out[2] = in[2], out[3] = 0;
    });
  }
  void accelerations(const void*, const double* twists, ConstVectorView, VectorView a) const override {
    runs_.in_parts([&](const sdk::BodyPart& part) {
      const double* twist = twists + 4 * part.begin;
      double* out = a.data + part.coordinates;
      for (Index n = part.begin; n < part.end; ++n, twist += 4, out += 3)
        out[0] = twist[0], out[1] = twist[1], out[2] = twist[2];
    });
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
  const sdk::BodyRuns& runs_;
};

}  // namespace trammel::planar
