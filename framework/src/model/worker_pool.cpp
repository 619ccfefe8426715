// Rounds of jobs among threads.
#include "model/worker_pool.h"

#include "plugin/breadcrumb.h"

namespace trammel {

WorkerPool::WorkerPool(Index threads) {
  for (Index k = 1; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::take_jobs(const Round& round) const {
  for (Index i = next_.fetch_add(1); i < round.jobs; i = next_.fetch_add(1)) round.job(round.data, i);
}

void WorkerPool::run(Index jobs, void (*job)(void* data, Index i), void* data) const {
  if (threads_.empty() || jobs < 2) {
    for (Index i = 0; i < jobs; ++i) job(data, i);
    return;
  }
  constexpr auto relaxed = std::memory_order_relaxed;
  Round round{jobs,
              job,
              data,
              breadcrumb.plugin.load(relaxed),
              breadcrumb.element.load(relaxed),
              breadcrumb.phase.load(relaxed)};
  {
    const std::lock_guard lock(mutex_);
    round_ = round;
    next_ = 0, working_ = static_cast<Index>(threads_.size()), ++number_;
  }
  begun_.notify_all();
  take_jobs(round);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
}

void WorkerPool::work() {
  long seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return ends_ || number_ != seen; });
    if (ends_) return;
    seen = number_;
    const Round round = round_;
    lock.unlock();
    {
      const PhaseScope scope(round.plugin, round.element, round.phase);
      take_jobs(round);
    }
    lock.lock();
    if (--working_ == 0) done_.notify_one();
  }
}

}  // namespace trammel
