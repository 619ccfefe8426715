// ModelPlant: a multibody model under a formulation (y' = f or M^ w'' = Q^), or bare for index-3 integrators.
#pragma once

#include "model/break_point_forecast.h"
#include "model/component.h"
#include "model/model.h"
#include "model/rank_report.h"
#include "record/initial_report.h"
#include "run/plant/counted_constrained.h"
#include "run/plant/counted_second_order.h"
#include "run/plant/plant.h"
#include "run/plant/rank_monitor.h"
#include "trammel/formulation_extensions.h"
#include "trammel/second_order_formulation.h"

namespace trammel {

class ModelPlant final : public Plant {
 public:
  /// [setup] `formulation` may be null for integrators that consume the constrained view. `start`: what the initial
  /// state has to be. Throws Error(input): initial state too far off, redundant or
  /// contradictory constraints, bodies without inertia.
  ModelPlant(const Model& model, const Formulation* formulation, const std::string& formulation_plugin, ViewKind view,
             LinearSolver solver, const StartOptions& start, double constraint_limit);
  ~ModelPlant() override;

  ViewKind view() const override { return view_; }
  ProblemSize size() const override;
  Problem problem() override;
  Status start(const StateView& state) override;
  void begin_attempt() override;
  bool rollback(const StateView& state) override;
  Correction correct(const StateView& next, VectorView error) override;
  void accepted() override;
  Status correct_output(const StateView& state) override;
  Status observe(const StateView& state) override;
  Status observe_at(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) override;
  Status power(const StateView& state, EnergyBudget& budget) override;
  Status look(const StateView& state) override;
  Status collide(const StateView& state, Contacts& contacts, const std::vector<char>& met,
                 std::vector<double>& approach, Impact& impact) override;
  Status restarting(const StateView& state) override;
  Status elements_changed(const StateView& state) override;
  Status remember(Archive& archive, const StateView& state) override;
  double time_of_flight(const Contacts& contacts) override;
  void finish_multipliers() override;
  const Observation& observation() const override { return observation_; }
  void settle() override;
  std::vector<std::string> notes() const override;
  double turning_step() const override;
  double forecast_step() const override;
  std::string worst_constraint() const override;
  std::string component_name(Index i) const override;
  std::string component_owner(Index i) const override;
  std::string subject(const Status& status) const override;
  std::string find_not_finite() override;
  ConstrainedModel* model() override { return &model_; }
  double constraint_limit() const override { return constraint_limit_; }
  std::string constraint_limit_text() const override;
  double violation() const override { return violation_; }
  std::vector<std::pair<std::string, long>> formulation_counts() const override;
  std::vector<std::string> independent_coordinates() const override;

  /// [setup] What the run's steps are chosen by; not called for fixed steps.
  void set_tolerance(double rtol) { rtol_ = rtol; }
  RankMonitor& rank_monitor() { return rank_; }
  const InitialReport& initial_report() const { return initial_; }
  /// Constraints found redundant at the start.
  const std::vector<RedundantSet>& redundant() const { return redundant_; }

 private:
  /// The integrated state as coordinates, velocities and internal states.
  Status lift(const StateView& state, VectorView q, VectorView v, VectorView z);
  /// The state that stands for q, v and z as they are now.
  Status embed(const StateView& state);
  class OdeView;
  std::string where_not_converged(Index component) const;

  Index freedoms() const { return assembly_.coordinates() - assembly_.rows() + model_.rank().redundant(); }

  /// Moves q to the static equilibrium; the velocities of the file stay.
  void start_at_rest();
  /// Only the first-order view carries internal states.
  void refuse_internal_states() const;
  Status observe_point(double t);
  void restore_memory();

  VectorView q() { return {q_.data(), static_cast<Index>(q_.size())}; }
  VectorView v() { return {v_.data(), static_cast<Index>(v_.size())}; }
  VectorView z() { return {z_.data(), static_cast<Index>(z_.size())}; }

  const Assembly& assembly_;
  ConstrainedModel model_;
  RankMonitor rank_;
  BreakPointForecast forecast_;
  const Formulation* formulation_;
  Status start_formulation(double t);
  const AttemptObserver* attempt_observer_ = nullptr;
  const ToleranceFollower* tolerance_follower_ = nullptr;
  double rtol_ = 0;  ///< 0: fixed steps
  const ChartChange* chart_change_ = nullptr;
  const FormulationCounters* formulation_counters_ = nullptr;
  Index void_attempts_ = 0;  ///< since the last accepted step
  std::string formulation_plugin_;
  ViewKind view_;
  double constraint_limit_, violation_ = 0;
  const bool limit_given_;
  InitialReport initial_;
  std::vector<RedundantSet> redundant_;
  std::vector<double> q_, v_, z_, a_, lambda_, work_n_, work_n2_, work_m_, work_a_, work_z_;
  std::vector<double> memory_state_, memory_backup_, memory_scratch_;
  Memory memory_;
  std::unique_ptr<OdeView> ode_;
  const SecondOrderFormulation* reduction_ = nullptr;  ///< of the second-order view
  std::unique_ptr<CountedSecondOrder> second_order_;
  CountedConstrained constrained_{model_, counters, implicit_matrix};
  Observation observation_;
  bool multipliers_finished_ = false;
};

}  // namespace trammel
