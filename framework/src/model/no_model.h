// A ModelInfo without bodies, for components that are created outside any model.
#pragma once

#include "trammel/model_info.h"

namespace trammel {

/// For as long as the component lives.
class NoModel final : public ModelInfo {
 public:
  Host host() const override { return Host::any; }
  Index body_count() const override { return 0; }
  const char* body_name(Index) const override { return ""; }
  const void* body_parameters(Index) const override { return nullptr; }
  double body_mass(Index) const override { return 0; }
  const void* initial_state(BodyRef) const override { return nullptr; }
  const Constraint* constraint(ElementRef) const override { return nullptr; }
};

/// One that lives as long as the process.
inline const ModelInfo& no_model() {
  static const NoModel model;
  return model;
}

}  // namespace trammel
