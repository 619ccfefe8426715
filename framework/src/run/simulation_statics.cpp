// Equilibrium and modes: one state, found when the run goes on for the first time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/contacts.h"
#include "model/equilibrium_newton.h"
#include "model/minimize.h"
#include "run/simulation_state.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// 1/s^2, in the model's unit of length; in models that are slower than a second this share of what acts.
constexpr double settled_acceleration = 1e-6, balanced_acceleration = 1e-9;
constexpr double longest_settling = 1000;  // s, unless `duration` says otherwise
constexpr Index most_iterations = 3000;
constexpr double noteworthy_acceleration = 1e-6;  // of a state whose modes are taken
constexpr double ill_conditioned = 1e10;
constexpr Index largest_dense_model = 4000;
constexpr double far_away =
    1e6;  // m, rad, m/s or rad/s, or shares of the largest coordinate: nothing settles from there
constexpr int most_descents = 4;    // from unstable equilibria
constexpr double first_way = 1e-2;  // of the model's unit, or rad: away from one

/// Whether Euler parameters, the last four coordinates of spatial bodies, change.
bool spatial_bodies_turn(const Assembly& assembly, ConstVectorView v) {
  constexpr Index translations = 3;
  const Index c = assembly.body_coordinates();
  bool turn = false;
  for (Index i = 0; assembly.intrinsic_rows() > 0 && i < v.size; ++i) {
    turn = turn || (i % c >= translations && std::abs(v[i]) > noteworthy_acceleration);
  }
  return turn;
}

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
  refuse_rigid_stops();
  const bool with_internal = method == EquilibriumMethod::settling || method == EquilibriumMethod::newton;
  if (seeks_equilibrium() && !with_internal)
    refuse_internal_states("this search for an equilibrium does not know; use \"method\": \"settling\" or \"newton\"");
  static_start.assign(plant->observation().q.data, plant->observation().q.data + plant->observation().q.size);
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
  if (seeks_equilibrium()) {
    const Status held = numbers.hold_drivers(0, plant->observation().q);
    if (!held)
      throw Error(ErrorKind::compute, fmt::format("drivers at the start: {} {}", held.what, status_name(held.code)));
  }
  const Observation& start = plant->observation();
  if (seeks_equilibrium() && start.q.size > 0) {
    constexpr double beyond_rounding = 1e3;
    static_rounding = rest_rounding(numbers, 0, start.q);
    const double acting = acting_acceleration(numbers, 0, start.q);
    slowness = acting > beyond_rounding * static_rounding ? std::min(1.0, acting) : 1;
  }
  if (method == EquilibriumMethod::settling) {
    numbers.settle_with(run.analysis.damping, 0);
    if (!given(run.analysis.duration)) run.analysis.duration = longest_settling;
    start_dynamics();
  }
}

// Equilibria would lie beyond them, and hops that never end keep a system from settling.
void Simulation::State::refuse_rigid_stops() const {
  constexpr double touching = 1e-9;  // m; modes about a state away from a stop do not feel it
  ConstrainedModel& numbers = *plant->model();
  const Contacts stops(numbers.assembly());
  if (stops.count() == 0) return;
  const Observation& o = plant->observation();
  std::vector<double> gaps(static_cast<std::size_t>(stops.count()), 0.0);
  Status status = numbers.evaluate(0, o.q, o.v, o.z, evaluate_Phi);
  if (status) status = stops.gaps(numbers, {gaps.data(), stops.count()});
  const AnalysisType type = run.analysis.type;
  const char* what = type == AnalysisType::equilibrium ? "a search for an equilibrium"
                     : type == AnalysisType::modes     ? seeks_equilibrium() ? "a search for an equilibrium" : "modes"
                                                       : "a motion that drivers determine";
  for (Index i = 0; i < stops.count(); ++i) {
    const ConstraintSlot& slot = stops.slot(i);
    if (type == AnalysisType::modes && !seeks_equilibrium() && status && gaps[static_cast<std::size_t>(i)] > touching)
      continue;
    for (const Section& section : run.constraints) {
      if (section.name != slot.name) continue;
      throw Error(
          ErrorKind::input,
          message_at(section.place, section.path,
                     fmt::format("'{}' (type '{}') is a rigid stop, which acts on the velocities of dynamics only "
                                 "and not on {}; use the compliant force 'stop' in its place",
                                 slot.name, slot.type, what)));
    }
  }
}

