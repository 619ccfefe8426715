// Every shipped element tells how it is drawn, and tells what it does.
#include "trammel/extensions/drawing.h"

#include <map>
#include <optional>
#include <set>

#include "element_point.h"
#include "model/model_drawing.h"
#include "trammel/extensions/element_extensions.h"

namespace conformance {
namespace {

using trammel::ElementDrawing;
using trammel::shipped_elements;
using trammel::ShippedElement;
using trammel::Symbol;

/// Elements that act on coordinates of other joints, or on whole bodies: nothing to draw. What rolls is drawn where it
/// touches, at its reaction point.
const std::set<std::string> not_drawn = {"coupler",      "gravity", "joint_friction", "joint_impact", "joint_limit",
                                         "joint_spring", "motor",   "point_gravity",  "rolling_disc", "servo"};

template <class Slot>
const Extensible& element_of(const Slot& slot) {
  if constexpr (std::is_same_v<Slot, ConstraintSlot>)
    return *slot.constraint;
  else
    return *slot.force;
}

/// What the kernel noted of an element, if there was anything.
template <class Slot>
std::optional<ElementDrawing> noted(const LoadedModel& loaded, const Slot& slot) {
  const trammel::ModelDrawing all = trammel::drawing_of(loaded.model);
  const auto& elements = std::is_same_v<Slot, ConstraintSlot> ? all.constraints : all.forces;
  for (const ElementDrawing& element : elements) {
    if (element.name == slot.name) return element;
  }
  return std::nullopt;
}

sdk::Vec3<> global(const SpatialBodyState& b, const ElementDrawing::Triple& s) {
  return sdk::position(b) + sdk::multiply(b.A, sdk::vec3(s.data()));
}
sdk::Vec3<> global(const PlanarBodyState& b, const ElementDrawing::Triple& s) {
  const sdk::Vec2<> at = sdk::position(b) + sdk::rotate(b, sdk::vec2(s.data()));
  return {at.x, at.y, s[2]};
}

TEST_CASE("every element between two bodies tells how it is drawn") {
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    for_each_use(element, [&](const LoadedModel&, const auto& slot, auto) {
      const bool told = trammel::find_extension<trammel::Drawing>(element_of(slot)) != nullptr;
      CHECK(told != (not_drawn.count(element.type) == 1));
    });
  }
}

TEST_CASE("symbols of the elements that users know best") {
  const std::map<std::string, std::set<Symbol>> expected = {
      {"revolute", {Symbol::hinge}},
      {"universal", {Symbol::hinge}},
      {"spherical", {Symbol::point}},
      {"translational", {Symbol::slider}},
      {"cylindrical", {Symbol::hinge_slider}},
      {"screw", {Symbol::hinge_slider}},
      {"distance", {Symbol::rod}},
      {"distance_driver", {Symbol::actuator}},
      {"point_on_spline", {Symbol::curve}},
      {"tsda", {Symbol::spring, Symbol::damper, Symbol::spring_damper}}};
  for (const ShippedElement& element : shipped_elements()) {
    const auto known = expected.find(element.type);
    if (known == expected.end()) continue;
    CAPTURE(element.name());
    for_each_use(element, [&](const LoadedModel& loaded, const auto& slot, auto) {
      const auto drawing = noted(loaded, slot);
      REQUIRE(drawing);
      CHECK(known->second.count(drawing->symbol) == 1);
      CHECK(drawing->bodies.size() == 2);
      const bool turns = drawing->symbol == Symbol::hinge || drawing->symbol == Symbol::hinge_slider;
      if (turns || drawing->symbol == Symbol::slider) CHECK((drawing->axes[0] || drawing->axes[1]));
      if (turns && loaded.model.host() == Host::planar) CHECK(drawing->axes[1] == ElementDrawing::Triple{0, 0, 1});
      if (drawing->symbol == Symbol::curve) CHECK(drawing->curve.size() > 8);
      for (const auto& axis : drawing->axes) {
        if (axis) CHECK(sdk::norm(sdk::vec3(axis->data())) == doctest::Approx(1));
      }
    });
  }
}

TEST_CASE("points are drawn where the elements hold their bodies") {
  constexpr double tolerance = 1e-9;  // m; the kernel's assembly moves bodies by less
  const std::set<std::string> meet = {"fixed", "point", "revolute", "spherical", "universal"};
  const std::set<std::string> teeth = {"gear", "rack_and_pinion", "angle_driver"};  // the reaction is elsewhere
  for (const ShippedElement& element : shipped_elements()) {
    CAPTURE(element.name());
    for_each_use(element, [&](const LoadedModel& loaded, const auto& slot, auto state) {
      using State = decltype(state);
      const auto drawing = noted(loaded, slot);
      if (!drawing || slot.bodies.size() != 2) return;
      const ElementPoint<State> point(loaded, slot);
      std::optional<sdk::Vec3<>> ends[2];
      for (Index b = 0; b < 2; ++b) {
        if (drawing->points[b]) ends[b] = global(point.state(b), *drawing->points[b]);
      }
      if (meet.count(element.type) == 1) {
        REQUIRE((ends[0] && ends[1]));
        CHECK(sdk::norm(*ends[0] - *ends[1]) < tolerance);
      }
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
        if (slot.reaction == nullptr || !ends[1] || teeth.count(element.type) == 1) return;
        double reaction[3];
        slot.reaction->reaction_point(point.at(), reaction);
        CHECK(slot.reaction->reaction_body() == 1);
        CHECK(sdk::norm(*ends[1] - sdk::vec3(reaction)) < tolerance);
      }
    });
  }
}

}  // namespace
}  // namespace conformance
