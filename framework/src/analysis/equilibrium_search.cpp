// Searches for static equilibria: least potential energy, Newton's method, settling.
#include "analysis/equilibrium_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "config/problems.h"
#include "model/equilibrium.h"
#include "model/equilibrium_newton.h"
#include "model/internal_rest.h"
#include "model/minimize.h"
#include "model/settling_force.h"
#include "model/static_energy.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// 1/s^2, in the model's unit of length; in models that are slower than a second this share of what acts.
constexpr double settled_acceleration = 1e-6, balanced_acceleration = 1e-9;
constexpr double longest_settling = 1000;  // s, unless `duration` says otherwise
constexpr Index most_iterations = 3000;
constexpr double ill_conditioned = 1e10;
// m, rad, m/s or rad/s, or shares of the largest coordinate: nothing settles from there
constexpr double far_away = 1e6;
constexpr long chattering = 100;    // events in a row that leave no way between them
constexpr double first_way = 1e-2;  // of the model's unit, or rad: away from an unstable equilibrium

[[noreturn]] void refuse(const RunFile& run, const char* key, const std::string& text) {
  const Node& analysis = *run.document->find("analysis");
  const Node* node = analysis.find(key);
  throw Error(ErrorKind::input, message_at(node != nullptr ? node->place : analysis.place,
                                           node != nullptr ? fmt::format("/analysis/{}", key) : "/analysis", text));
}

}  // namespace

std::optional<EngineParts> EquilibriumSearch::begin(const AnalysisParts& parts, ConstVectorView q) {
  parts_.emplace(parts);
  const RunFile& run = parts.run;
  start_.assign(q.data, q.data + q.size);
  if (!seeks()) return std::nullopt;
  if (method_ == EquilibriumMethod::minimum_potential) {
    const std::vector<std::string> bad = nonconservative_forces(numbers(), 0, q);
    if (!bad.empty()) {
      refuse(
          run, "method",
          fmt::format("minimum_potential needs forces that follow from a potential, which {} {} not; use \"method\": "
                      "\"settling\"",
                      fmt::join(bad, ", "), bad.size() == 1 ? "does" : "do"));
    }
    if (run.analysis.optimizer == Optimizer::lbfgs && !have_nlopt()) {
      refuse(run, "optimizer", "this build of Trammel has no NLopt, whose method 'lbfgs' is; use 'dfp'");
    }
  }
  const Status held = hold_drivers(numbers().point(), 0, q);
  if (!held)
    throw Error(ErrorKind::compute, fmt::format("drivers at the start: {} {}", held.what, status_name(held.code)));
  if (q.size > 0) {
    constexpr double beyond_rounding = 1e3;
    rounding_ = rest_rounding(numbers(), 0, q);
    const double acting = acting_acceleration(numbers(), 0, q);
    slowness_ = acting > beyond_rounding * rounding_ ? std::min(1.0, acting) : 1;
  }
  if (!settles()) return std::nullopt;
  ModelPoint& point = numbers().point();
  point.stop_clock(0);
  if (run.analysis.damping > 0) point.act(std::make_unique<SettlingForce>(point.assembly(), run.analysis.damping));
  return EngineParts{
      .plant = parts.plant,
      .integrator = *parts.integrator,
      .integrator_type = run.integrator.type,
      .integrator_plugin = parts.integrator_plugin,
      .control = parts.control,
      .duration = given(run.analysis.duration) ? run.analysis.duration : longest_settling,
      .times = {},
      .run_events = nullptr,
  };
}

bool EquilibriumSearch::advance(Engine* engine, const SearchProgress& progress, StaticReport& report,
                                SearchOutcome& outcome) {
  if (settles()) return settle(*engine, report, outcome);
  if (seeks()) balance(start_, progress, report, outcome);
  return true;
}

