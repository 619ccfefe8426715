// Assembly of an imported model: files of other programs close their loops to the digits that were written down.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "import/imported_document.h"

namespace trammel {

struct AssembledStart {
  std::vector<std::string> moved;       ///< "arm: 1.2e-07 m, 3e-08 rad", farthest first
  std::vector<OwnedImportNote> beyond;  ///< joints that start outside of their limits
};

/// Sets the model up as a run would, and writes the positions, rotations and velocities that its constraints ask for in
/// place of those of the file wherever they differ by more than rounding. Throws Error(input) naming the place in the file,
/// and the joints that cannot be closed, with the distance that remains.
AssembledStart assemble(ImportedDocument& document, const std::vector<std::filesystem::path>& plugin_path,
                        const std::string& file);

}  // namespace trammel
