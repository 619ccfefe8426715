// Counters in summary.json and for people.
#include "results/run_work.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "results/json_number.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void RunWork::add_to(Json& summary) const {
  summary["statistics"] = {{"steps", statistics.steps},
                           {"rejected", statistics.rejected},
                           {"evaluations", statistics.evaluations},
                           {"jacobians", statistics.jacobians},
                           {"factorizations", statistics.factorizations},
                           {"newton_iterations", statistics.newton_iterations},
                           {"constraint_projections", statistics.constraint_projections},
                           {"placements", statistics.placements},
                           {"partitions", statistics.partitions},
                           {"restarts", statistics.restarts},
                           {"events", statistics.events},
                           {"work", json_number(work)}};
  for (const auto& [name, value] : formulation_counts) summary["statistics"][name] = value;
  if (const auto* check = tolerance_check; check != nullptr && check->reruns > 0) {
    summary["tolerance_check"] = {
        {"reruns", check->reruns},
        {"evaluations", check->evaluations},
        {"estimated_error", {{"value", json_number(check->error)}, {"channel", check->channel}}}};
  }
  if (const auto* check = fixed_step_check; check != nullptr && check->reruns > 0) {
    summary["fixed_step_check"] = {
        {"pieces", check->reruns},
        {"until", json_number(check->until)},
        {"evaluations", check->evaluations},
        {"estimated_error", {{"value", json_number(check->error)}, {"channel", check->channel}}}};
  }
}

std::string RunWork::to_text(double solve_s) const {
  return fmt::format("  Work       {} steps, {} rejected, {} evaluations, {:.3g} s\n", statistics.steps,
                     statistics.rejected, statistics.evaluations, solve_s);
}

}  // namespace trammel
