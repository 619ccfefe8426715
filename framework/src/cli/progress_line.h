// A line at the bottom of a terminal that long work redraws in place.
#pragma once

#include <chrono>
#include <string>

namespace trammel::cli {

class ProgressLine {
 public:
  /// Shown on a terminal only, and not where the user wants quiet.
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether to draw again: at most ten times a second.
  bool due() const;
  void draw(const std::string& text);
  void clear();
  double seconds_since_start() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_, visible_ = false;
  Clock::time_point begin_ = Clock::now(), drawn_ = begin_;
};

}  // namespace trammel::cli
