// Forces along the way of a step.
#include "run/stepping/law_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/constrained_model.h"
#include "run/stepping/event_samples.h"
#include "trammel/extensions/unbounded_laws.h"

namespace trammel {
namespace {

constexpr double hidden_share = 0.02;     // of the range of a force so far: what may be hidden
constexpr double unbounded_share = 0.25;  // of its largest value in the step, of a law without a largest value
constexpr int most_halvings = 10;         // of a part whose bounds leave room,
constexpr int most_looks = 512;           // and of all parts of one way
constexpr double least_of_step = 0.1, most_of_step = 0.5, before_it = 0.9;  // of a void step: the next one
constexpr int clear_depth = 4, clear_looks = 64;  // of quarters of a way: halvings, and bounds asked for in all of them
constexpr double no_limit = std::numeric_limits<double>::infinity();

// An argument between two places, the cubic through values and rates (r_0, r_1 times h) or, of unknown rates, the line:
//   x(s) = (1 + 2 s) (1 - s)^2 x_0 + s (1 - s)^2 r_0 + s^2 (3 - 2 s) x_1 - s^2 (1 - s) r_1                        (1)
// trammel/math/cubic.h has it for vectors whose rates are known. This one is asked for single arguments, hundreds of times a
// step, and sums (1) in another order: with cubic.h the last bits of what laws are asked for would differ.
struct Way {
  double x0, x1, r0, r1;
  Way(double from, double to, double rate_from, double rate_to) : x0(from), x1(to), r0(rate_from), r1(rate_to) {
    if (!std::isfinite(r0) || !std::isfinite(r1)) r0 = r1 = x1 - x0;
  }
  double x(double s) const {
    const double r = 1 - s;
    return (1 + 2 * s) * r * r * x0 + s * r * r * r0 + s * s * (3 - 2 * s) * x1 - s * s * r * r1;
  }
  double rate(double s) const {  // times h
    const double r = 1 - s;
    return 6 * s * r * (x1 - x0) + r * (1 - 3 * s) * r0 + s * (3 * s - 2) * r1;
  }
};

// The polynomial through five equidistant values, by powers of s - c (Newton's forward differences in u = 4 s).
struct Quartic {
  std::array<double, 5> c{};
  Quartic(double f0, double f1, double f2, double f3, double f4) {
    const double d1 = f1 - f0, d2 = f2 - 2 * f1 + f0, d3 = f3 - 3 * f2 + 3 * f1 - f0,
                 d4 = f4 - 4 * f3 + 6 * f2 - 4 * f1 + f0;
    c = {f0, d1 - d2 / 2 + d3 / 3 - d4 / 4, d2 / 2 - d3 / 2 + 11 * d4 / 24, d3 / 6 - d4 / 4, d4 / 24};
  }
  double at(double s) const {
    const double u = 4 * s;
    return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
  }
  /// How far it may leave its value at s within a distance of d, at most.
  double leaves(double s, double d) const {
    const double u = 4 * s, e = 4 * d;
    const double p1 = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * 4 * c[4])), p2 = c[2] + u * (3 * c[3] + u * 6 * c[4]),
                 p3 = c[3] + u * 4 * c[4];
    return e * (std::abs(p1) + e * (std::abs(p2) + e * (std::abs(p3) + e * std::abs(c[4]))));
  }
};

}  // namespace

