// ModelView: how the integrated state stands for coordinates, velocities and internal states of a model.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/constrained_model.h"
#include "run/plant/body_state.h"
#include "run/plant/counted_constrained.h"
#include "run/plant/plant.h"
#include "run/plant/whole_model.h"

namespace trammel {

/// One class for each kind of view: under a formulation OdeView and SecondOrderView, without one ConstrainedView. What
/// is the same in all of them stands in ModelPlant.
class ModelView {
 public:
  explicit ModelView(ConstrainedModel& model) : model_(model) {}
  virtual ~ModelView() = default;
  ModelView(const ModelView&) = delete;
  ModelView& operator=(const ModelView&) = delete;

  virtual ViewKind kind() const = 0;
  virtual ProblemSize size() const = 0;
  virtual void offer(Problem& problem) = 0;
  /// [setup] What the run's steps are chosen by; not called for fixed steps.
  virtual void set_tolerance(double rtol) { (void)rtol; }
  /// Limit of the constraints' violation where the run file gives none.
  virtual double constraint_limit() const { return FormulationTraits().constraint_limit; }

  /// [step] The motion begins at `at`: chooses chart or partition.
  virtual Status begin(double t, const BodyState& at) {
    (void)t, (void)at;
    return Status::success();
  }
  virtual Status lift(const ConstStateView& state, const BodyState& out) = 0;
  /// [step] The same for what is only integrated over the last step, inside of which `state` is (NearbyLift).
  virtual Status lift_nearby(const ConstStateView& state, const BodyState& out) { return lift(state, out); }
  /// [step] Writes the state that stands for `at`.
  virtual Status embed(const BodyState& at, const StateView& state) = 0;

  virtual void begin_attempt() {}
  /// [step] The attempt is void: what was remembered since `begin_attempt` is forgotten. `at`: the accepted state of
  /// the bodies at t, which `state` stands for. True: `state` was rewritten for another chart.
  virtual bool rollback(const StateView& state, double t, const BodyState& at) {
    (void)state, (void)t, (void)at;
    return false;
  }
  virtual Correction correct(const StateView& next, VectorView error) {
    (void)next, (void)error;
    return {};
  }
  virtual void accepted() {}
  virtual Status correct_output(const StateView& state) {
    (void)state;
    return Status::success();
  }
  /// [step] The integrator restarts at `state`; `scratch` is a state of the bodies to work in.
  virtual Status restarting(const StateView& state, const BodyState& scratch) {
    (void)state, (void)scratch;
    return Status::success();
  }
  /// [step] Before an impact is solved at `at`, which was lifted from an interpolated state.
  virtual Status before_impact(double t, const BodyState& at) {
    (void)t, (void)at;
    return Status::success();
  }

  virtual void remember(Archive& archive) { (void)archive; }
  /// [step] After restoring, with the remembered state of the bodies. What a formulation keeps beside its memory
  /// (factorizations, predictions) is dropped by a new start, in the run that saves and in the one that restores alike,
  /// so that both go on with the same numbers.
  virtual Status resume(Archive& archive, double t, const BodyState& at) {
    (void)archive, (void)t, (void)at;
    return Status::success();
  }

  /// What component i of the integrated state is: a coordinate (or -1), an internal state (or -1), or the integral of
  /// that, or the rate of that coordinate.
  struct Place {
    Index coordinate;
    bool rate;
    Index state = -1;
  };
  virtual Place place(Index i) const;
  virtual std::vector<std::pair<std::string, long>> counts() const { return {}; }
  /// What the formulation has to say about the run, or "".
  virtual std::string note() const { return ""; }
  /// See Plant.
  virtual std::vector<std::string> independent_coordinates() const { return {}; }

 protected:
  Index freedoms() const { return model_.coordinates() - model_.constraints() + model_.rank().redundant(); }
  /// Where component i of coordinates (q, s) of a WholeModel stands, or its rate.
  Place place_of(Index i, bool rate) const;

  ConstrainedModel& model_;
};

/// The bare model, for index-3 integrators: x = q, v, a, lambda.
class ConstrainedView final : public ModelView {
 public:
  ConstrainedView(ConstrainedModel& model, InternalStates states, PlantCounters& counters, ImplicitMatrix& matrix);

  ViewKind kind() const override { return ViewKind::constrained; }
  ProblemSize size() const override {
    return {whole_.system().coordinates(), model_.constraints(), ViewKind::constrained};
  }
  void offer(Problem& problem) override { problem.constrained = &counted_; }
  Status lift(const ConstStateView& state, const BodyState& out) override;
  Status embed(const BodyState& at, const StateView& state) override;
  Status before_impact(double t, const BodyState& at) override;
  Place place(Index i) const override;

 private:
  WholeModel whole_;
  CountedConstrained counted_;
};

}  // namespace trammel
