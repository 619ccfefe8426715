// Quadrature of the power inside steps, and the balance of energies.
#include "run/energy_balance.h"

#include <algorithm>
#include <cmath>

#include "model/constrained_model.h"
#include "run/stepping/step_points.h"

namespace trammel {
namespace {

constexpr int deepest = 20;      // halvings of a step
constexpr int most_panels = 64;  // looked at in one step

}  // namespace

void EnergyBalance::start(const Observation& o, bool works, double accuracy) {
  works_ = works;
  accuracy_ = accuracy;
  dissipated.power_end = o.energy.dissipation;
  work.power_end = o.energy.work;
  initial_ = o.energy.kinetic + o.energy.potential;
  least_potential_ = most_potential_ = o.energy.potential;
  see(o.energy);
}

void EnergyBalance::see(const EnergyBudget& at) {
  most_kinetic_ = std::max(most_kinetic_, at.kinetic);
  least_potential_ = std::min(least_potential_, at.potential);
  most_potential_ = std::max(most_potential_, at.potential);
  largest_ = std::max({largest_, at.kinetic, std::abs(at.potential), std::abs(work.value), std::abs(dissipated.value)});
}

double EnergyBalance::exchanged() const {
  return most_kinetic_ + (most_potential_ - least_potential_) + dissipated.turnover + work.turnover;
}

double EnergyBalance::beyond_rounding(double imbalance) const {
  constexpr double rounding = 1e-12;  // of many steps
  return std::max(0.0, std::abs(imbalance) - rounding * largest_ - unknown_);
}

double EnergyBalance::relative_drift() const {
  const double off = beyond_rounding(drift);
  return off > 0 ? off / exchanged() : 0;
}

// On [-1, 1] the powers are at the ends, at -g, 0 and g with g^2 = 0.6: odd and even parts of the polynomial.
std::array<double, 5> EnergyBalance::Account::polynomial() const {
  constexpr double gg = 0.6;
  const double g = std::sqrt(gg), middle = power_inside[1];
  const double odd_end = 0.5 * (power_left - power_start), odd = 0.5 * (power_inside[2] - power_inside[0]) / g;
  const double even_end = 0.5 * (power_left + power_start) - middle;
  const double even = (0.5 * (power_inside[2] + power_inside[0]) - middle) / gg;
  const double c3 = (odd_end - odd) / (1 - gg), c4 = (even_end - even) / (1 - gg);
  return {middle, odd_end - c3, even_end - c4, c3, c4};
}

double EnergyBalance::Account::power(double s) const {
  const std::array<double, 5> c = polynomial();
  const double x = 2 * s - 1;
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

double EnergyBalance::Account::at(double s, double h) const {
  const std::array<double, 5> c = polynomial();
  const auto integral = [&c](double x) {
    return x * (c[0] + x * (c[1] / 2 + x * (c[2] / 3 + x * (c[3] / 4 + x * c[4] / 5))));
  };
  const double start = integral(-1), whole = 0.5 * h * (integral(1) - start);
  return before + 0.5 * h * (integral(2 * s - 1) - start) + s * (value - before - whole);
}

// Gauss' points and weights: Abramowitz and Stegun, table 25.4.
Status EnergyBalance::measure(Engine& engine, Plant& plant, const StateView& between, Panel& panel) const {
  static const double place[] = {0.5 - 0.5 * std::sqrt(0.6), 0.5, 0.5 + 0.5 * std::sqrt(0.6)};
  static constexpr double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  panel.mean = panel.magnitude = {};
  for (std::size_t i = 0; i < 3; ++i) {
    StateView at = between;
    at.t = panel.from + place[i] * (panel.to - panel.from);
    EnergyBudget inside;
    Status status = engine.interpolate(at.t, at);
    if (status) status = plant.power(at, inside);
    if (!status) return status;
    panel.samples[i] = {inside.dissipation, inside.work};
    panel.mean.dissipation += weight[i] * inside.dissipation;
    panel.mean.work += weight[i] * inside.work;
    panel.magnitude.dissipation += weight[i] * std::abs(inside.dissipation);
    panel.magnitude.work += weight[i] * std::abs(inside.work);
  }
  return Status::success();
}

Status EnergyBalance::look_inside(Engine& engine, Plant& plant, const StateView& between) {
  if (!works_) return Status::success();
  step_.from = engine.t_previous(), step_.to = engine.t();
  breaks_ = engine.pending();
  const Status status = measure(engine, plant, between, step_);
  if (!status || !breaks_) return status;
  constexpr double just_before = 1e-9;  // of the step
  StateView at = between;
  at.t = step_.to - just_before * (step_.to - step_.from);
  EnergyBudget left;
  breaks_ = engine.interpolate(at.t, at).ok() && plant.power(at, left).ok();  // else the end itself has to do
  left_ = {left.dissipation, left.work};
  return status;
}

// The difference d of Simpson's and Gauss' rule is that of order 4, h^5 f''''/2880; Gauss' own error is h^7
// f^(6)/2016000, for a harmonic power of size P: P h (2880 d/(P h))^1.5/2016000 = 0.077 P h (d/(P h))^1.5.
bool EnergyBalance::smooth(const Power& end, double h) const {
  const double allowed = accuracy_ * exchanged();
  const auto error = [h](double start, double middle, double stop, double mean, double size) {
    size = std::max({size, std::abs(start), std::abs(middle), std::abs(stop)});
    const double off = std::abs((start + 4 * middle + stop) / 6 - mean);
    return off > 0 ? h * off * std::min(1.0, 0.2 * std::sqrt(off / size)) : 0.0;
  };
  const Power& middle = step_.samples[1];
  const double off = error(dissipated.power_end, middle.dissipation, end.dissipation, step_.mean.dissipation,
                           step_.magnitude.dissipation) +
                     error(work.power_end, middle.work, end.work, step_.mean.work, step_.magnitude.work);
  return off <= allowed;
}

// By the integral of the parabola through the three samples, since the ends may be break points, or by that of the
// polynomial through these and the ends: an energy that one of them explains is explained.
double EnergyBalance::imbalance(const EnergyBudget& at, double s, double h) const {
  if (!simple_) return 0;
  double inside = 0, better = 0;
  if (works_) {
    const double x = (2 * s - 1) / std::sqrt(0.6);  // the samples are at -1, 0 and 1
    const double scale = 0.5 * std::sqrt(0.6) * h, start = -1 / std::sqrt(0.6);
    const auto power = [&](std::size_t i) { return step_.samples[i].dissipation - step_.samples[i].work; };
    const double slope = 0.5 * (power(2) - power(0)), bend = 0.5 * (power(2) + power(0)) - power(1);
    const auto integral = [&](double y) { return y * (power(1) + y * (0.5 * slope + y * bend / 3)); };
    inside = scale * (integral(x) - integral(start));
    better = row_.dissipated - dissipated.before - (row_.work - work.before);
  }
  const double off = at.kinetic + at.potential + dissipated.before - work.before - initial_;
  return std::min(std::abs(off + inside), std::abs(off + better));
}

Status EnergyBalance::refine(Engine& engine, Plant& plant, const StateView& between) {
  const double h = step_.to - step_.from, allowed = accuracy_ * exchanged();
  std::array<Panel, deepest + 1> open;
  int count = 1, looked_at = 0;
  open[0] = step_;
  Power sum, size;
  while (count > 0) {
    const Panel panel = open[static_cast<std::size_t>(--count)];
    const double middle = 0.5 * (panel.from + panel.to), half = middle - panel.from;
    Panel left{panel.from, middle}, right{middle, panel.to};
    Status status = measure(engine, plant, between, left);
    if (status) status = measure(engine, plant, between, right);
    // Near the end of a motion there may be no states between: what the panel told stands, and may be off by as much.
    const bool no_state = status.code == StatusCode::not_converged || status.code == StatusCode::singular;
    if (!status && !no_state) return status;
    if (!status) {
      const double length = panel.to - panel.from;
      sum.dissipation += length * panel.mean.dissipation;
      sum.work += length * panel.mean.work;
      size.dissipation += length * panel.magnitude.dissipation;
      size.work += length * panel.magnitude.work;
      unknown_ += length * (panel.magnitude.dissipation + panel.magnitude.work);
      continue;
    }
    looked_at += 2;
    const double off_dissipation = left.mean.dissipation + right.mean.dissipation - 2 * panel.mean.dissipation;
    const double off_work = left.mean.work + right.mean.work - 2 * panel.mean.work;
    const double off = half * (std::abs(off_dissipation) + std::abs(off_work));
    const bool given_up = looked_at >= most_panels || count + 2 > deepest;
    constexpr double better = 10;  // at least, what the halves are than the whole where the power is smooth
    if (off <= better * allowed || given_up) {
      if (given_up) unknown_ += off;
      sum.dissipation += half * (left.mean.dissipation + right.mean.dissipation);
      sum.work += half * (left.mean.work + right.mean.work);
      size.dissipation += half * (left.magnitude.dissipation + right.magnitude.dissipation);
      size.work += half * (left.magnitude.work + right.magnitude.work);
    } else {
      open[static_cast<std::size_t>(count++)] = right;
      open[static_cast<std::size_t>(count++)] = left;
    }
  }
  step_.mean = {sum.dissipation / h, sum.work / h};
  step_.magnitude = {size.dissipation / h, size.work / h};
  return plant.observe(engine.state());
}

Status EnergyBalance::integrate_parts(Engine& engine, Plant& plant, const StateView& between) {
  const double from = engine.t_previous(), h = engine.t() - from;
  parts_from_ = none;
  parts_[0] = {0, 0};
  for (std::size_t k = 0; k < row_parts; ++k) {
    Panel part{from + h * static_cast<double>(k) / row_parts, from + h * static_cast<double>(k + 1) / row_parts};
    const Status status = measure(engine, plant, between, part);
    if (!status) return status;
    const double length = part.to - part.from;
    parts_[k + 1] = {parts_[k].dissipated + length * part.mean.dissipation, parts_[k].work + length * part.mean.work};
  }
  parts_from_ = from;
  return Status::success();
}

// The polynomial agrees with the power at its nodes by construction: two other points tell whether it does between.
Status EnergyBalance::before_row(Engine& engine, Plant& plant, const StateView& between, double t) {
  const double from = engine.t_previous(), h = engine.t() - from;
  if (!works_ || !(h > 0) || t <= from || t >= engine.t() || compared_from_ == from) return Status::success();
  off_between_ = 0;
  for (const double s : {0.25, 0.75}) {
    StateView at = between;
    at.t = from + s * h;
    EnergyBudget now;
    Status status = engine.interpolate(at.t, at);
    if (status) status = plant.power(at, now);
    if (!status) return status;
    off_between_ =
        std::max(off_between_, std::abs(now.dissipation - dissipated.power(s)) + std::abs(now.work - work.power(s)));
  }
  compared_from_ = from;
  return Status::success();
}

// A row depends on its time alone, not on other rows.
Status EnergyBalance::row(Engine& engine, Plant& plant, const StateView& between, double t) {
  constexpr double tolerated = 100;  // times the accuracy: some tolerances
  const double from = engine.t_previous(), h = engine.t() - from, s = (t - from) / h;
  row_ = {dissipated.at(s, h), work.at(s, h)};
  if (!works_ || !(h > 0) || t <= from || t >= engine.t()) return Status::success();
  const EnergyBudget& now = plant.observation().energy;
  const double off_here = std::abs(now.dissipation - dissipated.power(s)) + std::abs(now.work - work.power(s));
  const double off = h * std::max(off_here, off_between_);
  if (off <= tolerated * accuracy_ * exchanged()) return Status::success();
  Status status = parts_from_ == from ? Status::success() : integrate_parts(engine, plant, between);
  const auto k = std::min(static_cast<std::size_t>(s * row_parts), row_parts - 1);
  Panel rest{from + h * static_cast<double>(k) / row_parts, t};
  if (status) status = measure(engine, plant, between, rest);
  if (!status) return status;
  const Sums &whole = parts_[row_parts], &until = parts_[k];
  const auto sum = [&](const Account& account, double all, double before, double mean) {
    return account.before + before + (t - rest.from) * mean + s * (account.value - account.before - all);
  };
  row_ = {sum(dissipated, whole.dissipated, until.dissipated, rest.mean.dissipation),
          sum(work, whole.work, until.work, rest.mean.work)};
  StateView at = between;
  at.t = t;
  status = engine.interpolate(t, at);
  return status ? plant.observe(at) : status;
}

Status EnergyBalance::step(Engine& engine, Plant& plant, const StateView& between) {
  const EnergyBudget end = plant.observation(Look::glance).energy;
  const double h = engine.t() - engine.t_previous();
  if (!works_ && (end.dissipation != 0 || end.work != 0)) {  // what no state around the start showed
    works_ = true;
    Status status = look_inside(engine, plant, between);
    if (status) status = plant.observe(engine.state());
    if (!status) return status;
  }
  see(end);
  const Power left = breaks_ ? left_ : Power{end.dissipation, end.work};
  simple_ = !works_ || smooth(left, h);
  if (h > 0 && !simple_) {
    const Status status = refine(engine, plant, between);
    if (!status) return status;
  }
  dissipated.step(h, step_.mean.dissipation, step_.magnitude.dissipation, left.dissipation, end.dissipation);
  work.step(h, step_.mean.work, step_.magnitude.work, left.work, end.work);
  for (std::size_t i = 0; i < 3; ++i) {
    dissipated.power_inside[i] = step_.samples[i].dissipation;
    work.power_inside[i] = step_.samples[i].work;
  }
  see(end);
  now_ = end.kinetic + end.potential + dissipated.value - work.value - initial_;
  if (!(std::abs(now_) <= drift)) drift = std::abs(now_), drift_time = engine.t();
  return Status::success();
}

void EnergyBalance::jump(const EnergyBudget& before, const EnergyBudget& after, double lost) {
  const double put_in = after.kinetic + after.potential - before.kinetic - before.potential + lost;
  dissipated.value += lost;
  work.value += put_in;
  dissipated.turnover += std::abs(lost);
  work.turnover += std::abs(put_in);
  dissipated.power_end = after.dissipation;
  work.power_end = after.work;
}

void EnergyBalance::remember(Archive& archive) {
  for (auto& [name, account] : {std::pair("dissipated", &dissipated), std::pair("work", &work)}) {
    archive.values(std::string("energy.") + name, account->value, account->before, account->power_left,
                   account->power_end, account->power_start, account->turnover, account->power_inside[0],
                   account->power_inside[1], account->power_inside[2]);
  }
  archive.values("energy", initial_, drift, drift_time, now_, works_, largest_, unknown_, most_kinetic_,
                 least_potential_, most_potential_);
}

// Elements that act only somewhere (stops, one-sided dampers) are looked for at states some way off: a share of the
// model's size and one of its speeds, in both directions. Elements may refuse a state that cannot be.
bool does_work(ConstrainedModel& model, const Observation& start, const std::vector<double>& breaks, double duration) {
  if (model.rheonomic()) return true;
  const Assembly& assembly = model.assembly();
  if (assembly.forces.empty()) return false;
  const double size = std::max(1.0, start.q.map().size() > 0 ? start.q.map().lpNorm<Eigen::Infinity>() : 0.0);
  Eigen::VectorXd q = start.q.map(), v = start.v.map(), z = start.z.map();
  const Eigen::VectorXd q0 = q, v0 = v;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(start.lambda.size);
  const auto view = [](Eigen::VectorXd& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  const int pieces = static_cast<int>(std::min<std::size_t>(breaks.size(), 1000)), states = 24 + 2 * pieces;
  bool works = false;
  for (int state = 0; state < states && !works; ++state) {
    const double away = state < 2 ? 0 : (state % 3 == 0 ? 1.0 : state % 3 == 1 ? 0.1 : 1e-3) * size;
    StepPoints random(static_cast<std::uint64_t>(state) + 1);
    for (Index i = 0; i < q.size(); ++i) q[i] = q0[i] + away * (2 * random.next() - 1);
    for (Index i = 0; i < v.size(); ++i) v[i] = v0[i] + size * (2 * random.next() - 1);
    const double part = random.next();
    double t = state % 2 == 0 ? start.t : part * duration;
    if (state >= 24) {  // inside the piece before each break point
      const auto piece = static_cast<std::size_t>((state - 24) / 2);
      const double from = piece > 0 ? breaks[piece - 1] : start.t;
      t = from + part * (breaks[piece] - from);
    }
    if (!model.evaluate(t, view(q), view(v), view(z), 0u)) continue;
    const EnergyBudget found = model.parts().energy.budget(view(lambda));
    works = found.dissipation != 0 || found.work != 0;
  }
  return works;
}

}  // namespace trammel
