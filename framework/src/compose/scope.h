// What names mean inside of a sub-model.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compose/placement.h"
#include "config/problems.h"
#include "config/resolve.h"

namespace trammel {

/// Sub-models by name, those of the innermost definition first.
struct Definitions {
  const Node* submodels = nullptr;  ///< an object, or nullptr
  std::string path;                 ///< of that object, as written
  const Definitions* outer = nullptr;
};

/// One use of a sub-model, or the model itself (an empty prefix).
struct Scope {
  std::string prefix;   ///< of its parts' names: "leg[2]."
  std::string where;    ///< for messages: "leg[2]"
  std::string subject;  ///< "the sub-model 'leg'"
  ParameterValues parameters;
  Placement placement;
  std::set<std::string> entries;                   ///< its own bodies, points, constraints and forces
  std::map<std::string, long> parts;               ///< its own parts: how many, -1 for one without a count
  std::map<std::string, std::string> connections;  ///< names inside, to names in the model
  const Definitions* definitions = nullptr;
  const ParameterValues* of_file = nullptr;  ///< parameters of the run file

  bool is_model() const { return prefix.empty(); }
  /// Every name that may stand inside.
  std::vector<std::string> names() const;
};

/// What `text`, at `place`, names in the model: a part of the scope, what is connected to it, "ground". Anything else is
/// a problem, and `text` itself comes back.
std::string name_in_model(const Scope& scope, const std::string& text, const Place& place, const std::string& path,
                          Problems& problems);

/// The same of a name in the model that may have formulas as indices: "link[index - 1].rod" with these values.
std::string with_indices(const std::string& text, const ParameterValues& values, const Place& place,
                         const std::string& path, Problems& problems);

}  // namespace trammel
