// Run files for the components of a plugin.
#include "check/cases.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "config/json_source.h"
#include "config/validate.h"
#include "plugin/installed_tree.h"
#include "trammel/error.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

bool is_run_file(const fs::path& file) {
  try {
    return read_json_file(file).find("trammel") != nullptr;
  } catch (const Error&) {
    return true;  // whoever uses it tells what is wrong with it
  }
}

/// The part of a run file where components of this kind stand.
const Node* section_of(const Node& document, ComponentKind kind) {
  const Node* system = document.find("system");
  switch (kind) {
    case ComponentKind::system: return system;
    case ComponentKind::constraint: return system == nullptr ? nullptr : system->find("constraints");
    case ComponentKind::force: return system == nullptr ? nullptr : system->find("forces");
    case ComponentKind::formulation: return document.find("formulation");
    case ComponentKind::integrator: return document.find("integrator");
    default: return system;  // functions anywhere in the elements
  }
}

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

CaseList::CaseList(const std::vector<fs::path>& given, const fs::path& library) {
  for (const fs::path& path : given) {
    if (!fs::exists(path)) throw Error(ErrorKind::usage, fmt::format("{}: there is no such case", path.string()));
    add_files(path, files_);
  }
  const fs::path folder = library.parent_path();
  for (const fs::path& place :
       {folder / "cases", folder.parent_path() / "cases", data_folder() / "cases" / library.stem()}) {
    if (given.empty() && files_.empty() && fs::is_directory(place)) add_files(place, files_);
  }
  std::erase_if(files_, [](const fs::path& file) { return !is_run_file(file); });
}

void find_typed(const Node& node, const std::string& path, const std::string& type, std::vector<TypedNode>& found) {
  const Node* name = node.find("type");
  if (name != nullptr && name->is_text() && name->text == type) found.push_back({&node, path});
  for (const Member& member : node.members) find_typed(member.value, path + "/" + member.key, type, found);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    find_typed(node.items[i], path + "/" + std::to_string(i), type, found);
  }
}

std::vector<fs::path> CaseList::using_component(const ComponentInfo& component, const Catalogue& catalogue) const {
  std::vector<fs::path> users;
  for (const fs::path& file : files_) {
    try {
      const Node document = read_json_file(file);
      const Node* section = section_of(document, component.kind);
      std::vector<TypedNode> found;
      if (section != nullptr) find_typed(*section, "", component.type, found);
      if (found.empty()) continue;
      const bool hosted = component.kind == ComponentKind::constraint || component.kind == ComponentKind::force;
      if (hosted && component.host != Host::any && model_host(load_run_file(file), catalogue) != component.host)
        continue;
    } catch (const Error&) {
      // Read again, and told, by the first check that uses it.
    }
    users.push_back(file);
  }
  return users;
}

CaseModel::CaseModel(const fs::path& file, PluginHost& host) : run(load_run_file(file)), model(run, host) {
  q = model.q0(), v = model.v0();
  if (model.assembly() == nullptr) return;
  numbers = std::make_unique<ConstrainedModel>(*model.assembly(), LinearSolver::automatic);
  z.assign(static_cast<std::size_t>(numbers->internal_states()), 0.0);
  numbers->initial_internal({z.data(), static_cast<Index>(z.size())});
  ProjectionReport report;
  const Status status = numbers->project_positions(0, {q.data(), static_cast<Index>(q.size())},
                                                   ProjectionWeights::identity, 1e-14, report);
  if (!status) fail("{}: the model cannot be assembled: {}", file.string(), status.what);
}

std::vector<MethodCase> method_cases(const Subject& subject) {
  std::vector<MethodCase> cases;
  std::set<std::string> seen;
  for (const fs::path& file : subject.cases) {
    const RunFile run = load_run_file(file);
    const Section& section = subject.component->kind == ComponentKind::formulation ? run.formulation : run.integrator;
    if (!section || section.type != subject.component->type) continue;
    Node node = *section.node;
    std::erase_if(node.members, [&](const Member& member) { return belongs_to_run(*subject.component, member.key); });
    const std::string json = to_json(node);
    if (seen.insert(json).second) cases.push_back({json, file.string()});
  }
  const std::string plain = fmt::format("{{ \"type\": {} }}", json_quoted(subject.component->type));
  if (cases.empty()) cases.push_back({plain, "defaults"});
  return cases;
}

void for_each_way(const Subject& subject, const std::function<void(const MethodCase&)>& look) {
  std::string skipped;
  bool looked = false;
  for (const MethodCase& method : method_cases(subject)) {
    try {
      look(method);
      looked = true;
    } catch (const Failed& failure) {
      fail("{}: {}", method.json, failure.what());
    } catch (const Skipped& reason) {
      skipped = reason.what();
    }
  }
  if (!looked && !skipped.empty()) skip("{}", skipped);
}

fs::path temporary_folder(int process) { return fs::temp_directory_path() / fmt::format("trammel_check_{}", process); }

fs::path write_run_file(const std::string& text) {
  static int count = 0;
  const fs::path folder = temporary_folder(::getppid());
  fs::create_directories(folder);
  const fs::path file = folder / fmt::format("{}_{}.json", ::getpid(), count++);
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", file.string()));
  return file;
}

}  // namespace trammel::conformance
