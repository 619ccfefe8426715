// What a RunDescription holds. Shared with Simulation and Mechanics, which use it.
#pragma once

#include "config/node.h"
#include "config/run_file.h"
#include "trammel/host/run_description.h"

namespace trammel {

struct RunDescription::State {
  std::string name;
  std::filesystem::path folder;  ///< empty: the current one
  Node document;
};

/// What a description holds (S: RunDescription::State). Throws Error(usage): it was moved away.
template <class S>
S& description_state(const std::unique_ptr<S>& state) {
  if (state == nullptr)
    throw Error(ErrorKind::usage, "this description was moved away: assign another one to it first");
  return *state;
}

/// [setup] The run file that a document made in code stands for, with these settings (PATH=VALUE). Throws Error.
RunFile described_run_file(const Node& document, const std::string& name, const std::filesystem::path& folder,
                           const std::vector<std::string>& sets, RunFileUse use = RunFileUse::run);

}  // namespace trammel
