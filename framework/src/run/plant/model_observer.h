// ModelObserver: accelerations, multipliers, energies and violations of a model at one state of its bodies.
#pragma once

#include <string>
#include <vector>

#include "model/constrained_model.h"
#include "record/observation.h"
#include "run/plant/body_state.h"

namespace trammel {

class ModelObserver {
 public:
  /// [setup] Begins at `start`; `limit` of the violation, m or rad; 0: `default_limit`, in the model's unit.
  ModelObserver(ConstrainedModel& model, BodyBuffer start, double limit, double default_limit);
  ModelObserver(const ModelObserver&) = delete;
  ModelObserver& operator=(const ModelObserver&) = delete;

  /// Where `observe` looks: the state of the bodies observed last, to be written.
  BodyState point(double t) {
    observation_.t = t;
    return point_.view();
  }
  BodyState point() { return point_.view(); }
  /// [step] Everything at `point`. While bodies stand still, the velocity there is that of a path through states at rest, which
  /// is not shown: with the multipliers `lambda` it tells the power of loads and drivers, and becomes 0.
  Status observe(ConstVectorView lambda = {});
  /// [step] See Look. Bodies that stand still are observed in full.
  Status glance();
  /// [step] What a glance put off; NaN where it fails: nobody takes it for numbers of this state.
  Status complete();
  bool is_complete() const { return complete_; }
  /// [setup] From now on bodies rest and drivers stand where they are in every state that is observed.
  void stand_still() { still_ = true; }
  const Observation& last() const { return observation_; }
  /// [step] Dissipation and work at another state; the last observation stays. `lambda`: as for `observe`.
  Status power(double t, const BodyState& at, ConstVectorView lambda, EnergyBudget& budget);
  /// [step] The rows that count were chosen anew: accelerations and multipliers follow.
  void rows_changed();
  /// See Plant.
  void finish_multipliers();

  double violation() const { return violation_; }
  double limit() const { return limit_; }
  std::string limit_text() const;
  /// The row of the last evaluation point that is off most, "" if there are none.
  std::string worst_constraint() const;

 private:
  Status observe_as_it_moves();
  /// Throws Error(compute) where the linear solver solved something else.
  void require_solved(double residual, double size) const;
  void observe_rows();
  Status power_of_path(double t, const BodyState& at, ConstVectorView lambda, EnergyBudget& budget);

  ConstrainedModel& model_;
  BodyBuffer point_;
  std::vector<double> a_, lambda_, work_n_, work_n2_, work_m_, slow_;
  Observation observation_;
  double limit_, violation_ = 0;
  const bool limit_given_;
  bool multipliers_finished_ = false, still_ = false, complete_ = true;
};

}  // namespace trammel
