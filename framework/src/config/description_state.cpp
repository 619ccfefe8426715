// A run file from a description made in code.
#include "config/description_state.h"

#include "config/set_argument.h"

namespace trammel {

RunFile run_file_of(const RunDescription::State& described, const std::vector<std::string>& sets) {
  Problems problems;
  std::vector<Setting> settings;
  for (const std::string& argument : sets) settings.push_back(parse_setting(argument));
  const std::filesystem::path& folder = described.folder;
  RunFile run = make_run_file(described.document, described.name,
                              std::filesystem::absolute(folder.empty() ? "." : folder), settings, problems);
  problems.raise();
  return run;
}

}  // namespace trammel
