// Redundant constraints in words: which rows repeat what, whose reactions are not unique, which joint to weaken.
#pragma once

#include <string>
#include <vector>

#include "model/constrained_model.h"

namespace trammel {

struct RedundantRow {
  Index row;
  double distance;     ///< sine of its angle to the span of the others
  std::string demand;  ///< "'a', 'b' demand"
};

/// One set of summary.json's "redundant".
struct RedundantSet {
  std::vector<std::string> rows;        ///< left out
  std::vector<std::string> elements;    ///< with a part in it
  std::vector<std::string> not_unique;  ///< rows whose multipliers are not unique
  bool reactions_unique;
  /// Elements to give more freedom, and how many: an end to the redundancy that leaves the motion as it is.
  std::vector<std::pair<std::string, Index>> weaken;
  std::vector<std::string> surplus_drivers;  ///< those of them that are drivers: to leave out, for they have one row
};

/// [step] At the last point where rows were chosen.
std::vector<RedundantSet> redundant_sets(ConstrainedModel& model);
RedundantRow explain_redundant_row(ConstrainedModel& model, Index row);
/// "3 of 24 rows are redundant: ..." with at most `most` sets spelled out.
std::string describe(const std::vector<RedundantSet>& sets, Index rows, std::size_t most = 3);
/// A kept row that is nearly a combination of others (a joint axis slightly off, or a singular configuration nearby),
/// in words, or "". Evaluates nothing; uses the last factorization's watch.
std::string near_dependence(ConstrainedModel& model);

}  // namespace trammel
