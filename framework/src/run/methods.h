// Methods: integrator and formulation of a run, with the options that all integrators have.
#pragma once

#include <string>
#include <utility>

#include "config/step_control_keys.h"
#include "model/component.h"
#include "model/model.h"
#include "run/choice/method_choice.h"
#include "trammel/formulation.h"
#include "trammel/integrator.h"

namespace trammel {

/// Empty where the analysis integrates nothing.
class Methods {
 public:
  /// [setup] What the run file asks for. Throws Error(input) with file, line and path where the two do not fit each other
  /// or the model.
  void create(PluginHost& host, const RunFile& run, Model& model);

  /// [setup] The run file was completed by this choice. Before `create`.
  void chosen(MethodChoice choice) { choice_ = std::move(choice); }
  /// What was chosen; nothing in it where the file names both.
  const MethodChoice& choice() const { return choice_; }

  bool any() const { return static_cast<bool>(integrator_); }
  const Integrator& integrator() const { return integrator_.as<Integrator>(); }
  const std::string& integrator_plugin() const { return integrator_.plugin_id(); }
  /// nullptr: the integrator treats the constraints itself, or there are none.
  const Formulation* formulation() const { return formulation_ ? &formulation_.as<Formulation>() : nullptr; }
  std::string formulation_plugin() const { return formulation_ ? formulation_.plugin_id() : std::string(); }
  const StepControlOptions& control() const { return control_.as<StepControlOptions>(); }
  /// What the integrator gets.
  ViewKind view() const { return view_; }
  /// "dopri5 under projection", "hht"; "" where there are none.
  std::string name(const RunFile& run) const;

 private:
  void refuse_control_keys(const RunFile& run, const IntegratorTraits& traits) const;
  /// Of a model some rows of which hold for velocities only.
  void refuse_velocity_rows(PluginHost& host, const RunFile& run, Model& model) const;
  /// Where it would make an error that nothing in the run shows.
  void refuse_stepwise_feedback(const RunFile& run) const;
  void create_formulation(PluginHost& host, const RunFile& run, Model& model);

  MethodChoice choice_;
  Component formulation_, integrator_;
  BoundParameters control_;
  ViewKind view_ = ViewKind::constrained;
};

}  // namespace trammel
