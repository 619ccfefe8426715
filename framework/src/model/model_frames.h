// ModelFrames: a model's frames at named points of bodies that deform, and the elements that attach to them.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "model/assembly.h"
#include "trammel/constraint.h"
#include "trammel/extensions/body_frames.h"
#include "trammel/force.h"

namespace trammel {

class FramedConstraint;
class FramedForce;

/// Reference number `bodies + i` means the frame at the model's named point number i (NameResolver::body).
class ModelFrames {
 public:
  struct Frame {
    std::string name;
    Index body = -1;
    std::array<double, 3> local{};
    std::vector<double> start;  ///< its state at the start, as elements read it
  };

  /// [setup] `source` may be null: no body deforms. All outlive it. Throws Error(plugin) for bodies that deform without
  /// a source.
  ModelFrames(const Assembly& assembly, const BodyFrames* source);
  ~ModelFrames();
  ModelFrames(const ModelFrames&) = delete;
  ModelFrames& operator=(const ModelFrames&) = delete;

  /// [setup] In the order of the run file. `body_state`: that of its body at the start.
  void add(const std::string& name, BodyRef body, const double* local, const void* body_state);
  /// The frame's state at the start. Throws Error(input) for points that are no frames.
  const void* start(BodyRef frame) const;
  bool is_frame(BodyRef reference) const { return reference.index >= bodies_; }
  const Frame& frame(BodyRef reference) const { return frames_[static_cast<std::size_t>(reference.index - bodies_)]; }

  /// [setup] The element itself, or one that leads what it says about frames on to the coordinates of their bodies.
  /// Throws Error(input) where an element cannot be attached so, and for elements on a body that deforms itself.
  const Constraint& led_on(const Constraint& element, const std::string& name, const std::string& type);
  const ForceElement& led_on(const ForceElement& element, const std::string& name, const std::string& type);

 private:
  template <class Element>
  bool attaches_to_frames(const Element& element, const std::string& name, const std::string& type) const;
  bool deforms(Index body) const;

  const Assembly& assembly_;
  const BodyFrames* source_;
  Index bodies_, columns_;
  std::vector<Frame> frames_;
  std::vector<std::unique_ptr<const FramedConstraint>> constraints_;
  std::vector<std::unique_ptr<const FramedForce>> forces_;
};

}  // namespace trammel
