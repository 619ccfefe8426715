// Small parts of a study: `best`, `limits`, `keep`; ranges of `vary`.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "trammel/parameters.h"

namespace trammel {

/// `best`: the case that the tables mark.
struct BestOptions {
  enum class Goal : std::int32_t { least, largest } goal = Goal::least;
  std::string metric;  ///< "" : none is asked for
};

/// `limits` of each case.
struct CaseLimits {
  double time = 0;    ///< s on the clock; 0: none
  double memory = 0;  ///< bytes of address space of its process; 0: none
};

/// What is left of a case.
enum class Keep : std::int32_t {
  files,   ///< the folder that `trammel run` would leave
  numbers  ///< what study.db, study.csv and study.json have
};

BestOptions read_best(const Node& document, Problems& problems);
CaseLimits read_limits(const Node& document, Problems& problems);
Keep read_keep(const Node& document, Keep otherwise, Problems& problems);

/// Whether a value of `vary` is a range {"from", "to", "count" or "step", "scale"}.
bool is_range(const Node& value);
/// Its numbers; what is wrong is added to `problems`.
std::vector<Node> range_values(const Node& range, const std::string& path, Problems& problems);

ParameterTable best_table();
ParameterTable limits_table();
ParameterTable range_table();

}  // namespace trammel
