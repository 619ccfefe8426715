// Analysis: what a run does with a model where the analyses of the kernel do not do it - a motion, or one state.
#pragma once

#include "trammel/integrator.h"
#include "trammel/refusal.h"

namespace trammel {

/// What an analysis is and what it takes of models. The kernel refuses the rest by name, at the place in the run file.
struct AnalysisTraits {
  std::uint32_t struct_size = sizeof(AnalysisTraits);
  /// A motion from t = 0 to the run file's `duration`; otherwise one state, which is looked for.
  bool over_time = false;
  /// The bodies rest in every state that is shown: velocities are 0, and drivers stand where they are, so that
  /// multipliers, reactions and energies are those of statics. The velocities in the states of a motion are then those of the
  /// path through states at rest, dq/dt: they are not shown, and tell the work of loads and drivers. Inputs may move such a
  /// state, and so may what jumps in time: the motion's `ChoosesStart` moves it to where it rests.
  bool at_rest = false;
  bool internal_states = false;  ///< of forces; they stay at their start all the same
  bool velocity_rows = false;    ///< rows that hold for velocities only
};

/// What the run gives to its analysis; implemented by the kernel, valid as long as the analysis.
class AnalysisHost : public Extensible {
 public:
  /// The model; see its header. Internal states of forces are no coordinates here: they stay at their start.
  virtual ConstrainedSystem& system() = 0;
  /// s, of the run file; NaN where an analysis of one state has none.
  virtual double duration() const = 0;
  /// The state shown last; in the beginning the consistent start. n, n, n, m.
  virtual ConstVectorView q() const = 0;
  virtual ConstVectorView v() const = 0;
  virtual ConstVectorView a() const = 0;
  virtual ConstVectorView lambda() const = 0;
  /// [step] Shows a state: what is shown when a search ends is the state that the run found. All channels, energies and
  /// violations are evaluated at it.
  virtual Status show(double t, ConstVectorView q, ConstVectorView v) = 0;
  /// [step] Tells who watches the run how far a search is: `left` is what still separates it from its end, in any unit.
  /// False: the user interrupts it, and `search` returns.
  virtual bool goes_on(Index iterations, double left) = 0;

 protected:
  ~AnalysisHost() = default;
};

/// A number that an analysis found, for the summary.
struct AnalysisResult {
  const char* name;  ///< snake_case, unique in the analysis
  const char* unit;  ///< SI unit, "1" without one
  double value;
};

/// One object per run. Sequence: traits, begin; then over time motion, longest_step, and the calls of the integrator;
/// otherwise search; in the end results and write. What a motion depends on lives in the memory of its integrator, so
/// that rejected steps and checkpoints restore it.
class Analysis : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.analysis/1";

  /// [setup] The same at every call.
  virtual AnalysisTraits traits() const = 0;
  /// [setup] At the consistent start. False, with a reason: this model is none for the analysis. The kernel adds the
  /// place in the run file; `refusal.key` names a parameter of the analysis.
  virtual bool begin(AnalysisHost& host, Refusal& refusal) = 0;

  /// [setup] over_time: what carries the motion on, a self-controlled integrator of the constrained view without an error estimate
  /// (error_order 0); owned by the analysis. A step that fails is tried again with a shorter one, down to 1e-10 of the
  /// duration; then the run ends with the status of the last attempt.
  virtual const Integrator* motion() const { return nullptr; }
  /// [setup] over_time: s, > 0. Steps end on multiples of it as far as they are not shorter.
  virtual double longest_step() const { return 0; }

  /// [step] Otherwise: looks for the state, shows it, and returns. A failure is the run's: its status says what is wrong.
  virtual Status search() { return Status::failure(StatusCode::unsupported, "no search"); }

  /// [step] Numbers for summary.json, at the end of the run; 0 <= i < result_count().
  virtual Index result_count() const { return 0; }
  virtual AnalysisResult result(Index i) const {
    (void)i;
    return {"", "1", 0};
  }
  /// [step] Files of its own in the results' folder, at the end of a run that came to its end. False, with a reason: they
  /// cannot be written.
  virtual bool write(const char* folder, Refusal& refusal) const {
    (void)folder, (void)refusal;
    return true;
  }

 protected:
  ~Analysis() = default;
};

}  // namespace trammel
