// Small driver around an integrator: fixed steps, no projection. What the kernel's step loop does, without the loop.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "trammel/integrator.h"

namespace trammel {

/// y' = f(t, y) from a callable.
class CallableOde final : public OdeSystem {
 public:
  using Rhs = std::function<Status(double t, const double* y, double* f)>;

  CallableOde(Index n, Rhs rhs) : n_(n), rhs_(std::move(rhs)), mask_(static_cast<std::size_t>(n), 1.0) {}

  Index size() const override { return n_; }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    ++evaluations;
    return rhs_(t, y.data, f.data);
  }
  ConstVectorView mask() const override { return {mask_.data(), n_}; }

  long evaluations = 0;

 private:
  Index n_;
  Rhs rhs_;
  std::vector<double> mask_;
};

/// y = (x, x') of a second-order problem.
class FirstOrderView final : public OdeSystem {
 public:
  explicit FirstOrderView(SecondOrderSystem& system)
      : system_(system), mask_(static_cast<std::size_t>(2 * system.size()), 1.0) {}

  Index size() const override { return 2 * system_.size(); }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    const Index n = system_.size();
    f.segment(0, n).map() = y.segment(n, n).map();
    return system_.acceleration(t, y.segment(0, n), y.segment(n, n), f.segment(n, n));
  }
  ConstVectorView mask() const override { return {mask_.data(), size()}; }

 private:
  SecondOrderSystem& system_;
  std::vector<double> mask_;
};

/// One integration: owns state, memory and the last attempt.
class OdeRun {
 public:
  OdeRun(const Integrator& integrator, OdeSystem& system, double t, std::vector<double> y)
      : method(integrator), y_(std::move(y)), next_(y_.size()), error_(y_.size()) {
    problem.ode = &system;
    const double default_tolerance[2] = {1e-6, 1e-6};
    rtol_ = default_tolerance[0], atol_ = default_tolerance[1];
    problem.tolerances.rtol = {&rtol_, 1};
    problem.tolerances.atol = {&atol_, 1};
    ProblemSize size;
    size.n = static_cast<Index>(y_.size());
    const MemorySize memory = method.memory(size);
    memory_state.assign(static_cast<std::size_t>(memory.state), 0.0);
    memory_scratch.assign(static_cast<std::size_t>(memory.scratch), 0.0);
    memory_cache.assign(static_cast<std::size_t>(memory.cache), 0.0);
    state.t = t;
    state.x = {y_.data(), size.n};
    next.x = {next_.data(), size.n};
    restart();
  }

  Memory memory() { return {memory_state.data(), memory_scratch.data(), memory_cache.data()}; }

  void restart() { check(method.start(problem, state, memory())); }

  StepResult attempt(double h) {
    next.t = state.t + h;
    const bool estimates = method.traits().error_order > 0;
    from.assign(y_.begin(), y_.end());
    from_t = state.t;
    next_.assign(next_.size(), std::numeric_limits<double>::quiet_NaN());  // the method writes every entry
    error_.assign(error_.size(), std::numeric_limits<double>::quiet_NaN());
    const StepResult result =
        method.attempt(problem, state, h, next, {error_.data(), estimates ? next.x.size : 0}, memory());
    spoil_scratch();
    if (result.h != 0 && result.h != h) next.t = state.t + result.h;  // a self-controlled method took another step
    return result;
  }

  /// Takes the attempted step; `move` may change the new state.
  void accept(const std::function<void(std::vector<double>&)>& move = {}) {
    y_ = next_;  // same addresses: vectors of equal size
    state.t = next.t;
    if (move) move(y_);
    method.accept(problem, state, static_cast<bool>(move), memory());
    spoil_scratch();
  }

  void reject() { method.reject(memory()); }

  void step(double h) {
    check(attempt(h).status);
    accept();
  }

  /// `steps` equal steps over `duration`.
  void run(double duration, int steps) {
    const double t0 = state.t, h = duration / steps;
    for (int i = 1; i <= steps; ++i) {
      step(h);
      state.t = t0 + duration * i / steps;
    }
  }

  /// To `end` with a method that controls itself; `after` sees every accepted step.
  void run_self_controlled(double end, const std::function<void(const StepResult&)>& after = {}) {
    double limit = end - state.t;
    while (std::abs(end - state.t) > 1e-14 * std::abs(end)) {
      if (std::abs(limit) > std::abs(end - state.t)) limit = end - state.t;
      const StepResult result = attempt(limit);
      check(result.status);
      limit = std::copysign(result.h_next, end - state.t);
      if (result.rejected) {
        reject();
        ++rejections;
        if (std::abs(limit) < 1e-14) throw std::runtime_error("step underflow");
        continue;
      }
      accept();
      ++accepted;
      if (after) after(result);
    }
  }
  void set_tolerances(double rtol, double atol) { rtol_ = rtol, atol_ = atol; }
  long accepted = 0, rejections = 0;

  /// Dense output inside the last attempted step.
  std::vector<double> interpolate(double t) {
    std::vector<double> out(y_.size());
    StateView from_view, out_view;
    from_view.t = from_t;
    from_view.x = {from.data(), next.x.size};
    out_view.t = t;
    out_view.x = {out.data(), next.x.size};
    check(method.interpolate(problem, from_view, next, t, out_view, memory()));
    spoil_scratch();
    return out;
  }

  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& attempted() const { return next_; }
  const std::vector<double>& error() const { return error_; }

  const Integrator& method;
  Problem problem;
  StateView state, next;
  std::vector<double> memory_state, memory_scratch, memory_cache, from;
  double from_t = 0;

 private:
  static void check(const Status& status) {
    if (!status) throw std::runtime_error(std::string("integrator: ") + status.what);
  }
  /// The contract says that scratch contents do not survive between calls.
  void spoil_scratch() { memory_scratch.assign(memory_scratch.size(), 1e300); }

  std::vector<double> y_, next_, error_;
  double rtol_ = 0, atol_ = 0;
};

}  // namespace trammel
