// The two counted angles of a universal joint.
#pragma once

#include "trammel/sdk/guide_geometry.h"
#include "trammel/sdk/spatial_joint.h"

namespace trammel::universal {

/// angle: the cross relative to the first body about H_i; second_angle: the second body relative to the cross about
/// H_j. The cross carries both axes, so that H_j seen from the first body gives the first angle, and H_i seen from the
/// second body gives minus the second.
class UniversalAngles final : public CountedAngles {
 public:
  UniversalAngles(const sdk::CrossedAxes& axes, const SpatialBodyState& i, const SpatialBodyState& j, double first,
                  double second)
      : first_(seen_from(axes.h_i, i, axes.h_j, j)),
        second_(seen_from(axes.h_j, j, axes.h_i, i)),
        start_{first, second} {}

  Index count() const override { return 2; }
  void initial(VectorView angle) const override { angle[0] = start_[0], angle[1] = start_[1]; }
  void angles(const ElementState& s, VectorView angle) const override {
    double rates[2];
    values(s, angle.data, rates);
  }

  void values(const ElementState& s, double* angle, double* rate) const {
    const void* swapped[2] = {s.bodies[1], s.bodies[0]};
    ElementState reversed = s;
    reversed.bodies = swapped;
    const sdk::ScalarTerms<7> a = first_.terms(s), b = second_.terms(reversed);
    angle[0] = start_[0] + a.value, rate[0] = a.rate;
    angle[1] = start_[1] - b.value, rate[1] = -b.rate;
    if (s.angle_references == nullptr) return;
    for (Index k = 0; k < 2; ++k) angle[k] = counted_angle(angle[k], s.angle_references[k]);
  }

 private:
  /// The direction `other` of body b about the axis h of body a, from where it is at the start.
  static sdk::SpatialAngle seen_from(const sdk::Vec3<>& h, const SpatialBodyState& a, const sdk::Vec3<>& other,
                                     const SpatialBodyState& b) {
    const sdk::Vec3<> u = sdk::multiply_transposed(a.A, sdk::multiply(b.A, other));
    const sdk::Vec3<> f = u - sdk::dot(u, h) * h;  // |f| > 0.8: the axes are far from parallel
    const sdk::Vec3<> unit = (1 / sdk::norm(f)) * f;
    return {unit, sdk::cross(h, unit), other};
  }

  sdk::SpatialAngle first_, second_;
  double start_[2];
};

class UniversalChannels final : public ElementChannels {
 public:
  explicit UniversalChannels(const UniversalAngles& angles) : angles_(angles) {}

  Index count() const override { return 4; }
  const char* name(Index i) const override {
    constexpr const char* names[] = {"angle", "rate", "second_angle", "second_rate"};
    return names[i];
  }
  const char* unit(Index i) const override { return i % 2 == 0 ? "rad" : "rad/s"; }
  Status values(const ElementState& s, VectorView out) const override {
    double angle[2], rate[2];
    angles_.values(s, angle, rate);
    out[0] = angle[0], out[1] = rate[0], out[2] = angle[1], out[3] = rate[1];
    return Status::success();
  }

 private:
  const UniversalAngles& angles_;
};

}  // namespace trammel::universal
