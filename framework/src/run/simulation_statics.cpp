// Equilibrium and modes: one state, found when the run goes on for the first time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/equilibrium_newton.h"
#include "model/minimize.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double settled_acceleration = 1e-6, balanced_acceleration = 1e-9;  // m/s^2 or rad/s^2
constexpr double longest_settling = 1000;                                    // s, unless `duration` says otherwise
constexpr Index most_iterations = 3000;
constexpr double noteworthy_acceleration = 1e-6;  // of a state whose modes are taken
constexpr double ill_conditioned = 1e10;
constexpr Index largest_dense_model = 4000;

}  // namespace

bool Simulation::State::is_static() const {
  return run.analysis.type == AnalysisType::equilibrium || run.analysis.type == AnalysisType::modes;
}

bool Simulation::State::seeks_equilibrium() const {
  return run.analysis.type == AnalysisType::equilibrium ||
         (run.analysis.type == AnalysisType::modes && run.analysis.at == 1);
}

EquilibriumMethod Simulation::State::equilibrium_method() const {
  if (!seeks_equilibrium()) return EquilibriumMethod::none;
  const bool chosen = run.analysis.method != EquilibriumMethod::none;
  return !chosen && run.analysis.type == AnalysisType::equilibrium ? EquilibriumMethod::minimum_potential
                                                                   : run.analysis.method;
}

void Simulation::State::begin_statics() {
  const Node& analysis = *run.document->find("analysis");
  const auto refuse = [&](const char* key, const std::string& text) {
    const Node* node = analysis.find(key);
    throw Error(ErrorKind::input, message_at(node != nullptr ? node->place : analysis.place,
                                             node != nullptr ? fmt::format("/analysis/{}", key) : "/analysis", text));
  };
  ConstrainedModel& numbers = *plant->model();
  const EquilibriumMethod method = equilibrium_method();
  statics.equilibrium_sought = seeks_equilibrium();
  if (method != EquilibriumMethod::settling)
    refuse_internal_states(seeks_equilibrium() ? "a search for an equilibrium" : "an analysis of modes");
  if (method == EquilibriumMethod::minimum_potential) {
    const std::vector<std::string> bad = nonconservative_forces(numbers, 0, plant->observation().q);
    if (!bad.empty()) {
      refuse(
          "method",
          fmt::format("minimum_potential needs forces that follow from a potential, which {} {} not; use \"method\": "
                      "\"settling\"",
                      fmt::join(bad, ", "), bad.size() == 1 ? "does" : "do"));
    }
    if (run.analysis.optimizer == Optimizer::lbfgs && !have_nlopt()) {
      refuse("optimizer", "this build of Trammel has no NLopt, whose method 'lbfgs' is; use 'dfp'");
    }
  }
  if (method == EquilibriumMethod::settling) {
    const Observation& o = plant->observation();
    const Status status = numbers.evaluate(0, o.q, o.v, o.z, evaluate_nu);
    for (const ConstraintSlot& slot : numbers.assembly().constraints) {
      for (Index r = slot.first_row; status && r < slot.first_row + slot.rows; ++r) {
        if (numbers.nu()[r] == 0) continue;
        refuse("method",
               fmt::format("driver '{}' moves at the start: nothing settles while it does; give it a constant function",
                           slot.name));
      }
    }
    numbers.settle_with(run.analysis.damping, 0);
    if (!given(run.analysis.duration)) run.analysis.duration = longest_settling;
    start_dynamics();
  }
}

