// The coordinates that the user wants independent: their marks, and what is said where they or any partition cannot be
// had.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "trammel/constrained_layout.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/refuse.h"
#include "trammel/text/suggest.h"

namespace trammel::sdk {

/// [step] 1 in `marks` (n) for the coordinates of these names; empty if there are none.
inline ConstVectorView mark_forced_coordinates(const ConstrainedLayout& system, const Texts& forced, VectorView marks) {
  if (forced.size == 0) return {};
  marks.map().setZero();
  for (Index i = 0; i < marks.size; ++i) {
    for (std::int64_t k = 0; k < forced.size; ++k) {
      if (forced[k].view() == system.coordinate_name(i)) marks[i] = 1;
    }
  }
  return marks;
}

/// Whether the system has coordinates of these names, and not fewer freedoms than names; `rows`: the independent ones.
inline bool names_fit(const ConstrainedLayout& system, const Texts& forced, double rows, Refusal& refusal) {
  std::vector<std::string> names;
  for (Index i = 0; forced.size > 0 && i < system.coordinates(); ++i) names.emplace_back(system.coordinate_name(i));
  for (std::int64_t k = 0; k < forced.size; ++k) {
    const std::string name(forced[k].view());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return refuse(refusal, "independent", "there is no coordinate '" + name + "'" + did_you_mean(name, names));
  }
  const auto freedoms = static_cast<std::int64_t>(static_cast<double>(system.coordinates()) - rows);
  if (forced.size <= freedoms) return true;
  return refuse(refusal, "independent",
                "names " + std::to_string(forced.size) + " coordinates; the model has " + std::to_string(freedoms) +
                    (freedoms == 1 ? " degree of freedom" : " degrees of freedom"));
}

/// False. `status`: of PartitionSolve::choose_partition, which found no pivot.
inline bool refuse_partition(const ConstrainedLayout& system, const Texts& forced, double rows, const Status& status,
                             Refusal& refusal) {
  const std::string rank = std::to_string(static_cast<long>(status.value)),
                    wanted = std::to_string(static_cast<long>(rows)), row = system.row_name(status.subject);
  if (forced.size > 0) {
    return refuse(
        refusal, "independent",
        "these coordinates cannot all be independent: the other columns of the constraint Jacobian have rank " + rank +
            " for " + wanted + " independent rows; row '" + row + "' ties them");
  }
  return refuse(refusal, "type",
                "no coordinates determine the others: the constraint Jacobian has rank " + rank + " for " + wanted +
                    " rows taken as independent; row '" + row + "' depends on others; try formulation 'projection'");
}

}  // namespace trammel::sdk
