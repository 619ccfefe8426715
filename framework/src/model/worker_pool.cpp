// Rounds of jobs among threads.
#include "model/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace trammel {
namespace {

thread_local bool inside_round = false;  ///< a round inside of one stays with its thread

}  // namespace

WorkerPool::WorkerPool(Index threads) {
  at_work_.assign(static_cast<std::size_t>(std::max<Index>(threads - 1, 0)), nullptr);
  for (std::size_t k = 0; k < at_work_.size(); ++k) threads_.emplace_back([this, k] { work(k); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// A job that throws breaks its promise; the others end before anybody hears of it, because their data is on its stack.
void WorkerPool::take_jobs(const Round& round) const {
  inside_round = true;
  try {
    for (Index i = next_.fetch_add(1); i < round.jobs; i = next_.fetch_add(1)) round.job(round.data, i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (thrown_ == nullptr) thrown_ = std::current_exception();
  }
  inside_round = false;
}

void WorkerPool::run(Index jobs, void (*job)(void* data, Index i), void* data) const {
  if (threads_.empty() || jobs < 2 || inside_round) {
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
  wait_for_others();
  if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void WorkerPool::wait_for_others() const {
  constexpr auto look = std::chrono::milliseconds(100);
  constexpr auto relaxed = std::memory_order_relaxed;
  const PhaseScope own(breadcrumb.plugin.load(relaxed), breadcrumb.element.load(relaxed),
                       breadcrumb.phase.load(relaxed));
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, look, [this] { return working_ == 0; })) {
    const auto busy = std::find_if(at_work_.begin(), at_work_.end(), [](const Breadcrumb* b) { return b != nullptr; });
    if (busy != at_work_.end()) mark_element((*busy)->plugin.load(relaxed), (*busy)->element.load(relaxed));
  }
}

void WorkerPool::work(std::size_t self) {
  long seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return ends_ || number_ != seen; });
    if (ends_) return;
    seen = number_;
    const Round round = round_;
    at_work_[self] = &breadcrumb;
    lock.unlock();
    {
      const PhaseScope scope(round.plugin, round.element, round.phase);
      take_jobs(round);
    }
    lock.lock();
    at_work_[self] = nullptr;
    if (--working_ == 0) done_.notify_one();
  }
}

}  // namespace trammel