bool Simulation::State::advance_statics() {
  if (statics_done) return false;
  const Stopwatch solving;
  if (equilibrium_method() == EquilibriumMethod::settling) {
    if (!settle()) return summary.timing.solve_s += solving.seconds(), true;
  } else if (seeks_equilibrium()) {
    balance(static_start);
  }
  statics_done = true;
  Status observed = take_static_state();
  if (observed && status == RunStatus::completed) observed = examine();
  for (int times = 0; times < most_descents && observed && leave_unstable(); ++times) {
    observed = take_static_state();
    if (observed && status == RunStatus::completed) observed = examine();
  }
  if (statics.stability_known && statics.stability.unstable > 0 && status == RunStatus::completed) {
    summary.warnings.push_back(fmt::format("the equilibrium is unstable in {} {}", statics.stability.unstable,
                                           statics.stability.unstable == 1 ? "direction" : "directions"));
  }
  if (!observed && status == RunStatus::completed) {
    status = RunStatus::failed;
    message = fmt::format("the state found cannot be evaluated: {} {}", observed.what, status_name(observed.code));
  }
  summary.timing.solve_s += solving.seconds();
  columns->row(sample(0), {values.data(), static_cast<Index>(values.size())});
  record();
  for (const std::unique_ptr<Watch>& watch : watches) {
    const Sample found = sample(0);
    watch->tell(ChannelObserver::At::start, 0, found);
    for (; const double* time = watch->next_time(0); watch->skip_time())
      watch->tell(ChannelObserver::At::time, *time, found);
  }
  if (statics.modes_taken && !folder.empty()) statics.write_modes(*plant->model(), folder, run.analysis.matrices);
  return false;
}

/// Of accelerations at rest in the model's unit, 1/s^2; what the run file says holds for metres and for radians.
double Simulation::State::rest_tolerance(double of_second) const {
  const double own = run.analysis.acceleration_tolerance;
  if (given(own)) return own / std::max(1.0, plant->model()->unit().length());
  return std::max(of_second * slowness, std::min(of_second, static_rounding));
}

bool Simulation::State::at_rest(double acceleration, double of_second, ConstVectorView q) const {
  if (acceleration <= rest_tolerance(of_second)) return true;
  return acceleration <= of_second && acceleration <= rest_rounding(*plant->model(), engine->t(), q);
}

// True: it is over, at rest or not.
bool Simulation::State::settle() {
  const bool advanced = engine->advance();
  const Observation& now = plant->observation();
  const double speed = now.v.map().lpNorm<Eigen::Infinity>();
  const Eigen::Map<const Eigen::VectorXd> start(static_start.data(), now.q.size);
  statics.method = fmt::format("settling (damping {:g} 1/s)", run.analysis.damping);
  statics.search.iterations = static_cast<Index>(engine->statistics().steps);
  statics.evaluations = engine->statistics().evaluations;
  statics.settling_time = engine->t();
  statics.search.moved = (now.q.map() - start).lpNorm<Eigen::Infinity>();
  // Accelerations of the motion do not tell: where friction makes it stiff, they are noise of explicit integrators.
  double left = 0, in_unit = 0;
  const bool slow = advanced && speed <= run.analysis.velocity_tolerance;
  if (slow && acceleration_at_rest(*plant->model(), engine->t(), now.q, left, &in_unit).ok() &&
      (given(run.analysis.acceleration_tolerance) ? left <= run.analysis.acceleration_tolerance
                                                  : at_rest(in_unit, settled_acceleration, now.q))) {
    statics.equilibrium_found = true;
    summary.warnings.emplace_back(
        "the equilibrium found by settling depends on the state it starts from, where there are several");
    return true;
  }
  const double far = far_away * std::max(1.0, start.lpNorm<Eigen::Infinity>());
  const bool runs_away = statics.search.moved > far || speed > far;
  if (advanced && !runs_away) return false;
  status = RunStatus::failed;
  by_plugin = engine->failure().by_plugin;
  const bool failed = engine->failure().happened;
  message =
      fmt::format("no equilibrium was found: {}after settling for {:g} s, which moved coordinates by up to {:.3g}, {}",
                  failed ? engine->failure().message + "; " : std::string(), engine->t(), statics.search.moved,
                  what_settling_left(speed, now.a.map().lpNorm<Eigen::Infinity>(), failed, runs_away));
  return true;
}

