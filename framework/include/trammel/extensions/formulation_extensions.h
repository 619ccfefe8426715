// Optional abilities of formulations.
#pragma once

#include "trammel/formulation.h"
#include "trammel/refusal.h"

namespace trammel {

/// Formulations that fit some models only, or whose parameters name parts of the model.
class FormulationFit {
 public:
  static constexpr const char* id = "trammel.formulation_fit/1";

  /// [setup] Before the first `start`, at the same state. False, and why, where it does not fit.
  virtual bool fits(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, const Memory& memory,
                    Refusal& refusal) const = 0;

 protected:
  ~FormulationFit() = default;
};

/// Formulations whose y is a function of (q, v) that only the system can evaluate: coordinates of joints, of points.
class EmbedsBySystem {
 public:
  static constexpr const char* id = "trammel.embeds_by_system/1";

  /// [step] (q, v, z) -> y in the present chart, instead of Formulation::embed. May evaluate the system.
  virtual Status embed_by_system(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                                 ConstVectorView z, const Memory& memory, VectorView y) const = 0;

 protected:
  ~EmbedsBySystem() = default;
};

/// (q, v, z) -> y by whichever way the formulation has.
inline Status embed_state(const Formulation& formulation, ConstrainedSystem& system, double t, ConstVectorView q,
                          ConstVectorView v, ConstVectorView z, const Memory& memory, VectorView y) {
  const auto* by_system = find_extension<EmbedsBySystem>(formulation);
  if (by_system != nullptr) return by_system->embed_by_system(system, t, q, v, z, memory, y);
  formulation.embed(q, v, z, memory, y);
  return Status::success();
}

/// Counters for summary.json. "partitions" goes to statistics.partitions, all others stand under their own names in
/// statistics. They live in memory.state, so that void attempts do not count.
class FormulationCounters {
 public:
  static constexpr const char* id = "trammel.formulation_counters/1";

  /// [setup] Number of counters, and the snake_case name of 0 <= i < counter_count().
  virtual Index counter_count() const = 0;
  virtual const char* counter_name(Index i) const = 0;
  /// [step] Value of 0 <= i < counter_count().
  virtual double counter(Index i, const Memory& memory) const = 0;

 protected:
  ~FormulationCounters() = default;
};

/// Formulations that know what the run's reader should know.
class FormulationNotes {
 public:
  static constexpr const char* id = "trammel.formulation_notes/1";

  /// [step] Writes one sentence, zero-terminated, of at most `capacity` characters with the zero, or "" if there is
  /// nothing to say; it becomes a warning in summary.json.
  virtual void note(const ConstrainedLayout& system, const Memory& memory, char* text, Index capacity) const = 0;

 protected:
  ~FormulationNotes() = default;
};

/// Formulations that choose again where the integrator has trouble.
class AttemptObserver {
 public:
  static constexpr const char* id = "trammel.attempt_observer/1";

  /// [step] Attempts from the accepted state (t, q, v) were void `attempts` times in a row; memory.state is that of the
  /// accepted state. True: the mask changed.
  virtual bool repeated(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, Index attempts,
                        const Memory& memory) const = 0;

 protected:
  ~AttemptObserver() = default;
};

/// Formulations whose y means something else in another chart. Dense output inside a step needs the chart that the step
/// was made in, so `correct` only asks for a restart; the kernel comes back when the step's outputs are made.
class ChartChange {
 public:
  static constexpr const char* id = "trammel.chart_change/1";

  /// [step] Before integrators restart at the accepted state y: takes a new chart there and rewrites y.
  virtual Status change_chart(ConstrainedSystem& system, double t, VectorView y, const Memory& memory) const = 0;

 protected:
  ~ChartChange() = default;
};

/// Formulations whose own tolerances follow those of the run.
class ToleranceFollower {
 public:
  static constexpr const char* id = "trammel.tolerance_follower/1";

  /// [setup] After every `start` of a run with error control: its smallest relative tolerance. To be kept in
  /// memory.state.
  virtual void follow(double rtol, const Memory& memory) const = 0;

 protected:
  ~ToleranceFollower() = default;
};

/// Formulations that feed constraint violations back by Phi'' + 2 alpha Phi' + beta^2 Phi = 0 in all or some steps.
class ConstraintFeedback {
 public:
  static constexpr const char* id = "trammel.constraint_feedback/1";

  /// [setup] alpha and beta, 1/s.
  virtual double alpha() const = 0;
  virtual double beta() const = 0;

 protected:
  ~ConstraintFeedback() = default;
};

/// Formulations that choose alpha and beta of that feedback at each step, from its length h.
class StepwiseFeedback {
 public:
  static constexpr const char* id = "trammel.stepwise_feedback/1";

  /// [setup] alpha h = beta h; 0: alpha and beta of ConstraintFeedback hold.
  virtual double alpha_h() const = 0;
  /// [setup] To what alpha h and beta h of ConstraintFeedback are scaled down together; 0: they hold throughout.
  virtual double largest_alpha_h() const { return 0; }

 protected:
  ~StepwiseFeedback() = default;
};

}  // namespace trammel
