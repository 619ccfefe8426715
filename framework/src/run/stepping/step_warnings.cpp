// Warnings of the step loop.
#include "run/stepping/step_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trammel {

void StepWarnings::add(std::string text) {
  if (!text.empty()) texts_.push_back(std::move(text));
}

void StepWarnings::add_once(std::string text) {
  if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.push_back(std::move(text));
}

void StepWarnings::add_turning(double t, double step, double limit) {
  if (turning_) return;
  turning_ = true;
  texts_.push_back(
      fmt::format("at t = {:.6g} bodies turn so fast that a fixed step of {:g} s may lose count of the turns "
                  "of joint angles; steps up to {:.3g} s are safe",
                  t, step, limit));
}

void StepWarnings::add_advice(double t, const char* text) {
  if (text == nullptr || advised()) return;
  advice_ = static_cast<int>(texts_.size());
  texts_.push_back(fmt::format("at t = {:.6g}: {}", t, text));
}

void StepWarnings::remember(Archive& archive) {
  archive.values("warnings.reported", turning_, advice_);
  archive.list("warnings", texts_);
}

}  // namespace trammel
