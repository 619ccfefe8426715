// Versions of plugins, and what a run file's `plugins.require` demands of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/problems.h"

namespace trammel {

/// A version: numbers between dots ("1.4.2"), those left out being 0; then perhaps a word ("1.4-rc1", "1.4rc1"), with which
/// it comes before the version without. What follows a '+' does not count. As semantic versioning orders them.
class Version {
 public:
  /// nullopt: the text does not begin with a number.
  static std::optional<Version> parse(std::string_view text);
  /// Negative, 0, positive: this version is earlier, the same, later.
  int compare(const Version& other) const;

 private:
  std::vector<unsigned long> numbers_;
  std::string word_;  ///< empty for a release
};

/// Comparisons that all hold: ">=1.2", ">=1.2, <2"; a version alone is that version and no other.
class VersionRange {
 public:
  /// nullopt: not such a text.
  static std::optional<VersionRange> parse(std::string_view text);
  bool contains(const Version& version) const;

 private:
  struct Bound {
    enum class Relation { equal, at_least, above, at_most, below } relation;
    Version version;
  };
  std::vector<Bound> bounds_;
};

/// A member of `plugins.require`.
struct RequiredPlugin {
  std::string id, written;
  VersionRange range;
  Place place;
  std::string path;
};

/// Those of a run file; what is not written as it should be is added to `problems` and left out.
std::vector<RequiredPlugin> required_plugins(const Node& document, Problems& problems);

}  // namespace trammel
