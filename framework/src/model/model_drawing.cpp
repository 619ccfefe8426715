// Sketches of elements, and a ball at the reaction of those that have none.
#include "model/model_drawing.h"

#include <Eigen/Core>

#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

/// Takes down what an element tells.
class Notebook final : public Sketch {
 public:
  explicit Notebook(ElementDrawing& drawing) : drawing_(drawing) {}

  void symbol(Symbol symbol) override {
    const auto number = static_cast<std::size_t>(symbol);
    drawing_.symbol = number < std::size(symbol_names) ? symbol : Symbol::nothing;
  }
  void point(Index body, const double* xyz) override { note(body, xyz, drawing_.points); }
  void axis(Index body, const double* xyz) override { note(body, xyz, drawing_.axes); }
  void curve_point(const double* xyz) override { drawing_.curve.push_back({xyz[0], xyz[1], xyz[2]}); }

 private:
  void note(Index body, const double* xyz, std::optional<ElementDrawing::Triple>* where) {
    if (body < 0 || static_cast<std::size_t>(body) >= drawing_.bodies.size()) return;
    where[body] = {xyz[0], xyz[1], xyz[2]};
  }

  ElementDrawing& drawing_;
};

ElementDrawing::Triple in_body(const Model& model, BodyRef body, const double* global) {
  const Eigen::Map<const Eigen::Vector3d> at(global);
  const void* state = model.initial_state(body);
  Eigen::Vector3d local = at;
  if (model.host() == Host::planar) {
    const auto& b = *static_cast<const PlanarBodyState*>(state);
    const double x = at.x() - b.r[0], y = at.y() - b.r[1];
    local = {b.c * x + b.s * y, b.c * y - b.s * x, 0};
  } else if (model.host() == Host::spatial) {
    const auto& b = *static_cast<const SpatialBodyState*>(state);
    const Eigen::Map<const Eigen::Matrix3d> transposed(b.A);  // stored by rows
    local = transposed * (at - Eigen::Map<const Eigen::Vector3d>(b.r));
  }
  return {local.x(), local.y(), local.z()};
}

/// A ball where the reaction is reported, fixed in the body that it acts on, in the initial configuration.
void draw_reaction(const Model& model, const ConstraintSlot& slot, ElementDrawing& drawing) {
  const Index side = slot.reaction->reaction_body();
  if (side < 0 || static_cast<std::size_t>(side) >= slot.bodies.size()) return;
  std::vector<const void*> states;
  for (const Index body : slot.bodies) states.push_back(model.initial_state({body}));
  std::vector<double> angles(static_cast<std::size_t>(slot.angles != nullptr ? slot.angles->angle_count() : 0));
  if (!angles.empty()) slot.angles->initial_angles({angles.data(), static_cast<Index>(angles.size())});
  ElementState s;
  s.bodies = states.data();
  if (!angles.empty()) s.angle_references = angles.data();
  double point[3] = {0, 0, 0};
  slot.reaction->reaction_point(s, point);
  const BodyRef body{slot.bodies[static_cast<std::size_t>(side)]};
  drawing.symbol = Symbol::point;
  drawing.bodies = {body.is_ground() ? "ground" : model.body_name(body.index)};
  drawing.points[0] = in_body(model, body, point);
}

template <class Slot>
std::vector<ElementDrawing> drawings(const Model& model, const std::vector<Slot>& slots) {
  std::vector<ElementDrawing> all;
  for (const Slot& slot : slots) {
    ElementDrawing drawing;
    drawing.name = slot.name;
    for (const Index body : slot.bodies) {
      if (drawing.bodies.size() < 2) drawing.bodies.push_back(body < 0 ? "ground" : model.body_name(body));
    }
    guarded(slot.plugin, slot.name, "draw", [&] {
      const Extensible* element = nullptr;
      if constexpr (std::is_same_v<Slot, ConstraintSlot>)
        element = slot.constraint;
      else
        element = slot.force;
      Notebook notebook(drawing);
      if (const auto* own = find_extension<Drawing>(*element)) return own->draw(notebook);
      if constexpr (std::is_same_v<Slot, ConstraintSlot>) {
        if (slot.reaction != nullptr) draw_reaction(model, slot, drawing);
      }
    });
    if (drawing.symbol != Symbol::nothing || drawing.points[0] || drawing.points[1]) all.push_back(std::move(drawing));
  }
  return all;
}

}  // namespace

ModelDrawing drawing_of(const Model& model) {
  const Assembly* assembly = model.assembly();
  if (assembly == nullptr) return {};
  return {drawings(model, assembly->constraints), drawings(model, assembly->forces)};
}

}  // namespace trammel
