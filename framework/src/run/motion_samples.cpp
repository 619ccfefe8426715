// Samples of a run, and their comparison with the same run done otherwise.
#include "run/motion_samples.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/constrained_model.h"
#include "trammel/extensions/contact.h"

namespace trammel {
namespace {

constexpr double least_scale = 1e-3;  // of the largest coordinate: a smaller range is no motion to compare with

}  // namespace

double MotionSamples::Difference::growth(double until, double end) const {
  if (!(end > until) || !(size > 0)) return 1;
  const double power = std::clamp(std::log2(size / std::max(early, 1e-300)), 0.0, 1.0);
  return std::pow(end / until, power);
}

void MotionSamples::start(Plant& plant, double step) {
  const Observation& o = plant.observation();
  step_ = step;
  positions_ = static_cast<std::size_t>(o.q.size), size_ = positions_ + static_cast<std::size_t>(o.v.size);
  if (ConstrainedModel* model = plant.model()) {
    const BodyTable& table = model->assembly().table;
    for (Index i = 0; i < o.q.size; ++i) turning_.push_back(table.displaces(i) ? 0 : 1);
    name_of_ = [model](Index i) { return std::string(model->coordinate_name(i)); };
    find_hops(*model);
  } else {
    name_of_ = [&plant](Index i) { return plant.component_name(i); };
  }
  // Of models with thousands of coordinates a step is dear: little of the run is run again, and few samples do.
  constexpr std::size_t most_numbers = 2'000'000, fewest = 8;
  room_ = std::clamp(most_numbers / (1 + size_) / 2 * 2, fewest, most);
  samples_.assign((room_ + 1) * (1 + size_), 0.0);
  last_.assign(1 + size_, 0.0);
  least_.assign(o.q.data, o.q.data + o.q.size);
  least_.insert(least_.end(), o.v.data, o.v.data + o.v.size);
  most_ = least_;
}

std::string MotionSamples::name(const Difference& difference) const {
  const bool rate = difference.component >= positions_;
  return (rate ? "rate of " : "") + name_of_(static_cast<Index>(difference.component - (rate ? positions_ : 0)));
}

// Steps that events cut count by their length: thousands of them in a moment leave samples for the rest of the run.
std::size_t MotionSamples::next_place(double t) const {
  return step_ > 0 ? static_cast<std::size_t>(std::max(0.0, t / step_ + 1e-6)) : steps_ + 1;
}

bool MotionSamples::make_room(double t) {
  if (count_ < room_ || next_place(t) / stride_ == place_ / stride_) return false;
  for (std::size_t i = 1; 2 * i - 1 < count_; ++i) std::copy_n(sample(2 * i - 1), 1 + size_, sample(i - 1));
  count_ /= 2, stride_ *= 2;
  return true;
}

bool MotionSamples::step(const Observation& now) {
  const std::size_t place = next_place(now.t);
  const bool due = place / stride_ != place_ / stride_;
  place_ = place;
  ++steps_;
  for (std::size_t i = 0; i < size_; ++i) {
    const double x = i < positions_ ? now.q.data[i] : now.v.data[i - positions_];
    least_[i] = std::min(least_[i], x), most_[i] = std::max(most_[i], x);
  }
  last_[0] = now.t;
  std::copy_n(now.q.data, positions_, last_.begin() + 1);
  std::copy_n(now.v.data, size_ - positions_, last_.begin() + 1 + static_cast<std::ptrdiff_t>(positions_));
  if (!due) return false;
  std::copy(last_.begin(), last_.end(), sample(count_++));
  return true;
}

void MotionSamples::close() {
  if (count_ > 0 && time(count_ - 1) < last_[0]) std::copy(last_.begin(), last_.end(), sample(count_++));
}

// A contact at rest hops at `rest_speed`, in two runs not at the same times. At the lever r an impulse that changes the
// speed of the contact by u changes that of the body by at most u and its rate of turning by u r / (k^2 + r^2) <= u /
// (2 k), k being the radius of gyration.
void MotionSamples::find_hops(ConstrainedModel& model) {
  double speed = 0;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const auto* contact = find_extension<UnilateralContact>(*slot.constraint);
    if (contact != nullptr) speed = std::max(speed, 2 * contact->rest_speed());
  }
  const BodyTable& table = model.assembly().table;
  const auto n = static_cast<Index>(size_ - positions_);
  hops_.assign(static_cast<std::size_t>(n), speed);
  if (speed == 0) return;
  Eigen::VectorXd one(n), column(n), diagonal(n);
  for (Index j = 0; j < table.local(); ++j) {
    for (Index i = 0; i < n; ++i) one[i] = table.within(i) == j ? 1 : 0;
    model.apply_mass({one.data(), n}, {column.data(), n});
    for (Index i = 0; i < n; ++i) {
      if (table.within(i) == j) diagonal[i] = column[i];
    }
  }
  for (Index body = 0; body < table.bodies(); ++body) {
    const Index first = table.first(body), end = first + table.width(body);
    Index turning = first;
    while (turning < end && table.displaces(turning)) ++turning;
    if (turning == end) continue;  // a point mass
    const double k = std::sqrt(diagonal.segment(turning, end - turning).mean() / std::max(diagonal[first], 1e-300));
    for (Index i = turning; i < end; ++i) hops_[static_cast<std::size_t>(i)] = speed / (2 * k);
  }
}