void LawScan::begin(const ConstrainedModel& model) {
  laws_.clear();
  std::size_t all = 0, arguments = 0, most = 0, switches = 0;
  for (const ForceSlot& slot : model.assembly().forces) {
    const auto* laws = find_extension<StateLaws>(*slot.force);
    const auto count = laws != nullptr ? static_cast<std::size_t>(laws->law_count()) : 0;
    if (count == 0) continue;
    const auto own = static_cast<std::size_t>(laws->law_argument_count());
    const auto* law_switches = find_extension<LawSwitches>(*slot.force);
    const auto own_switches = law_switches != nullptr ? static_cast<std::size_t>(law_switches->switch_count()) : 0;
    const auto own_events = slot.events != nullptr ? static_cast<std::size_t>(slot.events->event_count()) : 0;
    laws_.push_back({&slot, laws, all, count, arguments, own, law_switches, switches, own_switches, own_events,
                     find_extension<UnboundedLaws>(*slot.force) != nullptr});
    all += count, arguments += own, most = std::max(most, own), switches += own_switches + own_events;
  }
  if (low_.size() != all) {
    low_.assign(all, no_limit);
    high_.assign(all, -no_limit);
  }
  for (Place* place : {&start_, &end_}) {
    place->t = -1;
    place->x.assign(arguments, 0.0);
    place->rate.assign(arguments, 0.0);
    place->switches.assign(switches, 0.0);
  }
  x_.assign(most, 0.0);
  rate_.assign(most, 0.0);
  box_.assign(4 * most, 0.0);
  momentum_.assign(2 * model.point().v().size(), 0.0);
}

void LawScan::remember(Archive& archive) {
  archive.list("laws_low", low_);
  archive.list("laws_high", high_);
  if (archive.restores()) start_.t = end_.t = -1;
}

bool LawScan::places(Plant& plant, const ConstStateView& state, Place& place) {
  place.t = -1;
  if (!plant.look(state)) return false;
  for (const Laws& laws : laws_) {
    const ElementState at = plant.model()->point().element_state(*laws.slot);
    const auto count = static_cast<Index>(laws.arguments);
    if (!laws.laws->law_places(at, {place.x.data() + laws.first_argument, count},
                               {place.rate.data() + laws.first_argument, count}))
      return false;
    const VectorView values{place.switches.data() + laws.first_switch, static_cast<Index>(laws.switch_count)};
    const VectorView events{values.data + laws.switch_count, static_cast<Index>(laws.event_count)};
    if (laws.switch_count > 0) values.map().setConstant(std::numeric_limits<double>::quiet_NaN());
    if (laws.switch_count > 0 && !laws.switches->switch_values(at, values)) return false;
    if (laws.event_count > 0 && !laws.slot->events->event_values(at, events)) return false;
  }
  place.t = state.t;
  place.turning = EventSamples::fastest(plant.model(), plant.model()->point().v().data());
  return true;
}

double LawScan::look(Plant& plant, const Tolerances& tolerances, const ConstStateView& start, const ConstStateView& end,
                     bool cut) {
  return take_ends(plant, start, end) < 0 ? 0 : between_ends(plant, tolerances, cut);
}

double LawScan::take_ends(Plant& plant, const ConstStateView& start, const ConstStateView& end) {
  if (plant.model() == nullptr || laws_.empty()) return -1;
  // A step begins where the last one ended, or where one that was void began.
  if (start_.t != start.t) std::swap(start_, end_);
  if (start_.t != start.t && !places(plant, start, start_)) return -1;
  if (!places(plant, end, end_)) return -1;
  return std::max(start_.turning, end_.turning);
}

double LawScan::between_ends(Plant& plant, const Tolerances& tolerances, bool cut) {
  const ConstrainedModel& model = *plant.model();
  t_ = start_.t, h_ = end_.t - start_.t;
  weigh(plant, tolerances);
  double first = 1;
  for (const Laws& laws : laws_) {
    const double floor = negligible(laws, model);
    for (std::size_t i = 0; i < laws.count && (cut || !switches(laws)); ++i) {
      allowed_ = floor;
      const double begins = hidden(laws, static_cast<Index>(i), laws.first + i);
      if (begins < first) first = begins, found_ = {laws.slot, t_ + begins * h_, narrow_ * h_};
    }
  }
  return first < 1 ? std::clamp(before_it * first, least_of_step, most_of_step) * h_ : 0;
}

bool LawScan::switches(const Laws& laws) const {
  for (std::size_t i = laws.first_switch; i < laws.first_switch + laws.switch_count + laws.event_count; ++i) {
    if (start_.switches[i] * end_.switches[i] < 0) return true;
  }
  return false;
}

