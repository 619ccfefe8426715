// Static equilibrium and its stability.
#include "analysis/equilibrium.h"

#include <fmt/format.h>

#include "analysis/owner_channels.h"

namespace trammel {
namespace {

constexpr Index largest_dense_model = 4000;

}  // namespace

Equilibrium::Equilibrium(const AnalysisOptions& options)
    : StaticAnalysis(options.method == EquilibriumMethod::none ? EquilibriumMethod::minimum_potential
                                                               : options.method) {}

std::vector<std::string> Equilibrium::default_channels(const Assembly& assembly) const {
  return owner_channels(assembly, {.reactions = true});
}

Status Equilibrium::examine(StaticReport& report) {
  Plant& plant = parts().plant;
  ConstrainedModel& numbers = *plant.model();
  const Observation& now = plant.observation();
  if (numbers.coordinates() > largest_dense_model) {
    parts().remarks.warn("stability was not looked at: the model is too large for dense matrices");
    return Status::success();
  }
  const Status taken = linearize_model(numbers, 0, now.q, now.v, report.linear);
  if (!taken) {
    parts().remarks.warn(fmt::format("stability is not known: {} {}", taken.what, status_name(taken.code)));
    return Status::success();
  }
  judge(report);
  warn_of_last_step();
  return plant.observe_at(0, now.q, now.v, now.z);
}

}  // namespace trammel
