// Samples of a fixed-step run, the comparison with the same run in other steps, and what it says about the error.
#include "run/fixed_step_check.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/constrained_model.h"
#include "trammel/contact.h"

namespace trammel {
namespace {

constexpr std::size_t most_samples = 128;
constexpr double noteworthy = 0.005;  // of the range of motion: an error that is reported (known to a factor of 2, of 4 with impacts)
constexpr double beyond_doubt = 0.3;  // no need to look further
constexpr double wanted_error = 0.01;
constexpr double least_scale = 1e-3;  // of the largest coordinate: a smaller range is no motion to compare with
constexpr double few_steps = 16;      // so few that twice as long ones say nothing
constexpr double small_run = 1000;    // steps that are always run again, with half as many
constexpr double share = 0.05;        // of longer runs: half of it is the share of evaluations,
constexpr double share_of_pieces = 0.06;     // as much again for pieces of the rest,
constexpr std::size_t least_pieces = 4, least_piece = 32;  // at least so many, of so many steps
constexpr double longest_check = 20000;  // steps that are run again with half their length

}  // namespace

void FixedStepCheck::start(Plant& plant, double step, int order, StepStarts::Keeper keeper) {
  step_ = step, order_ = std::max(order, 1);
  if (!wanted()) return;
  const Observation& o = plant.observation();
  positions_ = static_cast<std::size_t>(o.q.size), size_ = positions_ + static_cast<std::size_t>(o.v.size);
  if (ConstrainedModel* model = plant.model()) {
    body_ = static_cast<std::size_t>(model->assembly().body_coordinates());
    translations_ = body_ == 3 ? 2 : 3;
    for (Index i = 0; i < o.q.size; ++i) names_.emplace_back(model->coordinate_name(i));
    find_hops(*model);
  } else {
    for (Index i = 0; i < o.q.size; ++i) names_.push_back(plant.component_name(i));
  }
  for (std::size_t i = positions_; i < size_; ++i) names_.push_back("rate of " + names_[i - positions_]);
  samples_.assign((most_samples + 1) * (1 + size_), 0.0);
  last_.assign(1 + size_, 0.0);
  const std::size_t rates = size_ > positions_ ? size_ - positions_ : positions_;
  starts_.start(std::move(keeper), most_samples, body_, translations_, rates);
  least_.assign(o.q.data, o.q.data + o.q.size);
  least_.insert(least_.end(), o.v.data, o.v.data + o.v.size);
  most_ = least_;
}

void FixedStepCheck::step(const Observation& now) {
  if (!wanted()) return;
  if (count_ == most_samples && (steps_ + 1) % stride_ == 0) {  // every other one goes
    for (std::size_t i = 1; 2 * i - 1 < count_; ++i) std::copy_n(sample(2 * i - 1), 1 + size_, sample(i - 1));
    count_ /= 2, stride_ *= 2;
    starts_.thin();
  }
  ++steps_;
  for (std::size_t i = 0; i < size_; ++i) {
    const double x = i < positions_ ? now.q.data[i] : now.v.data[i - positions_];
    least_[i] = std::min(least_[i], x), most_[i] = std::max(most_[i], x);
  }
  last_[0] = now.t;
  std::copy_n(now.q.data, positions_, last_.begin() + 1);
  std::copy_n(now.v.data, size_ - positions_, last_.begin() + 1 + static_cast<std::ptrdiff_t>(positions_));
  starts_.step(now);
  if (steps_ % stride_ != 0) return;
  std::copy(last_.begin(), last_.end(), sample(count_++));
  starts_.sample();
}

// A contact at rest hops at `rest_speed`, in two runs not at the same times. At the lever r an impulse that changes the speed of
// the contact by u changes that of the body by at most u and its rate of turning by u r / (k^2 + r^2) <= u / (2 k), k being the
// radius of gyration.
void FixedStepCheck::find_hops(ConstrainedModel& model) {
  double speed = 0;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const auto* contact = find_extension<UnilateralContact>(*slot.constraint);
    if (contact != nullptr) speed = std::max(speed, 2 * contact->rest_speed());
  }
  const auto n = static_cast<Index>(size_ - positions_), size = static_cast<Index>(body_);
  hops_.assign(static_cast<std::size_t>(n), speed);
  if (speed == 0) return;
  Eigen::VectorXd one(n), column(n), diagonal(n);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < n; ++i) one[i] = i % size == j ? 1 : 0;
    model.apply_mass({one.data(), n}, {column.data(), n});
    for (Index i = j; i < n; i += size) diagonal[i] = column[i];
  }
  const auto turns = static_cast<Index>(body_ - translations_);
  for (Index body = 0; body + size <= n; body += size) {
    const double k = std::sqrt(diagonal.segment(body + size - turns, turns).mean() / std::max(diagonal[body], 1e-300));
    for (Index i = body + size - turns; i < body + size; ++i) hops_[static_cast<std::size_t>(i)] = speed / (2 * k);
  }
}

