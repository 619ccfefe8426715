// trammel-sidecar: writes the manifests <id>.trammel.json beside plugin libraries. Run after linking, and by hand after
// anything that changes a library's build-id.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "plugin/elf_file.h"
#include "plugin/library.h"
#include "plugin/manifest.h"
#include "trammel/error.h"

namespace {

/// Written to a second file first: a reader never sees half a manifest.
void write_manifest(const std::filesystem::path& library) {
  trammel::PluginInfo plugin = trammel::plugin_info(trammel::open_plugin(library));
  plugin.build_id = trammel::inspect_elf(library).build_id;
  if (plugin.build_id.empty()) {
    throw trammel::Error(trammel::ErrorKind::plugin,
                         fmt::format("{}: has no GNU build-id; link it with -Wl,--build-id", library.string()));
  }
  const std::filesystem::path target = trammel::manifest_path(library);
  const std::filesystem::path draft = target.string() + ".new";
  std::ofstream stream(draft);
  stream << trammel::manifest_text(plugin);
  stream.close();
  if (!stream) throw trammel::Error(trammel::ErrorKind::compute, fmt::format("{}: cannot be written", draft.string()));
  std::filesystem::rename(draft, target);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) == "--help") {
    fmt::print("Usage: trammel-sidecar PLUGIN.so...\nWrites PLUGIN.trammel.json beside each plugin library.\n");
    return argc < 2 ? 1 : 0;
  }
  try {
    for (int i = 1; i < argc; ++i) write_manifest(argv[i]);
    return 0;
  } catch (const trammel::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "trammel-sidecar: {}\n", error.what());
    return 4;
  }
}
