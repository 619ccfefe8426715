// MethodRun: the integrator of a run, with the problem it is given and the memory that the engine keeps for it.
#pragma once

#include <string>
#include <vector>

#include "linalg/fence.h"
#include "model/archive.h"
#include "plugin/readable_reason.h"
#include "record/method_channels.h"
#include "run/plant/plant.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel {

class MethodRun {
 public:
  /// [setup] `integrator` and `plant` outlive this object; `type` and `plugin` are for messages.
  MethodRun(const Integrator& integrator, std::string type, std::string plugin, Plant& plant);
  // `memory_` points into the blocks.
  MethodRun(const MethodRun&) = delete;
  MethodRun& operator=(const MethodRun&) = delete;

  const Integrator& integrator() const { return integrator_; }
  const std::string& type() const { return type_; }
  const std::string& plugin() const { return plugin_; }
  const IntegratorTraits& traits() const { return traits_; }
  const Problem& problem() const { return problem_; }
  const Memory& memory() const { return memory_; }
  /// [setup] What they point to outlives this object.
  void set_tolerances(const Tolerances& tolerances) { problem_.tolerances = tolerances; }

  /// [setup] Throws Error(input) where the method says that it does not fit the problem, with the key of its parameter
  /// behind `integrator_section`: keys without it are those of the formulation or of the steps' control.
  void require_fit(const ConstStateView& state) const;
  static constexpr const char* integrator_section = "integrator/";
  /// [step] See Integrator, and ChoosesStart, by which methods move the state.
  Status start(const StateView& state) const {
    const Status chosen = chooser_ != nullptr ? chooser_->choose_start(problem_, state, memory_) : Status::success();
    return with_readable_reason(chosen ? integrator_.start(problem_, state, memory_) : chosen);
  }
  StepResult attempt(const ConstStateView& state, double h, const StateView& next, VectorView error) const {
    StepResult result = integrator_.attempt(problem_, state, h, next, error, memory_);
    if (!result.status) result.status = with_readable_reason(result.status);
    return result;
  }
  void accept(const ConstStateView& state, bool changed) const {
    integrator_.accept(problem_, state, changed, memory_);
  }
  void reject() const { integrator_.reject(memory_); }
  /// [step] The name of a block of memory behind which something wrote, or nullptr.
  const char* overrun() const {
    if (!fence_stands(memory_state_)) return "memory.state";
    if (!fence_stands(memory_scratch_)) return "memory.scratch";
    return fence_stands(memory_cache_) ? nullptr : "memory.cache";
  }
  Status interpolate(const ConstStateView& from, const ConstStateView& to, double t, const StateView& out) const {
    return with_readable_reason(integrator_.interpolate(problem_, from, to, t, out, memory_));
  }

  /// Their values belong to the last accepted step.
  MethodChannels channels() const { return {channels_, &memory_}; }
  /// What the integrator has to say about the run, or "".
  std::string note() const;
  /// [step] After an accepted step: what the run's reader should know, or nullptr.
  const char* advice() const { return adviser_ != nullptr ? adviser_->advice(memory_) : nullptr; }

  void remember(Archive& archive);
  /// [step] Puts this memory in the place of the archive's, which may be another method's or none.
  void replace_in(Archive& archive) const { archive.numbers()["integrator"] = memory_state_; }
  /// [step] After restoring: what is in no archive. Methods whose memory cannot be restored begin anew at `state`.
  Status restored(Plant& plant, const StateView& state);

 private:
  Status prepare_again(Plant& plant, const StateView& at);

  const Integrator& integrator_;
  const std::string type_, plugin_;
  const IntegratorTraits traits_;
  const ChoosesStart* chooser_;      ///< nullptr if the method takes states as they are
  const IntegratorAdvice* adviser_;  ///< nullptr if the method gives none
  const IntegratorChannels* channels_;
  Problem problem_;
  std::vector<double> memory_state_, memory_scratch_, memory_cache_;
  Memory memory_;
};

}  // namespace trammel
