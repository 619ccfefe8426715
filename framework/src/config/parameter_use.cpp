// Follows the use of parameters through the expressions of others.
#include "config/parameter_use.h"

#include <algorithm>

#include "trammel/text/suggest.h"

namespace trammel {
namespace {

constexpr std::string_view prefix = "parameters.";

/// The names that formulas do use, as the end of a message.
std::string hint(const std::string& name, const ParameterValues& parameters) {
  const std::vector<char> used = parameters_in_use(parameters);
  std::vector<std::string> names;
  std::string all;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] == 0) continue;
    names.push_back(parameters.names[i]);
    all += (all.empty() ? "'" : ", '") + parameters.names[i] + "'";
  }
  if (names.empty()) return "; no formula of the run file uses any parameter";
  const std::string near = did_you_mean(name, names);
  return near.empty() ? "; formulas use " + all : near;
}

}  // namespace

std::string parameter_of(const Setting& setting) {
  return setting.path.compare(0, prefix.size(), prefix) == 0 ? setting.path.substr(prefix.size()) : std::string();
}

std::vector<char> parameters_in_use(const ParameterValues& parameters) {
  std::vector<char> used = parameters.named;
  used.resize(parameters.names.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : parameters.feeds) {
      if (used[to] == 0 || used[from] != 0) continue;
      used[from] = 1, changed = true;
    }
  }
  return used;
}

bool is_text_only(const Setting& setting) { return setting.path == "title" || setting.path == "$schema"; }

bool is_idle(const Setting& setting, const ParameterValues& parameters) {
  const std::string name = parameter_of(setting);
  const auto found = std::find(parameters.names.begin(), parameters.names.end(), name);
  if (name.empty() || found == parameters.names.end()) return false;  // removed, or wrong in a way that is reported
  return parameters_in_use(parameters)[static_cast<std::size_t>(found - parameters.names.begin())] == 0;
}

std::string idle_text(const std::string& name, const ParameterValues& parameters) {
  return "no formula uses the parameter '" + name + "', so setting it changes nothing" + hint(name, parameters);
}

void refuse_idle_settings(const RunFile& run, Problems& problems) {
  for (const Setting& setting : run.settings) {
    if (!is_idle(setting, run.parameters)) continue;
    const std::string name = parameter_of(setting);
    problems.add(setting.value.place, "/parameters/" + name, idle_text(name, run.parameters));
  }
}

std::vector<std::string> idle_parameter_warnings(const RunFile& run) {
  std::vector<std::string> warnings;
  const Node* parameters = run.document->find("parameters");
  const std::vector<char> used = parameters_in_use(run.parameters);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] != 0) continue;
    const std::string& name = run.parameters.names[i];
    warnings.push_back(message_at(parameters->find_member(name)->place, "/parameters/" + name,
                                  "no formula uses this parameter" + hint(name, run.parameters)));
  }
  return warnings;
}

}  // namespace trammel
