// Reads two columns of a CSV file for the spline table.
#pragma once

#include <string>
#include <vector>

#include "trammel/parameters.h"

namespace trammel::spline {

struct Points {
  std::vector<double> x, y;
};

/// Columns by the names in the header row, by default the first two. Blank lines and lines that begin with '#' are
/// skipped; a first row that does not begin with a number is the header. Throws Error naming file and line.
Points read_csv(const Text& file, const Text& x_column, const Text& y_column);

}  // namespace trammel::spline
