// The table of all commands, in the order that --help lists them.
#include "cli/commands.h"

namespace trammel::cli {

std::span<const Command> commands() {
  static constexpr Command table[] = {
      {"run", "Run a run file and write its results", declare_run},
      {"verify", "Run a run file in other ways too, and report how many digits of every channel agree", declare_verify},
      {"study", "Run many cases, compute their metrics, and compare these with expectations", declare_study},
      {"report", "Write a page with animation, plots and tables from the results of a run or study", declare_report},
      {"view", "Show a run in the browser while it goes on, and its model while the file is edited", declare_view},
      {"validate", "Check run files and studies, and that a run would start", declare_validate},
      {"migrate", "Rewrite run files of format 1 as format 2, with the same motion", declare_migrate},
      {"schema", "Print the JSON Schema of run files and studies for everything that can be loaded", declare_schema},
      {"import", "Read a model of another program (URDF, MJCF, SDF, Adams) and write a run file", declare_import},
      {"plugins", "List all component types that can be loaded", declare_plugins},
      {"describe", "Describe a component type, or a part of run files, and its parameters", declare_describe},
      {"reference", "Write reference pages of the component types that can be loaded", declare_reference},
      {"doctor", "Explain the plugin search; load every plugin and say what is refused and why", declare_doctor},
      {"new", "Write a new plugin: a working example with marked places to edit", declare_new},
      {"check", "Check a plugin against its contract and its mathematics", declare_check},
      {"trust", "Trust folders of plugins that run files name, list them, or trust them no more", declare_trust},
  };
  return table;
}

}  // namespace trammel::cli
