// Families of integration methods, to be offered as extensions.
#pragma once

#include "trammel/extensions/integrator_extensions.h"

namespace trammel::sdk {

/// `offer_extensions<MethodFamily>(id, &adams_family)`.
class NamedFamily final : public MethodFamily {
 public:
  explicit constexpr NamedFamily(const char* name) : name_(name) {}
  const char* family() const override { return name_; }

 private:
  const char* name_;
};

/// `offer_extensions<EvaluatesAtEnds>(id, &evaluates_at_ends)`.
class AtEndsOnly final : public EvaluatesAtEnds {
 public:
  bool at_ends_only() const override { return true; }
};
inline constexpr AtEndsOnly evaluates_at_ends;

inline constexpr NamedFamily adams_family("Adams");
inline constexpr NamedFamily runge_kutta_family("Runge-Kutta");
inline constexpr NamedFamily implicit_runge_kutta_family("implicit Runge-Kutta");
inline constexpr NamedFamily backward_differentiation_family("backward differentiation");

}  // namespace trammel::sdk
