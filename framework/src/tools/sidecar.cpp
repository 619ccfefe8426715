// trammel-sidecar: writes the manifests <id>.trammel.json beside plugin libraries. Run after linking, and by hand after
// anything that changes a library's build-id.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "plugin/elf_file.h"
#include "plugin/library.h"
#include "plugin/manifest.h"
#include "trammel/error.h"

namespace {

using trammel::Error;
using trammel::ErrorKind;

/// Written to a second file first: a reader never sees half a manifest.
void write_manifest(const std::filesystem::path& library) {
  trammel::PluginInfo plugin = trammel::plugin_info(trammel::open_plugin(library));
  plugin.build_id = trammel::inspect_elf(library).build_id;
  if (plugin.build_id.empty()) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: has no GNU build-id; link it with -Wl,--build-id", library.string()));
  }
  const std::filesystem::path target = trammel::manifest_path(library);
  const std::filesystem::path draft = target.string() + ".new";
  std::ofstream stream(draft);
  stream << trammel::manifest_text(plugin);
  stream.close();
  if (!stream) throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", draft.string()));
  std::filesystem::rename(draft, target);
}

/// The runtime of a sanitizer has to be there before everything else: the program starts itself again with it.
void preload_runtime(const std::filesystem::path& library, char** arguments) {
  const std::string runtime = trammel::missing_runtime(library);
  if (runtime.empty() || std::getenv("TRAMMEL_SIDECAR_PRELOADED") != nullptr) return;
  const char* before = std::getenv("LD_PRELOAD");
  ::setenv("LD_PRELOAD", (runtime + (before == nullptr ? "" : std::string(":") + before)).c_str(), 1);
  ::setenv("TRAMMEL_SIDECAR_PRELOADED", "1", 1);
  const std::string options =
      std::getenv("ASAN_OPTIONS") == nullptr ? "" : std::getenv("ASAN_OPTIONS") + std::string(":");
  ::setenv("ASAN_OPTIONS", (options + "detect_leaks=0").c_str(), 1);  // of this program nobody wants to know
  ::execv("/proc/self/exe", arguments);
}

double patience_seconds() {
  const char* text = std::getenv("TRAMMEL_WATCHDOG");
  return text == nullptr ? 60 : std::atof(text);
}

/// What a status means that the work did not choose; "" for exit codes.
std::string ending(int status) {
  if (!WIFSIGNALED(status)) return "";
  return fmt::format("ended the process with signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
}

/// Exit code of the work on one library, which runs in a process of its own: loading it runs its constructors.
int write_in_child(const std::filesystem::path& library) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Error(ErrorKind::compute, "no process could be started");
  if (child == 0) {
    int code = 0;
    try {
      write_manifest(library);
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      code = static_cast<int>(error.kind());
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", library.string(), error.what());
      code = static_cast<int>(ErrorKind::compute);
    }
    std::fflush(nullptr);
    ::_exit(code == 0 ? 100 : code);  // so that the library's own exit(0) is none
  }
  const timespec tick{0, 10'000'000};
  const double patience = patience_seconds();
  int status = 0;
  for (long ticks = 0; ::waitpid(child, &status, WNOHANG) == 0; ++ticks) {
    ::nanosleep(&tick, nullptr);
    if (!(patience > 0) || static_cast<double>(ticks) * 0.01 <= patience) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    fmt::print(stderr, "{}: loading it does not return (limit: TRAMMEL_WATCHDOG seconds, 0 for none)\n",
               library.string());
    return static_cast<int>(ErrorKind::plugin);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 100) return 0;
  const bool told = WIFEXITED(status) && (WEXITSTATUS(status) == static_cast<int>(ErrorKind::plugin) ||
                                          WEXITSTATUS(status) == static_cast<int>(ErrorKind::compute));
  if (told) return WEXITSTATUS(status);
  const std::string how = ending(status);
  fmt::print(stderr, "{}: loading it {}\n", library.string(),
             how.empty() ? fmt::format("ended the process with exit code {}", WEXITSTATUS(status)) : how);
  return static_cast<int>(ErrorKind::plugin);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) == "--help") {
    fmt::print("Usage: trammel-sidecar PLUGIN.so...\nWrites PLUGIN.trammel.json beside each plugin library.\n");
    return argc < 2 ? 1 : 0;
  }
  try {
    for (int i = 1; i < argc; ++i) preload_runtime(argv[i], argv);
    for (int i = 1; i < argc; ++i) {
      if (const int code = write_in_child(argv[i]); code != 0) return code;
    }
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "trammel-sidecar: {}\n", error.what());
    return 4;
  }
}
