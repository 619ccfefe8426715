// Events: zero crossings that elements and systems declare and the kernel locates on the step's interpolant.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/status.h"

namespace trammel {

enum class EventDirection : std::int32_t { both = 0, rising = 1, falling = -1 };

/// What the kernel does at a located event, after accepting the state there.
enum class EventAction : std::int32_t {
  record,   ///< a row of events.csv, nothing else
  stop,     ///< the run is completed
  restart,  ///< multistep histories and cached derivatives are dropped (kinks, switched laws)
};

/// Found by its id on constraints and forces.
class EventSource {
 public:
  static constexpr const char* id = "trammel.events/1";

  /// [setup] Number of event functions, fixed.
  virtual Index event_count() const = 0;
  /// [setup] Name in events.csv, a literal.
  virtual const char* event_name(Index i) const = 0;
  /// [setup] Which crossings of event i count.
  virtual EventDirection event_direction(Index i) const = 0;
  /// [setup] What happens at event i.
  virtual EventAction event_action(Index i) const = 0;
  /// [step] The functions whose zeros are the events, continuous between them.
  virtual Status event_values(const ElementState& s, VectorView out) const = 0;

 protected:
  ~EventSource() = default;
};

}  // namespace trammel
