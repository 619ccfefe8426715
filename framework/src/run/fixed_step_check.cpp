// Samples of a fixed-step run, the comparison with the same run in other steps, and what it says about the error.
#include "run/fixed_step_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {
namespace {

constexpr double noteworthy =
    0.005;  // of the range of motion: an error that is reported (known to a factor of 2, of 4 with impacts)
constexpr double beyond_doubt = MotionSamples::beyond_doubt;
constexpr double wanted_error = 0.01;
constexpr double few_steps = 16;          // so few that twice as long ones say nothing
constexpr double small_run = 1000;        // steps that are always run again, with half as many; all of a cheap run
constexpr double share = 0.05;            // of longer runs: half of it is the share of evaluations,
constexpr double share_of_pieces = 0.06;  // as much again for pieces of the rest,
constexpr std::size_t least_pieces = 4, least_piece = 32;  // at least so many, of so many steps
constexpr double longest_work =
    1e6;  // steps times coordinates of a run with steps that see functions of time: a second or two
constexpr double longest_check = 20000;  // steps that are run again with half their length

}  // namespace

void FixedStepCheck::start(Plant& plant, double step, int order, StepStarts::Keeper keeper) {
  step_ = step, order_ = std::max(order, 1);
  if (!wanted()) return;
  samples_.start(plant, step_);
  starts_.start(std::move(keeper), samples_.room(), samples_.turning(), samples_.rates());
}

void FixedStepCheck::step(const Observation& now) {
  if (!wanted()) return;
  if (samples_.make_room(now.t)) starts_.thin();
  const bool sampled = samples_.step(now);
  starts_.step(now);
  if (sampled) starts_.sample();
}

FixedStepCheck::Difference FixedStepCheck::compare(Rerun& rerun, double until, std::size_t first) {
  const long before = rerun.evaluations();
  const Difference difference = samples_.compare(rerun, happenings_.jumps, until, first);
  result_.evaluations += rerun.evaluations() - before;
  ++result_.reruns;
  return difference;
}

void FixedStepCheck::finish(const Maker& make, double duration, const Happenings& happenings) {
  if (!wanted() || done_ || samples_.count() == 0) return;
  done_ = true, happenings_ = happenings;
  samples_.close();
  const bool saw = check_against_steps_that_see(make);
  if (!saw) check_beginning(make, duration);
  result_.whole = result_.until >= samples_.end() && !(happenings.step_that_sees < step_ && !saw);
  if (result_.reruns > 0 && result_.error <= noteworthy) check_pieces(make);
}

// The error of the longer steps at the end of the run, by what they show up to `until`. Errors grow like a power of
// time, at least in proportion, or exponentially; where that power leads anywhere near one that is noteworthy, the
// longer steps go on.
FixedStepCheck::Difference FixedStepCheck::with_longer_steps(Rerun& longer, double& until, double& error) {
  constexpr double fastest_growth = 8, near = 0.1 * noteworthy;
  const double end = samples_.end();
  Difference difference = compare(longer, until);
  const double power = std::clamp(std::log2(difference.size / std::max(difference.early, 1e-300)), 1.0, fastest_growth);
  error = difference.size * std::pow(std::max(end / until, 1.0), power);
  if (difference.complete && difference.size < noteworthy && error >= near && until < end) {
    std::size_t behind = 0;
    while (behind < samples_.count() && samples_.time(behind) <= until * (1 + 1e-9)) ++behind;
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
  const double end = samples_.end(), step = happenings_.step_that_sees;
  if (!(step < step_) || end / step * static_cast<double>(samples_.coordinates()) > longest_work) return false;
  const std::unique_ptr<Rerun> shorter = make(step);
  if (shorter == nullptr) return false;
  const Difference difference = compare(*shorter, end);
  if (!difference.complete) return false;
  result_.until = end;
  tell(difference, std::exp2(order_));
  return true;
}

void FixedStepCheck::check_beginning(const Maker& make, double duration) {
  const double end = samples_.end(), steps = end / step_;
  // What happens later than a stretch is in none of it.
  const bool all = happenings_.events || happenings_.foreseen;
  const double part_of_it = samples_.cheap() ? end : std::max(small_run * step_, share * duration);
  const double stretch = all ? 2 * longest_check * step_ : part_of_it;
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
        if (difference.size > 0) result_.channel = samples_.name(difference);
      } else if (factor == 2 && difference.complete && difference.size <= beyond_doubt && until == end) {
        longer_size = difference.size;
      }
    }
  }
  if (good) return;
  until = std::min(end, longest_check * step_);
  // As many as see the shortest piece, if they can be had.
  const double affordable = until / step_ * static_cast<double>(samples_.coordinates()) / longest_work;
  double part = 0.5;
  while (cut && part > std::min(0.125, affordable) && 2 * part * step_ > happenings_.shortest_piece) part *= 0.5;
  const std::unique_ptr<Rerun> shorter = make(part * step_);
  if (shorter == nullptr) return;
  const Difference difference = compare(*shorter, until);
  if (!difference.complete && difference.size == 0) return;  // steps that cannot be halved say nothing
  result_.until = until;
  const double shown = longer_size > 0 && difference.complete ? longer_size / difference.size : std::exp2(order_);
  tell(difference, shown, difference.growth(until, end));
  if (!happenings_.events || result_.error > noteworthy) return;
  // Longer steps said otherwise, or could not be asked, and half as long ones may be equal by chance: a third opinion.
  const std::unique_ptr<Rerun> third = make(2.0 / 3 * part * step_);
  if (third == nullptr) return;
  const Result before = result_;
  const Difference with_third = compare(*third, until);
  tell(with_third, std::exp2(order_), with_third.growth(until, end));
  if (result_.error > before.error) return;
  const long reruns = result_.reruns, evaluations = result_.evaluations;
  result_ = before, result_.reruns = reruns, result_.evaluations = evaluations;
}

