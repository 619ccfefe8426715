// Chattering: so many events in so short a part of the run's time change the motion without letting it get anywhere.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "model/archive.h"

namespace trammel {

class Chattering {
 public:
  static constexpr std::size_t events = 100;

  /// [setup] For a run of this duration, s.
  explicit Chattering(double duration) : shortest_(1e-7 * duration) { recent_.reserve(events); }

  /// [step] An event that changes something at t. The time within which so many of them happened, s, where that is too
  /// short; else infinite.
  double see(double t) {
    if (recent_.size() < events) {
      recent_.push_back(t);
      return none;
    }
    double& oldest = recent_[next_];
    next_ = (next_ + 1) % events;
    const double within = t - oldest;
    oldest = t;
    return within < shortest_ ? within : none;
  }
  void remember(Archive& archive) {
    archive.values("events.chattering", next_);
    archive.list("events.recent", recent_);
  }

 private:
  static constexpr double none = std::numeric_limits<double>::infinity();

  double shortest_;
  std::vector<double> recent_;  ///< times, in a ring
  std::size_t next_ = 0;        ///< the oldest of them
};

}  // namespace trammel