// What the run file says holds for metres and for radians.
double EquilibriumSearch::rest_tolerance(double of_second) const {
  const double own = parts_->run.analysis.acceleration_tolerance;
  if (given(own)) return own / std::max(1.0, numbers().unit().length());
  return std::max(of_second * slowness_, std::min(of_second, rounding_));
}

bool EquilibriumSearch::at_rest(double acceleration, double of_second, double t, ConstVectorView q) const {
  if (acceleration <= rest_tolerance(of_second)) return true;
  return acceleration <= of_second && acceleration <= rest_rounding(numbers(), t, q);
}

bool EquilibriumSearch::settle(Engine& engine, StaticReport& report, SearchOutcome& outcome) {
  const AnalysisOptions& options = parts_->run.analysis;
  const bool advanced = engine.advance();
  const Observation& now = parts_->plant.observation();
  const double speed = now.v.map().lpNorm<Eigen::Infinity>();
  const Eigen::Map<const Eigen::VectorXd> start(start_.data(), now.q.size);
  report.method = fmt::format("settling (damping {:g} 1/s)", options.damping);
  report.search.iterations = static_cast<Index>(engine.statistics().steps);
  report.evaluations = engine.statistics().evaluations;
  report.settling_time = engine.t();
  report.search.moved = (now.q.map() - start).lpNorm<Eigen::Infinity>();
  if (advanced && speed <= options.velocity_tolerance && rest_of(engine) == Rest::complete) {
    report.equilibrium_found = true;
    parts_->remarks.warn(
        "if the model has several equilibria, the one that settling finds depends on the state it starts from");
    return true;
  }
  const bool stuck = advanced && chatters(engine, speed);
  const double far = far_away * std::max(1.0, start.lpNorm<Eigen::Infinity>());
  const bool runs_away = report.search.moved > far || speed > far;
  if (advanced && !runs_away && !stuck) return false;
  outcome.failed = true;
  outcome.by_plugin = engine.failure().by_plugin;
  outcome.message =
      fmt::format("no equilibrium was found: {}after settling for {:g} s, which moved coordinates by up to {:.3g}, {}",
                  engine.failure().happened ? engine.failure().message + "; " : std::string(), engine.t(),
                  report.search.moved, what_settling_left(engine, speed, runs_away));
  if (stuck) {
    outcome.message += fmt::format(
        "; chattering: the state did not advance between the last {} events, because a law that switches lets it "
        "neither rest nor pass; smooth the law, or use another method",
        chattering);
  }
  return true;
}

// Accelerations of the motion do not tell: where friction makes it stiff, they are noise of explicit integrators.
bool EquilibriumSearch::bodies_rest(double t, ConstVectorView q, ConstVectorView z) const {
  const double own = parts_->run.analysis.acceleration_tolerance;
  RestAcceleration left;
  if (!acceleration_at_rest(numbers(), t, q, z, left)) return false;
  return given(own) ? left.largest <= own : at_rest(left.in_unit, settled_acceleration, t, q);
}

EquilibriumSearch::Rest EquilibriumSearch::rest_of(const Engine& engine) {
  const Observation& now = parts_->plant.observation();
  const bool rest = bodies_rest(engine.t(), now.q, now.z);
  if (now.z.size == 0) return rest ? Rest::complete : Rest::none;
  z_.assign(now.z.data, now.z.data + now.z.size);
  const VectorView z{z_.data(), now.z.size};
  if (rest_internal_states(numbers(), engine.t(), now.q, engine.errors().allowed(0), z) &&
      bodies_rest(engine.t(), now.q, z))
    return Rest::complete;
  z_.clear();
  return rest ? Rest::of_bodies : Rest::none;
}

