// A run file from a description made in code.
#include "config/description_state.h"

#include "config/set_argument.h"

namespace trammel {

RunFile described_run_file(const Node& document, const std::string& name, const std::filesystem::path& folder,
                           const std::vector<std::string>& sets, RunFileUse use) {
  Problems problems;
  RunFile run = make_run_file(WrittenDocument(document), name, std::filesystem::absolute(folder.empty() ? "." : folder),
                              parse_settings(sets), problems, use);
  problems.raise();
  return run;
}

}  // namespace trammel