// Coordinates of bodies of one kind share a scale, the largest range of one of them, for velocities the largest
// magnitude; those of problems have their own. Where hardly anything moves, the range of a smaller share of the
// coordinates counts instead.
std::vector<double> FixedStepCheck::scales() const {
  std::vector<double> scale(size_);
  const double duration = std::max(static_cast<double>(steps_) * step_, step_);
  const auto kind = [&](std::size_t i) { return i % body_ < translations_; };
  for (std::size_t i = 0; i < size_; ++i) {
    const bool rate = i >= positions_;
    double range = 0, size = 0, travel = 0;
    for (std::size_t k = rate ? positions_ : 0; k < (rate ? size_ : positions_); ++k) {
      const bool same = body_ > 0 ? kind(k - (rate ? positions_ : 0)) == kind(i - (rate ? positions_ : 0)) : k == i;
      const double magnitude = std::max(std::abs(least_[k]), std::abs(most_[k]));
      size = std::max(size, magnitude);
      if (!same) continue;
      range = std::max(range, rate ? magnitude : most_[k] - least_[k]);
      if (rate) travel = std::max(travel, scale[k - positions_] / duration);
    }
    scale[i] = std::max({range, rate ? travel : least_scale * size, 1e-12});
  }
  return scale;
}

FixedStepCheck::Difference FixedStepCheck::compare(Rerun& rerun, double until, std::size_t first) {
  const std::vector<double> scale = scales();
  Difference largest;
  std::vector<Difference> rates;
  const Observation* now = nullptr;
  const long before = rerun.evaluations();
  for (std::size_t k = first; k < count_ && sample(k)[0] <= until * (1 + 1e-9); ++k) {
    const double* own = sample(k);
    if (own[0] <= 0.5 * until) largest.early = largest.size;
    if (!rerun.show(own[0], now)) {
      largest.complete = false;
      break;
    }
    Difference here;
    for (std::size_t i = 0; i < size_; ++i) {
      const double other = i < positions_ ? now->q.data[i] : now->v.data[i - positions_];
      const double hop = i < positions_ || hops_.empty() ? 0 : hops_[i - positions_];
      const double size = std::max(0.0, std::abs(other - own[1 + i]) - hop) / scale[i];
      if (i < positions_ && size > largest.size) largest.size = size, largest.time = own[0], largest.component = i;
      if (i >= positions_ && size > here.size) here.size = size, here.time = own[0], here.component = i;
    }
    if (here.size > 0) rates.push_back(here);
    if (largest.size > beyond_doubt) break;
  }
  result_.evaluations += rerun.evaluations() - before;
  ++result_.reruns;
  add_rates(rates, rerun.jumps(), until, largest);
  return largest;
}

// Of rates the second largest difference counts: two runs may pass a steep change at slightly different times. Between the
// times of one jump in the two runs rates say nothing; jumps of an element are paired with the nearest ones.
void FixedStepCheck::add_rates(const std::vector<Difference>& rates, const std::vector<Jump>& jumps, double until,
                               Difference& largest) const {
  std::vector<std::pair<double, double>> between;
  const auto pair_up = [&](const std::vector<Jump>& these, const std::vector<Jump>& those) {
    for (const Jump& jump : these) {
      if (jump.t > until) continue;
      double other = std::numeric_limits<double>::infinity();
      for (const Jump& o : those) {
        if (o.element == jump.element && std::abs(o.t - jump.t) < std::abs(other - jump.t)) other = o.t;
      }
      between.emplace_back(std::min(jump.t, other), std::max(jump.t, other));
    }
  };
  pair_up(happenings_.jumps, jumps);
  pair_up(jumps, happenings_.jumps);
  Difference fastest, second;
  for (const Difference& here : rates) {
    const auto inside = [&](const auto& times) { return times.first <= here.time && here.time <= times.second; };
    if (std::any_of(between.begin(), between.end(), inside)) continue;
    Difference rate = here;
    if (rate.size > fastest.size) std::swap(rate, fastest);
    if (rate.size > second.size) second = rate;
    if (here.time <= 0.5 * until) largest.early = std::max(largest.early, second.size);
  }
  if (second.size > largest.size) second.complete = largest.complete, second.early = largest.early, largest = second;
}

