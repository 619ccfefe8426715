// Assembly: the state is the plant's; here it is evaluated.
#include "analysis/assembly.h"

#include <fmt/format.h>

#include "trammel/error.h"

namespace trammel {

std::optional<EngineParts> AssemblyAnalysis::begin(const AnalysisParts& parts) {
  const Observation& assembled = parts.plant.observation();
  const Status observed = parts.plant.observe_at(0, assembled.q, assembled.v, assembled.z);
  if (!observed) {
    throw Error(ErrorKind::compute, fmt::format("the assembled state cannot be evaluated: {}", observed.what));
  }
  return std::nullopt;
}

}  // namespace trammel
