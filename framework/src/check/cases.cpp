// Run files for the components of a plugin.
#include "check/cases.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include "compose/compose.h"
#include "config/json_source.h"
#include "plugin/installed_tree.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& control_keys() {
  static const std::vector<std::string> keys = {
      "step",       "rtol",   "atol",       "initial_step", "min_step",   "max_step",      "norm",
      "controller", "safety", "min_factor", "max_factor",   "step_check", "defect_control"};
  return keys;
}

/// Keys of a method's section that mean nothing on another model: steps, tolerances, names of coordinates and bodies.
bool belongs_to_run(const ComponentInfo& component, const std::string& key) {
  if (std::find(control_keys().begin(), control_keys().end(), key) != control_keys().end()) return true;
  for (const ParameterInfo& p : component.parameters) {
    const bool names = p.type == ParameterType::text || p.type == ParameterType::texts ||
                       p.type == ParameterType::body || p.type == ParameterType::bodies ||
                       p.type == ParameterType::point || p.type == ParameterType::element;
    if (p.name == key) return names;
  }
  return false;
}

}  // namespace

CaseModel::CaseModel(const fs::path& file, PluginHost& host, const std::vector<std::string>& sets)
    : run(composed(load_run_file(file, sets), host.catalogue())), model(run, host) {
  q = model.q0(), v = model.v0();
  if (model.assembly() == nullptr) return;
  numbers = std::make_unique<ConstrainedModel>(model);
  z.assign(static_cast<std::size_t>(numbers->internal_states()), 0.0);
  numbers->point().initial_internal({z.data(), static_cast<Index>(z.size())});
  ProjectionReport report;
  const Status status = numbers->project_positions(0, {q.data(), static_cast<Index>(q.size())},
                                                   ProjectionWeights::identity, 1e-14, report);
  if (!status) fail("{}: the model cannot be assembled: {}", file.string(), status.what);
}

std::vector<fs::path> case_folders(const Subject& subject) {
  const fs::path folder = subject.file.parent_path();
  std::vector<fs::path> folders;
  for (const fs::path& place : subject.given) {
    if (fs::is_directory(place)) folders.push_back(place);
  }
  for (const fs::path& place :
       {folder / "cases", folder.parent_path() / "cases", data_folder() / "cases" / subject.file.stem()}) {
    if (folders.empty() && fs::is_directory(place)) folders.push_back(place);
  }
  return folders;
}

std::string method_of_any_model(const Subject& subject, const Node& section) {
  Node node = section;
  node.members.remove_if([&](const Member& member) { return belongs_to_run(*subject.component, member.key); });
  return to_json(node);
}

std::vector<MethodCase> method_cases(const Subject& subject) {
  std::vector<MethodCase> cases;
  std::set<std::string> seen;
  for (const fs::path& file : subject.cases) {
    const RunFile run = load_run_file(file);
    const Section& section = subject.component->kind == ComponentKind::formulation ? run.formulation : run.integrator;
    if (!section || section.type != subject.component->type) continue;
    const std::string json = method_of_any_model(subject, *section.node);
    if (seen.insert(json).second) cases.push_back({json, file.string()});
  }
  const std::string plain = fmt::format("{{ \"type\": {} }}", json_quoted(subject.component->type));
  if (cases.empty()) cases.push_back({plain, "defaults"});
  return cases;
}

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

void for_each_way(const Subject& subject, const std::function<void(const MethodCase&)>& look) {
  std::string skipped;
  bool looked = false;
  for (const MethodCase& method : method_cases(subject)) {
    try {
      look(method);
      looked = true;
    } catch (const Failed& failure) {
      fail("{}: {}", one_line(method.json), failure.what());
    } catch (const Skipped& reason) {
      skipped = reason.what();
    }
  }
  if (!looked && !skipped.empty()) skip("{}", skipped);
}

namespace {

fs::path folder_of_checks;

}  // namespace

const fs::path& check_folder() { return folder_of_checks; }

CheckFolder::CheckFolder() {
  std::string name = (fs::temp_directory_path() / "trammel_check_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be made: {}", name, std::strerror(errno)));
  folder_of_checks = name;
}

CheckFolder::~CheckFolder() {
  std::error_code ignored;
  fs::remove_all(folder_of_checks, ignored);
}

fs::path write_run_file(const std::string& text) {
  static int count = 0;
  const fs::path file = check_folder() / fmt::format("{}_{}.json", ::getpid(), count++);
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", file.string()));
  return file;
}

}  // namespace trammel::conformance
