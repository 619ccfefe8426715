// KeptPoint: the numbers of the point that a model was at before, for methods that go to and fro between two points.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// What is known at a point (t, q, v, z).
struct PointNumbers {
  double t = 0;
  std::vector<double> q, v, z;
  std::vector<double> numbers;  ///< rows, forces, Jacobian, states of bodies
  unsigned done = 0;            ///< parts that were evaluated; 0: nothing is known
  long move = 0;                ///< number of the point
  bool has_velocity = false;

  bool is_at(double time, ConstVectorView at_q, ConstVectorView at_z) const {
    return time == t && std::equal(at_q.data, at_q.data + at_q.size, q.begin()) &&
           std::equal(at_z.data, at_z.data + at_z.size, z.begin());
  }
};

/// Newton's method for the positions at the end of the next step evaluates rows there and the Jacobian here in turn:
/// with the numbers of both, the Jacobian and its factorization are made once. For models whose numbers are few, as
/// copies take memory.
class KeptPoint {
 public:
  static constexpr std::size_t most_numbers = 1000;

  /// [setup]
  void make_room(const PointNumbers& now) {
    room_ = now.numbers.size() <= most_numbers;
    if (room_) kept_ = now;
    forget();
  }
  void forget() { kept_.done = 0; }

  /// [hot] `now` moves to another point: with what is kept if that is its own, else without numbers. What is worth it
  /// is kept of the point that it leaves. True: its numbers are known.
  bool move(PointNumbers& now, bool worth, double t, ConstVectorView q, ConstVectorView z) {
    if (!room_) return false;
    if (kept_.done != 0 && kept_.is_at(t, q, z)) {
      exchange(now, worth);
      return true;
    }
    if (worth) copy(now, kept_);
    return false;
  }

 private:
  /// Places stay where they are: views point into them.
  static void copy(const PointNumbers& from, PointNumbers& to) {
    to.t = from.t, to.done = from.done, to.move = from.move, to.has_velocity = from.has_velocity;
    for (const auto x : {&PointNumbers::q, &PointNumbers::v, &PointNumbers::z, &PointNumbers::numbers})
      std::copy((from.*x).begin(), (from.*x).end(), (to.*x).begin());
  }
  void exchange(PointNumbers& now, bool worth) {
    if (!worth) {
      copy(kept_, now);
      return forget();
    }
    std::swap(now.t, kept_.t), std::swap(now.done, kept_.done), std::swap(now.move, kept_.move);
    std::swap(now.has_velocity, kept_.has_velocity);
    for (const auto x : {&PointNumbers::q, &PointNumbers::v, &PointNumbers::z, &PointNumbers::numbers})
      std::swap_ranges((now.*x).begin(), (now.*x).end(), (kept_.*x).begin());
  }

  bool room_ = false;
  PointNumbers kept_;
};

}  // namespace trammel