void LawScan::weigh(Plant& plant, const Tolerances& tolerances) {
  ConstrainedModel& model = *plant.model();
  const std::vector<double>& v = model.point().v();
  const auto n = static_cast<Index>(v.size());
  double* const p = momentum_.data();
  double* const one = p + n;
  const double atol = tolerances.atol[0], rtol = tolerances.rtol[0];
  for (Index i = 0; i < n; ++i) one[i] = atol + rtol * std::abs(v[static_cast<std::size_t>(i)]);
  model.apply_mass({one, n}, {p, n});
}

// The impulse that changes the largest momentum by ten tolerances. Bodies that attract each other differ by many powers
// of ten: there it is the momentum of the lightest one.
double LawScan::negligible(const Laws& laws, const ConstrainedModel& model) const {
  constexpr double times_tolerance = 10;
  const auto largest = [this](Index from, Index count) {
    double most = 0;
    for (Index i = from; i < from + count; ++i) most = std::max(most, std::abs(momentum_[static_cast<std::size_t>(i)]));
    return most;
  };
  const Index all = model.coordinates(), translations = model.assembly().body_coordinates() == 3 ? 2 : 3;
  const BodyTable& table = model.assembly().table;
  double momentum = largest(0, all);
  for (const Index body : laws.slot->bodies) {
    if (laws.unbounded && body >= 0) momentum = std::min(momentum, largest(table.first(body), translations));
  }
  return times_tolerance * momentum / h_;
}

void LawScan::allow(const Laws& laws, std::size_t n, std::size_t apart) {
  if (!laws.unbounded) {
    allowed_ = std::max(allowed_, hidden_share * (high_[n] - low_[n]));
    return;
  }
  double most = 0;
  for (std::size_t k = 0; k <= parts; k += apart) most = std::max(most, std::abs(values_[k]));
  allowed_ = std::max(allowed_, unbounded_share * most);
}

bool LawScan::value(const Laws& laws, Index i, double s, double& force) {
  for (std::size_t k = 0; k < laws.arguments; ++k) {
    const std::size_t n = laws.first_argument + k;
    const Way way(start_.x[n], end_.x[n], h_ * start_.rate[n], h_ * end_.rate[n]);
    x_[k] = way.x(s), rate_[k] = way.rate(s) / h_;
  }
  return laws.laws->law(i, x_.data(), rate_.data(), t_ + s * h_, &force).ok() && std::isfinite(force);
}

// The corners of its Bezier polygon hold a cubic, and those of its derivative the rate.
double LawScan::room(const Laws& laws, Index i, const Part& part) {
  const std::size_t m = laws.arguments;
  double* const b = box_.data();
  const double third = (part.to - part.from) / 3;
  for (std::size_t k = 0; k < m; ++k) {
    const std::size_t n = laws.first_argument + k;
    const Way way(start_.x[n], end_.x[n], h_ * start_.rate[n], h_ * end_.rate[n]);
    const double x_from = way.x(part.from), x_to = way.x(part.to);
    const double r_from = way.rate(part.from), r_to = way.rate(part.to);
    const double corner = x_from + third * r_from, other = x_to - third * r_to, middle = (other - corner) / third;
    b[k] = std::min({x_from, x_to, corner, other}), b[m + k] = std::max({x_from, x_to, corner, other});
    b[2 * m + k] = std::min({r_from, r_to, middle}) / h_, b[3 * m + k] = std::max({r_from, r_to, middle}) / h_;
  }
  const StateLaws::Box box{{b, b + m}, {b + 2 * m, b + 3 * m}, {t_ + part.from * h_, t_ + part.to * h_}};
  double force[2] = {0, 0};
  if (!laws.laws->law_bounds(i, box, force) || !(force[0] <= force[1])) return no_limit;
  return std::max({0.0, force[1] - std::max(part.at_from, part.at_to), std::min(part.at_from, part.at_to) - force[0]});
}

