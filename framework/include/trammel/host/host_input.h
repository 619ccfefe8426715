// HostInput: a value that the program around a simulation sets between steps.
#pragma once

#include "trammel/extension.h"

namespace trammel {

/// Ability of a Function. Between two calls of `set` it is a function like any other and changes nothing by itself:
/// derivatives and break points are as if the value stood in the run file.
class HostInput {
 public:
  static constexpr const char* id = "trammel.host_input/1";

  /// [setup] By which programs know it; functions of the same name get the same values. Lives as long as the object.
  virtual const char* name() const = 0;
  /// [step] The value now; after creation that of the run file.
  virtual double value() const = 0;
  /// [step] From now on. Finite. The kernel drops whatever it computed with the old value.
  virtual void set(double value) = 0;

 protected:
  ~HostInput() = default;
};

}  // namespace trammel
