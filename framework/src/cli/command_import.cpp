// `trammel import`: a run file from a model of another program; what is not carried over is said line by line.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "import/import.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct ImportArguments : PluginOptions {
  ImportOptions import;
  bool strict = false;
};

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// As a whole or not at all: a run file that is half written would run.
void write_file(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path beside = file;
  std::error_code ignored;
  // A device or a pipe is written to, never replaced by a file.
  const bool to_device = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored) &&
                         !std::filesystem::is_directory(file, ignored);
  if (!to_device) beside += ".part";
  errno = 0;
  std::ofstream stream(beside, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code code;
  if (stream && !to_device) std::filesystem::rename(beside, file, code);
  if (stream && !code) return;
  const std::string reason = code ? code.message() : std::strerror(errno);
  if (!to_device) std::filesystem::remove(beside, code);
  throw Error(ErrorKind::compute, fmt::format("{}: cannot be written: {}", file.string(), reason));
}

int execute(ImportArguments& options) {
  PluginHost host = open_host(options);
  for (const std::string& warning : host.warnings()) fmt::print(stderr, "{}\n", warning);
  options.import.plugin_path = options.plugin_path;
  std::size_t lost = 0, approximated = 0;
  const Imported imported = import_file(options.import, host, [&](const OwnedImportNote& note) {
    fmt::print(stderr, "{}\n", note.words());
    lost += note.is_loss(), approximated += note.loss == ImportLoss::approximate;
  });
  for (const std::string& line : imported.moved) fmt::print(stderr, "assembly moved {}\n", line);
  const std::string file = options.import.file.string();
  fmt::print(stderr, "{}: {}, {}, {}; {} moved by assembly; {} lost, {} approximated\n", file,
             counted(imported.bodies, "body", "bodies"), counted(imported.constraints, "constraint", "constraints"),
             counted(imported.forces, "force", "forces"), imported.moved.size(), lost, approximated);
  if (options.strict && lost + approximated > 0) {
    throw Error(ErrorKind::input, fmt::format("{}: not imported: --strict, and {} not carried over exactly", file,
                                              counted(lost + approximated, "part is", "parts are")));
  }
  if (options.import.output.empty())
    fmt::print("{}", imported.text);
  else
    write_file(options.import.output, imported.text);
  return 0;
}

}  // namespace

Action declare_import(CLI::App& app) {
  auto options = std::make_shared<ImportArguments>();
  ImportOptions& import = options->import;
  app.add_option("FILE", import.file, "Model of another program")->required();
  app.add_option("-o,--output", import.output, "Run file to write; without it, it is printed")->type_name("FILE");
  app.add_flag("--strict", options->strict, "Fail (exit 2) if anything is lost or approximated");
  app.add_flag("--allow-missing-constraints", import.allow_missing_constraints,
               "Import a model although constraints of it are lost, without which it moves more freely");
  app.add_option("--package-path", import.package_paths,
                 "Folder with packages, for package:// in URDF; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--loops", import.loops, "Side file with pairs of frames that coincide (docs/import.md)")
      ->type_name("FILE");
  app.add_option("--type", import.type, "Importer; chosen by the file if left out (trammel plugins)");
  app.add_option("--set", import.settings, "Key of the importer (trammel describe importer/TYPE); may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  declare_plugin_path(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
