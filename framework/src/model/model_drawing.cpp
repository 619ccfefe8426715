// Sketches of elements, and a ball at the reaction of those that have none.
#include "model/model_drawing.h"

#include <Eigen/Core>
#include <algorithm>

#include "plugin/breadcrumb.h"
#include "trammel/extensions/contact_sketch.h"

namespace trammel {
namespace {

/// Where bodies start, and where they end.
class Courses {
 public:
  Courses(const Model& model, ConstVectorView q, double duration)
      : table_(model.assembly()->table),
        dimensions_(model.host() == Host::planar ? 2 : 3),
        start_(model.q0()),
        end_(start_) {
    if (q.size > 0) std::copy_n(q.data, std::min(static_cast<std::size_t>(q.size), end_.size()), end_.begin());
    if (end_ != start_) return;
    for (std::size_t i = 0; i < end_.size(); ++i) end_[i] += duration * model.v0()[i];
  }

  void course(Index body, double* start, double* end) const {
    for (int k = 0; k < 3; ++k) start[k] = end[k] = 0;
    if (body < 0 || body >= table_.bodies()) return;  // ground, or a frame
    const auto first = static_cast<std::size_t>(table_.first(body));
    for (std::size_t k = 0; k < dimensions_; ++k) start[k] = start_[first + k], end[k] = end_[first + k];
  }

 private:
  const BodyTable& table_;
  const std::size_t dimensions_;
  const std::vector<double>& start_;
  std::vector<double> end_;
};

/// Takes down what an element tells.
class Notebook final : public Sketch, ContactSketch {
 public:
  Notebook(ElementDrawing& drawing, const std::vector<Index>& bodies, const Courses& courses)
      : drawing_(drawing), bodies_(bodies), courses_(courses) {}

  const void* extension(const char* id) const override {
    return std::string_view(id) == ContactSketch::id ? static_cast<const ContactSketch*>(this) : nullptr;
  }

  void symbol(Symbol symbol) override {
    const auto number = static_cast<std::size_t>(symbol);
    drawing_.symbol = number < std::size(symbol_names) ? symbol : Symbol::nothing;
  }
  void point(Index body, const double* xyz) override { note(body, xyz, drawing_.points); }
  void axis(Index body, const double* xyz) override { note(body, xyz, drawing_.axes); }
  void curve_point(const double* xyz) override { drawing_.curve.push_back({xyz[0], xyz[1], xyz[2]}); }

 private:
  void course(Index body, double* start, double* end) const override {
    const bool known = body >= 0 && static_cast<std::size_t>(body) < bodies_.size();
    courses_.course(known ? bodies_[static_cast<std::size_t>(body)] : -1, start, end);
  }
  void still_point(const double* xyz) override { drawing_.still.push_back({xyz[0], xyz[1], xyz[2]}); }
  void push(Index frame, const double* direction, double reach) override {
    const bool known = frame >= 0 && static_cast<std::size_t>(frame) < drawing_.bodies.size();
    drawing_.push = {known ? drawing_.bodies[static_cast<std::size_t>(frame)] : "ground",
                     {direction[0], direction[1], direction[2]},
                     reach};
  }
  void note(Index body, const double* xyz, std::optional<ElementDrawing::Triple>* where) {
    if (body < 0 || static_cast<std::size_t>(body) >= drawing_.bodies.size()) return;
    where[body] = {xyz[0], xyz[1], xyz[2]};
  }

  ElementDrawing& drawing_;
  const std::vector<Index>& bodies_;
  const Courses& courses_;
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
std::vector<ElementDrawing> drawings(const Model& model, const std::vector<Slot>& slots, const Courses& courses) {
  std::vector<ElementDrawing> all;
  for (const Slot& slot : slots) {
    ElementDrawing drawing;
    drawing.name = slot.name;
    std::vector<Index> numbers;
    for (const Index body : slot.bodies) {
      numbers.push_back(body);
      if (drawing.bodies.size() < 2) drawing.bodies.push_back(body < 0 ? "ground" : model.body_name(body));
    }
    guarded(slot.plugin, slot.name, "draw", [&] {
      const Extensible* element = nullptr;
      if constexpr (std::is_same_v<Slot, ConstraintSlot>)
        element = slot.constraint;
      else
        element = slot.force;
      Notebook notebook(drawing, numbers, courses);
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

ModelDrawing drawing_of(const Model& model, ConstVectorView q, double duration) {
  const Assembly* assembly = model.assembly();
  if (assembly == nullptr) return {};
  const Courses courses(model, q, duration);
  return {drawings(model, assembly->constraints, courses), drawings(model, assembly->forces, courses)};
}

}  // namespace trammel