bool Simulation::State::advance_statics() {
  if (statics_done) return false;
  const Stopwatch solving;
  if (equilibrium_method() == EquilibriumMethod::settling) {
    if (!settle()) return summary.timing.solve_s += solving.seconds(), true;
  } else if (seeks_equilibrium()) {
    balance();
  }
  statics_done = true;
  Status observed = take_static_state();
  if (observed && status == RunStatus::completed) observed = examine();
  if (!observed && status == RunStatus::completed) {
    status = RunStatus::failed;
    message = fmt::format("the state found cannot be evaluated: {} {}", observed.what, status_name(observed.code));
  }
  summary.timing.solve_s += solving.seconds();
  columns->row(sample(0), {values.data(), static_cast<Index>(values.size())});
  record();
  if (watch != nullptr) {
    const Sample found = sample(0);
    watch->tell(ChannelObserver::At::start, 0, found);
    for (; const double* time = watch->next_time(0); watch->skip_time())
      watch->tell(ChannelObserver::At::time, *time, found);
  }
  if (statics.modes_taken && !folder.empty()) statics.write_modes(*plant->model(), folder, run.analysis.matrices);
  return false;
}

// True: it is over, at rest or not.
bool Simulation::State::settle() {
  const double allowed =
      given(run.analysis.acceleration_tolerance) ? run.analysis.acceleration_tolerance : settled_acceleration;
  const bool advanced = engine->advance();
  const Observation& now = plant->observation();
  const double speed = now.v.map().lpNorm<Eigen::Infinity>(), acceleration = now.a.map().lpNorm<Eigen::Infinity>();
  statics.method = fmt::format("settling (damping {:g} 1/s)", run.analysis.damping);
  statics.search.iterations = static_cast<Index>(engine->statistics().steps);
  statics.evaluations = engine->statistics().evaluations;
  statics.settling_time = engine->t();
  const bool at_rest = advanced && speed <= run.analysis.velocity_tolerance && acceleration <= allowed;
  if (at_rest) {
    statics.equilibrium_found = true;
    summary.warnings.emplace_back(
        "the equilibrium found by settling depends on the state it starts from, where there are several");
  } else if (!advanced) {
    status = RunStatus::failed;
    by_plugin = engine->failure().by_plugin;
    message = engine->failure().happened ? fmt::format("no equilibrium was found: {}", engine->failure().message)
                                         : fmt::format(
                                               "no equilibrium was found: after settling for {:g} s velocities of "
                                               "{:.3g} and accelerations of {:.3g} are left; "
                                               "more \"damping\" or a longer \"duration\" may help",
                                               engine->t(), speed, acceleration);
  }
  return at_rest || !advanced;
}

void Simulation::State::balance() {
  ConstrainedModel& numbers = *plant->model();
  const Observation& start = plant->observation();
  static_q.assign(start.q.data, start.q.data + start.q.size);
  const VectorView q{static_q.data(), start.q.size};
  const double tolerance =
      given(run.analysis.acceleration_tolerance) ? run.analysis.acceleration_tolerance : balanced_acceleration;
  Status found;
  switch (equilibrium_method()) {
    case EquilibriumMethod::minimum_potential:
      found = minimize(q, tolerance);
      break;
    case EquilibriumMethod::newton:
      statics.method = "newton";
      found = newton_equilibrium(numbers, 0, q, tolerance, statics.search);
      break;
    default:
      statics.method = "continuation";
      found = find_equilibrium(numbers, 0, q, statics.search);
      break;
  }
  statics.equilibrium_found = found.ok();
  if (equilibrium_method() == EquilibriumMethod::newton) {
    summary.warnings.push_back(fmt::format(
        "Newton's method on the equations of equilibrium finds stable and unstable states alike; "
        "the condition of its matrix was up to {:.2g}{}",
        statics.search.condition, statics.search.condition > ill_conditioned ? ", which leaves few digits" : ""));
  }
  if (found) return;
  status = RunStatus::failed;
  message = fmt::format(
      "no equilibrium was found: {} {}; after {} iterations, which moved coordinates by up to {:.3g}, the largest "
      "acceleration at rest is still {:.3g} m/s^2 or rad/s^2{}",
      found.what, status_name(found.code), statics.search.iterations, statics.search.moved, statics.search.acceleration,
      equilibrium_method() == EquilibriumMethod::settling ? "" : "; method 'settling' or another start may get there");
}

