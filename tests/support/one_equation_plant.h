// A plant of one first-order equation for tests of stepping; derived ones say what is special.
#pragma once

#include <functional>
#include <string>

#include "run/plant/plant.h"
#include "trammel/ode_system.h"

namespace trammel {

/// y' = slope(t); 0 unless given.
struct OneEquation final : OdeSystem {
  Index size() const override { return 1; }
  Status rhs(double t, ConstVectorView, VectorView f) override {
    ++evaluations;
    f[0] = slope ? slope(t) : 0;
    return Status::success();
  }
  ConstVectorView mask() const override { return {&one, 1}; }
  std::function<double(double)> slope;
  double one = 1;
  int evaluations = 0;
};

/// Starts at y = 1; nothing is corrected, every observation is empty.
struct OneEquationPlant : Plant {
  virtual ~OneEquationPlant() = default;
  ViewKind view() const override { return ViewKind::ode; }
  ProblemSize size() const override { return {1, 0}; }
  Problem problem() override {
    Problem problem;
    problem.ode = &equation;
    return problem;
  }
  Status start(const StateView& state) override {
    state.x[0] = 1;
    return Status::success();
  }
  void begin_attempt() override {}
  bool rollback(const StateView&) override { return false; }
  Correction correct(const StateView&, VectorView) override { return {}; }
  void accepted() override {}
  Status correct_output(const StateView&) override { return Status::success(); }
  Status observe(const ConstStateView&, Look) override { return Status::success(); }
  const Observation& observation(Look) const override { return seen; }
  std::string component_name(Index) const override { return "y"; }
  std::string subject(const Status&) const override { return ""; }
  OneEquation equation;
  Observation seen;
};

}  // namespace trammel