void FixedStepCheck::finish(const Maker& make, double duration, const Happenings& happenings) {
  if (!wanted() || done_ || count_ == 0) return;
  done_ = true, happenings_ = happenings;
  if (sample(count_ - 1)[0] < last_[0]) std::copy(last_.begin(), last_.end(), sample(count_++));
  const bool saw = check_against_steps_that_see(make);
  if (!saw) check_beginning(make, duration);
  result_.whole = result_.until >= sample(count_ - 1)[0] && !(happenings.step_that_sees < step_ && !saw);
  if (result_.reruns > 0 && result_.error <= noteworthy) check_pieces(make);
}

// The error of the longer steps at the end of the run, by what they show up to `until`. Errors grow like a power of
// time, at least in proportion, or exponentially; where that power leads anywhere near one that is noteworthy, the
// longer steps go on.
FixedStepCheck::Difference FixedStepCheck::with_longer_steps(Rerun& longer, double& until, double& error) {
  constexpr double fastest_growth = 8, near = 0.1 * noteworthy;
  const double end = sample(count_ - 1)[0];
  Difference difference = compare(longer, until);
  const double power = std::clamp(std::log2(difference.size / std::max(difference.early, 1e-300)), 1.0, fastest_growth);
  error = difference.size * std::pow(std::max(end / until, 1.0), power);
  if (difference.complete && difference.size < noteworthy && error >= near && until < end) {
    std::size_t behind = 0;
    while (behind < count_ && sample(behind)[0] <= until * (1 + 1e-9)) ++behind;
    until = std::min(end, 2 * longest_check * step_);
    const Difference later = compare(longer, until, behind);
    --result_.reruns;  // the same one went on
    if (later.size > difference.size || !later.complete) difference = later;
    error = difference.size * std::max(end / until, 1.0);
  }
  result_.until = until;
  return difference;
}

// What both the run and one with steps twice as long miss shows in neither. false: such steps would be too many.
bool FixedStepCheck::check_against_steps_that_see(const Maker& make) {
  const double end = sample(count_ - 1)[0], step = happenings_.step_that_sees;
  if (!(step < step_) || end / step > longest_check) return false;
  const std::unique_ptr<Rerun> shorter = make(step);
  if (shorter == nullptr) return false;
  const Difference difference = compare(*shorter, end);
  if (!difference.complete) return false;
  result_.until = end;
  tell(difference, std::exp2(order_));
  return true;
}

void FixedStepCheck::check_beginning(const Maker& make, double duration) {
  const double end = sample(count_ - 1)[0], steps = end / step_;
  // What happens later than a stretch is in none of it.
  const bool all = happenings_.events || happenings_.foreseen;
  const double stretch = all ? 2 * longest_check * step_ : std::max(small_run * step_, share * duration);
  double until = std::min(end, stretch), longer_size = 0;
  const bool cut = happenings_.shortest_piece < 2 * step_;
  bool good = false;
  if (steps > few_steps && !cut) {
    for (const double factor : {2.0, 3.0}) {
      if (factor > 2 && !(good && happenings_.events)) break;
      const std::unique_ptr<Rerun> longer = make(factor * step_);
      if (longer == nullptr) return;
      double error = 0;
      const Difference difference = with_longer_steps(*longer, until, error);
      good = difference.complete && error < noteworthy;
      if (good) {
        result_.error = std::max(result_.error, error / (std::exp2(order_) - 1)), result_.time = difference.time;
        if (difference.size > 0) result_.channel = names_[difference.component];
      } else if (factor == 2 && difference.complete && difference.size <= beyond_doubt && until == end) {
        longer_size = difference.size;
      }
    }
  }
  if (good) return;
  until = std::min(end, longest_check * step_);
  double part = 0.5;
  while (cut && part > 0.125 && 2 * part * step_ > happenings_.shortest_piece) part *= 0.5;
  const std::unique_ptr<Rerun> shorter = make(part * step_);
  if (shorter == nullptr) return;
  const Difference difference = compare(*shorter, until);
  if (!difference.complete && difference.size == 0) return;  // steps that cannot be halved say nothing
  result_.until = until;
  const double shown = longer_size > 0 && difference.complete ? longer_size / difference.size : std::exp2(order_);
  tell(difference, shown);
  if (!happenings_.events || result_.error > noteworthy) return;
  // Longer steps said otherwise, or could not be asked, and half as long ones may be equal by chance: a third opinion.
  const std::unique_ptr<Rerun> third = make(2.0 / 3 * part * step_);
  if (third == nullptr) return;
  const Result before = result_;
  tell(compare(*third, until), std::exp2(order_));
  if (result_.error > before.error) return;
  const long reruns = result_.reruns, evaluations = result_.evaluations;
  result_ = before, result_.reruns = reruns, result_.evaluations = evaluations;
}

