// Which rows of a constraint Jacobian depend on which others, in sets, for reports.
#pragma once

#include <vector>

#include "linalg/row_space.h"

namespace trammel {

/// One row that is a combination of others.
struct DependentRow {
  Index row;
  double distance;                  ///< sine of its angle to the span of the others
  std::vector<Index> others;        ///< element rows with a noticeable share in the combination
  std::vector<double> combination;  ///< row = sum combination_i * others_i
};

/// Dependent rows that share rows, and so one indeterminacy of reactions.
struct DependentSet {
  std::vector<DependentRow> dependent;
  std::vector<Index> rows;  ///< all rows with a part in it, ascending; their multipliers are not unique
  bool reactions_unique;    ///< although the multipliers are not: the indeterminacy stays within each element
};

/// [step] The combination of the kept rows that comes nearest to a row left out.
DependentRow describe_dependence(const KktMatrix& matrix, const RowSpace& rows, Index row);
/// [step] Of the rows that `rows` left out when it factorized `matrix` last.
std::vector<DependentSet> dependent_sets(const KktMatrix& matrix, const RowSpace& rows);

}  // namespace trammel
