// ContactDrawn: the picture of an element that pushes where bodies touch.
#pragma once

#include "trammel/extensions/contact_sketch.h"
#include "trammel/sdk/elements/drawn.h"

namespace trammel::sdk {

/// Keep one as a member in place of a Drawn: ContactDrawn(drawn, 0, n_i) pushes along a normal fixed in body 0.
class ContactDrawn final : public Drawing {
 public:
  /// `direction`, of length 1, is fixed in body number `frame`.
  ContactDrawn(const Drawn& drawn, Index frame, const Vec3<>& direction)
      : drawn_(drawn), frame_(frame), direction_{direction.x, direction.y, direction.z} {}
  ContactDrawn(const Drawn& drawn, Index frame, const Vec2<>& direction)
      : ContactDrawn(drawn, frame, Vec3<>{direction.x, direction.y, 0}) {}

  void draw(Sketch& sketch) const override {
    drawn_.draw(sketch);
    if (auto* contact = find_extension<ContactSketch>(sketch)) contact->push(frame_, direction_.data(), 0);
  }

 private:
  Drawn drawn_;
  Index frame_;
  std::array<double, 3> direction_;
};

}  // namespace trammel::sdk
