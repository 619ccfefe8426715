// Kinematic and inverse dynamic analysis: what a run sets up for them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/kinematic_count.h"
#include "run/kinematic_motion.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// Rows where the run file asks for no output step.
constexpr double default_rows = 200;
// Steps that fail are shortened down to this share of the duration: how exactly the time of a lock-up is known.
constexpr double shortest_step = 1e-10;

StepControlOptions kinematic_control(double grid, double duration) {
  StepControlOptions control{};
  control.step = left_out();
  control.initial_step = control.max_step = grid;
  control.min_step = shortest_step * duration;
  control.safety = 0.9, control.min_factor = 0.2, control.max_factor = 5;
  control.defect_control = DefectMode::off;
  return control;
}

}  // namespace

// The motion is the same for both; forces that depend on a state of their own are not known from it.
void Simulation::State::start_kinematics() {
  ConstrainedModel& numbers = *plant->model();
  const Observation& initial = plant->observation();
  refuse_rigid_stops();
  Status status = numbers.evaluate(0, initial.q, initial.v, initial.z, evaluate_dynamics | evaluate_Phi | evaluate_nu);
  if (!status) throw Error(ErrorKind::compute, fmt::format("the initial state cannot be evaluated: {}", status.what));
  try {
    require_determined_motion(numbers);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, message_at(run.system.node->place, "/system", error.what()));
  }
  if (run.analysis.type == AnalysisType::inverse_dynamics)
    refuse_internal_states("the motion does not tell; use dynamics");
  for (const Section* section : {&run.formulation, &run.integrator}) {
    if (*section) {
      summary.warnings.push_back(
          fmt::format("'{}' is not used: constraints and drivers determine the motion", section->path.substr(1)));
    }
  }
  const double duration = run.analysis.duration;
  // Whatever rows are asked for, the motion goes on in the same steps; rows between them are as exact.
  const double grid = duration / default_rows;
  if (given(run.output.step) && run.output.step < shortest_step * duration) {
    const Node& step = *run.document->find("output")->find("step");
    throw Error(ErrorKind::input, message_at(step.place, "/output/step",
                                             fmt::format("must be at least {:g} of the duration, {:g} s, not {:g}",
                                                         shortest_step, shortest_step * duration, run.output.step)));
  }
  kinematic_motion = std::make_unique<KinematicMotion>(numbers, *rank_monitor, grid);
  rank_monitor->expect_determined_motion();
  start_engine({*plant, *kinematic_motion, "kinematics", "", kinematic_control(grid, duration), search_times()});
}

void Simulation::State::refuse_internal_states(const char* who) const {
  for (const ForceSlot& slot : plant->model()->assembly().forces) {
    if (slot.force->internal_states() == 0) continue;
    throw Error(ErrorKind::input, message_at(run.system.node->place, "/system",
                                             fmt::format("force '{}' (type '{}') has an internal state, which {}",
                                                         slot.name, slot.type, who)));
  }
}

std::string Simulation::State::surplus_of_drivers() const {
  if (run.analysis.type != AnalysisType::kinematics && run.analysis.type != AnalysisType::inverse_dynamics) return "";
  ConstrainedModel numbers(*model->assembly(), LinearSolver::automatic);
  const std::vector<double>& q = model->q0();
  return trammel::surplus_of_drivers(numbers, {q.data(), static_cast<Index>(q.size())});
}

// The engine speaks of steps; what ended the motion is a matter of geometry.
void Simulation::State::explain_kinematic_failure() {
  const Observation& last = plant->observation();
  // The observation's q and v may be those of a void attempt; the engine's state is accepted.
  const StateView& reached = engine->state();
  if (engine->t() >= run.analysis.duration || last.q.size != reached.x.size) return;
  message = explain_standstill(*plant->model(), reached.t, reached.x, reached.v);
}

std::vector<std::string> Simulation::State::default_channels() const {
  std::vector<std::string> channels;
  const Assembly* assembly = model->assembly();
  const bool forces =
      run.analysis.type == AnalysisType::inverse_dynamics || run.analysis.type == AnalysisType::equilibrium;
  const bool motion =
      run.analysis.type == AnalysisType::kinematics || run.analysis.type == AnalysisType::inverse_dynamics;
  if (assembly == nullptr || (!forces && !motion)) return channels;
  const auto add_owner = [&](const std::string& name) {
    channels.push_back(name);
    if (motion) channels.push_back(name + ".acceleration");
  };
  for (const std::string& body : assembly->body_names) add_owner(body);
  for (const PointSlot& point : assembly->points) add_owner(point.name);
  for (const ConstraintSlot& slot : assembly->constraints) {
    if (!forces) break;
    if (slot.effort != nullptr) channels.push_back(slot.name + ".effort");
    if (slot.reaction == nullptr || slot.bodies.size() < 2) continue;
    channels.push_back(slot.name + ".force");
    channels.push_back(slot.name + ".torque");
  }
  for (const char* common : {"energy", "constraint", "step"}) channels.emplace_back(common);
  return channels;
}

}  // namespace trammel
