// The block kernels themselves. Included once per instruction set by block_kernels_*.cpp; they use nothing of the
// standard library, whose inline functions all sets would share.
#pragma once

#include "linalg/block_solve.h"

namespace trammel::TRAMMEL_KERNEL_SET {

constexpr BlockKernels set_of(const char* name) {
  return {name, &assemble, &factorize, &solve, &add_products, &subtract_transposed};
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
