// Dynamics: integrator and events of the run file.
#include "analysis/dynamics.h"

namespace trammel {

std::optional<EngineParts> Dynamics::begin(const AnalysisParts& parts) {
  if (!parts.run.events.empty()) {
    events_ = std::make_unique<RunEvents>(parts.model, parts.plant);
    parts.remarks.warn(events_->warnings());
  }
  return EngineParts{
      .plant = parts.plant,
      .integrator = *parts.integrator,
      .integrator_type = parts.run.integrator.type,
      .integrator_plugin = parts.integrator_plugin,
      .control = parts.control,
      .duration = parts.run.analysis.duration,
      .times = {},
      .run_events = events_.get(),
  };
}

}  // namespace trammel
