// StepWarnings: what the run's reader should know about its steps although it went on.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"

namespace trammel {

class StepWarnings {
 public:
  const std::vector<std::string>& texts() const { return texts_; }
  /// [step] "": nothing.
  void add(std::string text);
  /// [step] Not again if it is there already.
  void add_once(std::string text);
  /// [step] The first time: fixed steps of length `step`, longer than the `limit` up to which turns are counted safely.
  void add_turning(double t, double step, double limit);
  /// [step] What the method advised at t, or nullptr; the first time.
  void add_advice(double t, const char* text);
  bool advised() const { return advice_ >= 0; }
  /// What it advised, with the time; only if it did.
  const std::string& advice() const { return texts_[static_cast<std::size_t>(advice_)]; }
  void remember(Archive& archive);

 private:
  std::vector<std::string> texts_;
  bool turning_ = false;
  int advice_ = -1;  ///< place in `texts_`
};

}  // namespace trammel
