// Loops that several threads share.
#pragma once

#include <algorithm>

#include "trammel/extensions/host_services.h"

namespace trammel {

/// [hot] work(begin, end) for parts of 0 .. n - 1 that begin at multiples of `grain`, on the threads that the run lets
/// components use; once, with all, where there is one thread (`workers` may be nullptr) or less work than four parts. The work
/// on one number must not depend on where parts end, and throw nothing.
template <class Work>
inline void in_parts(const Workers* workers, Index n, Index grain, const Work& work) {
  if (workers == nullptr || n < 4 * grain || workers->worker_count() < 2) return work(Index{0}, n);
  struct Round {
    const Work& work;
    Index n, grain;
  } round{work, n, grain};
  workers->run((n + grain - 1) / grain,
               [](void* data, Index i) {
                 const Round& r = *static_cast<const Round*>(data);
                 r.work(i * r.grain, std::min(r.n, (i + 1) * r.grain));
               },
               &round);
}

}  // namespace trammel
