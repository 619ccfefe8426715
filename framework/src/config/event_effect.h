// EventEffect: what a located event does, of elements, contacts and the run file alike.
#pragma once

namespace trammel {

/// After the state there is accepted. All but `record` end the step.
enum class EventEffect {
  record,         ///< a row of events.csv, nothing else
  stop,           ///< the run is completed
  restart,        ///< multistep histories and cached derivatives are dropped
  set_parameter,  ///< the run file changes parameters of elements; then restart
  impact,         ///< bodies meet: their velocities jump; then restart
};

}  // namespace trammel
