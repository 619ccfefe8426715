// The executable `trammel`: reads the command line, runs one command, turns errors into messages and exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/crash_guard.h"
#include "cli/end_record.h"
#include "cli/guarded_process.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "version.h"

namespace {

/// Exit codes are part of the command line's contract: help and version 0, everything CLI11 refuses 1.
int run(int argc, char** argv) {
  CLI::App app("Trammel: multibody and differential-algebraic equations, every part a plugin.", "trammel");
  app.set_version_flag("--version", std::string("trammel ") + trammel::version());
  app.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App*, trammel::cli::Action>> actions;
  const auto commands = trammel::cli::commands();
  const std::string_view first = argc > 1 ? argv[1] : "";
  const bool one =
      std::any_of(commands.begin(), commands.end(), [&](const auto& command) { return first == command.name; });
  for (const trammel::cli::Command& command : commands) {
    if (one && first != command.name) continue;  // to declare all of them takes as long as to run a small model
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    actions.emplace_back(sub, command.declare(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "trammel: {}\nRun 'trammel --help' for the commands and their options.\n", error.what());
    return static_cast<int>(trammel::ErrorKind::usage);
  }
  for (const auto& [sub, action] : actions) {
    if (sub->parsed()) return action();
  }
  fmt::print("{}", app.help());
  return 0;
}

/// On a stderr that a plugin may have closed.
void tell(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

/// What nothing is left to do about.
int tell_unexpected(const char* what) {
  const trammel::cli::Suspects suspects(trammel::cli::end_record());
  const bool foreign = suspects.count > 0;
  tell(fmt::format("trammel: unexpected failure: {}{}{}", what,
                   foreign ? "; it may be the doing of one of the plugins " : "", foreign ? suspects.names : ""));
  return static_cast<int>(foreign ? trammel::ErrorKind::plugin : trammel::ErrorKind::compute);
}

int guarded_run(int argc, char** argv) {
  try {
    trammel::cli::guard_this_process(argc, argv);
    trammel::cli::install_crash_guard();
    return trammel::blamed([&] { return run(argc, argv); });
  } catch (const trammel::Error& error) {
    tell(error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    return tell_unexpected("no memory is left");
  } catch (const std::exception& error) {
    return tell_unexpected(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int code = guarded_run(argc, argv);
  trammel::cli::end_record().told.store(::fcntl(STDERR_FILENO, F_GETFD) >= 0);
  if (trammel::cli::end_record().worker.load() != ::getpid())
    trammel::cli::end_process(code);  // a copy that a plugin made
  std::fflush(nullptr);               // handlers of exit may not come to that
  trammel::cli::begin_to_end(code);
  return code;
}
