// What a run file was made of, from which it can be made anew with other numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/run_file.h"

namespace trammel {

class RunSource {
 public:
  /// [setup] Of a file. Throws Error: unreadable, no JSON; a setting that cannot be read.
  RunSource(const std::filesystem::path& file, const std::vector<std::string>& sets);
  /// [setup] Of a document made in code: `name` for messages, relative paths start in `folder`.
  RunSource(Node document, std::string name, std::filesystem::path folder, const std::vector<std::string>& sets);

  /// The run file with one more setting, or as it stands. Throws Error: what is wrong without knowing any plugin.
  RunFile read(const Setting* more = nullptr) const;
  /// From now on the setting is part of it; an earlier one of the same path is not.
  void keep(const Setting& setting);

 private:
  Node document_;  ///< as written: expressions are resolved by `read`
  std::filesystem::path name_, folder_;
  std::vector<Setting> settings_;
};

/// "system.forces.spring.stiffness" set to a number.
Setting number_setting(const std::string& path, double value);

/// The number at a dotted path of a run file, expressions resolved. Throws Error(input): no such place, no number.
double number_at(const RunFile& run, const std::string& path);

}  // namespace trammel
