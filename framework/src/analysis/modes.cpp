// Eigenvalues and modes of the model linearized at a state.
#include "analysis/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr double noteworthy_acceleration = 1e-6;  // of a state whose modes are taken

/// Whether Euler parameters, the last four coordinates of spatial bodies, change.
bool spatial_bodies_turn(const Assembly& assembly, ConstVectorView v) {
  bool turn = false;
  for (Index i = 0; assembly.intrinsic_rows() > 0 && i < v.size; ++i) {
    turn = turn || (!assembly.table.displaces(i) && std::abs(v[i]) > noteworthy_acceleration);
  }
  return turn;
}

}  // namespace

Modes::Modes(const AnalysisOptions& options)
    : StaticAnalysis(options.at == 1 ? std::optional(options.method) : std::nullopt) {}

Accepts Modes::accepts() const {
  Accepts accepts = StaticAnalysis::accepts();
  accepts.no_velocity_rows =
      "leave more freedoms of position than of velocity, so that small motions about a state have other modes than "
      "those computed here; use dynamics";
  return accepts;
}

Status Modes::examine(StaticReport& report) {
  Plant& plant = parts().plant;
  const Observation& now = plant.observation();
  const Status taken = linearize_model(*plant.model(), 0, now.q, now.v, report.linear);
  if (!taken) return taken;
  if (report.equilibrium_sought) judge(report);
  warn_of_motion();
  warn_of_last_step();
  report.modes = find_modes(report.linear);
  report.modes_taken = true;
  return plant.observe_at(0, now.q, now.v, now.z);
}

void Modes::warn_of_motion() const {
  const ConstrainedModel& numbers = *parts().plant.model();
  const Observation& now = parts().plant.observation();
  RunRemarks& remarks = parts().remarks;
  const double speed = now.v.map().lpNorm<Eigen::Infinity>(), acceleration = now.a.map().lpNorm<Eigen::Infinity>();
  // At an equilibrium they were looked at in their own size.
  const bool moving_states = numbers.z_rate().size > 0 && !report().equilibrium_sought;
  const double rate = moving_states ? numbers.z_rate().map().lpNorm<Eigen::Infinity>() : 0;
  if (std::max({speed, acceleration, rate}) > noteworthy_acceleration) {
    remarks.warn(fmt::format(
        "these are modes of a motion, not of an equilibrium: velocities of {:.3g}, accelerations of {:.3g}{}; "
        "\"at\": \"equilibrium\" looks for one",
        speed, acceleration,
        rate > noteworthy_acceleration ? fmt::format(", rates of internal states of {:.3g}", rate) : ""));
  }
  if (spatial_bodies_turn(numbers.assembly(), now.v)) {
    remarks.warn(
        "modes of a motion of spatial bodies refer to Euler parameters as coordinates: frequencies of a spinning body "
        "are those seen from coordinates that turn with half its spin, neither those in space nor those of a frame "
        "that turns with it");
  }
}

void Modes::write(const std::filesystem::path& folder) const {
  if (report().modes_taken) report().write_modes(*parts().plant.model(), folder, parts().run.analysis.matrices);
}

}  // namespace trammel
