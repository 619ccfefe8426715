// WorkerPool: threads that share jobs with the one that asks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "plugin/breadcrumb.h"
#include "trammel/extensions/host_services.h"

namespace trammel {

/// With one thread it starts none. Threads carry the mark of whose code asked them, so that a crash is told with names; the
/// one that waits for the others shows the mark of one that still works, so that a call without end is told as well.
class WorkerPool final : public Workers {
 public:
  explicit WorkerPool(Index threads);
  ~WorkerPool();

  Index worker_count() const override { return static_cast<Index>(threads_.size()) + 1; }
  void run(Index jobs, void (*job)(void* data, Index i), void* data) const override;

 private:
  /// What is being done; `next` counts jobs that somebody has taken.
  struct Round {
    Index jobs = 0;
    void (*job)(void*, Index) = nullptr;
    void* data = nullptr;
    const char *plugin = nullptr, *element = nullptr, *phase = nullptr;
  };
  void work(std::size_t self);
  void wait_for_others() const;
  void take_jobs(const Round& round) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable begun_, done_;
  mutable Round round_;
  mutable long number_ = 0;                         ///< of the round
  mutable Index working_ = 0;                       ///< threads in it
  mutable std::vector<const Breadcrumb*> at_work_;  ///< their marks, one per thread; nullptr: it has no more jobs
  mutable std::atomic<Index> next_{0};
  mutable std::exception_ptr thrown_;  ///< by the first job of the round that did
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace trammel
