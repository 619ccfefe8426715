// What the functions of time of a run do, searched before it begins.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "run/event_of_time.h"
#include "run/simulation_state.h"
#include "run/stepping/force_of_time.h"
#include "run/stepping/laws_of_time.h"
#include "run/time_scan.h"

namespace trammel {
namespace {

// Samples of all functions together: so many functions are searched down to 1e-5 of the run, more of them less
// narrowly.
constexpr long samples_of_all = 524288, most_row_samples = 131072, least_row_samples = 8192;
// A driver may not turn so far unseen, rad, that the branch of an angle could be mistaken.
constexpr double largest_turn = 1.5707963267948966;

long samples_of_each(std::size_t functions) {
  long samples = most_row_samples;
  while (samples > least_row_samples && samples * static_cast<long>(functions) > samples_of_all) samples /= 2;
  return samples;
}

/// Where a function or its slope jumps, beyond the rounding of the largest of its values.
class Jumps {
 public:
  Jumps(const Function& f, double from, double to) : f_(f) {
    constexpr int samples = 64;
    for (int i = 0; i <= samples; ++i) {
      double value[4] = {0, 0, 0, 0};
      if (!f_.evaluate(from + (to - from) * i / samples, 1, value)) continue;
      size_ = std::max(size_, std::abs(value[0])), slope_ = std::max(slope_, std::abs(value[1]));
    }
  }
  bool at(double t) const {
    constexpr double rounding = 1e-9;
    double before[4] = {0, 0, 0, 0}, behind[4] = {0, 0, 0, 0};
    const double left = t - 4 * 2.2e-16 * std::max(1.0, std::abs(t));
    if (!f_.evaluate(left, 1, before) || !f_.evaluate(t, 1, behind)) return true;
    const double size = std::max({size_, std::abs(before[0]), std::abs(behind[0])});
    const double slope = std::max({slope_, std::abs(before[1]), std::abs(behind[1])});
    return std::abs(before[0] - behind[0]) > rounding * size || std::abs(before[1] - behind[1]) > rounding * slope;
  }

 private:
  const Function& f_;
  double size_ = 0, slope_ = 0;
};

/// A motion at constant rate: fixed steps see all of it, however far it goes in one of them.
bool is_linear(const Function& f, double from, double to) {
  constexpr int samples = 256;
  constexpr double rounding = 1e-12;
  if (f.max_order() < 2) return false;
  for (int i = 0; i <= samples; ++i) {
    double value[4] = {0, 0, 0, 0};
    if (!f.evaluate(from + (to - from) * i / samples, 2, value)) return false;
    if (std::abs(value[2]) * (to - from) > rounding * std::abs(value[1])) return false;
  }
  return true;
}

/// Inputs multiply what other functions do: zero would hide it.
class InputsActing {
 public:
  explicit InputsActing(Model& model) : model_(model) {
    for (std::size_t i = 0; i < model_.inputs().size(); ++i) {
      values_.push_back(model_.inputs()[i].value);
      if (values_.back() == 0) model_.set_input(i, 1);
    }
  }
  ~InputsActing() {
    for (std::size_t i = 0; i < values_.size(); ++i) model_.set_input(i, values_[i]);
  }
  InputsActing(const InputsActing&) = delete;
  InputsActing& operator=(const InputsActing&) = delete;

 private:
  Model& model_;
  std::vector<double> values_;
};

/// Whether the driver "constraints/NAME/..." may turn bodies: lengths have no branches that could be mistaken.
bool turns(const Model& model, std::string_view path) {
  const std::string_view name = path.substr(12, path.find('/', 12) - 12);
  const std::vector<ConstraintSlot>& constraints = model.assembly()->constraints;
  const auto driver = std::find_if(constraints.begin(), constraints.end(),
                                   [&](const ConstraintSlot& slot) { return slot.name == name; });
  return driver == constraints.end() || !drives_length(*driver);
}

/// Forces whose formulas contain t, and those of code alone that change with time.
std::vector<ForceOfTime> forces_of_time(const Model& model, double duration) {
  constexpr std::size_t looks_of_all = 16384, most_looks = 512, least_looks = 32;
  std::vector<ForceOfTime> found;
  const std::size_t count = model.assembly() != nullptr ? model.assembly()->forces.size() : 0;
  const std::size_t looks = std::clamp(looks_of_all / std::max<std::size_t>(count, 1), least_looks, most_looks);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      const bool formula = ForceOfTime::formula_of_time(model, i);
      if (!formula && !ForceOfTime::code_alone(model, i)) continue;
      ForceOfTime force(model, i);
      if (formula || force.changes(0, duration, static_cast<long>(looks))) found.push_back(std::move(force));
    } catch (...) {
      continue;  // what throws does so in the run as well
    }
  }
  return found;
}

