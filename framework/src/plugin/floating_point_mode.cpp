// The processor's floating-point mode: rounding direction everywhere, on x86 the whole of MXCSR.
#include "plugin/floating_point_mode.h"

#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace trammel {
namespace {

constexpr std::uint32_t flush_bits = 0x8040;    // flush to zero, denormals are zero
constexpr std::uint32_t mask_bits = 0x1f80;     // exceptions that do not trap
constexpr std::uint32_t control_bits = 0xffc0;  // all but the raised flags

}  // namespace

FloatingPointMode FloatingPointMode::current() {
  FloatingPointMode mode;
  mode.rounding_ = std::fegetround();
#if defined(__SSE2__)
  mode.control_ = _mm_getcsr() & control_bits;
#endif
  return mode;
}

const char* FloatingPointMode::difference(const FloatingPointMode& now) const {
  const std::uint32_t changed = control_ ^ now.control_;
  if (rounding_ != now.rounding_) return "rounding direction";
  if ((changed & flush_bits) != 0) return "flushing of denormal numbers";
  if ((changed & mask_bits) != 0) return "trapping of exceptions";
  return changed != 0 ? "rounding direction" : nullptr;
}

void FloatingPointMode::restore() const {
  std::fesetround(rounding_);
#if defined(__SSE2__)
  _mm_setcsr((_mm_getcsr() & ~control_bits) | control_);
#endif
}

}  // namespace trammel