Status Simulation::State::minimize(VectorView q, double tolerance) {
  const bool own = run.analysis.optimizer == Optimizer::dfp;
  statics.method = own ? "minimum_potential (dfp)" : "minimum_potential (lbfgs)";
  StaticEnergy energy(*plant->model(), 0, q);
  MinimizeReport report;
  const MinimizeOptions options{tolerance, most_iterations};
  Status found = own ? minimize_dfp(energy, options, report) : minimize_nlopt(energy, options, report);
  const ConstVectorView reached = energy.q();
  for (Index i = 0; i < q.size; ++i) statics.search.moved = std::max(statics.search.moved, std::abs(reached[i] - q[i]));
  q.map() = reached.map();
  statics.search.iterations = report.iterations;
  statics.evaluations = report.evaluations;
  statics.potential = energy.energy();
  statics.potential_known = std::isfinite(energy.energy());
  const Status measured = acceleration_at_rest(*plant->model(), 0, q, statics.search.acceleration);
  if (found.code == StatusCode::not_converged && measured &&
      statics.search.acceleration <= rest_rounding(*plant->model()))
    found = measured;
  return found ? measured : found;
}

// At rest where an equilibrium was sought, and without the artificial damping: its multipliers are those of statics.
Status Simulation::State::take_static_state() {
  const Observation& now = plant->observation();
  ConstrainedModel& numbers = *plant->model();
  numbers.settle_with(0, 0);
  if (static_q.empty()) static_q.assign(now.q.data, now.q.data + now.q.size);
  std::vector<double> v(static_q.size(), 0.0);
  if (!seeks_equilibrium()) v.assign(now.v.data, now.v.data + now.v.size);
  const auto n = static_cast<Index>(v.size());
  const Status observed = plant->observe_at(0, {static_q.data(), n}, {v.data(), n});
  summary.max.constraint_position = now.constraint_position;
  summary.max.constraint_velocity = now.constraint_velocity;
  summary.max.constraint_acceleration = now.constraint_acceleration;
  summary.max.multiplier_residual = now.multiplier_residual;
  if (statics.equilibrium_sought) statics.search.acceleration = now.a.map().lpNorm<Eigen::Infinity>();
  return observed;
}

// Stability and modes there.
Status Simulation::State::examine() {
  ConstrainedModel& numbers = *plant->model();
  const Observation& now = plant->observation();
  const bool modes = run.analysis.type == AnalysisType::modes;
  if (!modes && numbers.coordinates() > largest_dense_model) {
    summary.warnings.emplace_back("stability was not looked at: the model is too large for dense matrices");
    return Status::success();
  }
  Status taken = linearize_model(numbers, 0, now.q, now.v, statics.linear);
  if (!taken && !modes) {
    summary.warnings.push_back(fmt::format("stability is not known: {} {}", taken.what, status_name(taken.code)));
    return Status::success();
  }
  if (taken && statics.equilibrium_sought) {
    statics.stability = judge_stability(statics.linear);
    statics.stability_known = true;
    if (statics.stability.unstable > 0) {
      summary.warnings.push_back(fmt::format("the equilibrium is unstable in {} {}", statics.stability.unstable,
                                             statics.stability.unstable == 1 ? "direction" : "directions"));
    }
  }
  if (taken && modes) {
    const double speed = now.v.map().lpNorm<Eigen::Infinity>(), acceleration = now.a.map().lpNorm<Eigen::Infinity>();
    if (speed > noteworthy_acceleration || acceleration > noteworthy_acceleration) {
      summary.warnings.push_back(fmt::format(
          "these are modes of a motion, not of an equilibrium: velocities of {:.3g}, accelerations of {:.3g}; "
          "\"at\": \"equilibrium\" looks for one",
          speed, acceleration));
    }
    statics.modes = find_modes(statics.linear);
    statics.modes_taken = true;
  }
  return plant->observe_at(0, now.q, now.v);
}

}  // namespace trammel
