// ModelPlant: a multibody model under a formulation (y' = f or M^ w'' = Q^), or bare for index-3 integrators.
#pragma once

#include <memory>

#include "model/break_point_forecast.h"
#include "run/plant/model_observer.h"
#include "run/plant/model_start.h"
#include "run/plant/model_view.h"
#include "run/plant/plant.h"
#include "run/plant/rank_monitor.h"

namespace trammel {

/// Moves between the integrated state and the bodies by a ModelView, and looks at the bodies by a ModelObserver.
class ModelPlant final : public Plant {
 public:
  /// [setup] Of what `make_start` made. Without a `formulation` the view is the constrained one; `constraint_limit` 0:
  /// that of the formulation. `states`: of a view without internal states, whether they are among its coordinates.
  ModelPlant(StartedModel started, const Formulation* formulation, const std::string& formulation_plugin, ViewKind view,
             double constraint_limit, InternalStates states = InternalStates::move);
  ~ModelPlant() override;

  ViewKind view() const override { return view_->kind(); }
  ProblemSize size() const override { return view_->size(); }
  Problem problem() override;
  Status start(const StateView& state) override;
  void begin_attempt() override { view_->begin_attempt(); }
  bool rollback(const StateView& state) override;
  Correction correct(const StateView& next, VectorView error) override { return view_->correct(next, error); }
  void accepted() override { view_->accepted(); }
  Status correct_output(const StateView& state) override { return view_->correct_output(state); }
  Status observe(const ConstStateView& state, Look look = Look::full) override;
  Status observe_at(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) override;
  void stand_still() override { observer_->stand_still(); }
  Status power(const ConstStateView& state, EnergyBudget& budget) override;
  Status look(const ConstStateView& state) override;
  Status collide(const StateView& state, Contacts& contacts, const std::vector<char>& met,
                 std::vector<double>& approach, Impact& impact) override;
  Status restarting(const StateView& state) override { return view_->restarting(state, observer_->point()); }
  Status elements_changed(const StateView& state) override;
  Status jumped(const StateView& state) override;
  Status remember(Archive& archive, const ConstStateView& state) override;
  double time_of_flight(const Contacts& contacts) override;
  void finish_multipliers() override {
    observer_->complete();
    observer_->finish_multipliers();
  }
  const Observation& observation(Look look = Look::full) const override {
    if (look == Look::full) observer_->complete();
    return observer_->last();
  }
  Status settle() override;
  double share_of_step(const ConstStateView& next) override;
  std::vector<std::string> notes() const override;
  double turning_step() const override;
  double forecast_step() const override { return forecast_.time_ahead(*model_); }
  std::string worst_constraint() const override { return observer_->worst_constraint(); }
  std::string component_name(Index i) const override;
  std::string component_owner(Index i) const override;
  std::string subject(const Status& status) const override;
  std::string find_not_finite() override;
  ConstrainedModel* model() override { return model_.get(); }
  double constraint_limit() const override { return observer_->limit(); }
  std::string constraint_limit_text() const override { return observer_->limit_text(); }
  double violation() const override { return observer_->violation(); }
  std::vector<std::pair<std::string, long>> formulation_counts() const override { return view_->counts(); }
  std::vector<std::string> independent_coordinates() const override { return view_->independent_coordinates(); }

  /// [setup] What the run's steps are chosen by; not called for fixed steps.
  void set_tolerance(double rtol) { view_->set_tolerance(rtol); }
  RankMonitor* rank_monitor() override { return &rank_; }

 private:
  const bool memory_begun_;
  std::unique_ptr<ConstrainedModel> model_;
  RankMonitor rank_;
  BreakPointForecast forecast_;
  std::unique_ptr<ModelView> view_;
  std::unique_ptr<ModelObserver> observer_;
  BodyBuffer scratch_;
};

}  // namespace trammel
