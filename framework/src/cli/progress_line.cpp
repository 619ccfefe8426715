// The redrawn line on standard error.
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace trammel::cli {

ProgressLine::ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

bool ProgressLine::due() const { return shown_ && Clock::now() - drawn_ > std::chrono::milliseconds(100); }

void ProgressLine::draw(const std::string& text) {
  if (!shown_) return;
  visible_ = true;
  drawn_ = Clock::now();
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (visible_) fmt::print(stderr, "\r\x1b[K");
  visible_ = false;
}

double ProgressLine::seconds_since_start() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace trammel::cli