// Richardson: e(h) = [e(h) - e(h/2)] r / (r - 1) with r = 2^p. Where the three runs show less than the claimed order, r
// is theirs, [e(2h) - e(h)] / [e(h) - e(h/2)], and at least `least_ratio`: with less the error says nothing of the
// step.
void FixedStepCheck::tell(const Difference& difference, double shown) {
  constexpr double least_ratio = 1.25;
  const double ratio = std::clamp(shown, std::min(least_ratio, std::exp2(order_)), std::exp2(order_));
  result_.error = difference.size * ratio / (ratio - 1);
  result_.time = difference.time;
  if (difference.size > 0) result_.channel = names_[difference.component];
  result_.step = step_ * std::min(0.5, std::pow(wanted_error / std::clamp(result_.error, wanted_error, 1.0), 1.0 / order_));
}

// Each begins with the run's own state. What they show together, each for its share of the run, is the error of steps
// twice as long as far as errors add up; only where that is noteworthy the worst piece and what follows it is run with
// shorter steps.
void FixedStepCheck::check_pieces(const Maker& make) {
  std::size_t from = 0;
  while (from < count_ && sample(from)[0] < result_.until - 1e-9 * step_) ++from;
  const std::size_t length = (least_piece + stride_ - 1) / stride_;
  const auto most = static_cast<std::size_t>(share_of_pieces * static_cast<double>(steps_) / static_cast<double>(length * stride_));
  StepStarts::Piece worst{};
  double sum = 0, largest = -1;
  Difference found;
  std::unique_ptr<Rerun> longer;
  for (const StepStarts::Piece& piece : starts_.choose(from, count_, length, std::max(most, least_pieces))) {
    if (longer == nullptr || !longer->begin(starts_.at(piece.first))) {
      longer = make(2 * step_);
      if (longer == nullptr || !longer->begin(starts_.at(piece.first))) return;
    }
    Difference difference = compare(*longer, sample(piece.last)[0], piece.first + 1);
    if (!difference.complete) longer = nullptr, difference.size = std::max(difference.size, noteworthy);
    sum += piece.share * difference.size;
    if (difference.size > largest) largest = difference.size, worst = piece, found = difference;
  }
  if (const double error = sum / (std::exp2(order_) - 1); error > result_.error) {
    result_.error = std::min(error, noteworthy), result_.time = found.time, result_.channel = names_[found.component];
  }
  if (sum >= noteworthy) judge_piece(make, worst, largest);
}

void FixedStepCheck::judge_piece(const Maker& make, const StepStarts::Piece& piece, double longer) {
  const std::unique_ptr<Rerun> shorter = make(0.5 * step_);
  if (shorter == nullptr || !shorter->begin(starts_.at(piece.first))) return;
  Difference difference = compare(*shorter, sample(piece.last)[0], piece.first + 1);
  const double shown = difference.size > 0 && difference.complete ? longer / difference.size : std::exp2(order_);
  if (difference.complete) {
    const double until = sample(piece.first)[0] + 0.5 * longest_check * step_;
    const Difference later = compare(*shorter, until, piece.last + 1);
    if (later.size > difference.size) difference = later;
    --result_.reruns;  // the same one went on
  }
  const Result before = result_;
  tell(difference, shown);
  result_.from = sample(piece.first)[0];
  if (result_.error <= before.error) result_.error = before.error, result_.time = before.time, result_.channel = before.channel;
}

std::string FixedStepCheck::warning(const std::string& method) const {
  if (!(result_.error > noteworthy) || result_.step == 0) return "";
  const std::string size = result_.error < beyond_doubt ? fmt::format("about {:.2g} %", 100 * result_.error)
                                                        : fmt::format("{:.2g} % or more", 100 * result_.error);
  return fmt::format("steps of {:g} s are too long for '{}' here: with steps half as long{} '{}' comes out otherwise at t = {:.6g}, "
                     "which means an error of {} of the range of motion; try \"step\": {:.1g}, or a method with \"rtol\" and "
                     "\"atol\" (dopri5); only a chaotic motion differs with every step", step_, method,
                     result_.from > 0 ? fmt::format(" from t = {:.6g} on", result_.from) : std::string(),
                     result_.channel, result_.time, size, result_.step);
}

void FixedStepCheck::remember(Archive& archive) {
  if (!wanted()) return;
  archive.values("step_check", count_, stride_, steps_);
  archive.block("step_check.samples", samples_);
  archive.block("step_check.least", least_);
  archive.block("step_check.most", most_);
  archive.block("step_check.end", last_);
  starts_.remember(archive);
}

}  // namespace trammel