// Coordinates of bodies of one kind share a scale, the largest range of one of them, for velocities the largest
// magnitude; those of problems have their own. Where hardly anything moves, the range of a smaller share of the
// coordinates counts instead.
std::vector<double> MotionSamples::scales() const {
  const double duration = std::max(last_[0], 1e-300);  // runs begin at 0
  const auto magnitude = [&](std::size_t i) { return std::max(std::abs(least_[i]), std::abs(most_[i])); };
  const bool bodies = !turning_.empty();
  double size = 0;                                           // of positions
  double range[2] = {0, 0}, speed[2] = {0, 0}, scale_of[2];  // of bodies: by what turns
  for (std::size_t i = 0; i < positions_; ++i) {
    size = std::max(size, magnitude(i));
    if (bodies) range[turning_[i]] = std::max(range[turning_[i]], most_[i] - least_[i]);
  }
  for (std::size_t i = positions_; bodies && i < size_; ++i) {
    double& kind = speed[turning_[i - positions_]];
    kind = std::max(kind, magnitude(i));
  }
  for (const int kind : {0, 1}) scale_of[kind] = std::max({range[kind], least_scale * size, 1e-12});
  std::vector<double> scale(size_);
  for (std::size_t i = 0; i < positions_; ++i) {
    scale[i] = bodies ? scale_of[turning_[i]] : std::max({most_[i] - least_[i], least_scale * size, 1e-12});
  }
  for (std::size_t i = positions_; i < size_; ++i) {
    const std::size_t of = i - positions_;
    scale[i] = std::max({bodies ? speed[turning_[of]] : magnitude(i), scale[of] / duration, 1e-12});
  }
  return scale;
}

// A thousandth of the scale is no motion, nor is a thousandth of what another position or rate moves by.
MotionSamples::Share MotionSamples::largest_share(const std::vector<double>& numbers) const {
  Share largest;
  if (numbers.empty()) return largest;
  const std::vector<double> scale = scales();
  const double loosest = *std::max_element(numbers.begin(), numbers.end());
  const auto moved = [&](std::size_t i) {
    return i < positions_ ? most_[i] - least_[i] : std::max(std::abs(least_[i]), std::abs(most_[i]));
  };
  double positions = 0, rates = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    double& most = i < positions_ ? positions : rates;
    most = std::max(most, moved(i));
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (moved(i) < least_scale * std::max(scale[i], i < positions_ ? positions : rates)) continue;
    const double number = numbers.size() == size_ ? numbers[i] : loosest;
    if (number / scale[i] > largest.size) largest = {number / scale[i], number};
  }
  return largest;
}

