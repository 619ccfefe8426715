// Kinematic and inverse dynamic analysis.
#include "analysis/kinematics.h"

#include <fmt/format.h>

#include "analysis/owner_channels.h"
#include "config/problems.h"
#include "model/kinematic_count.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// Rows where the run file asks for no output step.
constexpr double default_rows = 200;
// Steps that fail are shortened down to this share of the duration: how exactly the time of a lock-up is known.
constexpr double shortest_step = 1e-10;

}  // namespace

StepControlOptions control_without_error(double grid, double duration) {
  StepControlOptions control{};
  control.step = left_out();
  control.initial_step = control.max_step = grid;
  control.min_step = shortest_step * duration;
  control.safety = 0.9, control.min_factor = 0.2, control.max_factor = 5;
  control.defect_control = DefectMode::off;
  return control;
}

Accepts Kinematics::accepts() const {
  return {.what = "a motion that constraints and drivers determine",
          .rigid_stops = Accepts::Stops::none,
          .internal_states = Accepts::States::stay,
          .no_velocity_rows =
              "positions at a single time do not obey, so drivers and constraints do not determine the "
              "positions; use dynamics",
          .methods = Accepts::Methods::reported};
}

std::optional<EngineParts> Kinematics::begin(const AnalysisParts& parts) {
  const RunFile& run = parts.run;
  ConstrainedModel& numbers = *parts.plant.model();
  const Observation& initial = parts.plant.observation();
  Status status = numbers.evaluate(0, initial.q, initial.v, initial.z, evaluate_dynamics | evaluate_Phi | evaluate_nu);
  if (!status) throw Error(ErrorKind::compute, fmt::format("the initial state cannot be evaluated: {}", status.what));
  try {
    require_determined_motion(numbers);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, message_at(run.system.node->place, "/system", error.what()));
  }
  duration_ = run.analysis.duration;
  // Whatever rows are asked for, the motion goes on in the same steps; rows between them are as exact.
  const double grid = duration_ / default_rows;
  if (given(run.output.step) && run.output.step < shortest_step * duration_) {
    const Node& step = *run.document->find("output")->find("step");
    throw Error(ErrorKind::input, message_at(step.place, "/output/step",
                                             fmt::format("must be at least {:g} of the duration, {:g} s, not {:g}",
                                                         shortest_step, shortest_step * duration_, run.output.step)));
  }
  plant_ = &parts.plant;
  motion_ = std::make_unique<KinematicMotion>(numbers, *parts.plant.rank_monitor(), grid);
  parts.plant.rank_monitor()->expect_determined_motion();
  return EngineParts{
      .plant = parts.plant,
      .integrator = *motion_,
      .integrator_type = "kinematics",
      .integrator_plugin = "",
      .control = control_without_error(grid, duration_),
      .duration = duration_,
      .times = {},
      .run_events = nullptr,
  };
}

std::vector<std::string> Kinematics::default_channels(const Assembly& assembly) const {
  return owner_channels(assembly, {.accelerations = true});
}

std::string Kinematics::explain_refusal(const Model& model) const {
  ConstrainedModel numbers(model);
  const std::vector<double>& q = model.q0();
  return surplus_of_drivers(numbers, {q.data(), static_cast<Index>(q.size())});
}

// The engine speaks of steps; what ended the motion is a matter of geometry.
std::string Kinematics::explain_end(const Engine& engine) const {
  // The observation's q and v may be those of a void attempt; the engine's state is accepted.
  const ConstStateView reached = engine.state();
  if (engine.t() >= duration_ || plant_->observation().q.size != reached.x.size) return "";
  return explain_standstill(*plant_->model(), reached.t, reached.x, reached.v);
}

}  // namespace trammel
