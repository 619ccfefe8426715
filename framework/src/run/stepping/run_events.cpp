// Events of a run file.
#include "run/stepping/run_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "config/problems.h"
#include "trammel/suggest.h"

namespace trammel {
namespace {

// Known only at the end of a step, not inside it.
bool is_of_steps(const std::string& column) {
  return column == "step" || column == "energy.dissipated" || column == "energy.work";
}

/// Of a formula without columns: the same at times that no formula of t would give the same value at by chance.
bool is_constant(ColumnExpression& formula) {
  const double value = formula.evaluate(0, nullptr);
  for (const double t : {0.31830988618379067, 2.718281828459045, 141421.35623730951}) {
    if (!(formula.evaluate(t, nullptr) == value)) return false;
  }
  return true;
}

}  // namespace

RunEvents::RunEvents(Model& model, Plant& plant)
    : events_(model.run().events),
      model_(model),
      plant_(plant),
      columns_(model, plant.model(), plant.observation(), {}) {
  const std::vector<std::string> known = columns_.available();
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
    if (own.names().empty() && is_constant(formulas_.back())) {
      warnings_.push_back(message_at(event.place, event.path + "/when",
                                     "never passes zero: the formula has neither columns nor t in it"));
    }
    const auto is_angle = [](const std::string& name) { return name.ends_with(".angle") || name.ends_with(".phi"); };
    ranges_.push_back(
        {0, 0, !own.names().empty() && std::all_of(own.names().begin(), own.names().end(), is_angle), false});
    for (const std::string& column : own.names()) {
      if (is_of_steps(column)) refuse("'" + column + "' is known at the ends of steps only");
      if (std::find(known.begin(), known.end(), column) != known.end()) continue;
      refuse("there is no column '" + column + "'" + did_you_mean(column, known));
    }
  }
  if (!needed_.names().empty()) columns_.select(needed_.names(), false);
  values_.assign(needed_.names().size(), 0.0);
}

void RunEvents::refuse(std::size_t i, const std::string& text) const {
  throw Error(ErrorKind::input, message_at(events_[i].place, events_[i].path + "/when", text));
}

void RunEvents::values(VectorView out) {
  plant_.finish_multipliers();
  const Sample sample{&plant_.observation(), 0, 0, 0};
  if (!values_.empty()) columns_.row(sample, {values_.data(), static_cast<Index>(values_.size())});
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const double value = out[static_cast<Index>(i)] = formulas_[i].evaluate(plant_.observation().t, values_.data());
    Range& range = ranges_[i];
    range.low = range.known ? std::min(range.low, value) : value,
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
    constexpr double turn = 2 * std::numbers::pi;
    const bool far = range.low > turn || range.high < -turn;
    if (range.of_angles && far) {
      warnings.push_back(message_at(events_[i].place, events_[i].path + "/when",
                                    values + "; angles are in radians, 90 degrees are pi/2"));
    } else if (events_[i].action != EventAction::record) {
      text += (text.empty() ? "" : "; ") + values;
    }
  }
  return text;
}

void RunEvents::happened(std::size_t i) {
  for (const Setting& setting : events_[i].set) model_.change_force(setting);
}

}  // namespace trammel
