// Block kernels for every machine of the architecture, and the choice among the sets.
#define TRAMMEL_KERNEL_SET baseline
#include "linalg/block_kernels.h"

namespace trammel {

const BlockKernels baseline_kernels = baseline::set_of("baseline");

const BlockKernels& block_kernels() {
#if defined(TRAMMEL_AVX2_KERNELS)
  static const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (wide) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace trammel
