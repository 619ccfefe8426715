// ElementRound: one call for each of many elements, which threads share where there are enough of them.
#pragma once

#include <exception>
#include <vector>

#include "plugin/breadcrumb.h"
#include "plugin/readable_reason.h"
#include "trammel/extensions/host_services.h"
#include "trammel/status.h"

namespace trammel {

/// Elements are called in parts. What fails is what would fail first if they were called one by one, whatever the number of
/// threads; an exception passes with the mark of whose code threw it.
class ElementRound {
 public:
  struct Failure {
    Status status;
    Index call = -1;
  };

  static constexpr Index least_shared = 2048;

  /// [setup] For `calls` calls; fewer than `least_shared` stay with the calling thread, and all if `workers` is nullptr.
  ElementRound(const Workers* workers, Index calls) : workers_(workers), calls_(calls) {
    if (calls >= least_shared && workers != nullptr && workers->worker_count() > 1)
      parts_.resize(static_cast<std::size_t>((calls + grain - 1) / grain));
  }

  /// [hot] call(i), 0 <= i < calls, which marks its element and returns a Status.
  template <class Call>
  Failure each(const Call& call) {
    if (parts_.empty()) return in_order(0, calls_, call);
    struct Round {
      ElementRound& self;
      const Call& call;
    } round{*this, call};
    workers_->run(
        static_cast<Index>(parts_.size()),
        [](void* data, Index part) {
          const Round& r = *static_cast<const Round*>(data);
          r.self.take(part, r.call);
        },
        &round);
    return first_failure();
  }

 private:
  static constexpr Index grain = 256;
  struct Part {
    Failure failure;
    std::exception_ptr thrown;
    const char *plugin = nullptr, *element = nullptr;  // whose code threw it
  };

  template <class Call>
  static Failure in_order(Index begin, Index end, const Call& call) {
    for (Index i = begin; i < end; ++i) {
      const Status status = call(i);
      if (!status) return {with_readable_reason(status), i};
    }
    return {};
  }

  template <class Call>
  void take(Index number, const Call& call) {
    Part& part = parts_[static_cast<std::size_t>(number)];
    try {
      const Index begin = number * grain, end = begin + grain < calls_ ? begin + grain : calls_;
      part.failure = in_order(begin, end, call);
    } catch (...) {
      part.thrown = std::current_exception();
      part.plugin = breadcrumb.plugin, part.element = breadcrumb.element;
    }
  }

  Failure first_failure() {
    Failure first;
    std::exception_ptr thrown;
    for (Part& part : parts_) {
      const bool open = first.status.ok() && thrown == nullptr;
      if (open && part.thrown != nullptr) mark_element(part.plugin, part.element), thrown = part.thrown;
      if (open) first = part.failure;
      part.thrown = nullptr, part.failure = {};
    }
    if (thrown != nullptr) std::rethrow_exception(thrown);
    return first;
  }

  const Workers* workers_;
  Index calls_;
  std::vector<Part> parts_;
};

}  // namespace trammel
