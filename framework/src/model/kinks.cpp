// Kinks of laws as functions whose zeros the search for events finds.
#include "model/kinks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/constrained_model.h"
#include "model/function_kinks.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// An argument has left its window when it is so far outside of it, relative to 1 (m, rad, N, ...) and to the largest
// argument so far: bodies that rest on a kink pass it by rounding only.
constexpr double beyond = 1e-12;
constexpr double unwatched = 1;           // the function's value where nothing can be passed
constexpr double smallest = 1e-300;       // a zero with a sign
constexpr std::size_t smooth_points = 2;  // inside a window on either side, of points at which no step need end
constexpr std::size_t room_to_change = 16;
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Kinks::Kinks(const Assembly& assembly, const std::vector<std::string>& changing) {
  for (const ConstraintSlot& slot : assembly.constraints) add(slot, nullptr, *slot.constraint, false);
  for (const ForceSlot& slot : assembly.forces) {
    add(slot, &slot, *slot.force, std::find(changing.begin(), changing.end(), slot.name) != changing.end());
  }
}

void Kinks::add(const ElementSlot& slot, const ForceSlot* force, const Extensible& element, bool changes) {
  Source source{&slot, force, kinks_.size(), 0};
  std::vector<Kink> own = list(element, source);
  source.room = own.size() + (changes ? room_to_change : 0);
  if (source.room == 0) return;
  own.resize(source.room, {sources_.size()});
  for (Kink& kink : own) open(kink, -1);
  kinks_.insert(kinks_.end(), own.begin(), own.end());
  make_room(source);
  sources_.push_back(std::move(source));
}

std::vector<Kinks::Kink> Kinks::list(const Extensible& element, Source& source) const {
  const std::size_t number = source.room > 0 ? kinks_[source.first].source : sources_.size();
  std::vector<Kink> own;
  source.law = find_extension<LawSwitches>(element);
  source.functions = find_extension<StateFunctions>(element);
  source.arguments.clear();
  for (Index i = 0; source.law != nullptr && i < source.law->switch_count(); ++i) {
    own.push_back({number, source.law->switch_name(i), {0.0}});
  }
  for (Index i = 0; source.functions != nullptr && i < source.functions->state_function_count(); ++i) {
    const Function* function = source.functions->state_function(i);
    Argument argument{.switches = nullptr, .sharp = false, .smooth = false};
    if (function != nullptr) {
      const FunctionKinks points = function_kinks(*function);
      argument = {.switches = find_extension<FunctionSwitches>(*function),
                  .sharp = !points.sharp.empty(),
                  .smooth = !points.smooth.empty()};
      if (argument.sharp) own.push_back({number, "break_point", points.sharp});
      if (argument.smooth) own.push_back({number, "break_point", points.smooth, smooth_points});
      for (Index k = 0; argument.switches != nullptr && k < argument.switches->switch_count(); ++k) {
        own.push_back({number, "function", {0.0}});
      }
    }
    source.arguments.push_back(argument);
  }
  if (own.empty()) source.arguments.clear();
  return own;
}

void Kinks::make_room(const Source& source) {
  value_.resize(std::max({value_.size(), source.room, source.arguments.size()}));
  rate_.resize(value_.size());
  switch_.resize(value_.size());
}

void Kinks::rebuild() {
  for (Source& source : sources_) {
    if (source.force == nullptr) continue;
    std::vector<Kink> own = list(*source.force->force, source);
    if (own.size() > source.room) {
      throw Error(ErrorKind::input,
                  fmt::format("force '{}' (type '{}') may not change to a law that switches at {} places, {} more "
                              "than at the start",
                              source.slot->name, source.slot->type, own.size(), own.size() - source.room));
    }
    own.resize(source.room, {kinks_[source.first].source});
    for (std::size_t k = 0; k < own.size(); ++k) {
      open(own[k], -1);
      kinks_[source.first + k] = std::move(own[k]);
    }
    make_room(source);
  }
}

void Kinks::open(Kink& kink, double segment) {
  kink.segment = segment;
  kink.low = -infinite, kink.high = infinite;
  if (segment < 0) return;
  const auto k = static_cast<std::size_t>(segment);
  if (k > kink.reach) kink.low = kink.points[k - 1 - kink.reach];
  if (k + kink.reach < kink.points.size()) kink.high = kink.points[k + kink.reach];
}

double Kinks::inside(const Kink& kink) {
  const double depth = std::min(kink.x - kink.low, kink.high - kink.x);
  if (!std::isfinite(depth)) return unwatched;
  const double value = depth + beyond * (1 + kink.largest);
  return value == 0 ? smallest : value;
}