std::string Simulation::State::what_settling_left(double speed, double acceleration, bool failed, bool runs_away) {
  constexpr double share = 0.1;
  double left = 0;
  if (!acceleration_at_rest(*plant->model(), engine->t(), plant->observation().q, left).ok()) left = acceleration;
  std::string text = fmt::format("velocities of {:.3g} and accelerations at rest of {:.3g} are left", speed, left);
  if (failed) return text;
  if (runs_away) return text + ": the state runs away";
  if (slowness < 1) {
    text += fmt::format(
        "; what acts gives this model accelerations of {:.2g} 1/s^2 of its size, so that it settles slowly: method "
        "'newton' or 'minimum_potential', smaller \"atol\" and \"velocity_tolerance\"",
        slowness);
  }
  // Forces that would accelerate a body at rest are balanced by what its velocity brings about.
  const std::vector<std::string> friction = dry_friction_forces(*plant->model());
  const bool creeps = std::max(acceleration, run.analysis.damping * speed) <= share * left;
  if (!creeps || friction.empty())
    return text + (slowness < 1 ? ", " : "; ") + "more \"damping\" or a longer \"duration\" may help";
  return text +
         fmt::format(
             ": creep in the smoothed dry friction of {}, which holds nothing at rest; without friction it settles, "
             "and \"velocity_tolerance\" and \"acceleration_tolerance\" above these take the state as it is",
             fmt::join(friction, ", "));
}

// A start where accelerations vanish ends the search at once, a maximum of the potential energy, too.
bool Simulation::State::leave_unstable() {
  const bool unstable = statics.stability_known && statics.stability.from_stiffness && statics.stability.unstable > 0;
  if (!unstable || status != RunStatus::completed || equilibrium_method() != EquilibriumMethod::minimum_potential)
    return false;
  const Eigen::VectorXd way = softest_shape(statics.linear);
  std::vector<double> from = static_q;
  const VectorView q{from.data(), static_cast<Index>(from.size())};
  const ConstVectorView direction{way.data(), static_cast<Index>(way.size())};
  q.map() += (first_way / plant->model()->unit().largest_coordinate(direction)) * way;
  ProjectionReport projected;
  if (!plant->model()->project_positions(0, q, ProjectionWeights::identity, 1e-13, projected)) return false;
  statics.stability_known = false;
  balance(from);
  statics.search.moved = (Eigen::Map<const Eigen::VectorXd>(static_q.data(), q.size) -
                          Eigen::Map<const Eigen::VectorXd>(static_start.data(), q.size))
                             .lpNorm<Eigen::Infinity>();
  return true;
}

