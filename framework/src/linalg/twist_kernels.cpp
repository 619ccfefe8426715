// Twist kernels for every machine of the architecture, and the choice among the sets.
#define TRAMMEL_KERNEL_SET baseline
#include "linalg/twist_kernels.h"

namespace trammel {

#if defined(TRAMMEL_AVX2_KERNELS)
extern const TwistKernels avx2_twist_kernels;
#endif

const TwistKernels& twist_kernels() {
  static const TwistKernels kernels = baseline::twist_set();
#if defined(TRAMMEL_AVX2_KERNELS)
  static const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (wide) return avx2_twist_kernels;
#endif
  return kernels;
}

}  // namespace trammel
