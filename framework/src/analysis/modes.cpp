// Eigenvalues and modes of the model linearized at a state.
#include "analysis/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linear/linear_axes.h"

namespace trammel {
namespace {

constexpr double noteworthy_acceleration = 1e-6;  // of a state whose modes are taken

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
  if (const Status steady = take_steady_axes(report); !steady) return steady;
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
}

// Euler parameters turn with half of a body's spin; see body_twists.h.
Status Modes::take_steady_axes(StaticReport& report) {
  warn_of_motion();
  ConstrainedModel& model = *parts().plant.model();
  const Observation& now = parts().plant.observation();
  const LinearPlace place{0, now.q, now.v, now.z};
  const bool moves = now.v.map().lpNorm<Eigen::Infinity>() > noteworthy_acceleration;
  if (report.equilibrium_sought || !moves) return Status::success();
  const bool turns = spatial_bodies_turn(model.assembly(), now.v);
  if (model.point().memory().sees_last_step()) {
    if (!turns) return Status::success();
    return Status::failure(StatusCode::unsupported,
                           "modes of turning bodies whose forces depend on the last accepted step are");
  }
  const Eigen::Vector3d still = Eigen::Vector3d::Zero();
  Status status;
  if (turns) status = take_axes(model, place, BodyTwists(model.assembly(), still), report.linear);
  double rate = 0, change = 0;
  for (const auto& lambda : report.linear.motion.eigenvalues()) rate = std::max(rate, std::abs(lambda));
  if (status) status = change_along_motion(model, place, still, rate, change);
  if (status && change > unsteady) parts().remarks.warn(unsteady_text(change, 0));
  return status;
}

std::string unsteady_text(double change, double t) {
  return fmt::format(
      "the linearized equations at t = {:.6g} change along the motion, by a share of {:.2g} while the fastest of their "
      "motions goes on by a radian: their eigenvalues are those of an instant, and do not tell whether motions grow; "
      "\"turning\" of the analysis 'linearize' chooses axes in which a motion may be steady",
      t, change);
}

void Modes::write(const std::filesystem::path& folder) const {
  if (report().modes_taken) report().write_modes(*parts().plant.model(), folder, parts().run.analysis.matrices);
}

}  // namespace trammel
