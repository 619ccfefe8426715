// ModelInfo: what a component may ask of the model while it is created.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/plugin.h"

namespace trammel {

/// Implemented by the kernel; lives as long as the run, as do the states and texts it points to. Services of the host are
/// its extensions (trammel/extensions/host_services.h).
class ModelInfo : public Extensible {
 public:
  /// Host of the model; `any` for systems without bodies.
  virtual Host host() const = 0;
  /// Bodies in the order of the run file, ground not counted.
  virtual Index body_count() const = 0;
  /// Name of a body in the run file, 0 <= body < body_count().
  virtual const char* body_name(Index body) const = 0;
  /// The body's filled parameter struct (the system's ComponentRecord::body_parameters).
  virtual const void* body_parameters(Index body) const = 0;
  /// kg; not for systems while they are created.
  virtual double body_mass(Index body) const = 0;
  /// The body's state as the run file gives it (PlanarBodyState or SpatialBodyState), ground for -1. Elements turn
  /// global `at` and `axis` into body-fixed ones with it. nullptr while a system is created.
  virtual const void* initial_state(BodyRef body) const = 0;
  /// A constraint created before (ElementRef), as Constraint*; nullptr if the index is out of range.
  virtual const class Constraint* constraint(ElementRef element) const = 0;

 protected:
  ~ModelInfo() = default;
};

}  // namespace trammel
