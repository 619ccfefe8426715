// Column kernels for every machine of the architecture, and the choice among the sets.
#define TRAMMEL_KERNEL_SET baseline
#include "linalg/column_kernels.h"

namespace trammel {

#if defined(TRAMMEL_AVX2_KERNELS)
extern const ColumnKernels avx2_column_kernels;
#endif

const ColumnKernels& column_kernels() {
  static const ColumnKernels kernels = baseline::column_set();
#if defined(TRAMMEL_AVX2_KERNELS)
  static const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (wide) return avx2_column_kernels;
#endif
  return kernels;
}

}  // namespace trammel
