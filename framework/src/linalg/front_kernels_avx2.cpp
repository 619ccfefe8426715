// Front kernels for machines with AVX2 and FMA; compiled with those switched on, chosen at run time.
#if defined(TRAMMEL_AVX2_KERNELS)
#define TRAMMEL_KERNEL_SET avx2
#include "linalg/front_kernels.h"

namespace trammel {

extern const FrontKernels avx2_front_kernels;
const FrontKernels avx2_front_kernels = avx2::front_set();

}  // namespace trammel
#endif
