// Bodies of one kind that follow each other, for systems that host point masses beside rigid bodies.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/parts.h"
#include "trammel/sdk/math/vec.h"

namespace trammel::sdk {

struct BodyRun {
  Index count;
  bool point;
};

/// Bodies `begin` to `end` - 1, the numbers that the bodies before them have in vectors over all bodies, and how many
/// of these are rigid.
struct BodyPart {
  Index begin, end;
  Index coordinates;
  Index reduced;
  Index rigid;
};

/// The bodies of a system in their order. `rigid_coordinates`, `rigid_reduced`: numbers of a rigid body; `point`: of a
/// point mass, in both kinds of vectors.
class BodyRuns {
 public:
  BodyRuns(Index rigid_coordinates, Index rigid_reduced, Index point)
      : coordinates_(rigid_coordinates), reduced_(rigid_reduced), point_(point) {}

  /// [setup] One more body behind the others.
  void add(bool point) {
    if (runs_.empty() || runs_.back().point != point) runs_.push_back({0, point});
    ++runs_.back().count, ++bodies_;
  }
  /// [setup] Threads for `in_parts`; nullptr: none.
  void share(const Workers* workers) { workers_ = workers; }

  Index bodies() const { return bodies_; }
  bool all_rigid() const { return runs_.empty() || (runs_.size() == 1 && !runs_.front().point); }

  /// [hot] work(BodyPart) for parts of the bodies, as trammel::in_parts.
  template <class Work>
  void in_parts(const Work& work) const {
    trammel::in_parts(workers_, bodies_, grain, [&](Index begin, Index end) { work(part(begin, end)); });
  }
  /// [hot] work(begin, end) for parts of other lists about as long.
  template <class Work>
  void in_parts(Index n, const Work& work) const {
    trammel::in_parts(workers_, n, grain, work);
  }

  /// [hot] Calls run(bodies, whether they are point masses) for the runs of the part in order.
  template <class Run>
  TRAMMEL_INLINE void each_run(const BodyPart& part, const Run& run) const {
    Index first = 0;
    for (const BodyRun& r : runs_) {
      const Index end = first + r.count;
      const Index count = std::min(part.end, end) - std::max(part.begin, first);
      if (count > 0) run(count, r.point);
      first = end;
    }
  }
  /// [hot] Calls rigid(data) or point(data) for every body of the part in order, whose numbers the lambdas step through.
  /// `all`: data of all bodies. A loop per run: no question per body.
  template <class Data, class Rigid, class Point>
  TRAMMEL_INLINE void each(const BodyPart& part, const std::vector<Data>& all, const Rigid& rigid,
                           const Point& point) const {
    const Data* data = all.data() + part.begin;
    each_run(part, [&](Index count, bool is_point) TRAMMEL_INLINE_LAMBDA {
      const Data* const end = data + count;
      if (is_point) {
        for (; data != end; ++data) point(*data);
      } else {
        for (; data != end; ++data) rigid(*data);
      }
    });
  }
  template <class Data, class Rigid, class Point>
  TRAMMEL_INLINE void each(const std::vector<Data>& all, const Rigid& rigid, const Point& point) const {
    each({0, bodies_, 0, 0, 0}, all, rigid, point);
  }

 private:
  static constexpr Index grain = 512;

  BodyPart part(Index begin, Index end) const {
    BodyPart part{begin, end, 0, 0, 0};
    if (begin == 0) return part;
    Index first = 0;
    for (const BodyRun& run : runs_) {
      const Index before = std::clamp(begin - first, Index{0}, run.count);
      part.coordinates += before * (run.point ? point_ : coordinates_);
      part.reduced += before * (run.point ? point_ : reduced_);
      part.rigid += run.point ? 0 : before;
      first += run.count;
    }
    return part;
  }

  Index coordinates_, reduced_, point_;
  Index bodies_ = 0;
  std::vector<BodyRun> runs_;
  const Workers* workers_ = nullptr;
};

}  // namespace trammel::sdk
