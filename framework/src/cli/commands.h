// The declare functions of all commands, one per file command_<name>.cpp. Each is a line here and in command_table.cpp.
#pragma once

#include "cli/command.h"

namespace trammel::cli {

Action declare_run(CLI::App& app);
Action declare_verify(CLI::App& app);
Action declare_study(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_view(CLI::App& app);
Action declare_validate(CLI::App& app);
Action declare_migrate(CLI::App& app);
Action declare_schema(CLI::App& app);
Action declare_plugins(CLI::App& app);
Action declare_describe(CLI::App& app);
Action declare_reference(CLI::App& app);
Action declare_doctor(CLI::App& app);
Action declare_import(CLI::App& app);
Action declare_new(CLI::App& app);
Action declare_check(CLI::App& app);
Action declare_trust(CLI::App& app);

}  // namespace trammel::cli
