// What the functions of time do over a run.
#include "run/stepping/time_profile.h"

#include <algorithm>
#include <limits>

namespace trammel {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// The smaller bound of two lists, each ascending and disjoint.
std::vector<TimeProfile::Part> merged(const std::vector<TimeProfile::Part>& a,
                                      const std::vector<TimeProfile::Part>& b) {
  std::vector<TimeProfile::Part> out;
  std::size_t i = 0, j = 0;
  double t = -unbounded;
  while (i < a.size() || j < b.size()) {
    const double begin_a = i < a.size() ? std::max(a[i].begin, t) : unbounded;
    const double begin_b = j < b.size() ? std::max(b[j].begin, t) : unbounded;
    const double begin = std::min(begin_a, begin_b);
    double end = unbounded, step = unbounded;
    if (begin_a <= begin)
      end = std::min(end, a[i].end), step = a[i].step;
    else
      end = std::min(end, begin_a);
    if (begin_b <= begin)
      end = std::min(end, b[j].end), step = std::min(step, b[j].step);
    else
      end = std::min(end, begin_b);
    const bool goes_on = !out.empty() && out.back().end == begin && out.back().step == step;
    if (goes_on)
      out.back().end = end;
    else if (end > begin)
      out.push_back({begin, end, step});
    t = end;
    while (i < a.size() && a[i].end <= t) ++i;
    while (j < b.size() && b[j].end <= t) ++j;
  }
  return out;
}

}  // namespace

double TimeProfile::largest_step(double t) const {
  auto part = std::upper_bound(parts_.begin(), parts_.end(), t, [](double x, const Part& p) { return x < p.end; });
  double h = unbounded;
  for (; part != parts_.end() && part->begin - t < h; ++part) h = std::min(h, std::max(part->begin - t, part->step));
  return h;
}

void TimeProfile::add(const std::vector<Part>& parts, const std::vector<double>& break_points, double width) {
  parts_ = merged(parts_, parts);
  break_points_.insert(break_points_.end(), break_points.begin(), break_points.end());
  std::sort(break_points_.begin(), break_points_.end());
  width_ = std::max(width_, width);
  ++functions_;
}

void TimeProfile::add(const TimeProfile& others) {
  const long functions = functions_ + others.functions_;
  add(others.parts_, others.break_points_, others.width_);
  functions_ = functions;
}

}  // namespace trammel
