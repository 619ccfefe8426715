// What assembly found: the feasibility report of summary.json.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace trammel {

struct AssemblyReport {
  bool made = false;
  bool asked = false;          ///< otherwise taken as drawn, and corrected by rounding only
  bool counted_turns = false;  ///< bodies were turned as far as their drivers say, whole turns included
  long iterations = 0;
  long attempts = 0;  ///< starts: the given positions, then disturbed ones

  /// A constraint or condition, and how far it is from being met: the largest of its rows, m or rad.
  struct Demand {
    std::string name;
    double violation;
  };
  std::vector<Demand> demands;  ///< those violated at the given positions, worst first
  double remaining = 0;         ///< largest violation of any row at the end

  struct Change {
    double weighted = 0;  ///< root of the weighted sum of squares
    double largest = 0;
    std::string coordinate;
  } positions, velocities;

  struct Condition {
    std::string of;
    double value = std::numeric_limits<double>::quiet_NaN(), rate = value;  ///< obtained
  };
  std::vector<Condition> conditions;

  bool rank_known = false;  ///< too large a model to look at its null space otherwise
  std::vector<std::string> undetermined_positions, undetermined_velocities;
  long free_positions = 0, free_velocities = 0;  ///< motions that neither constraints nor conditions exclude
};

}  // namespace trammel
