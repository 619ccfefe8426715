// One command of the command line: a file command_<name>.cpp each, listed in command_table.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

namespace trammel::cli {

/// What a command does after its arguments were read; returns the exit code. May throw trammel::Error.
using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* summary;
  /// Declares arguments and options on `app` and returns the action, which owns the storage they are read into.
  Action (*declare)(CLI::App& app);
};

std::span<const Command> commands();

}  // namespace trammel::cli
