// ProblemPlant: a system without bodies - a first-order or second-order problem - as a run integrates it.
#pragma once

#include "model/model.h"
#include "run/plant/counted_second_order.h"
#include "run/plant/plant.h"

namespace trammel {

class ProblemPlant final : public Plant {
 public:
  /// [setup] `view`: what the integrator consumes. Throws Error(input) if the problem cannot offer it.
  ProblemPlant(const Model& model, ViewKind view);
  ~ProblemPlant() override;

  ViewKind view() const override { return view_; }
  ProblemSize size() const override;
  Problem problem() override;
  Status start(const StateView& state) override;
  void begin_attempt() override {}
  bool rollback(const StateView&) override { return false; }
  Correction correct(const StateView&, VectorView) override { return {}; }
  void accepted() override {}
  Status correct_output(const StateView&) override { return Status::success(); }
  Status observe(const ConstStateView& state, Look look = Look::full) override;
  const Observation& observation(Look = Look::full) const override { return observation_; }
  std::string component_name(Index i) const override;
  std::string subject(const Status& status) const override;

 private:
  class OdeView;

  /// Throws Error(plugin) if the system wrote behind a block that it was given.
  void require_fence(const std::vector<double>& block) const;

  System& system_;
  ViewKind view_;
  bool second_order_;
  Index coordinates_;
  std::unique_ptr<OdeView> ode_;
  std::string type_, plugin_;
  std::unique_ptr<CountedSecondOrder> counted_;
  std::vector<double> x_, x_dot_, a_;
  Observation observation_;
};

}  // namespace trammel
