// The run file's `parameters`, and every "=expression" replaced by its value.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/node.h"
#include "config/problems.h"

namespace trammel {

/// Values of the run file's `parameters`.
struct ParameterValues {
  std::vector<std::string> names;
  std::vector<double> values;
  /// (from, to): the expression of parameter `to` names parameter `from`.
  std::vector<std::pair<std::size_t, std::size_t>> feeds;
  /// By parameter: a formula outside of `parameters` has named it. Noted wherever formulas are read, of validated files
  /// completely.
  mutable std::vector<char> named;

  void note_use(std::size_t i) const {
    named.resize(names.size(), 0);
    named[i] = 1;
  }
};

/// `[A-Za-z_][A-Za-z0-9_]*`
bool is_name(std::string_view text);

/// Evaluates the object `parameters` in place; entries may be numbers or "=expressions" of each other in any order.
/// Wrong entries and cycles are added to `problems` and left out of the result.
ParameterValues resolve_parameters(Node& parameters, const std::string& path, Problems& problems);

/// Replaces every text that starts with '=' in `node` and below by its value.
void resolve_expressions(Node& node, const std::string& path, const ParameterValues& parameters, Problems& problems);

/// A formula with the parameters' names replaced by their values, in parentheses; other names stay.
std::string substitute_parameters(std::string_view formula, const ParameterValues& parameters);

}  // namespace trammel
