// The table of all commands, in the order that --help lists them.
#include "cli/command.h"

namespace trammel::cli {

std::span<const Command> commands() {
  static constexpr std::span<const Command> table{};
  return table;
}

}  // namespace trammel::cli
