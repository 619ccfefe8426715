// Ahead: what one thread needs on its way along a list, prepared by the others in front of it.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "trammel/extensions/host_services.h"

namespace trammel::articulated {

/// Numbers are those of a serial walk: every chunk is prepared once, whoever does it.
class Ahead {
 public:
  /// `workers` may be nullptr.
  explicit Ahead(const Workers* workers) : workers_(workers) {}

  /// [setup] Whether other threads take part for so many chunks.
  bool shares(Index chunks) const {
    return workers_ != nullptr && workers_->worker_count() > 1 && chunks >= least_shared;
  }
  /// [setup] For so many chunks.
  void analyse(Index chunks) {
    chunks_ = chunks, shared_ = shares(chunks);
    if (shared_) state_ = std::make_unique<std::atomic<unsigned char>[]>(static_cast<std::size_t>(chunks));
  }

  /// [hot] walk(ready), which calls ready(chunk) for the chunks in order, 0 first, before it needs them: then prepare(chunk)
  /// is done. Exceptions of both pass.
  template <class Prepare, class Walk>
  void go(const Prepare& prepare, const Walk& walk) {
    if (!shared_) return walk(prepare);
    for (Index c = 0; c < chunks_; ++c) state_[static_cast<std::size_t>(c)].store(open, std::memory_order_relaxed);
    next_.store(0), walks_.store(false), thrown_ = nullptr, stops_.store(false);
    struct Round {
      Ahead& self;
      const Prepare& prepare;
      const Walk& walk;
    } round{*this, prepare, walk};
    workers_->run(
        workers_->worker_count(),
        [](void* data, Index) {
          const Round& r = *static_cast<const Round*>(data);
          r.self.take_part(r.prepare, r.walk);
        },
        &round);
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  static constexpr Index least_shared = 64;
  enum State : unsigned char { open, taken, done };

  template <class Prepare, class Walk>
  void take_part(const Prepare& prepare, const Walk& walk) {
    try {
      if (!walks_.exchange(true)) {
        walk([&](Index chunk) {
          if (prepare_if_open(chunk, prepare)) return;
          // Chunks are short; who waits for long has a thread in front of it that got no processor.
          for (int turns = 0;
               state_[static_cast<std::size_t>(chunk)].load(std::memory_order_acquire) != done && !stops_.load();
               ++turns) {
            if (turns > 10000) std::this_thread::yield();
          }
          if (stops_.load()) throw Stopped();
        });
        stops_.store(true);
        return;
      }
      for (Index c = next_.fetch_add(1); c < chunks_ && !stops_.load(); c = next_.fetch_add(1))
        prepare_if_open(c, prepare);
    } catch (const Stopped&) {
    } catch (...) {
      if (!stops_.exchange(true)) thrown_ = std::current_exception();
    }
  }
  template <class Prepare>
  bool prepare_if_open(Index chunk, const Prepare& prepare) {
    std::atomic<unsigned char>& state = state_[static_cast<std::size_t>(chunk)];
    unsigned char expected = open;
    if (!state.compare_exchange_strong(expected, taken, std::memory_order_acquire)) return false;
    prepare(chunk);
    state.store(done, std::memory_order_release);
    return true;
  }
  struct Stopped {};

  const Workers* workers_;
  Index chunks_ = 0;
  bool shared_ = false;
  std::unique_ptr<std::atomic<unsigned char>[]> state_;
  std::atomic<Index> next_{0};
  std::atomic<bool> walks_{false}, stops_{false};
  std::exception_ptr thrown_;
};

}  // namespace trammel::articulated
