// Counts heap allocations of the whole process, those of loaded libraries included. Include in one source of a test.
#pragma once

#include <atomic>
#include <cstddef>

namespace trammel {

inline std::atomic<long> allocation_count{0};

}  // namespace trammel

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
namespace trammel {
inline constexpr bool allocations_are_counted = false;  // the sanitizer owns malloc
}
#else
namespace trammel {
inline constexpr bool allocations_are_counted = true;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);

// The executable's definitions precede glibc's for every library; operator new and Eigen's allocator end here.
void* malloc(std::size_t size) {
  ++trammel::allocation_count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++trammel::allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++trammel::allocation_count;
  return __libc_realloc(block, size);
}
}
#endif
