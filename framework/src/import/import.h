// Importing: chooses an importer, reads a file of another program with it, and closes what the file leaves open.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "import/imported_document.h"
#include "plugin/host.h"

namespace trammel {

struct ImportOptions {
  std::filesystem::path file;
  std::string type;             ///< of the importer; "": chosen by the file
  std::filesystem::path loops;  ///< side file, or empty
  std::vector<std::filesystem::path> package_paths;
  std::vector<std::string> settings;               ///< KEY=VALUE: keys of the importer
  std::vector<std::filesystem::path> plugin_path;  ///< for the assembly
  std::filesystem::path output;                    ///< where the run file will go, or empty
  bool allow_missing_constraints = false;
};

struct Imported {
  std::string text;                ///< of the run file
  std::vector<std::string> moved;  ///< "arm: 1.2e-07 m, 3e-08 rad": what assembly moved, farthest first
  std::size_t bodies, constraints, forces;
};

/// Throws Error: no importer takes the file (input), it cannot be read (input), its loops cannot be closed (input), the
/// plugin breaks its contract (plugin), a constraint is not carried over (input, unless allowed), the output is one of the
/// files that are read (usage). Loads plugins of `host` only, never those that a run file names. `tell` gets every note,
/// also of models that are refused afterwards.
Imported import_file(const ImportOptions& options, PluginHost& host,
                     const std::function<void(const OwnedImportNote&)>& tell);

/// The importer type for a file, by its ending and, where that does not decide, by how it begins; it loads importers to
/// ask them. Throws Error(input).
std::string choose_importer(const std::filesystem::path& file, PluginHost& host);

}  // namespace trammel
