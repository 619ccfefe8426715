// MethodChooser: formulation and integrator for a run file that leaves one or both to the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/choice/method_choice.h"
#include "run/choice/model_facts.h"
#include "run/choice/work_estimate.h"
#include "run/plant/model_start.h"

namespace trammel {

/// By rule, from numbers that the model and the run file determine: the same choice on every computer. [setup].
class MethodChooser {
 public:
  MethodChooser(PluginHost& host, const RunFile& run, Model& model);

  /// Whether the choice rests on the motion at the start: the integrator is to be chosen.
  bool needs_start() const;
  /// Of a model of bodies, at its start; problems without bodies: nullptr. Throws what elements throw.
  void look(ModelStart* start);
  /// Puts what was chosen into `run`. A choice without a reason: nothing was left to choose.
  MethodChoice choose(RunFile& run) const;
  /// What the choice rests on.
  const ModelFacts& facts() const { return facts_; }
  const WorkEstimate& work() const { return work_; }

 private:
  MethodTypes pick_both(const RunFile& run, std::string& reason) const;
  /// For an integrator that the file names.
  std::optional<std::string> formulation_for(const RunFile& run, std::string& reason) const;
  std::string explicit_formulation() const;
  std::string first_installed(ComponentKind kind, const std::vector<std::string>& types) const;

  PluginHost& host_;
  const RunFile& run_;
  Model& model_;
  ModelFacts facts_;
  WorkEstimate work_;
};

/// The method that is chosen for a stiff motion, as text for a run file with the tolerances of `facts`.
std::string stiff_method_text(const ModelFacts& facts);

}  // namespace trammel