double LawScan::hidden(const Laws& laws, Index i, std::size_t n) {
  const auto ask = [&](std::size_t k) {
    if (!value(laws, i, static_cast<double>(k) / parts, values_[k])) return false;
    low_[n] = std::min(low_[n], values_[k]), high_[n] = std::max(high_[n], values_[k]);
    return true;
  };
  if (!ask(0) || !ask(parts)) return 1;
  allow(laws, n, parts);
  if (room(laws, i, {0, 1, values_[0], values_[parts]}) <= allowed_) return 1;
  for (const std::size_t k : {parts / 4, parts / 2, 3 * parts / 4}) {
    if (!ask(k)) return 1;
  }
  allow(laws, n, parts / 4);
  // Where the law's own bounds keep it near the polynomial, none of its values has to be asked for.
  const Quartic shows(values_[0], values_[parts / 4], values_[parts / 2], values_[3 * parts / 4], values_[parts]);
  int looks = clear_looks;
  const auto clear = [&](const auto& self, double from, double to, int depth) -> bool {
    if (--looks < 0) return false;
    const double middle = 0.5 * (from + to), there = shows.at(middle);
    const double off = room(laws, i, {from, to, there, there}) + shows.leaves(middle, middle - from);
    if (off <= allowed_) return true;
    if (off == no_limit || depth == 0) return false;
    return self(self, from, middle, depth - 1) && self(self, middle, to, depth - 1);
  };
  bool all_clear = true;
  for (double quarter = 0; all_clear && quarter < 4; ++quarter)
    all_clear = clear(clear, quarter / 4, (quarter + 1) / 4, clear_depth);
  if (all_clear) return 1;
  for (std::size_t k = 1; k < parts; ++k) {
    if (4 * k % parts != 0 && !ask(k)) return 1;
  }
  allow(laws, n, parts / 4);
  budget_ = most_looks;
  for (std::size_t k = 0; k <= parts; ++k) {
    // The polynomial through five values (Lagrange's form).
    const double a = 4.0 * static_cast<double>(k) / parts, b = a - 1, c = a - 2, d = a - 3, e = a - 4;
    const double shown = b * c * d * e / 24 * values_[0] - a * c * d * e / 6 * values_[parts / 4] +
                         a * b * d * e / 4 * values_[parts / 2] - a * b * c * e / 6 * values_[3 * parts / 4] +
                         a * b * c * d / 24 * values_[parts];
    const double begins = std::max(0.5, static_cast<double>(k)) / parts;
    if (std::abs(values_[k] - shown) > allowed_) {
      constexpr double wide = 1.0 / 16;  // as seen by steps of that share; the deviation has no sharper width
      narrow_ = wide;
      return begins;
    }
    if (k == parts) break;
    const Part part{static_cast<double>(k) / parts, static_cast<double>(k + 1) / parts, values_[k], values_[k + 1]};
    narrow_ = 1.0 / parts;
    if (hidden_between(laws, i, part, most_halvings) < part.to) return begins;
  }
  return 1;
}

double LawScan::hidden_between(const Laws& laws, Index i, const Part& part, int depth) {
  if (depth == 0 || budget_ <= 0) return part.to;
  const double leaves = room(laws, i, part);
  if (leaves <= allowed_ || leaves == no_limit) return part.to;
  const double middle = 0.5 * (part.from + part.to);
  double at = 0;
  --budget_;
  if (!value(laws, i, middle, at)) return part.to;
  if (std::abs(at - 0.5 * (part.at_from + part.at_to)) > allowed_) {
    narrow_ = 0.5 * (part.to - part.from);
    return part.from;
  }
  const double first = hidden_between(laws, i, {part.from, middle, part.at_from, at}, depth - 1);
  return first < middle ? first : hidden_between(laws, i, {middle, part.to, at, part.at_to}, depth - 1);
}

}  // namespace trammel
