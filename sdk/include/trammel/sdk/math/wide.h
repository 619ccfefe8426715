// The instruction set of the machine at hand for hot functions of plugins that are compiled for every x86-64.
#pragma once

namespace trammel::sdk {

#if defined(__x86_64__) && defined(__GNUC__)

/// Whether this processor has AVX2 and fused multiply-add.
inline bool wide_processor() {
  static const bool found = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return found;
}

template <class Work>
[[gnu::flatten, gnu::target("avx2,fma,bmi2")]] auto work_wide(const Work& work) {
  return work();
}

/// work(), compiled twice with all that it calls: once with AVX2 and FMA, for processors that have them. For bodies of
/// hot functions with some hundred operations and nothing in them that should not be inlined.
template <class Work>
inline auto wide(const Work& work) {
  return wide_processor() ? work_wide(work) : work();
}

#else

template <class Work>
inline auto wide(const Work& work) {
  return work();
}

#endif

}  // namespace trammel::sdk