MotionSamples::Difference MotionSamples::compare(Rerun& rerun, const std::vector<Jump>& own, double until,
                                                 std::size_t first) {
  const std::vector<double> scale = scales();
  Difference largest;
  std::vector<Difference> rates;
  const Observation* now = nullptr;
  const std::size_t rates_at = size_ > positions_ ? positions_ : 0;
  double seen = 0;
  for (std::size_t k = first; k < count_ && sample(k)[0] <= until * (1 + 1e-9); ++k) {
    const double* mine = sample(k);
    if (mine[0] <= 0.5 * until) largest.early = largest.size;
    if (!rerun.show(mine[0], now)) {
      largest.complete = false;
      break;
    }
    Difference here;
    for (std::size_t i = 0; i < size_; ++i) {
      const double other = i < positions_ ? now->q.data[i] : now->v.data[i - positions_];
      const double hop = i < positions_ || hops_.empty() ? 0 : hops_[i - positions_];
      const double size = std::max(0.0, std::abs(other - mine[1 + i]) - hop) / scale[i];
      if (i < positions_ && size > largest.size) largest.size = size, largest.time = mine[0], largest.component = i;
      if (i >= positions_ && size > here.size) here.size = size, here.time = mine[0], here.component = i;
    }
    if (here.size > 0) rates.push_back(here);
    seen = mine[0];
    if (largest.size > beyond_doubt) break;
  }
  const std::vector<Jump> other = rerun.jumps();
  add_rates(rates, own, other, until, largest);
  Difference lost = lost_phase(own, other, first > 0 ? time(first - 1) : 0, seen, scale[rates_at]);
  if (lost.size > largest.size) {
    const auto later = [&](const Difference& a, const Difference& b) {
      return std::abs(a.time - lost.time) < std::abs(b.time - lost.time);
    };
    const auto nearest = std::min_element(rates.begin(), rates.end(), later);
    lost.component = nearest != rates.end() ? nearest->component : rates_at;
    lost.complete = largest.complete;
    largest = lost;
  }
  return largest;
}

// Of rates the second largest difference counts: two runs may pass a steep change at slightly different times. Between
// the times of one jump in the two runs rates say nothing; jumps of an element are paired with the nearest ones.
void MotionSamples::add_rates(const std::vector<Difference>& rates, const std::vector<Jump>& own,
                              const std::vector<Jump>& other, double until, Difference& largest) const {
  std::vector<std::pair<double, double>> between;
  const auto pair_up = [&](const std::vector<Jump>& these, const std::vector<Jump>& those) {
    for (const Jump& jump : these) {
      if (jump.t > until) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Jump& o : those) {
        if (o.element == jump.element && std::abs(o.t - jump.t) < std::abs(nearest - jump.t)) nearest = o.t;
      }
      between.emplace_back(std::min(jump.t, nearest), std::max(jump.t, nearest));
    }
  };
  pair_up(own, other);
  pair_up(other, own);
  Difference fastest, second;
  for (const Difference& here : rates) {
    const auto inside = [&](const auto& times) { return times.first <= here.time && here.time <= times.second; };
    if (std::any_of(between.begin(), between.end(), inside)) continue;
    Difference rate = here;
    if (rate.size > fastest.size) std::swap(rate, fastest);
    if (rate.size > second.size) second = rate;
    if (here.time <= 0.5 * until) largest.early = std::max(largest.early, second.size);
  }
  if (second.size > largest.size) {
    second.complete = largest.complete;
    second.early = largest.early;
    largest = second;
  }
}

// Where impacts of two runs are further apart than a quarter of the time to the next one, it is not the same one that
// comes a little later: velocities differ by what an impact changes.
MotionSamples::Difference MotionSamples::lost_phase(const std::vector<Jump>& own, const std::vector<Jump>& other,
                                                    double from, double until, double scale) const {
  constexpr double share_of_gap = 0.25;
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto nearest = [](const std::vector<Jump>& jumps, const Jump& to) {
    double distance = never;
    for (const Jump& jump : jumps) {
      if (&jump != &to && jump.element == to.element) distance = std::min(distance, std::abs(jump.t - to.t));
    }
    return distance;
  };
  Difference lost;
  lost.lost_phase = true;
  const double hop = hops_.empty() ? 0 : hops_.front();
  for (const Jump& jump : own) {
    const double size = (jump.speed - hop) / scale;
    if (!(size > 0) || jump.t < from || jump.t > until) continue;
    const double apart = nearest(other, jump), gap = nearest(own, jump);
    const bool after_the_end = apart >= until - jump.t;
    if (after_the_end || !(apart > share_of_gap * gap)) continue;
    if (jump.t <= 0.5 * until) lost.early = std::max(lost.early, size);
    if (size > lost.size) lost.size = size, lost.time = jump.t;
  }
  return lost;
}

void MotionSamples::remember(Archive& archive, const std::string& prefix) {
  archive.values(prefix, count_, stride_, steps_, place_);
  archive.block(prefix + ".samples", samples_);
  archive.block(prefix + ".least", least_);
  archive.block(prefix + ".most", most_);
  archive.block(prefix + ".end", last_);
}

}  // namespace trammel