int Kinks::direction(std::size_t i) const {
  const Kink& kink = kinks_[i];
  return kink.high - kink.x < kink.x - kink.low ? 1 : -1;
}

void Kinks::begin_step(double* values, double* notes) {
  for (Kink& kink : kinks_) {
    kink.x = notes[0], kink.largest = notes[2];
    if (kink.points.empty() || !std::isfinite(kink.x)) {
      open(kink, -1);
    } else {
      kink.largest = std::max(kink.largest, std::abs(kink.x));
      const auto above = std::upper_bound(kink.points.begin(), kink.points.end(), kink.x);
      const auto here = static_cast<double>(above - kink.points.begin());
      open(kink, notes[1]);
      // Arguments that rest on a point stay in their window as long as they have not left it.
      if (notes[1] < 0 || kink.reach > 0)
        open(kink, here);
      else if (*values < 0)
        open(kink,
             kink.high - kink.x < kink.x - kink.low ? std::max(here, notes[1] + 1) : std::min(here, notes[1] - 1));
    }
    *values++ = std::max(inside(kink), smallest);
    notes[1] = kink.segment;  // a step that is taken back begins here once more
    notes += notes_each;
  }
}

void Kinks::evaluate(const ConstrainedModel& model, double* values, double* notes) {
  for (const Source& source : sources_) find_arguments(model, source);
  for (const Kink& kink : kinks_) {
    *values++ = inside(kink);
    notes[0] = kink.x, notes[1] = kink.segment, notes[2] = kink.largest;
    notes += notes_each;
  }
}

void Kinks::find_arguments(const ConstrainedModel& model, const Source& source) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const ElementState s = source.force != nullptr
                             ? model.point().element_state(*source.force)
                             : model.point().element_state(static_cast<const ConstraintSlot&>(*source.slot));
  for (std::size_t k = 0; k < source.room; ++k) kinks_[source.first + k].x = none;
  std::size_t at = source.first;
  if (source.law != nullptr) {
    const Index count = source.law->switch_count();
    std::fill_n(value_.begin(), count, none);
    const bool known = source.law->switch_values(s, {value_.data(), count}).ok();
    for (Index i = 0; i < count; ++i) kinks_[at++].x = known ? value_[static_cast<std::size_t>(i)] : none;
  }
  if (source.arguments.empty()) return;
  const auto count = static_cast<Index>(source.arguments.size());
  if (!source.functions->state_function_arguments(s, {value_.data(), count}, {rate_.data(), count}).ok()) return;
  for (std::size_t i = 0; i < source.arguments.size(); ++i) {
    const Argument& argument = source.arguments[i];
    if (argument.sharp) kinks_[at++].x = value_[i];
    if (argument.smooth) kinks_[at++].x = value_[i];
    if (argument.switches == nullptr) continue;
    const Index switches = argument.switches->switch_count();
    argument.switches->switch_values(value_[i], switch_.data());
    for (Index k = 0; k < switches; ++k) kinks_[at++].x = switch_[static_cast<std::size_t>(k)];
  }
}

bool at_switch(const Extensible& element, const ElementState& s) {
  const auto stands_on = [](double x, double point) { return std::abs(x - point) <= beyond * (1 + std::abs(point)); };
  std::vector<double> x, rate;
  if (const auto* law = find_extension<LawSwitches>(element); law != nullptr) {
    x.assign(static_cast<std::size_t>(law->switch_count()), std::numeric_limits<double>::quiet_NaN());
    if (law->switch_values(s, {x.data(), law->switch_count()}).ok() &&
        std::any_of(x.begin(), x.end(), [&](double value) { return stands_on(value, 0); }))
      return true;
  }
  const auto* functions = find_extension<StateFunctions>(element);
  const Index count = functions != nullptr ? functions->state_function_count() : 0;
  x.assign(static_cast<std::size_t>(count), 0.0), rate = x;
  if (count == 0 || !functions->state_function_arguments(s, {x.data(), count}, {rate.data(), count}).ok()) return false;
  for (Index i = 0; i < count; ++i) {
    const Function* function = functions->state_function(i);
    if (function == nullptr) continue;
    const double argument = x[static_cast<std::size_t>(i)];
    for (const double point : function_kinks(*function).sharp) {
      if (stands_on(argument, point)) return true;
    }
    const auto* switches = find_extension<FunctionSwitches>(*function);
    std::vector<double> values(static_cast<std::size_t>(switches != nullptr ? switches->switch_count() : 0));
    if (!values.empty()) switches->switch_values(argument, values.data());
    if (std::any_of(values.begin(), values.end(), [&](double value) { return stands_on(value, 0); })) return true;
  }
  return false;
}

}  // namespace trammel
