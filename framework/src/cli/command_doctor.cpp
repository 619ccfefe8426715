// `trammel doctor`: where plugins are looked for, what is odd about them, and which of them load.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "cli/type_query.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct DoctorArguments : PluginOptions {
  std::string query;
};

constexpr int patience_ms = 10000;

/// Everything the child writes until it ends; kills it when it stays silent too long.
std::string listen(int pipe, pid_t child) {
  std::string text;
  char buffer[512];
  pollfd readable{pipe, POLLIN, 0};
  while (true) {
    if (poll(&readable, 1, patience_ms) == 0) {
      kill(child, SIGKILL);
      return fmt::format("it does not return from loading within {} s", patience_ms / 1000);
    }
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

/// Loads a plugin in a process of its own, so that a crash while loading ends only that. "" or why it is refused.
std::string try_loading(PluginHost& host, const PluginInfo& plugin) {
  int ends[2];
  if (pipe(ends) != 0) throw Error(ErrorKind::compute, "doctor: no pipe could be opened");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorKind::compute, "doctor: no process could be started");
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], STDERR_FILENO);
    try {
      host.load(plugin);
      _exit(0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(static_cast<int>(ErrorKind::plugin));
    }
  }
  close(ends[1]);
  std::string text = listen(ends[0], child);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? fmt::format("loading it ends the process (status {})", status) : text;
}

int examine(PluginHost& host, const std::vector<Catalogue::Entry>& entries) {
  std::set<const PluginInfo*> seen;
  int refused = 0;
  for (const Catalogue::Entry& entry : entries) {
    const PluginInfo& plugin = *entry.plugin;
    if (!seen.insert(&plugin).second) continue;
    const std::string fault = try_loading(host, plugin);
    if (fault.empty()) {
      fmt::print("ok       {} {} (types: {}): {}\n", plugin.id, plugin.version, plugin.components.size(),
                 plugin.library.string());
    } else {
      ++refused;
      fmt::print("REFUSED  {} {}: {}\n", plugin.id, plugin.version, fault);
    }
  }
  fmt::print("plugins examined: {}, refused: {}; warnings: {}\n", seen.size(), refused, host.warnings().size());
  return refused == 0 ? 0 : static_cast<int>(ErrorKind::plugin);
}

}  // namespace

Action declare_doctor(CLI::App& app) {
  auto options = std::make_shared<DoctorArguments>();
  declare_plugin_path(app, *options);
  app.add_option("type", options->query, "Examine only the plugins that offer this type")
      ->type_name("[KIND/][HOST/]TYPE");
  return [options] {
    PluginHost host = open_host(*options);
    std::vector<Catalogue::Entry> entries = host.catalogue().entries();
    if (!options->query.empty()) entries = entries_matching(host, options->query);
    fmt::print("{}\n", host.searched_folders());
    for (const std::string& warning : host.warnings()) fmt::print("warning  {}\n", warning);
    if (options->query.empty()) return examine(host, entries);
    for (const Catalogue::Entry& entry : entries) {
      fmt::print("a run that names {} '{}' loads {}\n", kind_name(entry.component->kind), entry.component->type,
                 entry.plugin->library.string());
    }
    return examine(host, entries);
  };
}

}  // namespace trammel::cli
