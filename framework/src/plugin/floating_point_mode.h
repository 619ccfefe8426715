// The processor's floating-point mode, which plugins must leave as it is: results would differ in every later step.
#pragma once

#include <cstdint>

namespace trammel {

class FloatingPointMode {
 public:
  /// [step] The mode in force now.
  static FloatingPointMode current();

  /// [step] What differs from `now`: "rounding direction", "flushing of denormal numbers", "trapping of exceptions";
  /// nullptr if nothing does. Exception flags that were merely raised do not count.
  const char* difference(const FloatingPointMode& now) const;

  /// Puts this mode into force again.
  void restore() const;

 private:
  int rounding_ = 0;
  std::uint32_t control_ = 0;  ///< x86: MXCSR without its flags; elsewhere unused
};

}  // namespace trammel
