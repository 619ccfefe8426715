// Events: zero crossings that elements and systems declare and the kernel locates on the step's interpolant.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/status.h"

namespace trammel {

enum class EventDirection : std::int32_t { both = 0, rising = 1, falling = -1 };

/// What the kernel does at a located event, after accepting the state there.
enum class EventAction : std::int32_t {
  record,         ///< a row of events.csv, nothing else
  stop,           ///< the run is completed
  restart,        ///< multistep histories and cached derivatives are dropped (kinks, switched laws)
  set_parameter,  ///< the source changes its mode through its memory; then restart
  impulse,        ///< velocity jump through the KKT impulse, right-hand side from `impulse`; then restart
};

/// Found by its id on constraints, forces and functions. Modes live in kernel-owned memory of declared size, so that a
/// rejected step and a checkpoint restore them by copying.
class EventSource {
 public:
  static constexpr const char* id = "trammel.events/1";

  /// [setup] Number of event functions, fixed.
  virtual Index count() const = 0;
  /// [setup] Name in events.csv, a literal.
  virtual const char* name(Index i) const = 0;
  /// [setup] Which crossings of event i count.
  virtual EventDirection direction(Index i) const = 0;
  /// [setup] What happens at event i.
  virtual EventAction action(Index i) const = 0;
  /// [step] The functions whose zeros are the events, continuous between them.
  virtual Status values(const ElementState& s, VectorView out) const = 0;

  /// [setup] Doubles of mode memory.
  virtual Index memory_size() const { return 0; }
  /// [setup] Start values of the mode memory.
  virtual void initial_memory(VectorView memory) const { (void)memory; }
  /// [step] Event i happened at s: change the modes.
  virtual void happened(Index i, const ElementState& s, VectorView memory) const { (void)i, (void)s, (void)memory; }
  /// [step] For `impulse`: rows of a velocity-level condition Phi_q v+ = out imposed by the jump.
  virtual Status impulse(Index i, const ElementState& s, VectorView out) const {
    (void)i, (void)s, (void)out;
    return Status::failure(StatusCode::unsupported, "no impulse");
  }

 protected:
  ~EventSource() = default;
};

}  // namespace trammel
