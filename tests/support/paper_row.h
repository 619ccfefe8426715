// Figures of the printed works that a test judges: a check that also prints a line for scripts/papers, which gathers
// them in docs/papers.md.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

/// One figure of a printed work. What is not given is NaN.
struct PaperFigure {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string row;   // as tests/papers/rows.json names it
  std::string what;  // which figure of the row
  double printed = none;
  double independent = none;  // computed apart from Trammel; judged by in place of the printed one
  double tolerance = 0;
};

/// Checks `obtained` against the independent figure, or the printed one where there is no other, and prints the line.
/// `source` is the caller's file: clang 14 has no std::source_location.
inline void check_paper_row(const PaperFigure& figure, double obtained, const char* source = __builtin_FILE()) {
  const double expected = std::isnan(figure.independent) ? figure.printed : figure.independent;
  const bool ok = std::abs(obtained - expected) <= figure.tolerance;
  std::string file = source;
  file = file.substr(std::min(file.rfind("tests/"), file.size()));
  nlohmann::ordered_json line = {{"row", figure.row}, {"what", figure.what}, {"obtained", obtained}};
  if (!std::isnan(figure.printed)) line["printed"] = figure.printed;
  if (!std::isnan(figure.independent)) line["independent"] = figure.independent;
  line["tolerance"] = figure.tolerance, line["ok"] = ok, line["test"] = file;
  std::printf("paper_row %s\n", line.dump().c_str());
  CHECK_MESSAGE(
      ok, figure.row << ", " << figure.what << ": " << obtained << " for " << expected << " +- " << figure.tolerance);
}