// The way between two events is at most what the speed makes of their distance. Where a force jumps at the place that it
// drives to, damping makes that way ever shorter and the events ever more, while the force stays.
bool EquilibriumSearch::chatters(const Engine& engine, double speed) {
  const long restarts = engine.statistics().restarts;
  if (restarts == restarts_) return false;
  const double shortest = std::max(10 * engine.errors().allowed(0), 1e-7 * numbers().unit().length());
  const bool is_short = speed * (engine.t() - last_event_) <= shortest;
  short_ways_ = is_short ? short_ways_ + 1 : 0;
  restarts_ = restarts, last_event_ = engine.t();
  return short_ways_ >= chattering;
}

std::string EquilibriumSearch::what_settling_left(const Engine& engine, double speed, bool runs_away) {
  constexpr double share = 0.1;
  const Observation& now = parts_->plant.observation();
  const double acceleration = now.a.map().lpNorm<Eigen::Infinity>();
  RestAcceleration at_rest;
  const double left =
      acceleration_at_rest(numbers(), engine.t(), now.q, now.z, at_rest) ? at_rest.largest : acceleration;
  std::string text = fmt::format("velocities of {:.3g} and accelerations at rest of {:.3g} are left", speed, left);
  if (engine.failure().happened) return text;
  if (speed <= parts_->run.analysis.velocity_tolerance && rest_of(engine) == Rest::of_bodies)
    return text + ", while internal states of forces still move: a longer \"duration\" may help";
  if (runs_away) return text + ": the state runs away";
  if (short_ways_ >= chattering) return text;
  // An explicit method keeps a stiff model moving by its tolerances, and stiff forces make accelerations of that.
  constexpr double some = 100;
  const double atol = engine.errors().allowed(0), rest = rest_tolerance(settled_acceleration);
  if (left > rest && left <= some * acceleration_by_moves(numbers(), engine.t(), now.q, atol)) {
    return text +
           fmt::format(
               ": the stiff forces of this model cause accelerations of this size while positions are exact only to "
               "the integrator's \"atol\" {:g}; try \"atol\": {:.0e}",
               atol, std::max(1e-14, atol * std::min(0.1, rest / left)));
  }
  if (slowness_ < 1) {
    text += fmt::format(
        "; the forces accelerate this model by only {:.2g} 1/s^2 relative to its size, so that it settles slowly: "
        "method 'newton' or 'minimum_potential', smaller \"atol\" and \"velocity_tolerance\"",
        slowness_);
  }
  // Forces that would accelerate a body at rest are balanced by what its velocity brings about.
  const std::vector<std::string> friction = dry_friction_forces(numbers());
  const bool creeps = std::max(acceleration, parts_->run.analysis.damping * speed) <= share * left;
  if (!creeps || friction.empty())
    return text + (slowness_ < 1 ? ", " : "; ") + "more \"damping\" or a longer \"duration\" may help";
  return text +
         fmt::format(
             ": creep in the smoothed dry friction of {}, which cannot hold the model at rest; remove the friction, or "
             "accept this state with \"velocity_tolerance\" and \"acceleration_tolerance\" above these values",
             fmt::join(friction, ", "));
}

// A start where accelerations vanish ends the search at once, a maximum of the potential energy, too.
bool EquilibriumSearch::leave_unstable(const SearchProgress& progress, StaticReport& report, SearchOutcome& outcome) {
  const bool unstable = report.stability_known && report.stability.from_stiffness && report.stability.unstable > 0;
  if (!unstable || !outcome.completed() || method_ != EquilibriumMethod::minimum_potential) return false;
  const Eigen::VectorXd way = softest_shape(report.linear);
  std::vector<double> from = q_;
  const VectorView q{from.data(), static_cast<Index>(from.size())};
  const ConstVectorView direction{way.data(), static_cast<Index>(way.size())};
  q.map() += (first_way / numbers().unit().largest_coordinate(direction)) * way;
  ProjectionReport projected;
  if (!numbers().project_positions(0, q, ProjectionWeights::identity, 1e-13, projected)) return false;
  report.stability_known = false;
  balance(from, progress, report, outcome);
  report.search.moved =
      (Eigen::Map<const Eigen::VectorXd>(q_.data(), q.size) - Eigen::Map<const Eigen::VectorXd>(start_.data(), q.size))
          .lpNorm<Eigen::Infinity>();
  return true;
}

