// Which points of a model are frames, and which elements may attach to them.
#include "model/model_frames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/framed_elements.h"
#include "trammel/error.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/contact.h"
#include "trammel/extensions/event.h"
#include "trammel/extensions/velocity_rows.h"

namespace trammel {
namespace {

/// What an element has that is not led on from frames to bodies; nullptr: nothing.
const char* not_led_on(const Extensible& element, Index bodies) {
  if (bodies > ElementFrames::most_bodies) return "has too many bodies";
  if (find_extension<UnilateralContact>(element) != nullptr) return "has a one-sided contact";
  if (find_extension<VelocityRows>(element) != nullptr) return "has rows for velocities only";
  if (find_extension<SeesAcceptedStep>(element) != nullptr) return "sees the last accepted step";
  const auto has = [&]<class Extension>(Index (Extension::*count)() const) {
    const Extension* found = find_extension<Extension>(element);
    return found != nullptr && (found->*count)() > 0;
  };
  if (has(&AcceptedMemory::memory_size)) return "keeps a memory";
  if (has(&EventSource::event_count)) return "has events";
  return nullptr;
}

/// Of elements on rigid bodies beside bodies that deform.
void require_led_on(const Extensible& element, Index bodies, const std::string& name, const std::string& type) {
  const char* reason = not_led_on(element, bodies);
  if (reason == nullptr) return;
  throw Error::parameter(
      "bodies",
      fmt::format("'{}' (type '{}') {} and cannot stand in a model with bodies that deform", name, type, reason));
}

}  // namespace

ModelFrames::ModelFrames(const Assembly& assembly, const BodyFrames* source)
    : assembly_(assembly), source_(source), bodies_(assembly.bodies()), columns_(assembly.table.frame_columns()) {
  if (source_ == nullptr && assembly.body_coordinates() != columns_) {
    throw Error(
        ErrorKind::plugin,
        fmt::format("plugin '{}': bodies of {} coordinates deform, but the system has no frames at which elements "
                    "could attach (trammel/extensions/body_frames.h)",
                    assembly.system_plugin, assembly.body_coordinates()));
  }
}

ModelFrames::~ModelFrames() = default;

void ModelFrames::add(const std::string& name, BodyRef body, const double* local, const void* body_state) {
  Frame frame;
  frame.name = name, frame.body = body.index;
  std::copy(local, local + 3, frame.local.begin());
  if (body.index >= 0 && deforms(body.index) && source_->has_frame(body.index, local)) {
    frame.start.resize((std::max(sizeof(PlanarBodyState), sizeof(SpatialBodyState)) + 7) / 8);
    source_->frame(body.index, local, body_state, frame.start.data());
  }
  frames_.push_back(std::move(frame));
}

const void* ModelFrames::start(BodyRef reference) const {
  if (reference.index - bodies_ >= static_cast<Index>(frames_.size())) {
    throw Error(ErrorKind::plugin,
                fmt::format("body number {}, of {} and {} frames", reference.index, bodies_, frames_.size()));
  }
  const Frame& point = frame(reference);
  if (!point.start.empty()) return point.start.data();
  const bool rigid = point.body < 0 || !deforms(point.body);
  throw Error::parameter(
      "bodies",
      rigid ? fmt::format("'{}' is a point of a body that does not deform: name the body, and the point where the type "
                          "takes one",
                          point.name)
            : fmt::format("'{}' is no point of the material of '{}', which deforms: nothing can attach there",
                          point.name, assembly_.body_names[static_cast<std::size_t>(point.body)]));
}

bool ModelFrames::deforms(Index body) const { return assembly_.table.width(body) > columns_; }

template <class Element>
bool ModelFrames::attaches_to_frames(const Element& element, const std::string& name, const std::string& type) const {
  bool framed = false;
  std::vector<Index> owners;
  for (Index k = 0; k < element.body_count(); ++k) {
    const BodyRef reference = element.body(k);
    if (reference.index < 0) continue;
    if (!is_frame(reference)) {
      if (!deforms(reference.index)) continue;
      std::vector<std::string> points;
      for (const Frame& frame : frames_) {
        if (frame.body == reference.index && !frame.start.empty()) points.push_back("'" + frame.name + "'");
      }
      const std::string& body = assembly_.body_names[static_cast<std::size_t>(reference.index)];
      throw Error::parameter(
          "bodies",
          fmt::format("'{}' (type '{}') attaches to '{}', which deforms and has no state of a rigid body: name "
                      "one of its points instead{}",
                      name, type, body,
                      points.empty() ? fmt::format("; the run file's 'points' has none of '{}'", body)
                                     : fmt::format(" ({})", fmt::join(points, ", "))));
    }
    start(reference);
    framed = true;
    if (std::find(owners.begin(), owners.end(), frame(reference).body) != owners.end()) {
      throw Error::parameter("bodies",
                             fmt::format("'{}' connects two points of '{}'; no element can do that yet", name,
                                         assembly_.body_names[static_cast<std::size_t>(frame(reference).body)]));
    }
    owners.push_back(frame(reference).body);
  }
  if (!framed) return false;
  const char* reason = not_led_on(element, element.body_count());
  if (reason == nullptr) return true;
  throw Error::parameter(
      "bodies", fmt::format("'{}' (type '{}') {} and cannot attach to a body that deforms", name, type, reason));
}

namespace {

template <class Element>
std::vector<BodyRef> references_of(const Element& element) {
  std::vector<BodyRef> references;
  for (Index k = 0; k < element.body_count(); ++k) references.push_back(element.body(k));
  return references;
}

}  // namespace

const Constraint& ModelFrames::led_on(const Constraint& element, const std::string& name, const std::string& type) {
  const bool framed = attaches_to_frames(element, name, type);
  if (framed && element.rows() > ElementFrames::most_rows) {
    throw Error::parameter(
        "bodies", fmt::format("'{}' (type '{}') has {} rows and cannot attach to a body that deforms", name, type,
                              element.rows()));
  }
  // Where others deform, the views of rigid bodies are wider than their elements write.
  if (!framed && assembly_.body_coordinates() == columns_) return element;
  if (!framed) require_led_on(element, element.body_count(), name, type);
  const auto at_frames = [&](const Constraint& row) {
    return ElementFrames(*this, source_, columns_, assembly_.body_coordinates(), references_of(row));
  };
  std::unique_ptr<const FramedCoordinates> joint;
  if (const auto* coordinates = find_extension<JointCoordinates>(element)) {
    std::vector<std::unique_ptr<const FramedConstraint>> rows;
    for (Index i = 0; i < coordinates->coordinate_count(); ++i) {
      const Constraint& row = coordinates->coordinate(i);
      rows.push_back(std::make_unique<const FramedConstraint>(row, at_frames(row), nullptr));
    }
    joint = std::make_unique<const FramedCoordinates>(*coordinates, std::move(rows));
  }
  constraints_.push_back(std::make_unique<const FramedConstraint>(element, at_frames(element), std::move(joint)));
  return *constraints_.back();
}

const ForceElement& ModelFrames::led_on(const ForceElement& element, const std::string& name, const std::string& type) {
  const bool framed = attaches_to_frames(element, name, type);
  if (!framed && assembly_.body_coordinates() == columns_) return element;
  if (!framed) require_led_on(element, element.body_count(), name, type);
  forces_.push_back(std::make_unique<const FramedForce>(
      element, ElementFrames(*this, source_, columns_, assembly_.body_coordinates(), references_of(element))));
  return *forces_.back();
}

}  // namespace trammel
