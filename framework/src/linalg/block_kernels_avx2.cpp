// Block kernels for machines with AVX2 and FMA; compiled with those switched on, chosen at run time.
#if defined(TRAMMEL_AVX2_KERNELS)
#define TRAMMEL_KERNEL_SET avx2
#include "linalg/block_kernels.h"

namespace trammel {

const BlockKernels avx2_kernels = avx2::set_of("avx2");

}  // namespace trammel
#endif
