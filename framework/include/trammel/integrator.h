// Integrator: attempts one step. Step size, projection, events, output and statistics belong to the kernel.
#pragma once

#include "trammel/constrained_system.h"
#include "trammel/memory.h"
#include "trammel/ode_system.h"
#include "trammel/plugin.h"
#include "trammel/second_order_system.h"

namespace trammel {

enum class ViewKind : std::int32_t { ode, second_order, constrained };

struct IntegratorTraits {
  ViewKind view = ViewKind::ode;
  bool also_constrained = false;  ///< view second_order; constrained where a model is given no formulation
  /// View second_order; ode where a problem or a formulation has no second-order view.
  bool also_first_order = false;
  int order = 1;        ///< claimed; measured by tests
  int error_order = 0;  ///< order of the estimate's formula (4 for 5(4)); 0: no estimate, fixed steps only
  int interpolation_order = 3;
  bool variable_step = true;  ///< false: h must stay the same between restarts (histories on an equidistant grid)
  /// Chooses its own order and step; the kernel hands over tolerances and obeys h_next, but shortens steps that would
  /// pass the end or a break point. error_order > 0: it writes its estimate into `error`, for messages.
  bool self_controlled = false;
  bool restart_only = false;  ///< memory cannot be copied (SUNDIALS): rollback and checkpoints restart it
  bool implicit = false;      ///< needs Jacobians
};

/// Sizes of a problem, for memory declarations. ode: n = length of y. second_order: n = length of x.
/// constrained: n coordinates, m rows.
struct ProblemSize {
  Index n = 0;
  Index m = 0;
  ViewKind view = ViewKind::ode;  ///< in which the method gets it
};

/// A state to read: y in `x` (ode); x and x' in `x`, `v` (second_order); q, v, a, lambda (constrained).
struct ConstStateView {
  double t = 0;
  ConstVectorView x, v, a, lambda;
};

/// A state to write, with the same entries.
struct StateView {
  double t = 0;
  VectorView x, v, a, lambda;

  operator ConstStateView() const { return {t, x, v, a, lambda}; }
};

/// Error weights w_i = mask_i / (atol_i + rtol_i |y_i|), for self-controlled and iterative methods.
struct Tolerances {
  ConstVectorView rtol, atol;  ///< one entry, or one per component
  bool max_norm = false;       ///< else root mean square over the masked components
  /// Steps are fixed: errors are not judged by these tolerances, which are no more than defaults. Iterations go on until
  /// rounding is left, so that the error is the method's own.
  bool fixed_steps = false;
};

/// The problem in exactly one view, bound for the whole run.
struct Problem {
  OdeSystem* ode = nullptr;
  SecondOrderSystem* second_order = nullptr;
  ConstrainedSystem* constrained = nullptr;
  Tolerances tolerances;
};

/// Outcome of an attempted step.
struct StepResult {
  Status status;      ///< a failure is a rejection; the kernel tries again with a smaller h
  double h = 0;       ///< the step actually taken, if a self-controlled method took another
  double h_next = 0;  ///< proposal of a self-controlled method, else 0
  int order = 0;      ///< order used
  int newton_iterations = 0;
  bool rejected = false;  ///< self-controlled: error too large; try again with h_next < h
};

/// Integrators are const; all that a rejected step or a checkpoint must restore lives in memory.state, what may be lost
/// in memory.cache. Views keep their linearization and factorizations likewise: neither is rolled back, and checkpoints
/// bring back one factorization, of handle 0 and a real shift, with the linearization that belongs to it; methods that
/// need more remember in memory.cache what the view holds. [hot] methods do not allocate.
///
/// Calls come in this order:
///   traits, extension, memory      setup; then IntegratorFit::fits, if there is one, at the consistent start
///   start(state)                   at t = 0
///   attempt(state, h)              and then, until the next attempt, interpolate(t) any number of times, with
///     reject                         the attempt is void: its status is a failure, its error too large, it cannot be
///                                    projected, or the kernel looked into it and wants shorter steps. `state` is what it
///                                    was. Nobody but the method undoes what the attempt did to memory.state: most
///                                    write there in `accept` only
///     or accept(state, changed)      the attempt is the step: `state` is where it ended, or where a projection moved it
///   start(state)                   between steps, in place of going on: after an event or an impact, which may lie
///                                    inside the step that was accepted, after changes of elements, after a new chart
///                                    of the formulation (then also after reject), in front of a step off an equidistant
///                                    grid, and after a checkpoint where traits say restart_only
/// A checkpoint lies between `accept` and the next `attempt`; memory.cache is zero behind it, in the run that goes on
/// and in the restored one. There is no last call: `destroy` may follow any other.
class Integrator : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.integrator/1";

  /// [setup] What the method is and needs; the same at every call.
  virtual IntegratorTraits traits() const = 0;
  /// [setup] Doubles of state (histories, cached derivatives) and scratch (stages) it wants from the engine.
  virtual MemorySize memory(const ProblemSize& size) const = 0;
  /// [step] Begins at the state, dropping any history. Multistep methods begin their starting procedure.
  virtual Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const = 0;
  /// [hot] Tries state.t -> state.t + h (h may be negative). Writes `next`, whose t is state.t + h already, and, where
  /// traits().error_order > 0, the error estimate with the sign of (computed - better) into `error`: like y (ode), or x
  /// then v. Does not change `state`.
  virtual StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                             VectorView error, const Memory& memory) const = 0;
  /// [step] The step is taken and ends in `state`. `changed`: a projection or an event moved it after `attempt`:
  /// cached derivatives there (FSAL) are void; histories stay.
  virtual void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const {
    (void)problem, (void)state, (void)changed, (void)memory;
  }
  /// [step] The attempt is void and leaves no trace in memory.state; self-controlled methods may remember what they
  /// learned about order and step.
  virtual void reject(const Memory& memory) const { (void)memory; }
  /// [step] Dense output at t inside the last attempted step from `from` to `to` (as `attempt` wrote it). Valid from a
  /// successful attempt to the next attempt. Default: `unsupported`; the kernel then uses the cubic Hermite polynomial.
  virtual Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                             const StateView& out, const Memory& memory) const {
    (void)problem, (void)from, (void)to, (void)t, (void)out, (void)memory;
    return Status::failure(StatusCode::unsupported, "no dense output");
  }

 protected:
  ~Integrator() = default;
};

}  // namespace trammel
