// Judgement of a run by its own numbers.
#include "run/last_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/constrained_model.h"
#include "model/rank_report.h"
#include "model/runaway.h"
#include "trammel/parameters.h"

namespace trammel {
namespace {

constexpr double most_doubtful = 0.01, least_doubtful = 1e-3;  // of the energy in play: drift that is told
constexpr double times_rtol = 1e5;
constexpr double energy_beyond_doubt = 1e3;  // times the energy that was in play: the run stops
constexpr long least_lost_steps = 4;         // a few steps that are far too long still end as they may, with a warning
constexpr double off_scale = 1e20;           // times the start's coordinates and speeds
constexpr double doubtful_share = 0.1;       // of the speeds: velocities off the constraints
constexpr double momentary_share = 0.1;      // of the drift that is told: what is left of a momentary one
constexpr double times_tolerance = 100;      // local errors of a run's steps add up

}  // namespace

void LastLook::start(Plant& plant, const Promise& promise) {
  promise_ = promise;
  const Observation& o = plant.observation();
  judges_ = promise.judges && plant.model() != nullptr;
  scale_ = std::max({1.0, o.q.size > 0 ? o.q.map().lpNorm<Eigen::Infinity>() : 0.0,
                     o.v.size > 0 ? o.v.map().lpNorm<Eigen::Infinity>() : 0.0});
  const double accuracy = promise.step > 0 ? 1e-6 : std::clamp(0.01 * promise.rtol, 1e-12, 1e-6);
  doubtful_ = promise.step > 0 ? most_doubtful : std::clamp(times_rtol * promise.rtol, least_doubtful, most_doubtful);
  energy.start(o, promise.works, accuracy);
  if (plant.model() != nullptr) delays.start(*plant.model()), delays.look(*plant.model(), o.t);
}

// Energy that errors of one unit of tolerance in every coordinate and velocity stand for: sum |Q_i| w_i + |(M v)_i|
// w_i'.
double LastLook::explained(Plant& plant) const {
  constexpr double least = 1e-10;  // rounding, where steps are fixed
  ConstrainedModel& model = *plant.model();
  const Observation& o = plant.observation();
  const double rtol = std::max(promise_.rtol, least), atol = std::max(promise_.atol, least);
  const Eigen::ArrayXd q = o.q.map().array().abs(), v = o.v.map().array().abs();
  const auto view = [](Eigen::VectorXd& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  Eigen::VectorXd p(o.v.size), one = (atol + rtol * v).matrix(), M_one(o.v.size);
  model.apply_mass(o.v, view(p));
  model.apply_mass(view(one), view(M_one));
  const double sum = (model.Q().map().array().abs() * (atol + rtol * q)).sum() + p.cwiseAbs().dot(one) +
                     0.5 * std::abs(one.dot(M_one));
  return std::isfinite(sum) ? sum : 0;
}

std::string LastLook::step(Plant& plant, double t) {
  const Observation& o = plant.observation(Look::glance);
  fixed_steps.step(o);
  tolerances.step(o);
  if (plant.model() == nullptr) return {};
  delays.look(*plant.model(), t);
  const double speed = o.v.map().norm();
  speed_ = std::max(speed_, speed);
  if (o.constraint_velocity > velocity_violation_) {
    velocity_violation_ = o.constraint_velocity, velocity_time_ = t;
    if (velocity_violation_ > doubtful_share * speed_) velocity_row_ = contradicted_row(plant);
  }
  if (!judges_) return {};
  const double exchanged = energy.exchanged(), off = energy.beyond_rounding(energy.now());
  if (off <= doubtful_ * exchanged || trusted_ == 0) trusted_ = std::max(trusted_, exchanged);
  if (off > doubtful_ * exchanged && lost_time_ < 0) lost_time_ = t;
  if (lost_time_ >= 0) ++lost_steps_;
  if (lost_steps_ > least_lost_steps && off > energy_beyond_doubt * trusted_ && energy.now() > 0) {
    explained_ = std::max(explained_, explained(plant));
    // Where nothing was in play before a push began, its own work is.
    const double in_play = std::max({trusted_, times_tolerance * explained_, energy.work.turnover});
    if (off > energy_beyond_doubt * in_play) {
      stopped_ = true;
      return fmt::format(
          "the energy has grown by {:.3g} J before t = {:.9g} that nothing put in ({:.3g} J were in play while the "
          "balance held, up to about t = {:.6g}); no element's work explains it: {}",
          off, t, trusted_, std::max(lost_time_, 0.0), remedy());
    }
  }
  const double largest = std::max(o.q.map().lpNorm<Eigen::Infinity>(), o.v.map().lpNorm<Eigen::Infinity>());
  if (largest > off_scale * scale_)
    return describe_runaway(*plant.model(), fmt::format(" before t = {:.9g}", t)) + ", or end the run earlier";
  return {};
}

void LastLook::row(Plant& plant, double t, double s, double h) {
  const Observation& o = plant.observation();
  if (plant.violation() > row_violation_) {
    row_violation_ = plant.violation(), row_time_ = t;
    if (row_violation_ > plant.constraint_limit()) row_name_ = plant.worst_constraint();
  }
  constexpr double at_end = 1 - 1e-9;  // there `step` has looked, and events may have acted since
  if (!judges_ || !o.has_energy || s > at_end) return;
  const double off = std::abs(energy.imbalance(o.energy, s, h));
  if (off > row_drift_) row_drift_ = off, row_drift_time_ = t;
}

std::string LastLook::remedy() const {
  return promise_.step > 0
             ? fmt::format(
                   "steps of {:g} s are too long for '{}' here, or the method is unstable for this model; try "
                   "a smaller step, or a method with \"rtol\" and \"atol\" (dopri5)",
                   promise_.step, promise_.method)
             : fmt::format(
                   "'{}' does not follow the motion at rtol {:g}, atol {:g}; try smaller tolerances, \"max_step\", or "
                   "another method or formulation",
                   promise_.method, promise_.rtol, promise_.atol);
}

std::string LastLook::about_energy(Plant& plant) const {
  const double exchanged = energy.exchanged();
  const double drift = std::max(energy.drift, row_drift_);
  const double off = energy.beyond_rounding(drift);
  if (off <= doubtful_ * exchanged) return {};
  if (off <= doubtful_ * exchanged + times_tolerance * std::max(explained_, explained(plant))) return {};
  // What fixed steps miss of a pulse while it acts is no error where the balance closes behind it, and other steps
  // agree.
  const bool momentary = energy.beyond_rounding(energy.now()) <= momentary_share * doubtful_ * exchanged;
  if (momentary && fixed_steps.finished() && fixed_steps.result().held()) return {};
  const bool in_rows = energy.beyond_rounding(energy.drift) <= doubtful_ * exchanged;
  return fmt::format(
      "the energy balance is off by up to {:.3g} J, {:.2g} % of the {:.3g} J in play, at t = {:.6g}{}: {}", drift,
      100 * off / exchanged, exchanged, in_rows ? row_drift_time_ : energy.drift_time,
      in_rows ? " (an output row inside a step)" : "", remedy());
}

std::string LastLook::about_rows(const Plant& plant) const {
  if (!(plant.constraint_limit() > 0) || !(row_violation_ > plant.constraint_limit())) return {};
  return fmt::format(
      "output rows lie up to {:.3g} off the constraints (at t = {:.6g}, most at '{}'), beyond the constraint limit {}, "
      "which holds at the steps' ends only; try a smaller \"max_step\" or tolerance, another method, or \"at\": "
      "\"steps\" in "
      "the output",
      row_violation_, row_time_, row_name_, plant.constraint_limit_text());
}

// The row that velocities miss most, if it was left out because others say the same: then these say something else by
// now, and no tolerance brings velocities onto all of them.
Index LastLook::contradicted_row(Plant& plant) {
  ConstrainedModel& model = *plant.model();
  if (model.rank().redundant() == 0) return -1;
  rows_.resize(static_cast<std::size_t>(model.constraints()));
  const VectorView missed{rows_.data(), model.constraints()};
  model.apply_jacobian(plant.observation().v, missed);
  Index worst = 0;
  for (Index r = 0; r < missed.size; ++r) {
    missed[r] = std::abs(missed[r] - model.nu()[r]) / model.unit().row(r);
    if (missed[r] > missed[worst]) worst = r;
  }
  return model.rank().is_redundant(worst) ? worst : -1;
}

std::string LastLook::about_velocities(Plant& plant) const {
  if (!judges_ || !(velocity_violation_ > doubtful_share * speed_)) return {};
  const double weight = promise_.step > 0 ? 1e-9 : times_tolerance * (promise_.atol + promise_.rtol * speed_);
  if (velocity_violation_ <= weight) return {};
  ConstrainedModel& model = *plant.model();
  if (velocity_row_ >= 0 && model.rank().is_redundant(velocity_row_)) {
    return fmt::format(
        "the constraints contradict each other: row '{}' repeats what {}, and disagrees with it by up to {:.3g} "
        "per second (at t = {:.6g}), where the largest speed is {:.3g}; velocities do not obey it: leave one of these "
        "elements some freedom, or let a driver follow the others",
        model.row_name(velocity_row_), explain_redundant_row(model, velocity_row_).demand, velocity_violation_,
        velocity_time_, speed_);
  }
  return fmt::format(
      "velocities leave the constraints by up to {:.3g} (at t = {:.6g}), where the largest speed is {:.3g}: {}",
      velocity_violation_, velocity_time_, speed_, remedy());
}

std::vector<std::string> LastLook::warnings(Plant& plant) const {
  std::vector<std::string> all;
  if (stopped_) return all;
  if (const std::string text = fixed_steps.warning(promise_.method); !text.empty()) all.push_back(text);
  if (const std::string text = tolerances.warning(promise_.method); !text.empty()) all.push_back(text);
  if (plant.model() == nullptr) return all;
  for (const std::string& text :
       {judges_ ? about_energy(plant) : std::string(), about_rows(plant), about_velocities(plant)}) {
    if (!text.empty()) all.push_back(text);
  }
  for (std::string& text : delays.warnings()) all.push_back(std::move(text));
  return all;
}

RunMaxima LastLook::maxima(Plant& plant) const {
  return {residuals, energy.drift, energy.exchanged(), plant.model() != nullptr ? energy.relative_drift() : left_out()};
}

void LastLook::remember(Archive& archive) {
  energy.remember(archive);
  delays.remember(archive);
  fixed_steps.remember(archive);
  tolerances.remember(archive);
  archive.values("last_look", trusted_, lost_time_, lost_steps_, speed_, row_violation_, row_time_, row_drift_,
                 row_drift_time_, velocity_violation_, velocity_time_, velocity_row_, explained_);
  std::vector<std::string> name{row_name_};
  archive.list("last_look", name);
  row_name_ = name.empty() ? "" : name.front();
}

}  // namespace trammel
