// What equilibrium and modes have in common.
#include "analysis/static_analysis.h"

#include <fmt/format.h>

#include "analysis/one_sided.h"
#include "model/own_last_step.h"

namespace trammel {
namespace {

constexpr int most_descents = 4;  // from unstable equilibria

}  // namespace

Accepts StaticAnalysis::accepts() const {
  if (!search_.seeks()) {
    return {.what = "modes", .rigid_stops = Accepts::Stops::open};
  }
  return {
      .what = "a search for an equilibrium",
      .rigid_stops = Accepts::Stops::none,
      .internal_states = search_.finds_internal_states() ? Accepts::States::used : Accepts::States::refused,
      .no_states =
          "depends on the past motion, so this search for an equilibrium cannot compute it; use \"method\": "
          "\"settling\" or \"newton\"",
      .no_velocity_rows = search_.moves_along_rows()
                              ? ""
                              : "have no potential energy to be least: where the bodies come to rest depends on the "
                                "way they roll; use \"method\": \"newton\" or \"settling\", which roll from the "
                                "start given",
      .methods = search_.settles() ? Accepts::Methods::used : Accepts::Methods::unused};
}

std::optional<EngineParts> StaticAnalysis::begin(const AnalysisParts& parts) {
  parts_.emplace(parts);
  report_.equilibrium_sought = search_.seeks();
  if (search_.seeks()) report_.search.acceleration = left_out();  // until a state is taken
  return search_.begin(parts);
}

bool StaticAnalysis::search(Engine* engine, const SearchProgress& progress, SearchOutcome& outcome) {
  if (!search_.advance(engine, progress, report_, outcome)) return true;
  done_ = true;
  Status observed = take_state();
  if (observed && outcome.completed()) observed = examine(report_);
  for (int times = 0; times < most_descents && observed && search_.leave_unstable(progress, report_, outcome);
       ++times) {
    observed = take_state();
    if (observed && outcome.completed()) observed = examine(report_);
  }
  if (observed && outcome.completed() && (report_.stability_known || report_.modes_taken)) {
    if (const std::string text = find_one_sided(parts_->plant, report_.linear); !text.empty())
      parts_->remarks.warn(text);
  }
  if (report_.stability_known && report_.stability.unstable > 0 && outcome.completed()) {
    parts_->remarks.warn(fmt::format("the equilibrium is unstable in {} {}", report_.stability.unstable,
                                     report_.stability.unstable == 1 ? "direction" : "directions"));
  }
  if (!observed && outcome.completed()) {
    outcome.failed = true;
    outcome.message = fmt::format("the {} state cannot be evaluated: {} {}", search_.seeks() ? "found" : "given",
                                  observed.what, status_name(observed.code));
  }
  const Plant& plant = parts_->plant;
  if (outcome.completed() && search_.seeks() && plant.violation() > plant.constraint_limit()) {
    report_.equilibrium_found = false;
    outcome.failed = true;
    outcome.message = fmt::format("the state found violates the constraints by {:.3g}, which is more than {}",
                                  plant.violation(), plant.constraint_limit_text());
  }
  return false;
}

// Without the artificial damping: its multipliers are those of statics.
Status StaticAnalysis::take_state() {
  Plant& plant = parts_->plant;
  const Observation& now = plant.observation();
  plant.model()->point().act(nullptr);
  plant.model()->point().stop_clock({});
  std::vector<double>& q = search_.positions();
  if (q.empty()) q.assign(now.q.data, now.q.data + now.q.size);
  std::vector<double> v(q.size(), 0.0);
  if (!search_.seeks()) v.assign(now.v.data, now.v.data + now.v.size);
  const auto n = static_cast<Index>(v.size());
  const Status observed = plant.observe_at(0, {q.data(), n}, {v.data(), n}, search_.internal_states());
  if (search_.seeks()) report_.search.acceleration = now.a.map().lpNorm<Eigen::Infinity>();
  return observed;
}

void StaticAnalysis::warn_of_last_step() const {
  ConstrainedModel& numbers = *parts_->plant.model();
  const Observation& now = parts_->plant.observation();
  if (!follows_last_step(numbers, 0, now.q, now.v, now.z)) return;
  parts_->remarks.warn(fmt::format(
      "eigenvalues hold the accelerations and multipliers that {} depends on, which small motions about this "
      "state would change",
      numbers.point().memory().names()));
}

void judge(StaticReport& report) {
  report.stability = judge_stability(report.linear);
  report.stability_known = true;
}

}  // namespace trammel
