// Twist kernels for machines with AVX2 and FMA; compiled with those switched on, chosen at run time.
#if defined(TRAMMEL_AVX2_KERNELS)
#define TRAMMEL_KERNEL_SET avx2
#include "linalg/twist_kernels.h"

namespace trammel {

extern const TwistKernels avx2_twist_kernels;
const TwistKernels avx2_twist_kernels = avx2::twist_set();

}  // namespace trammel
#endif
