// Loading one plugin library through Boost.DLL. Only shared_library.hpp: with std::filesystem it is header-only.
#include "plugin/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <mutex>
#include <vector>

#include "plugin/descriptor_check.h"
#include "plugin/elf_file.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace dll = boost::dll;

Error refused(const std::filesystem::path& file, const std::string& why) {
  return Error(ErrorKind::plugin, fmt::format("{}: refused: {}", file.string(), why));
}

/// Boost wraps the loader's own words into its own; the user needs the loader's.
std::string loader_words(std::string text) {
  constexpr std::string_view start = "dlerror system message: ";
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return text;
  text.erase(0, at + start.size());
  const std::size_t end = text.rfind("): ");
  return end == std::string::npos ? text : text.substr(0, end);
}

struct Pinned {
  dll::shared_library library;
  std::string build_id;  ///< of the file when it was loaded
};

/// Keeps every library that was ever loaded; never destroyed, so that nothing is unloaded while static destructors run.
std::vector<Pinned>& pinned() {
  static auto* libraries = new std::vector<Pinned>();
  return *libraries;
}

}  // namespace

const PluginDescriptor& open_plugin(const std::filesystem::path& file) {
  static std::mutex& guard = *new std::mutex;
  const std::lock_guard<std::mutex> lock(guard);
  const ElfFile elf = inspect_elf(file);
  if (!elf.fault.empty()) throw refused(file, elf.fault);
  if (const std::string runtime = missing_runtime(file); !runtime.empty()) {
    throw refused(
        file, fmt::format("it was built with a sanitizer, whose runtime must be loaded before everything else; start "
                          "the program with LD_PRELOAD={}",
                          runtime));
  }
  dll::shared_library opened;
  try {
    opened.load(std::filesystem::absolute(file), dll::load_mode::rtld_now | dll::load_mode::rtld_local);
  } catch (const std::exception& error) {
    throw refused(file, fmt::format("it cannot be loaded: {}", loader_words(error.what())));
  }
  // The loader gives the library that it has under this name, whatever the file is by now.
  const auto earlier = std::find_if(pinned().begin(), pinned().end(),
                                    [&](const Pinned& one) { return one.library.native() == opened.native(); });
  const bool is_new = earlier == pinned().end();
  if (!is_new && earlier->build_id != elf.build_id) {
    throw refused(file,
                  fmt::format("the file changed (build-id '{}') since this process loaded it (build-id '{}'), and a "
                              "loaded library stays until the process ends: start a new process",
                              elf.build_id, earlier->build_id));
  }
  if (is_new) pinned().push_back({std::move(opened), elf.build_id});
  const dll::shared_library& library = is_new ? pinned().back().library : earlier->library;
  if (!library.has(descriptor_symbol)) {
    throw refused(file, fmt::format("it does not export '{}': not a Trammel plugin", descriptor_symbol));
  }
  const auto& descriptor = library.get<const PluginDescriptor>(descriptor_symbol);
  const std::string fault = descriptor_fault(descriptor, file.stem().string());
  if (!fault.empty()) throw refused(file, fault);
  return descriptor;
}

}  // namespace trammel
