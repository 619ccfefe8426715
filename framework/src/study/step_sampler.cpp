// Channels inside steps.
#include "study/step_sampler.h"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

// Shares of a channel's range so far: how far chords may be off; a bend up to which a parabola is as good; by how much
// the parabola may miss the quarters of a step for the polynomial through all five states to be good.
constexpr double tolerated = 1e-6, slight_bend = 1e-3, tolerated_miss = 2e-3;
constexpr double rounding = 1e-9;  // of the largest value: a range below it is none
constexpr int deepest = 4, longest_pause = 3, most_samples = 1024;
constexpr long looks_per_step = 6, free_looks = 1000;

}  // namespace

void StepSampler::see(const Values& values) {
  if (least_.empty()) least_ = most_ = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    least_[i] = std::min(least_[i], values[i]), most_[i] = std::max(most_[i], values[i]);
  }
}

void StepSampler::begin(double t, const Values& values) {
  start_ = {t, values};
  see(values);
}

double StepSampler::share(const Values& difference) const {
  double largest = 0;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const double scale = rounding * std::max(std::abs(least_[i]), std::abs(most_[i]));
    const double range = std::max(most_[i] - least_[i], scale);
    if (range > 0) largest = std::max(largest, std::abs(difference[i]) / range);
  }
  return largest;
}

double StepSampler::bend(const Part& part) const {
  Values off(part.m.values);
  for (std::size_t i = 0; i < off.size(); ++i) off[i] -= 0.5 * (part.a.values[i] + part.b.values[i]);
  return share(off);
}

StepSampler::Point& StepSampler::add_sample(double t) {
  if (count_ == samples_.size()) samples_.emplace_back();
  Point& sample = samples_[count_++];
  sample.t = t;
  sample.values.resize(start_.values.size());
  return sample;
}

std::span<const StepSampler::Point> StepSampler::step(double from, double to, const Look& look) {
  count_ = 0;
  const auto samples = [this] { return std::span<const Point>(samples_.data(), count_); };
  Part part{start_, {0.5 * (from + to), {}}, {to, {}}};
  if (part.a.values.empty() || part.a.t != from || !look(to, part.b.values)) return samples();
  ++steps_;
  see(part.b.values);
  const bool looks = pause_ == 0;
  if (!looks) --pause_;
  if (!looks || !look(part.m.t, part.m.values)) {
    add_sample(part.b.t).values = part.b.values;
    return samples();
  }
  ++looks_;
  see(part.m.values);
  const auto halves = [&] {
    count_ = 0;
    add_sample(part.m.t).values = part.m.values;
    add_sample(part.b.t).values = part.b.values;
    return samples();
  };
  if (bend(part) <= tolerated) {
    quiet_ = std::min(quiet_ + 1, longest_pause), pause_ = quiet_;
    return halves();
  }
  quiet_ = 0;
  return refine(part, look, 0) ? samples() : halves();
}

bool StepSampler::refine(const Part& part, const Look& look, int depth) {
  const double off = bend(part);
  if (off <= slight_bend) {
    const Point* const points[] = {&part.a, &part.m, &part.b};
    emit(points, off);
    return true;
  }
  Part left{part.a, {0.5 * (part.a.t + part.m.t), {}}, part.m},
      right{part.m, {0.5 * (part.m.t + part.b.t), {}}, part.b};
  if (!look(left.m.t, left.m.values) || !look(right.m.t, right.m.values)) return false;
  looks_ += 2;
  see(left.m.values), see(right.m.values);
  Values first(left.m.values), second(right.m.values);
  for (std::size_t i = 0; i < first.size(); ++i) {  // the parabola's values at the quarters
    const double a = part.a.values[i], m = part.m.values[i], b = part.b.values[i];
    first[i] -= (3 * a + 6 * m - b) / 8, second[i] -= (3 * b + 6 * m - a) / 8;
  }
  const bool affordable = looks_ < free_looks + looks_per_step * steps_;
  if (std::max(share(first), share(second)) > tolerated_miss && depth < deepest && affordable)
    return refine(left, look, depth + 1) && refine(right, look, depth + 1);
  const double inner = 4 * std::max(bend(left), bend(right));
  const Point* const points[] = {&part.a, &left.m, &part.m, &right.m, &part.b};
  emit(points, std::max(off, inner));
  return true;
}

// Newton's form: f(x) = sum over k of C(x, k) D^k f(0), x = 0 .. last at the points.
void StepSampler::emit(std::span<const Point* const> points, double bend) {
  const std::size_t last = points.size() - 1, channels = points.front()->values.size();
  differences_.clear();
  for (const Point* point : points) differences_.insert(differences_.end(), point->values.begin(), point->values.end());
  for (std::size_t order = 1; order <= last; ++order) {
    for (std::size_t i = (last + 1) * channels; i-- > order * channels;) differences_[i] -= differences_[i - channels];
  }
  const double a = points.front()->t, h = points.back()->t - a;
  const int count = std::clamp(static_cast<int>(std::ceil(std::sqrt(bend / tolerated))), 1, most_samples);
  for (int k = 1; k < count; ++k) {
    const double s = static_cast<double>(k) / count, x = s * static_cast<double>(last);
    Values& values = add_sample(a + s * h).values;
    std::copy_n(differences_.begin(), channels, values.begin());
    double binomial = 1;
    for (std::size_t order = 1; order <= last; ++order) {
      binomial *= (x - static_cast<double>(order - 1)) / static_cast<double>(order);
      for (std::size_t i = 0; i < channels; ++i) values[i] += binomial * differences_[order * channels + i];
    }
  }
  add_sample(points.back()->t).values = points.back()->values;
}

}  // namespace trammel