void Simulation::State::balance(const std::vector<double>& start) {
  ConstrainedModel& numbers = *plant->model();
  static_q = start;
  const VectorView q{static_q.data(), static_cast<Index>(static_q.size())};
  const double tolerance = rest_tolerance(balanced_acceleration);
  const SearchProgress progress = [this](Index iterations, double left) {
    if (observer == nullptr || observer->step(0, 0, left, static_cast<long>(iterations))) return true;
    status = RunStatus::interrupted;
    return false;
  };
  Status found;
  switch (equilibrium_method()) {
    case EquilibriumMethod::minimum_potential: found = minimize(q, tolerance, progress); break;
    case EquilibriumMethod::newton:
      statics.method = "newton";
      found = newton_equilibrium(numbers, 0, q, tolerance, statics.search, progress);
      break;
    default:
      statics.method = "continuation";
      found = find_equilibrium(numbers, 0, q, statics.search, progress);
      break;
  }
  statics.equilibrium_found = found.ok();
  if (equilibrium_method() == EquilibriumMethod::newton) {
    summary.warnings.push_back(
        fmt::format("Newton's method on the equations of equilibrium finds stable and unstable states alike; "
                    "{}",
                    statics.search.condition > 0
                        ? fmt::format("the condition of its matrix was up to {:.2g}{}", statics.search.condition,
                                      statics.search.condition > ill_conditioned ? ", which leaves few digits" : "")
                        : std::string("its matrix is singular: there are motions without stiffness")));
  }
  if (found) return;
  if (status == RunStatus::interrupted) {
    message = fmt::format("interrupted after {} iterations", statics.search.iterations);
    return;
  }
  status = RunStatus::failed;
  message = fmt::format(
      "no equilibrium was found: {} {}; after {} iterations, which moved coordinates by up to {:.3g}, the largest "
      "acceleration at rest is still {:.3g} m/s^2 or rad/s^2{}",
      found.what, status_name(found.code), statics.search.iterations, statics.search.moved, statics.search.acceleration,
      equilibrium_method() == EquilibriumMethod::settling ? "" : "; method 'settling' or another start may get there");
}

Status Simulation::State::minimize(VectorView q, double tolerance, const SearchProgress& progress) {
  const bool own = run.analysis.optimizer == Optimizer::dfp;
  statics.method = own ? "minimum_potential (dfp)" : "minimum_potential (lbfgs)";
  StaticEnergy energy(*plant->model(), 0, q);
  MinimizeReport report;
  const MinimizeOptions options{tolerance, most_iterations, progress};
  Status found = own ? minimize_dfp(energy, options, report) : minimize_nlopt(energy, options, report);
  const ConstVectorView reached = energy.q();
  for (Index i = 0; i < q.size; ++i) statics.search.moved = std::max(statics.search.moved, std::abs(reached[i] - q[i]));
  q.map() = reached.map();
  statics.search.iterations = report.iterations;
  statics.evaluations = report.evaluations;
  statics.potential = energy.energy();
  statics.potential_known = std::isfinite(energy.energy());
  double left = 0;
  const Status measured = acceleration_at_rest(*plant->model(), 0, q, statics.search.acceleration, &left);
  if (found.code == StatusCode::not_converged && measured && left <= rest_rounding(*plant->model(), 0, q))
    found = measured;
  return found ? measured : found;
}

// Newton's method finds internal states too; by the other ways they are what the plant has.
ConstVectorView Simulation::State::static_z() const {
  const std::vector<double>& found = plant->model()->point_z();
  return equilibrium_method() == EquilibriumMethod::newton
             ? ConstVectorView{found.data(), static_cast<Index>(found.size())}
             : plant->observation().z;
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
  const Status observed = plant->observe_at(0, {static_q.data(), n}, {v.data(), n}, static_z());
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
  }
  if (taken && modes) {
    const double speed = now.v.map().lpNorm<Eigen::Infinity>(), acceleration = now.a.map().lpNorm<Eigen::Infinity>();
    const double rate = numbers.z_rate().size > 0 ? numbers.z_rate().map().lpNorm<Eigen::Infinity>() : 0;
    if (std::max({speed, acceleration, rate}) > noteworthy_acceleration) {
      summary.warnings.push_back(fmt::format(
          "these are modes of a motion, not of an equilibrium: velocities of {:.3g}, accelerations of {:.3g}{}; "
          "\"at\": \"equilibrium\" looks for one",
          speed, acceleration,
          rate > noteworthy_acceleration ? fmt::format(", rates of internal states of {:.3g}", rate) : ""));
    }
    if (spatial_bodies_turn(numbers.assembly(), now.v)) {
      summary.warnings.emplace_back(
          "modes of a motion of spatial bodies refer to Euler parameters as coordinates: frequencies of a spinning "
          "body are "
          "those seen from coordinates that turn with half its spin, neither those in space nor those of a frame that "
          "turns "
          "with it");
    }
    statics.modes = find_modes(statics.linear);
    statics.modes_taken = true;
  }
  return plant->observe_at(0, now.q, now.v, now.z);
}

}  // namespace trammel
