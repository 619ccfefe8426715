// The look at an explicit method's steps.
#include "run/choice/stiffness_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "run/choice/method_chooser.h"

namespace trammel {
namespace {

constexpr long first_look = 200, looks_apart = 4;
// Explicit methods are stable up to |h lambda| of about 1 to 6: steps far below that follow something else.
constexpr double near_limit = 0.2;
constexpr double noteworthy = 3;           // times the work of a stiff method
constexpr double least_evaluations = 5e3;  // that are still to come

}  // namespace

void StiffnessWatch::start(const std::string& method, double rtol, double atol, double duration) {
  method_ = method, rtol_ = rtol, atol_ = atol, duration_ = duration;
  next_ = std::isfinite(duration) ? first_look : 0;
}

MotionDemand StiffnessWatch::demand_here(Plant& plant, const Model& model, const ConstStateView& state,
                                         double time) const {
  const PlantCounters before = plant.counters;  // those of the run
  MotionDemand demand;
  const Observation& now = plant.observation();
  if (ConstrainedModel* bodies = plant.model(); bodies != nullptr) {
    demand = demand_at(*bodies, state.t, now.q, now.v, now.z, time, rtol_, atol_);
    plant.observe(state);
  } else {
    demand = demand_of_problem(model.system(), state.t, now.q, now.v, time, rtol_, atol_);
  }
  plant.counters = before;
  return demand;
}

std::string StiffnessWatch::look(Plant& plant, const Model& model, const ConstStateView& state, long steps,
                                 long evaluations) {
  const double passed = state.t - t_, left = duration_ - state.t;
  const double mean_step = passed / static_cast<double>(std::max(1L, steps - steps_));
  const double to_come = passed > 0 ? static_cast<double>(evaluations - evaluations_) / passed * left : 0;
  t_ = state.t, steps_ = steps, evaluations_ = evaluations;
  next_ = looks_apart * steps;
  if (!(to_come > least_evaluations)) return "";
  const MotionDemand demand = demand_here(plant, model, state, left);
  const WorkEstimate work = estimate_work(demand, left, rtol_);
  const double factor = to_come / work.implicit_work, fastest = std::abs(demand.fastest);
  if (!demand.known || !(mean_step * fastest > near_limit) || !work.stability_rules || !(factor > noteworthy))
    return "";
  next_ = 0;
  ModelFacts facts = sizes_of(model);
  facts.rtol = rtol_, facts.atol = atol_;
  if (plant.model() != nullptr) facts.freedom += plant.model()->rank().redundant();
  return fmt::format(
      "at t = {:.6g}: the model is stiff, {} keeps the steps of '{}' near {:.2g} s, about {:.2g} evaluations more; "
      "take "
      "{}, which is expected to need {} times less work",
      state.t, fastest_text(demand), method_, mean_step, to_come, stiff_method_text(facts), one_digit(factor));
}

}  // namespace trammel