/// What is narrow in a force is in its laws, if it tells them (StateLaws): the whole of it, whose geometry takes most of
/// the time, is looked at seldom then.
void search_by_laws(const ForceOfTime& force, TimeScanOptions options, TimeProfile& profile) {
  constexpr long seldom = 32;
  const std::unique_ptr<LawsOfTime> laws = LawsOfTime::of(force);
  if (laws == nullptr) return scan_function_of_time(force, options, profile);
  TimeProfile narrow, wide;
  scan_function_of_time(*laws, options, narrow);
  options.samples /= seldom;
  scan_function_of_time(force, options, wide);
  narrow.add(wide.parts(), wide.break_points(), 0);
  profile.add(narrow.parts(), narrow.break_points(), narrow.width());
}

/// Of the exception being handled, with the plugin that threw it.
std::string text_of_exception() {
  try {
    blame_marked();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is not a std::exception was thrown";
  }
}

}  // namespace

StepPlan::Times Simulation::State::search_times(std::size_t function, double from) {
  StepPlan::Times times;
  const std::vector<const NamedFunction*>& functions = model->functions_of_time();
  if (!analysis->over_time()) return times;
  const InputsActing acting(*model);
  const bool all = function == 0 && from == 0 && analysis->integrates();
  const std::vector<ForceOfTime> forces =
      all ? forces_of_time(*model, run.analysis.duration) : std::vector<ForceOfTime>();
  const std::vector<EventOfTime> events = all ? EventOfTime::of(run.events) : std::vector<EventOfTime>();
  if (function >= functions.size() && forces.empty() && events.empty()) return times;
  const long samples =
      samples_of_each(functions.size() - std::min(function, functions.size()) + forces.size() + events.size());
  const auto search = [&](const Function& f) {
    try {
      scan_function_of_time(f, {from, run.analysis.duration, samples}, times.profile);
    } catch (...) {
      return;
    }
  };
  const auto search_force = [&](const ForceOfTime& force) {
    try {
      search_by_laws(force, {from, run.analysis.duration, samples}, times.profile);
    } catch (...) {
      return;
    }
  };
  for (const ForceOfTime& force : forces) search_force(force);
  for (const EventOfTime& event : events) search(event);
  const bool fixed = methods.any() && given(methods.control().step);
  for (; function < functions.size(); ++function) {
    const NamedFunction& f = *functions[function];
    std::vector<double> points(static_cast<std::size_t>(f.break_points(nullptr, 0)));
    f.break_points(points.data(), static_cast<Index>(points.size()));
    times.break_points.insert(times.break_points.end(), points.begin(), points.end());
    const bool moves = std::string_view(f.name()).substr(0, 12) == "constraints/";
    try {
      const Jumps jumps(f, from, run.analysis.duration);
      for (const double t : points) {
        if (t > from && t < run.analysis.duration && jumps.at(t)) times.jumps.push_back(t);
      }
      const bool bounded = moves && turns(*model, f.name()) && !(fixed && is_linear(f, from, run.analysis.duration));
      scan_function_of_time(f, {from, run.analysis.duration, samples, moves, bounded ? largest_turn : 0},
                            times.profile);
    } catch (...) {
      // Most do so in the run as well, which tells when and where; one that throws now and then goes unnoticed there.
      remarks.warn(fmt::format("before the start: {}", text_of_exception()));
    }
  }
  std::sort(times.break_points.begin(), times.break_points.end());
  std::sort(times.jumps.begin(), times.jumps.end());
  return times;
}

// Lets happen what is pending at the end of the step; rows and samples of that time show the state after it.
bool Simulation::State::resume() {
  if (!engine->pending()) return true;
  const EnergyBudget before = plant->observation().energy;
  const std::size_t functions = model->functions_of_time().size();
  if (!engine->resume()) {
    outcome.fail(engine->failure());
    return false;
  }
  if (model->functions_of_time().size() > functions) engine->plan().add(search_times(functions, engine->t()));
  if (plant->observation().has_energy)
    last_look.energy.jump(before, plant->observation().energy, engine->events().impacts().impact().dissipated);
  return write_outputs() && tell_watches();
}

}  // namespace trammel