// Richardson: e(h) = [e(h) - e(h/2)] r / (r - 1) with r = 2^p. Where the three runs show less than the claimed order, r
// is theirs, [e(2h) - e(h)] / [e(h) - e(h/2)], and at least `least_ratio`: with less the error says nothing of the
// step.
void FixedStepCheck::tell(const Difference& difference, double shown, double growth) {
  constexpr double least_ratio = 1.25;
  const double ratio = std::clamp(shown, std::min(least_ratio, std::exp2(order_)), std::exp2(order_));
  result_.error = difference.size * (difference.lost_phase ? 1 : growth * ratio / (ratio - 1));
  result_.time = difference.time, result_.grows = growth > 1.05 && !difference.lost_phase;
  if (difference.size > 0) result_.channel = samples_.name(difference);
  result_.step =
      step_ * std::min(0.5, std::pow(wanted_error / std::clamp(result_.error, wanted_error, 1.0), 1.0 / order_));
}

// Each begins with the run's own state. What they show together, each for its share of the run, is the error of steps
// twice as long as far as errors add up; only where that is noteworthy the worst piece and what follows it is run with
// shorter steps.
void FixedStepCheck::check_pieces(const Maker& make) {
  std::size_t from = 0;
  while (from < samples_.count() && samples_.time(from) < result_.until - 1e-9 * step_) ++from;
  const std::size_t length = (least_piece + samples_.stride() - 1) / samples_.stride();
  const auto most = static_cast<std::size_t>(share_of_pieces * static_cast<double>(samples_.steps()) /
                                             static_cast<double>(length * samples_.stride()));
  StepStarts::Piece worst{};
  double sum = 0, largest = -1;
  Difference found;
  std::unique_ptr<Rerun> longer;
  for (const StepStarts::Piece& piece : starts_.choose(from, samples_.count(), length, std::max(most, least_pieces))) {
    if (longer == nullptr || !longer->begin(starts_.at(piece.first))) {
      longer = make(2 * step_);
      if (longer == nullptr || !longer->begin(starts_.at(piece.first))) return;
    }
    Difference difference = compare(*longer, samples_.time(piece.last), piece.first + 1);
    if (!difference.complete) {
      longer = nullptr;
      difference.size = std::max(difference.size, noteworthy);
    }
    sum += piece.share * difference.size;
    if (difference.size > largest) largest = difference.size, worst = piece, found = difference;
  }
  if (const double error = sum / (std::exp2(order_) - 1); error > result_.error) {
    result_.error = std::min(error, noteworthy), result_.time = found.time, result_.channel = samples_.name(found);
  }
  if (sum >= noteworthy) judge_piece(make, worst, largest);
}

void FixedStepCheck::judge_piece(const Maker& make, const StepStarts::Piece& piece, double longer) {
  const std::unique_ptr<Rerun> shorter = make(0.5 * step_);
  if (shorter == nullptr || !shorter->begin(starts_.at(piece.first))) return;
  Difference difference = compare(*shorter, samples_.time(piece.last), piece.first + 1);
  const double shown = difference.size > 0 && difference.complete ? longer / difference.size : std::exp2(order_);
  if (difference.complete) {
    const double until = samples_.time(piece.first) + 0.5 * longest_check * step_;
    const Difference later = compare(*shorter, until, piece.last + 1);
    if (later.size > difference.size) difference = later;
    --result_.reruns;  // the same one went on
  }
  const Result before = result_;
  tell(difference, shown);
  result_.from = samples_.time(piece.first);
  if (result_.error <= before.error)
    result_.error = before.error, result_.time = before.time, result_.channel = before.channel;
}

std::string FixedStepCheck::warning(const std::string& method) const {
  if (!(result_.error > noteworthy) || result_.step == 0) return "";
  const std::string size = result_.error < beyond_doubt ? fmt::format("about {:.2g} %", 100 * result_.error)
                                                        : fmt::format("{:.2g} % or more", 100 * result_.error);
  return fmt::format(
      "steps of {:g} s are too long for '{}' here: with shorter steps{} '{}' comes out otherwise at t = {:.6g}, "
      "which means an error of {} of the range of motion{}; try \"step\": {:.1g}, or a method with \"rtol\" and "
      "\"atol\" (dopri5); only a chaotic motion differs with every step",
      step_, method, result_.from > 0 ? fmt::format(" from t = {:.6g} on", result_.from) : std::string(),
      result_.channel, result_.time, size, result_.grows ? " at the end, since it grows" : "", result_.step);
}

void FixedStepCheck::remember(Archive& archive) {
  if (!wanted()) return;
  samples_.remember(archive, "step_check");
  starts_.remember(archive);
}

}  // namespace trammel
