// Steps of differences, and which of them is the best.
#include "run/varied_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "run/smooth_differences.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double first_step = 1e-3, last_step = 0.1;  // of |p|; of max(1, |p|)
constexpr int levels_down = 8;
constexpr double shorter = 0.2, longer = 10;
constexpr double resolved = 1e-9, coming = 1e-6;  // of the largest entry: good, and close enough to see rounding
constexpr double promised = 1e-8;
// Of the change from one step to one a fifth of it, of fourth order: 1/625, if that order is seen.
constexpr double left_of_change = 0.02;
constexpr double value_rounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double unknown = std::numeric_limits<double>::infinity();

class StepSearch {
 public:
  StepSearch(const VariedNumber& f, double p, const std::vector<double>& at, const std::vector<DifferenceGroup>& groups)
      : f_(f), p_(p), at_(at), groups_(groups), best_(groups.size()) {}

  void run() {
    double h = first_step * (p_ != 0 ? std::abs(p_) : 1);
    first_ = level(h);
    Level coarse = first_;
    for (int k = 0; k < levels_down && (coarse.differences == nullptr || still_coming()); ++k) {
      Level finer = level(h *= shorter);
      if (finer.differences != nullptr && coarse.differences != nullptr) judge(coarse, finer);
      if (finer.differences != nullptr) coarse = std::move(finer);
      if (first_.differences == nullptr) first_ = coarse;
    }
    if (first_.differences == nullptr) return;
    growing_ = true;
    Level finer = first_;
    const double most = last_step * std::max(1.0, std::abs(p_));
    for (h = longer * finer.differences->step(); h <= 1.001 * most && !all_resolved(); h *= longer) {
      Level bigger = level(h);
      if (bigger.differences == nullptr) break;
      judge(bigger, finer);
      finer = std::move(bigger);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {  // for `passes`
      const auto& best = best_[g].differences;
      if (best != nullptr && !best->smooth(groups_[g].first, groups_[g].last, groups_[g].size))
        level(shorter * best->step());
    }
  }

  std::vector<double> result(const std::string& name) const {
    if (first_.differences == nullptr)
      throw Error(ErrorKind::compute, fmt::format("there is no derivative by '{}' at {}: the model can be made at no "
                                                  "value beside it: {}",
                                                  name, p_, refused_));
    std::vector<double> f_p(at_.size(), 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const DifferenceGroup& group = groups_[g];
      const Best& best = best_[g];
      if (!best.informed) continue;  // no bit changes over any step
      if (best.differences != nullptr && !best.differences->smooth(group.first, group.last, group.size)) {
        if (best.constant()) continue;
        if (!passes(best, group)) {
          const bool near = !first_.differences->smooth(group.first, group.last, group.size);
          throw Error(
              ErrorKind::compute,
              fmt::format("there is no derivative by '{}' at {}: within {:.3g} of it the model jumps or has a kink",
                          name, p_, (near ? first_ : Level{best.differences, {}}).differences->reach()));
        }
      }
      if (!(best.error <= promised * std::max(best.largest, best.size / std::max(1.0, std::abs(p_))))) {
        throw Error(ErrorKind::compute,
                    fmt::format("no derivative by '{}' at {} is found: over the best of the steps that were tried, "
                                "differences of {:.3g} are good to {:.1g} only",
                                name, p_, best.largest, best.error));
      }
      for (std::size_t i = 0; i < best.f_p.size(); ++i) {
        if (std::abs(best.f_p[i]) > best.error) f_p[group.first + i] = best.f_p[i];
      }
    }
    return f_p;
  }

 private:
  struct Level {
    std::shared_ptr<const SmoothDifferences> differences;  ///< none: p has no neighbours at this distance
    std::vector<double> f_p;
  };
  struct Best {
    double error = unknown, largest = 0, size = 0;
    bool informed = false;  ///< p changed some bit
    bool worse = false;     ///< the last step gave more
    std::shared_ptr<const SmoothDifferences> differences = nullptr;
    std::vector<double> f_p = {};  ///< of the group
    double shortest = unknown;     ///< step that was tried
    double informed_step = unknown,
           informed_change = 0;  ///< the shortest over which a bit changes, and by how much f does

    /// Whether f jumps at some distance only: over shorter steps no bit changes, over longer ones many do at once.
    bool constant() const {
      constexpr double many = 1e-9;
      return shortest < informed_step && informed_change > many * size;
    }
  };
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  bool value(double p, std::vector<double>& out) {
    try {
      out = f_(p);
      const bool finite = std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); });
      if (!finite && refused_.empty()) refused_ = "it is not finite there";
      return finite;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::compute) throw;
      if (refused_.empty()) refused_ = error.what();
      return false;
    }
  }

  /// Whether what looks like a jump or a kink over the best step is a tenth of that over a shorter one, as the bend of a
  /// function that changes fast is; kinks stay, jumps grow.
  bool passes(const Best& best, const DifferenceGroup& group) const {
    const double seen = best.differences->irregularity(group.first, group.last);
    return std::any_of(levels_.begin(), levels_.end(), [&](const auto& shorter_one) {
      return shorter_one->step() < best.differences->step() &&
             shorter_one->unseen(group.first, group.last, group.size) <= 0.1 * seen &&
             shorter_one->irregularity(group.first, group.last) <= 0.1 * seen;
    });
  }

  Level level(double h) {
    using Place = SmoothDifferences::Place;
    std::vector<double> up[4], down[4];
    const bool above = value(p_ + h, up[0]) && value(p_ + 2 * h, up[1]);
    const bool below = value(p_ - h, down[0]) && value(p_ - 2 * h, down[1]);
    std::shared_ptr<const SmoothDifferences> made;
    if (above && below) {
      made = std::make_shared<SmoothDifferences>(down[1], down[0], at_, up[0], up[1], h);
    } else if (above && value(p_ + 3 * h, up[2]) && value(p_ + 4 * h, up[3])) {
      made = std::make_shared<SmoothDifferences>(at_, up[0], up[1], up[2], up[3], h, Place::lowest);
    } else if (below && value(p_ - 3 * h, down[2]) && value(p_ - 4 * h, down[3])) {
      made = std::make_shared<SmoothDifferences>(down[3], down[2], down[1], down[0], at_, h, Place::highest);
    }
    if (made == nullptr) return {};
    levels_.push_back(made);
    return {made, made->first_derivative()};
  }

  void judge(const Level& coarse, const Level& fine) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const DifferenceGroup& group = groups_[g];
      const SmoothDifferences &c = *coarse.differences, &f = *fine.differences;
      const double size =
          std::max({group.size, c.largest(group.first, group.last), f.largest(group.first, group.last)});
      const double noise_c = c.noise(group.first, group.last), noise_f = f.noise(group.first, group.last);
      // Five values may happen to show little; what a longer step shows more than that is the bend of f.
      constexpr double by_chance = 3;
      const double shown = noise_f > 0 ? std::clamp(noise_c, noise_f, by_chance * noise_f) : noise_c;
      const double noise = std::max(shown, value_rounding * size);
      double change = 0, sum = 0;
      for (std::size_t i = group.first; i < group.last; ++i) {
        const double here = std::abs(coarse.f_p[i] - fine.f_p[i]);
        change = std::max(change, here), sum += here;
      }
      if (!std::isfinite(sum)) change = unknown;
      best_[g].worse = false;
      offer(g, coarse, change + noise * c.noise_factor(), size);
      offer(g, fine, left_of_change * change + noise * f.noise_factor(), size);
    }
  }

  // A step over which no bit changes says nothing of p: it may be too short for that.
  void offer(std::size_t g, const Level& level, double error, double size) {
    const DifferenceGroup& group = groups_[g];
    Best& best = best_[g];
    best.shortest = std::min(best.shortest, level.differences->step());
    const double changed = level.differences->change(group.first, group.last);
    if (!(changed > 0)) return;
    best.informed = true;
    if (level.differences->step() < best.informed_step)
      best.informed_step = level.differences->step(), best.informed_change = changed;
    best.worse = !(error < best.error) || (growing_ && !agrees(best, level, group.first));
    if (best.worse) return;
    best.error = error, best.size = size, best.differences = level.differences;
    best.f_p.assign(level.f_p.begin() + offset(group.first), level.f_p.begin() + offset(group.last));
    best.largest = 0;
    for (const double x : best.f_p) best.largest = std::max(best.largest, std::abs(x));
  }

  /// Whether a longer step says what shorter ones said, as well as they knew it: two long steps may agree by chance.
  static bool agrees(const Best& best, const Level& level, std::size_t first) {
    constexpr double some = 3;
    for (std::size_t i = 0; i < best.f_p.size(); ++i) {
      if (std::abs(level.f_p[first + i] - best.f_p[i]) > some * best.error) return false;
    }
    return true;
  }

  /// Whether shorter steps may be better. Functions that change over less than the step look like noise at first.
  bool still_coming() const {
    if (best_.empty() || first_.differences == nullptr) return true;
    for (std::size_t g = 0; g < best_.size(); ++g) {
      const Best& best = best_[g];
      if (best.differences == nullptr && first_.differences->change(groups_[g].first, groups_[g].last) > 0) return true;
      if (best.informed && best.error > resolved * best.largest && !(best.worse && best.error < coming * best.largest))
        return true;
    }
    return false;
  }
  bool all_resolved() const {
    for (const Best& best : best_) {
      if (!best.informed || best.error > resolved * best.largest) return false;
    }
    return true;
  }

  const VariedNumber& f_;
  double p_;
  const std::vector<double>& at_;
  const std::vector<DifferenceGroup>& groups_;
  std::vector<Best> best_;
  std::vector<std::shared_ptr<const SmoothDifferences>> levels_;  ///< all that were tried
  Level first_;
  bool growing_ = false;
  std::string refused_;
};

}  // namespace

std::vector<double> varied_derivative(const VariedNumber& f, double p, const std::vector<double>& at,
                                      const std::vector<DifferenceGroup>& groups, const std::string& name) {
  StepSearch search(f, p, at, groups);
  search.run();
  return search.result(name);
}

}  // namespace trammel
