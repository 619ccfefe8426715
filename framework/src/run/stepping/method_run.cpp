// The integrator of a run: its memory, in checkpoints too, and what it has to say.
#include "run/stepping/method_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/declared_sizes.h"
#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "trammel/constrained_system.h"
#include "trammel/error.h"
#include "trammel/second_order_system.h"

namespace trammel {

MethodRun::MethodRun(const Integrator& integrator, std::string type, std::string plugin, Plant& plant)
    : integrator_(integrator),
      type_(std::move(type)),
      plugin_(std::move(plugin)),
      traits_(integrator.traits()),
      chooser_(find_extension<ChoosesStart>(integrator)),
      adviser_(find_extension<IntegratorAdvice>(integrator)),
      channels_(find_extension<IntegratorChannels>(integrator)),
      problem_(plant.problem()) {
  const MemorySize size = guarded(plugin_, "", "memory", [&] { return integrator.memory(plant.size()); });
  make_room(size, fmt::format("plugin '{}': integrator '{}'", plugin_, type_),
            {&memory_state_, &memory_scratch_, &memory_cache_});
  for (std::vector<double>* block : {&memory_state_, &memory_scratch_, &memory_cache_}) build_fence(*block);
  memory_ = {memory_state_.data(), memory_scratch_.data(), memory_cache_.data()};
}

void MethodRun::require_fit(const ConstStateView& state) const {
  const auto* fit = find_extension<IntegratorFit>(integrator_);
  if (fit == nullptr) return;
  RefusalBuffer reason;
  const bool fits = guarded(plugin_, "", "start", [&] { return fit->fits(problem_, state, reason.refusal()); });
  if (fits) return;
  try {
    reason.raise(plugin_, "", "start", "it does not fit this problem");
  } catch (const Error& error) {
    if (error.key().empty()) throw;
    throw Error::parameter(std::string(integrator_section) + error.key(), error.what());
  }
}

std::string MethodRun::note() const {
  const auto* notes = find_extension<IntegratorNotes>(integrator_);
  if (notes == nullptr) return "";
  std::array<char, 400> text{};
  notes->note(memory_, text.data(), static_cast<Index>(text.size() - 1));
  return text.data();
}

void MethodRun::remember(Archive& archive) {
  if (!traits_.restart_only) archive.block("integrator", memory_state_);
}

Status MethodRun::restored(Plant& plant, const StateView& state) {
  // Scratch has no meaning between calls; equal bits make what comes after equal even where a method should read it.
  std::fill(memory_scratch_.begin(), memory_scratch_.end(), 0.0);
  std::fill(memory_cache_.begin(), memory_cache_.end(), 0.0);
  return traits_.restart_only ? start(state) : prepare_again(plant, state);
}

// Implicit methods remember that the view holds their matrix, which is in no archive. One of the same coefficients is
// made at the state reached: simplified iterations converge with it at least as well as with the older one. Where that
// cannot be, the method begins anew.
Status MethodRun::prepare_again(Plant& plant, const StateView& at) {
  const ImplicitMatrix matrix = plant.implicit_matrix;
  if (!matrix.prepared) return Status::success();
  const PlantCounters counters = plant.counters;
  Status status;
  if (problem_.second_order != nullptr) {
    status = problem_.second_order->linearize(at.t, at.x, at.v);
    if (status) status = problem_.second_order->prepare(matrix.c0, matrix.c1);
  } else if (problem_.constrained != nullptr) {
    status = problem_.constrained->evaluate(at.t, at.x, at.v, {}, evaluate_dynamics | evaluate_Phi);
    if (status) status = problem_.constrained->linearization()->linearize(at.a, at.lambda);
    if (status) status = problem_.constrained->implicit_solve()->prepare(matrix.c0, matrix.c1);
  }
  plant.counters = counters;
  return status ? status : start(at);
}

}  // namespace trammel
