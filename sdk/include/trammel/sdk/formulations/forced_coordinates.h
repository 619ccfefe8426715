// The coordinates that the user wants independent: their marks, and what is said where they or any partition cannot be
// had.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "trammel/constrained_system.h"
#include "trammel/error.h"
#include "trammel/sdk/field.h"
#include "trammel/text/suggest.h"

namespace trammel::sdk {

/// [step] 1 in `marks` (n) for the coordinates of these names; empty if there are none.
inline ConstVectorView mark_forced_coordinates(const ConstrainedSystem& system, const Texts& forced, VectorView marks) {
  if (forced.size == 0) return {};
  marks.map().setZero();
  for (Index i = 0; i < marks.size; ++i) {
    for (std::int64_t k = 0; k < forced.size; ++k) {
      if (forced[k].view() == system.coordinate_name(i)) marks[i] = 1;
    }
  }
  return marks;
}

/// Throws Error(input) for names that the system does not have, or more of them than freedoms; `rows`: the independent
/// ones.
inline void refuse_wrong_names(const ConstrainedSystem& system, const Texts& forced, double rows) {
  if (forced.size == 0) return;
  std::vector<std::string> names;
  for (Index i = 0; i < system.coordinates(); ++i) names.emplace_back(system.coordinate_name(i));
  for (std::int64_t k = 0; k < forced.size; ++k) {
    const std::string name(forced[k].view());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error::parameter("independent", "there is no coordinate '" + name + "'" + did_you_mean(name, names));
  }
  const auto freedoms = static_cast<std::int64_t>(static_cast<double>(system.coordinates()) - rows);
  if (forced.size <= freedoms) return;
  throw Error::parameter("independent", "names " + std::to_string(forced.size) + " coordinates; the model has " +
                                            std::to_string(freedoms) +
                                            (freedoms == 1 ? " degree of freedom" : " degrees of freedom"));
}

/// `status`: of PartitionSolve::choose_partition, which found no pivot.
[[noreturn]] inline void refuse_forced(const ConstrainedSystem& system, double rows, const Status& status) {
  throw Error::parameter("independent",
                         "these coordinates cannot all be independent: the other columns of the constraint "
                         "Jacobian have rank " +
                             std::to_string(static_cast<long>(status.value)) + " for " +
                             std::to_string(static_cast<long>(rows)) + " independent rows; row '" +
                             system.row_name(status.subject) + "' ties them");
}

[[noreturn]] inline void refuse_dependent(const ConstrainedSystem& system, double rows, const Status& status) {
  throw Error::parameter("type", "no coordinates determine the others: the constraint Jacobian has rank " +
                                     std::to_string(static_cast<long>(status.value)) + " for " +
                                     std::to_string(static_cast<long>(rows)) + " rows taken as independent; row '" +
                                     system.row_name(status.subject) +
                                     "' depends on others; try formulation 'projection'");
}

}  // namespace trammel::sdk
