// Twists of spatial bodies. Haug (1989), chapter 9: alpha = 2 E(p) pddot and the torque that goes with it.
#include "spatial_twists.h"

#include "trammel/sdk/math/wide.h"

namespace trammel::spatial {
namespace {

using sdk::Vec3;
using sdk::vec3;
using sdk::Vec4;
using sdk::vec4;

const SpatialBodyState* twist_states(const void* states) { return static_cast<const SpatialBodyState*>(states); }

constexpr Index stride = 8;

TRAMMEL_INLINE void write_twist(const Vec3<>& linear, const Vec3<>& angular, double* out) {
  sdk::store(linear, out), out[3] = 0;
  sdk::store(angular, out + 4), out[7] = 0;
}

}  // namespace

// A J A^T
void SpatialTwists::inertia(const void* states, double* numbers) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = twist_states(states) + part.begin;
      double* out = numbers + 7 * part.begin;
      for (Index body = part.begin; body < part.end; ++body, ++b, out += 7) {
        const BodyData& data = data_[static_cast<std::size_t>(body)];
        const double* A = b->A;
        const Vec3<> x = data.J * vec3(A), y = data.J * vec3(A + 3), z = data.J * vec3(A + 6);  // columns of J A^T
        out[0] = data.mass;
        out[1] = sdk::dot(vec3(A), x), out[2] = sdk::dot(vec3(A + 3), y), out[3] = sdk::dot(vec3(A + 6), z);
        out[4] = sdk::dot(vec3(A), y), out[5] = sdk::dot(vec3(A), z), out[6] = sdk::dot(vec3(A + 3), z);
      }
    });
  });
}

void SpatialTwists::wrenches(const void* states, ConstVectorView f, double* out) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = twist_states(states) + part.begin;
      const double* in = f.data + part.coordinates;
      double* wrench = out + stride * part.begin;
      for (Index n = part.begin; n < part.end; ++n, ++b, in += 7, wrench += stride)
        write_twist(vec3(in), 0.5 * sdk::E_apply(sdk::parameters(*b), vec4(in + 3)), wrench);
    });
  });
}

void SpatialTwists::accelerations(const void* states, const double* twists, ConstVectorView g, VectorView a) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = twist_states(states) + part.begin;
      double* out = a.data + part.coordinates;
      const double *row = g.data + part.rigid, *twist = twists + stride * part.begin;
      for (Index n = part.begin; n < part.end; ++n, ++b, ++row, twist += stride, out += 7) {
        const Vec4<> p = sdk::parameters(*b);
        sdk::store(vec3(twist), out);
        sdk::store(0.5 * sdk::E_transpose(p, vec3(twist + 4)) + (*row / b->pp) * p, out + 3);
      }
    });
  });
}

void SpatialTwists::rows(const void* states, const TwistRows* blocks, Index count) const {
  runs_.in_parts(count, [&](Index begin, Index end) {
    sdk::wide([&] {
      for (const TwistRows *block = blocks + begin, *last = blocks + end; block != last; ++block) {
        const SpatialBodyState& b = twist_states(states)[block->body];
        const Vec4<> p = sdk::parameters(b);
        const Index m = block->rows;
        for (Index r = 0; r < m; ++r) {
          const double* in = block->full + r;
          const Vec4<> row{in[3 * m], {in[4 * m], in[5 * m], in[6 * m]}};
          write_twist({in[0], in[m], in[2 * m]}, 0.5 * sdk::E_apply(p, row), block->twist + r * stride);
          block->along[r] = sdk::dot(p, row) / b.pp;
        }
      }
    });
  });
}

void SpatialTwists::along_intrinsic(const void* states, ConstVectorView f, VectorView out) const {
  const SpatialBodyState* b = twist_states(states);
  const double* in = f.data;
  for (Index n = 0; n < out.size; ++n, ++b, in += 7) out[n] = sdk::dot(sdk::parameters(*b), vec4(in + 3)) / b->pp;
}

}  // namespace trammel::spatial
