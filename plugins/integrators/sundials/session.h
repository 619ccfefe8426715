// One integration by a SUNDIALS solver, and the Integrator around it.
//
// SUNDIALS keeps histories in memory of its own, allocated at `start`; memory.state holds the number of the session
// only. A step of theirs cannot be taken back: after a rejection, and after a failure, the solver starts anew at the
// state at hand. Where a projection moved the accepted state, multistep methods keep their history: they integrate y -
// offset (OdeSession), one-step methods are set to the new state.
#pragma once

#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sundials {

/// What a step told.
struct Step {
  Status status;
  double t = 0;  ///< where it ended
  int order = 0;
  int newton_iterations = 0;
};

class Session {
 public:
  virtual ~Session() = default;
  /// [step] Begins at `state`, without a history.
  virtual Status begin(const Problem& problem, const ConstStateView& state) = 0;
  /// [step] The last step was accepted, but ended in `state`.
  virtual Status move(const Problem& problem, const ConstStateView& state) = 0;
  /// [hot] One step towards `stop`, not beyond.
  virtual Step step(const Problem& problem, double stop) = 0;
  /// [step] The state where the last step ended.
  virtual void write(const StateView& out) const = 0;
  /// [step] Dense output inside the last step.
  virtual Status interpolate(double t, const StateView& out) = 0;

  /// [step] What the reader of a run should know, as IntegratorNotes wants it; `text` is empty before.
  virtual void note(char* text, std::size_t capacity) const = 0;

  int order = 0;      ///< of the last step
  bool fresh = true;  ///< begins anew at the next attempt; until then dense output is that of the last step
  bool moved = false;
};

class SundialsIntegrator : public Integrator, protected IntegratorChannels, protected IntegratorNotes {
 public:
  MemorySize memory(const ProblemSize&) const override { return {sdk::StateLayout::size<Kept>(), 0}; }

  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override {
    if (problem.tolerances.max_norm) {
      return Status::failure(StatusCode::unsupported, "SUNDIALS measures errors in \"norm\": \"rms\" only;");
    }
    double& number = number_in(memory);
    if (number == 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      try {
        sessions_.push_back(make_session(problem, state));
      } catch (const std::bad_alloc&) {
        return Status::failure(StatusCode::failed, "SUNDIALS had no memory");
      }
      number = static_cast<double>(sessions_.size());
    }
    session(memory).fresh = true;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double limit, const StateView& next,
                     VectorView, const Memory& memory) const override {
    Session& s = session(memory);
    StepResult result;
    if (s.fresh) {
      result.status = s.begin(problem, state);
    } else if (s.moved) {
      result.status = s.move(problem, state);
    }
    s.fresh = !result.status;
    s.moved = false;
    if (!result.status) return result;
    const double stop = state.t + limit;
    const Step step = s.step(problem, stop);
    result.status = step.status;
    result.order = s.order = step.order;
    result.newton_iterations = step.newton_iterations;
    if (!result.status) {
      s.fresh = true;
      return result;
    }
    s.write(next);
    result.h = std::abs(step.t - stop) <= 1e-9 * std::abs(limit) ? limit : step.t - state.t;
    result.h_next = std::numeric_limits<double>::max();  // the solver plans its next step itself
    return result;
  }

  void accept(const Problem&, const ConstStateView&, bool changed, const Memory& memory) const override {
    session(memory).moved = changed;
  }
  void reject(const Memory& memory) const override { session(memory).fresh = true; }

  Status interpolate(const Problem&, const ConstStateView&, const ConstStateView&, double t, const StateView& out,
                     const Memory& memory) const override {
    return session(memory).interpolate(t, out);
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<IntegratorChannels, IntegratorNotes, MethodFamily>(id, this, this, &family());
  }
  Index channel_count() const override { return 1; }
  const char* channel_name(Index) const override { return "order"; }
  double channel(Index, const Memory& memory) const override { return session(memory).order; }
  void note(const Memory& memory, char* text, Index capacity) const override {
    text[0] = '\0';
    if (number_in(memory) != 0) session(memory).note(text, static_cast<std::size_t>(capacity));
  }

 protected:
  ~SundialsIntegrator() = default;
  virtual const sdk::NamedFamily& family() const = 0;
  virtual std::unique_ptr<Session> make_session(const Problem& problem, const ConstStateView& state) const = 0;

  Session& session(const Memory& memory) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return *sessions_[static_cast<std::size_t>(number_in(memory)) - 1];
  }

 private:
  struct Kept {
    explicit Kept(sdk::StateLayout& at) : session(at.number()) {}
    double& session;  ///< its number, from 1 on; 0: none
  };
  static double& number_in(const Memory& memory) { return sdk::StateLayout::place<Kept>(memory.state).session; }

  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Session>> sessions_;
};

}  // namespace trammel::sundials
