// Plant: what a run integrates, behind one face - a model under a formulation, an index-3 model, or a plain problem.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/archive.h"
#include "model/contacts.h"
#include "record/observation.h"
#include "trammel/formulation.h"
#include "trammel/integrator.h"

namespace trammel {

/// Counters for summary.json. Jacobians and factorizations are those that the integrator asked for; of a first-order
/// view, which has none, the model's own are reported.
struct PlantCounters {
  long evaluations = 0, jacobians = 0, factorizations = 0;
  double earliest = 0, latest = 0;  ///< times of the evaluations of the present attempt
  void see(double t) {
    ++evaluations;
    earliest = t < earliest ? t : earliest, latest = t > latest ? t : latest;
  }
};

/// Coefficients of the implicit matrix that the integrator has at hand, where it is one alone, real and of handle 0: the
/// view keeps it, checkpoints do not. What other methods know of theirs is in their cache, which checkpoints empty.
struct ImplicitMatrix {
  bool prepared = false;
  double c0 = 0, c1 = 0;

  static ImplicitMatrix of(const Status& status, Index first, const Shift* shifts, Index count) {
    const bool alone = status.ok() && first == 0 && count == 1 && shifts[0].real();
    return alone ? ImplicitMatrix{true, shifts[0].c0, shifts[0].c1} : ImplicitMatrix{};
  }
};

class RankMonitor;

/// How closely a state is looked at.
enum class Look { full, glance };

class Plant {
 public:
  virtual ~Plant() = default;
  virtual ViewKind view() const = 0;
  virtual ProblemSize size() const = 0;
  /// Pointers of the problem; tolerances are filled by the caller.
  virtual Problem problem() = 0;
  /// [step] Writes the consistent initial state; chooses chart or partition. A failure names its cause.
  virtual Status start(const StateView& state) = 0;
  /// [step] Before a step is attempted.
  virtual void begin_attempt() = 0;
  /// [step] The attempt turned out void: formulation memory is restored. `state` is the accepted state; true: it was
  /// rewritten for another chart, and the integrator has to start again.
  virtual bool rollback(const StateView& state) = 0;
  /// [step] After an attempt: projections, mask, restart requests.
  virtual Correction correct(const StateView& next, VectorView error) = 0;
  virtual void accepted() = 0;
  /// [step] Moves an interpolated state onto the constraints if the formulation does so with states.
  virtual Status correct_output(const StateView& state) = 0;
  /// [step] Evaluates everything at a state; at a glance no more than every step needs: violation of the rows, energies,
  /// and whether they are finite. Plants may have reasons not to put off the rest.
  virtual Status observe(const ConstStateView& state, Look look = Look::full) = 0;
  /// What a glance put off is evaluated first, unless a glance is enough: then accelerations and multipliers are those of an
  /// earlier state, residuals 0.
  virtual const Observation& observation(Look look = Look::full) const = 0;
  /// [step] The same at positions, velocities and internal states, whatever the view. Problems: `unsupported`.
  virtual Status observe_at(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
    (void)t, (void)q, (void)v, (void)z;
    return Status::failure(StatusCode::unsupported, "a state of bodies");
  }
  /// [setup] Bodies rest and drivers stand where they are in every state that is observed from now on; velocities of states
  /// are those of a path through them and tell only what work is done on it. Problems have none.
  virtual void stand_still() {}
  /// [step] Dissipation and work at a state; the last observation stays. Problems have none.
  virtual Status power(const ConstStateView& state, EnergyBudget& budget) {
    (void)state;
    budget = {};
    return Status::success();
  }
  /// [step] Moves the model, where there is one, to a state, for event functions; the last observation stays.
  virtual Status look(const ConstStateView& state) { return observe(state); }
  /// [step] Velocity jump of the contacts in `met` and of those that touch besides; writes the state after it.
  virtual Status collide(const StateView& state, Contacts& contacts, const std::vector<char>& met,
                         std::vector<double>& approach, Impact& impact) {
    (void)state, (void)contacts, (void)met, (void)approach, (void)impact;
    return Status::success();
  }
  /// [step] The integrator is about to restart at `state`: formulations may take a new chart there.
  virtual Status restarting(const StateView& state) {
    (void)state;
    return Status::success();
  }
  /// [step] Elements were changed: what was computed with them is void, also in the state (accelerations, multipliers).
  virtual Status elements_changed(const StateView& state) {
    (void)state;
    return Status::success();
  }
  /// [step] The run goes on from `state`, which a jump led to: of velocities, of what elements are, or of a force of time.
  /// What they keep of accepted steps, and see of the last one, becomes that behind it; accelerations in `state` follow.
  virtual Status jumped(const StateView& state) {
    (void)state;
    return Status::success();
  }
  /// [step] What formulation, model and watches remember from step to step. Restoring writes nothing into `state`,
  /// which is the remembered one already, and leaves everything as if it had just been computed there.
  virtual Status remember(Archive& archive, const ConstStateView& state) {
    archive.values("counters", counters.evaluations, counters.jacobians, counters.factorizations);
    archive.values("implicit_matrix", implicit_matrix.prepared, implicit_matrix.c0, implicit_matrix.c1);
    (void)state;
    return Status::success();
  }
  /// [step] Time until a contact that just parted closes again, from the last observation.
  virtual double time_of_flight(const Contacts& contacts) {
    (void)contacts;
    return std::numeric_limits<double>::infinity();
  }
  /// [step] Before the multipliers of the last observation are shown: of redundant constraints, those of the least
  /// squares.
  virtual void finish_multipliers() {}
  /// [step] The state observed last was accepted: counted angles and what elements keep move on, the rank is looked at.
  virtual Status settle() { return Status::success(); }
  /// [step] What the run's reader should know about what the plant met so far.
  virtual std::vector<std::string> notes() const { return {}; }
  /// [step] Step in which no counted angle turns so far that its branch could be mistaken; from the last observation.
  virtual double turning_step() const { return std::numeric_limits<double>::infinity(); }
  /// [step] Step up to which no function of state is expected to pass a break point; from the last observation.
  virtual double forecast_step() const { return std::numeric_limits<double>::infinity(); }
  /// [step] Largest constraint row of the last observation, "" if there are no rows.
  virtual std::string worst_constraint() const { return ""; }
  /// Name of component i of the integrated state, for messages.
  virtual std::string component_name(Index i) const = 0;
  /// What component i belongs to (" of body 'crank', held by 'pin', acted on by 'spring'"), "" for problems.
  virtual std::string component_owner(Index i) const {
    (void)i;
    return "";
  }
  /// The text for a failure's subject ("row 'pin[2]'", "body 'crank'").
  virtual std::string subject(const Status& status) const = 0;
  /// [step] After a NaN or infinity: the element that produced it at a finite state, in words, or "".
  virtual std::string find_not_finite() { return ""; }
  /// nullptr for problems, as is the next one.
  virtual ConstrainedModel* model() { return nullptr; }
  virtual RankMonitor* rank_monitor() { return nullptr; }
  /// Of `violation`; `constraint_limit_text` is the limit in words.
  virtual double constraint_limit() const { return 0; }
  virtual std::string constraint_limit_text() const { return ""; }
  /// What that limit holds for: the rows of the last observation, m or rad, or in the model's unit if nobody gave a
  /// limit.
  virtual double violation() const { return 0; }
  /// [step] What the formulation counted, by name.
  virtual std::vector<std::pair<std::string, long>> formulation_counts() const { return {}; }
  /// [step] The coordinates that the formulation takes as independent now; empty if it makes no difference between
  /// them.
  virtual std::vector<std::string> independent_coordinates() const { return {}; }

  /// [step] Less than 1: a step that ends at `next` should not, since so near a singular position states are noise; one
  /// of that share of its length should do.
  virtual double share_of_step(const ConstStateView& next) {
    (void)next;
    return 1;
  }

  PlantCounters counters;
  ImplicitMatrix implicit_matrix;
};

}  // namespace trammel
