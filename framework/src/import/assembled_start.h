// Assembly of an imported model: files of other programs close their loops to the digits that were written down.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "import/imported_document.h"

namespace trammel {

/// Sets the model up as a run would, and writes the positions, rotations and velocities that its constraints ask for in
/// place of those of the file wherever they differ by more than rounding. Returns what moved, farthest first. Throws
/// Error(input) naming `file` and the joints that cannot be closed, with the distance that remains.
std::vector<std::string> assemble(ImportedDocument& document, const std::vector<std::filesystem::path>& plugin_path,
                                  const std::string& file);

}  // namespace trammel
