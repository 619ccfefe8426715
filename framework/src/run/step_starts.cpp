// States to begin pieces from: kept with the samples, thinned with them, chosen by violence and by place.
#include "run/step_starts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace trammel {
namespace {

constexpr std::size_t first_steps =
    1000;  // are always run again as one stretch: nothing is kept, nor memory taken, in them
constexpr std::size_t most_numbers = std::size_t{1} << 17;  // of all states together: they are in every checkpoint

// A piece begins its method anew, and what happened before is of no interest.
const char* const of_the_method = "integrator";
const char* const of_the_past[] = {"events.located", "warnings"};

std::size_t size_of(Archive& archive) {
  std::size_t size = 0;
  for (const auto& [name, values] : archive.numbers()) size += values.size();
  return size;
}

}  // namespace

void StepStarts::start(Keeper keeper, std::size_t samples, const std::vector<unsigned char>& turning,
                       std::size_t rates) {
  keeper_ = std::move(keeper);
  samples_ = samples, turning_ = turning;
  starts_.reserve(samples);
  last_.assign(rates, 0.0), before_.assign(rates, 0.0);
}

void StepStarts::keep() {
  Start& start = starts_.back();
  if (!keeper_ || steps_ < first_steps || start.kept || (every_ > 0 && !wanted(starts_.size() - 1))) return;
  Archive archive;
  if (!keeper_(archive)) return;
  archive.numbers().erase(of_the_method);
  for (const char* list : of_the_past) {
    archive.texts()[list].clear();
    if (const auto numbers = archive.numbers().find(list); numbers != archive.numbers().end()) numbers->second.clear();
  }
  if (every_ == 0) {
    for (every_ = 1; size_of(archive) * samples_ > most_numbers * every_ && every_ < samples_ / 4;) every_ *= 2;
    if (!wanted(starts_.size() - 1)) return;
  }
  start.state = std::move(archive);
  start.kept = true;
}

void StepStarts::step(const Observation& now) {
  const ConstVectorView rates = now.v.size > 0 ? now.v : now.q;
  const auto n = static_cast<std::size_t>(rates.size);
  if (steps_ >= 2 && !starts_.empty()) {
    std::array<double, 2>& violence = starts_.back().violence;
    for (std::size_t i = 0; i < n; ++i) {
      double& of_kind = violence[i < turning_.size() && turning_[i] != 0 ? 1 : 0];
      of_kind = std::max(of_kind, std::abs(rates.data[i] - 2 * last_[i] + before_[i]));
    }
  }
  std::swap(before_, last_);
  std::copy_n(rates.data, n, last_.begin());
  ++steps_;
  if (!starts_.empty()) keep();  // where something was pending at the sample, one step late
}

void StepStarts::sample() {
  starts_.emplace_back();
  keep();
}

void StepStarts::thin() {
  std::size_t to = 0;
  for (std::size_t from = 1; from < starts_.size(); from += 2, ++to) {
    Start start = std::move(starts_[from]);
    if (from + 1 < starts_.size()) {
      for (std::size_t k = 0; k < 2; ++k)
        start.violence[k] = std::max(start.violence[k], starts_[from + 1].violence[k]);
    }
    if (start.kept && !wanted(to)) {
      start.kept = false;
      start.state = {};
    }
    starts_[to] = std::move(start);
  }
  starts_.resize(to);
}

// The two kinds side by side, each by its largest.
std::vector<double> StepStarts::violence() const {
  std::array<double, 2> largest{};
  for (const Start& start : starts_) {
    for (std::size_t k = 0; k < 2; ++k) largest[k] = std::max(largest[k], start.violence[k]);
  }
  std::vector<double> all;
  for (const Start& start : starts_) {
    double size = 0;
    for (std::size_t k = 0; k < 2; ++k) size = std::max(size, largest[k] > 0 ? start.violence[k] / largest[k] : 0.0);
    all.push_back(size);
  }
  return all;
}

std::vector<StepStarts::Piece> StepStarts::choose(std::size_t from, std::size_t count, std::size_t length,
                                                  std::size_t most) const {
  std::vector<Piece> pieces;
  count = std::min(count, starts_.size() + 1);
  if (from + 1 >= count || most == 0) return pieces;
  const std::size_t intervals = count - 1 - from, by_place = std::min((most + 1) / 2, intervals);
  const auto take = [&](std::size_t interval, double share) {
    std::size_t first = interval;
    while (first > 0 && !starts_[first].kept) --first;
    if (!starts_[first].kept) return;
    const std::size_t last = std::min(std::max(interval + 1, first + length), count - 1);
    const auto same = std::find_if(pieces.begin(), pieces.end(),
                                   [&](const Piece& p) { return p.first <= interval && interval < p.last; });
    if (same != pieces.end())
      same->share = std::max(same->share, share);
    else
      pieces.push_back({first, last, share});
  };
  for (std::size_t i = 0; i < by_place; ++i) {
    take(from + (2 * i + 1) * intervals / (2 * by_place),
         static_cast<double>(intervals) / static_cast<double>(by_place));
  }
  const std::vector<double> size = violence();
  std::vector<std::size_t> order(intervals);
  std::iota(order.begin(), order.end(), from);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size[a] > size[b]; });
  for (std::size_t i = 0; i < order.size() && pieces.size() < most; ++i) take(order[i], 1);
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  return pieces;
}

// All states have the same blocks; lists among them differ in length.
void StepStarts::remember(Archive& archive) {
  std::vector<double> numbers, violence;
  std::vector<std::string> names;
  archive.values("step_check.starts", every_, steps_);
  for (Start& start : starts_) {
    violence.insert(violence.end(), {start.kept ? 1.0 : 0.0, start.violence[0], start.violence[1]});
    if (!start.kept) continue;
    names.clear();
    for (const auto& [name, values] : start.state.numbers()) {
      names.push_back(name);
      numbers.push_back(static_cast<double>(values.size()));
      numbers.insert(numbers.end(), values.begin(), values.end());
    }
  }
  archive.list("step_check.starts.names", names);
  archive.list("step_check.starts.violence", violence);
  archive.list("step_check.starts.numbers", numbers);
  archive.list("step_check.last", last_);
  archive.list("step_check.before", before_);
  if (!archive.restores()) return;
  starts_.clear();
  std::size_t at = 0;
  for (std::size_t i = 0; i + 2 < violence.size(); i += 3) {
    Start start;
    start.kept = violence[i] != 0, start.violence = {violence[i + 1], violence[i + 2]};
    for (std::size_t k = 0; start.kept && k < names.size(); ++k) {
      const std::size_t size = at < numbers.size() ? static_cast<std::size_t>(numbers[at]) : numbers.size();
      if (at + 1 + size > numbers.size()) throw Error(ErrorKind::input, "'step_check.starts.numbers' is cut off");
      start.state.numbers()[names[k]].assign(numbers.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                             numbers.begin() + static_cast<std::ptrdiff_t>(at + 1 + size));
      at += 1 + size;
    }
    for (const char* list : of_the_past) start.state.texts()[list];
    starts_.push_back(std::move(start));
  }
}

}  // namespace trammel
