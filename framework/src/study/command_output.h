// Other programs' output.
#pragma once

#include <string>
#include <vector>

namespace trammel {

struct CommandOutput {
  int code = 0;      ///< exit code; 127: it could not be started; 128 + signal
  std::string text;  ///< what it printed, errors as well
};

/// Runs a program of PATH to its end.
CommandOutput command_output(const std::vector<std::string>& command);

}  // namespace trammel
