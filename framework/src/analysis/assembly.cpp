// Assembly: the state is the plant's; here it is evaluated.
#include "analysis/assembly.h"

#include <fmt/format.h>

#include "trammel/error.h"

namespace trammel {

std::optional<EngineParts> AssemblyAnalysis::begin(const AnalysisParts& parts) {
  const StateBuffer state(parts.plant.size(), ViewKind::constrained);
  const Observation& assembled = parts.plant.observation();
  state.view.x.map() = assembled.q.map();
  state.view.v.map() = assembled.v.map();
  const Status observed = parts.plant.observe(state.view);
  if (!observed) {
    throw Error(ErrorKind::compute, fmt::format("the assembled state cannot be evaluated: {}", observed.what));
  }
  return std::nullopt;
}

}  // namespace trammel
