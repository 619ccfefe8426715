// Migration: a run file of an older format as one of the newest, with the same motion and the same layout.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/set_argument.h"
#include "plugin/search_folder.h"

namespace trammel {

/// Settings under which a run file is used as well: those of a study's case.
struct UsedWith {
  std::string what;  ///< "case 'long' of sweep.json"
  std::vector<Setting> settings;
};

struct Migration {
  std::filesystem::path file;
  std::string text;                  ///< of the newest format
  std::vector<std::string> changes;  ///< one line each; empty: the file has the newest format already
};

/// Reads the run file and makes its models; writes nothing. A coordinate that counts from the drawing where the newest
/// format counts between markers gets its value there as a key, 0: also where the difference is zero for the file's
/// own numbers, but not for those of `uses`, or formulas may change it. Throws Error: a file that `trammel run` refuses,
/// and a use that replaces an element which has to be changed.
Migration migrate(const std::filesystem::path& file, const PluginSearch& plugins,
                  const std::vector<UsedWith>& uses = {});

/// Puts the text in place of `target`, whole or not at all, with the permissions that it has; a link stays one.
void write_migrated(const std::string& text, const std::filesystem::path& target);

}  // namespace trammel
