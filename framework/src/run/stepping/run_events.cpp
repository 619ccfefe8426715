// Events of a run file.
#include "run/stepping/run_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/problems.h"
#include "run/stepping/force_of_time.h"
#include "trammel/math/two_pi.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

// Known only at the end of a step, not inside it.
bool is_of_steps(const std::string& column) {
  return column == "step" || column == "energy.dissipated" || column == "energy.work";
}

}  // namespace

RunEvents::RunEvents(Model& model, Plant& plant)
    : events_(model.run().events),
      model_(model),
      plant_(plant),
      columns_(model, plant.model(), plant.observation(), {}) {
  const std::vector<std::string> known = columns_.available();
  std::vector<std::vector<std::string>> named;  // by the formula of each event
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const RunEvent& event = events_[i];
    const auto refuse = [&](const std::string& text) { this->refuse(i, text); };
    if (event.when.find("unwrap") != std::string::npos)
      refuse("events know no unwrap(): the angles of joints count turns");
    ColumnSet own;
    try {
      const ColumnExpression names_its_columns("=" + event.when, own);
      formulas_.emplace_back("=" + event.when, needed_);
    } catch (const Error& error) {
      refuse(error.what());
    }
    first_switch_.push_back(switches_);
    switches_ += formulas_.back().switches();
    const std::string never = never_passes_zero(event, own, formulas_.back());
    if (!never.empty()) warnings_.push_back(message_at(event.place, event.path + "/when", never));
    named.push_back(own.names());
    for (const std::string& column : own.names()) {
      if (is_of_steps(column)) refuse("'" + column + "' is known at the ends of steps only");
      if (std::find(known.begin(), known.end(), column) != known.end()) continue;
      refuse("there is no column '" + column + "'" + did_you_mean(column, known));
    }
  }
  if (!needed_.names().empty()) columns_.select(needed_.names(), false);
  const auto is_angle = [this](const std::string& name) {
    const std::vector<std::string>& all = columns_.names();
    const auto found = std::find(all.begin(), all.end(), name);
    return found != all.end() && columns_.units()[static_cast<std::size_t>(found - all.begin())] == "rad";
  };
  for (const std::vector<std::string>& names : named)
    ranges_.push_back({.of_angles = !names.empty() && std::all_of(names.begin(), names.end(), is_angle)});
  values_.assign(needed_.names().size(), 0.0);
}

// Columns may be anything: bounds of the formula over all of their values (Moore, Kearfott, Cloud, Introduction to
// Interval Analysis, SIAM 2009, section 5.1: they hold the range of the formula).
std::string RunEvents::never_passes_zero(const RunEvent& event, const ColumnSet& columns,
                                         const ColumnExpression& formula) const {
  const bool of_time = mentions_time(event.when);
  if (columns.names().empty() && !of_time) return "never passes zero: the formula has neither columns nor t in it";
  const double duration = model_.run().analysis.duration;
  const double end = given(duration) ? duration : std::numeric_limits<double>::infinity();
  const Interval range = formula.range({0, end});
  if (!(range.low > 0) && !(range.high < 0)) return "";
  const std::string side = std::isfinite(range.low) && std::isfinite(range.high)
                               ? fmt::format("between {:.4g} and {:.4g}", range.low, range.high)
                           : range.low > 0 ? fmt::format("above {:.4g}", range.low)
                                           : fmt::format("below {:.4g}", range.high);
  return fmt::format("never passes zero: the formula stays {}{}{}", side,
                     of_time && given(duration) ? fmt::format(" in the {:g} s of the run", duration) : std::string(),
                     columns.names().empty() ? "" : ", whatever its columns are");
}

void RunEvents::refuse(std::size_t i, const std::string& text) const {
  throw Error(ErrorKind::input, message_at(events_[i].place, events_[i].path + "/when", text));
}

void RunEvents::values(VectorView out, double* switches) {
  plant_.finish_multipliers();
  const Sample sample{&plant_.observation(), 0, 0, 0};
  if (!values_.empty()) columns_.row(sample, {values_.data(), static_cast<Index>(values_.size())});
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const double value = out[static_cast<Index>(i)] = formulas_[i].evaluate(plant_.observation().t, values_.data());
    formulas_[i].switches(switches + first_switch_[i]);
    Range& range = ranges_[i];
    range.low = range.known ? std::min(range.low, value) : value;
    range.high = range.known ? std::max(range.high, value) : value;
    range.known = true;
  }
}

std::string RunEvents::notes(const std::vector<std::string>& happened, std::vector<std::string>& warnings) const {
  std::string text;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Range& range = ranges_[i];
    if (!range.known || std::find(happened.begin(), happened.end(), events_[i].name) != happened.end()) continue;
    const std::string values = fmt::format("event '{}' never happened: '{}' stayed between {:.4g} and {:.4g}",
                                           events_[i].name, events_[i].when, range.low, range.high);
    const bool far = range.low > two_pi || range.high < -two_pi;
    if (range.of_angles && far) {
      warnings.push_back(message_at(events_[i].place, events_[i].path + "/when",
                                    values + "; angles are in radians, 90 degrees are pi/2"));
    } else if (events_[i].effect != EventEffect::record) {
      text += (text.empty() ? "" : "; ") + values;
    }
  }
  return text;
}

void RunEvents::happened(std::size_t i) {
  for (const Setting& setting : events_[i].set) model_.change_force(setting);
}

}  // namespace trammel
