// Views under a formulation: y' = f(t, y) of first order, and M^ w'' = Q^ of second order.
#pragma once

#include <vector>

#include "run/plant/counted_second_order.h"
#include "run/plant/model_view.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/nearby_lift.h"
#include "trammel/extensions/second_order_formulation.h"

namespace trammel {

/// The formulation, its memory and what it can do besides.
class FormulatedView : public ModelView {
 public:
  double constraint_limit() const override { return formulation_.traits().constraint_limit; }
  void set_tolerance(double rtol) override { rtol_ = rtol; }
  Status begin(double t, const BodyState& at) override;
  void begin_attempt() override { memory_backup_ = memory_state_; }
  bool rollback(const StateView& state, double t, const BodyState& at) override;
  void accepted() override;
  void remember(Archive& archive) override;
  Status resume(Archive& archive, double t, const BodyState& at) override;
  std::vector<std::pair<std::string, long>> counts() const override;
  std::string note() const override;

 protected:
  /// `plugin`: that of the formulation. `states_as_rates`: it sees internal states as velocities.
  FormulatedView(ConstrainedModel& model, bool states_as_rates, const Formulation& formulation,
                 const std::string& plugin);

  /// [step] The memory changed: the mask follows.
  virtual void memory_changed() {}
  /// [step] Another chart was taken for the accepted state `at`. True: `state` stands for it in the new one.
  virtual bool chart_changed(const StateView& state, const BodyState& at) = 0;
  void restore_memory();
  /// What the formulation works with.
  ConstrainedSystem& system() { return whole_.system(); }

  WholeModel whole_;
  const Formulation& formulation_;
  const std::string plugin_;
  Memory memory_;

 private:
  void require_fit(double t, const BodyState& at);

  const AttemptObserver* attempt_observer_;
  const ToleranceFollower* tolerance_follower_;
  const FormulationCounters* counters_;
  bool fitted_ = false;
  double rtol_ = 0;          ///< 0: fixed steps
  Index void_attempts_ = 0;  ///< since the last accepted step
  std::vector<double> memory_state_, memory_backup_, memory_scratch_, memory_cache_;
};

class OdeView final : public FormulatedView {
 public:
  OdeView(ConstrainedModel& model, const Formulation& formulation, const std::string& plugin, PlantCounters& counters);

  ViewKind kind() const override { return ViewKind::ode; }
  ProblemSize size() const override { return {ode_.size(), 0, ViewKind::ode}; }
  void offer(Problem& problem) override { problem.ode = &ode_; }
  Status lift(const ConstStateView& state, const BodyState& out) override;
  Status embed(const BodyState& at, const StateView& state) override;
  Correction correct(const StateView& next, VectorView error) override;
  Status correct_output(const StateView& state) override;
  Status restarting(const StateView& state, const BodyState& scratch) override;
  Place place(Index i) const override;
  std::vector<std::string> independent_coordinates() const override;

 private:
  void memory_changed() override { formulation_.mask(model_, memory_, ode_.mask_to_write()); }
  bool chart_changed(const StateView& state, const BodyState& at) override;

  /// The right-hand side, counted and checked for finite results.
  class CountedOde final : public OdeSystem {
   public:
    CountedOde(const OdeView& view, PlantCounters& counters, Index size)
        : view_(view), counters_(counters), mask_(static_cast<std::size_t>(size), 1.0) {}
    Index size() const override { return static_cast<Index>(mask_.size()); }
    Status rhs(double t, ConstVectorView y, VectorView f) override;
    Status jacobian(double t, ConstVectorView y, MatrixView f_y) override;
    ConstVectorView mask() const override { return {mask_.data(), size()}; }
    VectorView mask_to_write() { return {mask_.data(), size()}; }

   private:
    const OdeView& view_;
    PlantCounters& counters_;
    std::vector<double> mask_;
  };

  const ChartChange* chart_change_;
  CountedOde ode_;
};

class SecondOrderView final : public FormulatedView {
 public:
  SecondOrderView(ConstrainedModel& model, const Formulation& formulation, const std::string& plugin,
                  PlantCounters& counters, ImplicitMatrix& matrix);

  ViewKind kind() const override { return ViewKind::second_order; }
  ProblemSize size() const override { return {counted_.size(), 0, ViewKind::second_order}; }
  void offer(Problem& problem) override { problem.second_order = &counted_; }
  Status lift(const ConstStateView& state, const BodyState& out) override;
  Status lift_nearby(const ConstStateView& state, const BodyState& out) override;
  Status embed(const BodyState& at, const StateView& state) override;
  Correction correct(const StateView& next, VectorView error) override;
  Status restarting(const StateView& state, const BodyState& scratch) override;
  Place place(Index i) const override;
  std::vector<std::string> independent_coordinates() const override;

 private:
  bool chart_changed(const StateView& state, const BodyState& at) override { return embed(at, state).ok(); }

  const SecondOrderFormulation& reduction_;
  const NearbyLift* const nearby_;  ///< nullptr: the formulation has none
  CountedSecondOrder counted_;
};

}  // namespace trammel
