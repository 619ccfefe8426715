// Names of other programs as run files take them: letters, digits and '_', none of them twice.
#pragma once

#include <map>
#include <set>
#include <string>

namespace trammel::sdk {

/// Bodies, points, constraints and forces of a run file share one set of names.
class ImportNames {
 public:
  ImportNames() : taken_{"ground", "t", "step", "energy", "constraint", "all"} {}

  /// The name for `original`; other characters become '_', a digit in front gets one before it, and what is taken
  /// already goes on with `suffix`, then with a number. `fallback`: for an empty name.
  std::string take(const std::string& original, const std::string& fallback, const std::string& suffix) {
    const std::string wanted = valid(original.empty() ? fallback : original);
    std::string name = wanted;
    if (taken_.count(name) > 0 && !suffix.empty()) name = wanted + "_" + suffix;
    for (int k = 2; taken_.count(name) > 0; ++k) name = wanted + "_" + std::to_string(k);
    taken_.insert(name);
    return name;
  }

  static std::string valid(const std::string& original) {
    std::string name;
    for (const char c : original) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      name += letter || (c >= '0' && c <= '9') ? c : '_';
    }
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(name.begin(), '_');
    return name;
  }

 private:
  std::set<std::string> taken_;
};

}  // namespace trammel::sdk
