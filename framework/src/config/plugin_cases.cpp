// Finding the run files of a plugin.
#include "config/plugin_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "config/json_source.h"
#include "config/validate.h"
#include "plugin/installed_tree.h"
#include "trammel/error.h"

namespace trammel {
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

bool has_key(const fs::path& file, const char* key) {
  try {
    return read_json_file(file).find(key) != nullptr;
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
    case ComponentKind::linear_solver: return document.find("analysis");
    case ComponentKind::writer: return document.find("output");
    case ComponentKind::analysis: return &document;
    default: return system;  // functions anywhere in the elements
  }
}

/// A linear solver may be named by its type alone.
bool names_solver(const Node* analysis, const ComponentInfo& component) {
  const Node* solver = analysis == nullptr ? nullptr : analysis->find("solver");
  return component.kind == ComponentKind::linear_solver && solver != nullptr && solver->is_text() &&
         solver->text == component.type;
}

}  // namespace

PluginCases::PluginCases(const std::vector<fs::path>& given, const fs::path& library) {
  for (const fs::path& path : given) {
    if (!fs::exists(path)) throw Error(ErrorKind::usage, fmt::format("{}: there is no such case", path.string()));
    add_files(path, files_);
  }
  const fs::path folder = library.parent_path();
  for (const fs::path& place :
       {folder / "cases", folder.parent_path() / "cases", data_folder() / "cases" / library.stem()}) {
    if (given.empty() && files_.empty() && fs::is_directory(place)) add_files(place, files_);
  }
  for (const fs::path& file : files_) {
    if (has_key(file, "trammel_study")) studies_.push_back(file);
  }
  std::erase_if(files_, [](const fs::path& file) { return !has_key(file, "trammel"); });
}

void find_typed(const Node& node, const std::string& path, const std::string& type, std::vector<TypedNode>& found) {
  const Node* name = node.find("type");
  if (name != nullptr && name->is_text() && name->text == type) found.push_back({&node, path});
  for (const Member& member : node.members) find_typed(member.value, path + "/" + member.key, type, found);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    find_typed(node.items[i], path + "/" + std::to_string(i), type, found);
  }
}

std::vector<fs::path> PluginCases::using_component(const ComponentInfo& component, const Catalogue& catalogue) const {
  std::vector<fs::path> users;
  for (const fs::path& file : files_) {
    try {
      const Node document = read_json_file(file);
      const Node* section = section_of(document, component.kind);
      std::vector<TypedNode> found;
      if (section != nullptr) find_typed(*section, "", component.type, found);
      if (found.empty() && !names_solver(section, component)) continue;
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

std::vector<fs::path> PluginCases::studies_of(const ComponentInfo& component,
                                              const std::vector<fs::path>& run_files) const {
  std::vector<fs::path> studies;
  for (const fs::path& file : studies_) {
    try {
      const Node document = read_json_file(file);
      std::vector<TypedNode> found;
      find_typed(document, "", component.type, found);
      const Node* base = document.find("base");
      const fs::path path = base != nullptr ? file.parent_path() / base->text : fs::path();
      const bool uses = std::any_of(run_files.begin(), run_files.end(), [&](const fs::path& run) {
        std::error_code ignored;
        return base != nullptr && fs::equivalent(run, path, ignored);
      });
      if (uses || !found.empty()) studies.push_back(file);
    } catch (const Error&) {
      // No JSON: told where it is read as a run file.
    }
  }
  return studies;
}

}  // namespace trammel