void EquilibriumSearch::balance(const std::vector<double>& start, const SearchProgress& progress, StaticReport& report,
                                SearchOutcome& outcome) {
  q_ = start;
  const VectorView q{q_.data(), static_cast<Index>(q_.size())};
  const double tolerance = rest_tolerance(balanced_acceleration);
  const SearchProgress report_progress = [&](Index iterations, double left) {
    if (goes_on(progress, iterations, left)) return true;
    outcome.interrupted = true;
    return false;
  };
  Status found;
  switch (*method_) {
    case EquilibriumMethod::minimum_potential: found = minimize(q, tolerance, report_progress, report); break;
    case EquilibriumMethod::newton:
      report.method = "newton";
      found = newton_equilibrium(numbers(), 0, q, tolerance, report.search, report_progress);
      break;
    default:
      report.method = "continuation";
      found = find_equilibrium(numbers(), 0, q, report.search, report_progress);
      break;
  }
  report.equilibrium_found = found.ok();
  if (method_ == EquilibriumMethod::newton) {
    parts_->remarks.warn(
        fmt::format("Newton's method on the equations of equilibrium finds stable and unstable states alike; "
                    "{}",
                    report.search.condition > 0
                        ? fmt::format("the condition of its matrix was up to {:.2g}{}", report.search.condition,
                                      report.search.condition > ill_conditioned ? ", which leaves few digits" : "")
                        : std::string("its matrix is singular: there are motions without stiffness")));
  }
  if (found) return;
  if (outcome.interrupted) {
    outcome.message = fmt::format("interrupted after {} iterations", report.search.iterations);
    return;
  }
  outcome.failed = true;
  outcome.message = fmt::format(
      "no equilibrium was found: {} {}; after {} iterations, which moved coordinates by up to {:.3g}, the largest "
      "acceleration at rest is still {:.3g} m/s^2 or rad/s^2; method 'settling' or another start may get there",
      found.what, status_name(found.code), report.search.iterations, report.search.moved, report.search.acceleration);
}

Status EquilibriumSearch::minimize(VectorView q, double tolerance, const SearchProgress& progress,
                                   StaticReport& report) {
  const bool own = parts_->run.analysis.optimizer == Optimizer::dfp;
  report.method = own ? "minimum_potential (dfp)" : "minimum_potential (lbfgs)";
  StaticEnergy energy(numbers(), 0, q);
  MinimizeReport minimized;
  const MinimizeOptions options{tolerance, most_iterations, progress};
  Status found = own ? minimize_dfp(energy, options, minimized) : minimize_nlopt(energy, options, minimized);
  const ConstVectorView reached = energy.q();
  for (Index i = 0; i < q.size; ++i) report.search.moved = std::max(report.search.moved, std::abs(reached[i] - q[i]));
  q.map() = reached.map();
  report.search.iterations = minimized.iterations;
  report.evaluations = minimized.evaluations;
  report.potential = energy.energy();
  report.potential_known = std::isfinite(energy.energy());
  RestAcceleration left;
  const Status measured = acceleration_at_rest(numbers(), 0, q, parts_->plant.observation().z, left);
  report.search.acceleration = left.largest;
  if (found.code == StatusCode::not_converged && measured && left.in_unit <= rest_rounding(numbers(), 0, q))
    found = measured;
  return found ? measured : found;
}

// By minimum potential energy and continuation they are what the plant has.
ConstVectorView EquilibriumSearch::internal_states() const {
  const std::vector<double>& found = method_ == EquilibriumMethod::newton ? numbers().point().z() : z_;
  return found.empty() ? parts_->plant.observation().z
                       : ConstVectorView{found.data(), static_cast<Index>(found.size())};
}

}  // namespace trammel
