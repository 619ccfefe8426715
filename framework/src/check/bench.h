// A method on a small problem, driven step by step through its own interface, without the engine.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/cases.h"
#include "run/plant/plant.h"
#include "run/plant/state_buffer.h"
#include "trammel/integrator.h"

namespace trammel::conformance {

using Eigen::VectorXd;

/// A run file of 1 s with these sections ("system": ..., "integrator": ...).
RunFile load_sections(const std::string& sections);

/// An integrator or formulation as a run file creates it.
class CreatedMethod {
 public:
  /// `sections`: the JSON of "system" and of whatever else the file needs, with the method's own section among it.
  CreatedMethod(PluginHost& host, const std::string& sections, ComponentKind kind);
  CreatedMethod(PluginHost& host, RunFile run, ComponentKind kind);

  const RunFile& run() const { return run_; }
  const Model& model() const { return model_; }
  const Integrator& integrator() const { return component_.as<Integrator>(); }
  const Formulation& formulation() const { return component_.as<Formulation>(); }

 private:
  RunFile run_;
  Model model_;
  Component component_;
};

/// Systems that the checks integrate, as JSON; the last two are models of bodies.
extern const char* const vibration_system;
extern const char* const pendulum_system;
extern const char* const planar_pendulum_system;
/// The system for a method of this view.
const char* bench_system(ViewKind view);
/// The view in which the bench drives a method: constrained ones on a planar pendulum.
std::string integrator_sections(const std::string& integrator, const std::string& system);

/// One integration: owns method, problem, state, memory and the last attempt. What the method must not touch is
/// guarded.
class Bench {
 public:
  Bench(PluginHost& host, const MethodCase& method, const std::string& system);
  ~Bench();

  const Integrator& method() const { return method_.integrator(); }
  const IntegratorTraits& traits() const { return traits_; }
  ViewKind view() const { return plant_->view(); }
  double t() const { return state_.view.t; }
  ProblemSize size() const { return plant_->size(); }
  /// The accepted state, with what the view has beside x and v.
  ConstStateView state() const { return state_.view; }
  /// x (and v) of the accepted and of the attempted state.
  VectorXd y() const { return copy(state_); }
  VectorXd attempted() const { return copy(next_); }
  VectorXd error() const { return Eigen::Map<const VectorXd>(error_.data() + guard, controlled()); }
  double attempted_time() const { return next_.view.t; }
  ConstStateView attempted_state() const { return next_.view; }
  /// A channel of the method for the last accepted step; nothing if it has none of that name.
  std::optional<double> channel(std::string_view name) const;
  /// Whether it advises against itself.
  bool advises() const;
  /// What the method says beside its steps: its channels, note and advice, as one text.
  std::string said() const;
  Problem& problem() { return problem_; }

  /// Begins anew at the start of the problem.
  void from_the_start();
  /// Begins anew at the accepted state. All of these fail the check where the method fails.
  void restart();
  StepResult attempt(double h);
  void accept();
  /// Accepts, then moves the state by `change` (x, then v where the view has it).
  void accept_moved(const VectorXd& change);
  void reject() { method().reject(memory_); }
  /// One accepted step of about h (methods that choose their own: what they take). Returns the step taken.
  double step(double h);
  void run_to(double end, double h);
  /// False: the method has no dense output.
  bool interpolate(double t, VectorXd& out);

  /// Whether the method keeps what may be lost: then results after a rollback agree within its tolerances only.
  bool caches() const { return declared(memory_cache_) > 0; }

  /// State and memory.state, for rollbacks.
  struct Snapshot {
    VectorXd y;
    std::vector<double> memory;
    double t;
  };
  Snapshot save() const;
  void load(const Snapshot& snapshot);
  /// Fails if something was written outside of the declared memory.
  void check_guards() const;
  /// Puts the scratch memory out of use, as the contract allows between calls.
  void spoil_scratch();

 private:
  static constexpr std::size_t guard = 16;
  static std::size_t declared(const std::vector<double>& guarded) { return guarded.size() - 2 * guard; }
  Index controlled() const { return state_.view.x.size + state_.view.v.size; }
  VectorXd copy(const StateBuffer& buffer) const;
  void require_ok(const Status& status, const char* what) const;

  CreatedMethod method_;
  IntegratorTraits traits_;
  std::unique_ptr<Plant> plant_;
  StateBuffer state_, from_, next_;
  Problem problem_;
  double rtol_ = 1e-6, atol_ = 1e-8;
  std::vector<double> memory_state_, memory_scratch_, memory_cache_, error_;
  Memory memory_;
};

}  // namespace trammel::conformance
