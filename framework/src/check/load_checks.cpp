// Level 1: the library can be loaded, and says of itself what is true.
#include <fmt/ranges.h>

#include "check/check.h"
#include "check/exported_symbols.h"
#include "plugin/elf_file.h"
#include "plugin/floating_point_mode.h"
#include "plugin/library.h"
#include "plugin/manifest.h"
#include "plugin/manifest_reader.h"
#include "plugin/process_state.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

void file(Subject& subject) {
  const ElfFile elf = inspect_elf(subject.file);
  require(elf.fault.empty(), "{}", elf.fault);
  require(!elf.build_id.empty(), "it has no GNU build-id");
}

void symbols(Subject& subject) {
  const std::vector<std::string> found = exported_symbols(subject.file);
  std::string others;
  bool descriptor = false;
  for (const std::string& name : found) {
    if (name == descriptor_symbol)
      descriptor = true;
    else
      others += (others.empty() ? "" : ", ") + name;
  }
  require(descriptor, "it does not export '{}': not a Trammel plugin", descriptor_symbol);
  require(others.empty(), "it exports more than '{}': {}", descriptor_symbol, others.substr(0, 200));
}

void descriptor(Subject& subject) { open_plugin(subject.file); }

void floating_point_modes(Subject& subject) {
  const FloatingPointMode before = FloatingPointMode::current();
  open_plugin(subject.file);
  const char* difference = before.difference(FloatingPointMode::current());
  require(difference == nullptr, "loading it changes the processor's {}", difference == nullptr ? "" : difference);
}

void process(Subject& subject) {
  const ProcessState before = ProcessState::current();
  open_plugin(subject.file);
  const std::vector<std::string> changed = before.differences(ProcessState::current());
  require(changed.empty(), "loading it changes {}", fmt::join(changed, "; "));
}

void manifest(Subject& subject) {
  const std::filesystem::path path = manifest_path(subject.file);
  require(std::filesystem::exists(path), "there is no manifest {} beside it; 'trammel-sidecar {}' writes it",
          path.filename().string(), subject.file.string());
  const PluginInfo written = read_manifest(path);
  PluginInfo says = plugin_info(open_plugin(subject.file));
  says.build_id = inspect_elf(subject.file).build_id;
  require(written.build_id == says.build_id, "its build-id is '{}', its manifest was written for '{}'", says.build_id,
          written.build_id);
  const std::string difference = manifest_difference(written, says);
  require(difference.empty(), "its manifest does not describe it: {}", difference);
}

}  // namespace

const std::vector<Check>& library_checks() {
  static const std::vector<Check> checks = {
      {"load.file", Level::load, "the file is a whole 64-bit shared library with a build-id",
       "it was cut short while copying, built for another machine, or linked without -Wl,--build-id", file},
      {"load.descriptor", Level::load, "it loads, and its descriptor fits this Trammel",
       "it was built against another version of the SDK, with other Eigen macros or -ffast-math, or misses a library",
       descriptor, "load.file"},
      {"load.symbols", Level::load, "it exports its descriptor and nothing else",
       "it was not built by trammel_add_plugin, which hides everything else", symbols, "load.descriptor"},
      {"load.modes", Level::load, "loading leaves the floating-point mode alone",
       "a static initializer, or a library linked with -ffast-math, sets flush-to-zero", floating_point_modes,
       "load.descriptor"},
      {"load.process", Level::load,
       "loading leaves the process alone: folder, handlers, limits, files, threads, children",
       "a static initializer, of the plugin or of a library that it uses, does more than initialize", process,
       "load.descriptor"},
      {"load.manifest", Level::load, "the manifest beside it describes it",
       "it was rebuilt or edited without trammel-sidecar running afterwards", manifest, "load.descriptor"}};
  return checks;
}

}  // namespace trammel::conformance
