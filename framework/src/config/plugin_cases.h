// PluginCases: the run files that ship with a plugin, and where they use a component.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/node.h"
#include "plugin/catalogue.h"

namespace trammel {

/// The run files to look at: those given, else those of the first of these folders that exists: `cases` beside the
/// library, beside its folder, and share/trammel/cases/<id> of the installed tree.
class PluginCases {
 public:
  PluginCases(const std::vector<std::filesystem::path>& given, const std::filesystem::path& library);
  /// Those that use the component, on its host. Files that cannot be read count as well: creating from them fails.
  std::vector<std::filesystem::path> using_component(const ComponentInfo& component, const Catalogue& catalogue) const;
  /// The studies beside them that are made from one of these run files, or name the component's type.
  std::vector<std::filesystem::path> studies_of(const ComponentInfo& component,
                                                const std::vector<std::filesystem::path>& run_files) const;

 private:
  std::vector<std::filesystem::path> files_, studies_;
};

/// All objects below `node` that say "type": type, with their JSON paths.
struct TypedNode {
  const Node* node;
  std::string path;
};
void find_typed(const Node& node, const std::string& path, const std::string& type, std::vector<TypedNode>& found);

}  // namespace trammel
