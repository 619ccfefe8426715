// Column kernels for machines with AVX2 and FMA; compiled with those switched on, chosen at run time.
#if defined(TRAMMEL_AVX2_KERNELS)
#define TRAMMEL_KERNEL_SET avx2
#include "linalg/column_kernels.h"

namespace trammel {

extern const ColumnKernels avx2_column_kernels;
const ColumnKernels avx2_column_kernels = avx2::column_set();

}  // namespace trammel
#endif
