// Where the rows of a finished run are, for what reads them as text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel {

/// results.csv in this folder; whether it exists is the reader's to find out. Throws Error(input) if it does not and
/// summary.json says that the run wrote other files. `reader`: who asks, "a report".
std::filesystem::path readable_rows(const std::filesystem::path& folder, const std::string& reader);

/// Throws the same before a run whose files these will be. `run`: its name for the message.
void require_readable_rows(const std::vector<std::string>& files, const std::string& run, const std::string& reader);

}  // namespace trammel
