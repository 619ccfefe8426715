// Names in a run file: what they stand for, which are reserved, and where the keys of a section may lead.
#include "config/opened_analysis.h"
#include "config/run_file.h"
#include "config/section_keys.h"

namespace trammel {
namespace {

template <class Table>
std::optional<std::int32_t> index_in(const Table& table, const std::string& name) {
  const auto found = table.find(name);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

}  // namespace

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {"ground", "t", "step", "energy", "constraint", "all", "signals"};
  return names;
}

NameResolver::NameTable NameResolver::name_table(const std::vector<Section>& sections) {
  NameTable table;
  table.reserve(sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) table.emplace(sections[i].name, static_cast<std::int32_t>(i));
  return table;
}

std::optional<std::int32_t> NameResolver::body(const std::string& name) const {
  if (name == "ground") return -1;
  if (const std::optional<std::int32_t> body = index_in(body_table_, name)) return body;
  // A named point: the frame there, of a body that deforms (model/model_frames.h). They count behind the bodies. No
  // point lies on another one: while they are read, there are none.
  if (points_.size() != run_.points.size()) return std::nullopt;
  const std::optional<std::int32_t> frame = index_in(point_table_, name);
  if (!frame) return std::nullopt;
  return static_cast<std::int32_t>(run_.bodies.size()) + *frame;
}

std::optional<PointRef> NameResolver::point(const std::string& name) const {
  const std::optional<std::int32_t> index = index_in(point_table_, name);
  // While the points are read, only the earlier ones exist.
  if (!index || static_cast<std::size_t>(*index) >= points_.size()) return std::nullopt;
  return points_[static_cast<std::size_t>(*index)];
}

std::optional<Marker> NameResolver::marker(const std::string& name) const {
  const std::optional<PointRef> found = point(name);
  if (!found) return std::nullopt;
  return Marker{*found, axes_[static_cast<std::size_t>(*index_in(point_table_, name))]};
}

std::optional<std::int32_t> NameResolver::element(const std::string& name) const {
  return index_in(constraint_table_, name);
}

std::optional<std::string> NameResolver::body_of_frame(const std::string& name) const {
  const std::optional<std::int32_t> found = body(name);
  if (!found || *found < static_cast<std::int32_t>(run_.bodies.size())) return std::nullopt;
  const BodyRef owner = points_[static_cast<std::size_t>(*found) - run_.bodies.size()].body;
  const auto index = static_cast<std::size_t>(owner.index);
  return owner.index >= 0 && index < run_.bodies.size() ? run_.bodies[index].name : "ground";
}

std::vector<std::string> NameResolver::names(ParameterType kind) const {
  std::vector<std::string> names;
  const bool bodies = kind == ParameterType::body || kind == ParameterType::bodies;
  const std::vector<Section>& sections = bodies                         ? run_.bodies
                                         : kind == ParameterType::point ? run_.points
                                                                        : run_.constraints;
  for (const Section& section : sections) names.push_back(section.name);
  if (bodies) names.push_back("ground");
  // Points of bodies that deform stand for bodies, see `body`.
  if (bodies && points_.size() == run_.points.size()) {
    for (const Section& point : run_.points) names.push_back(point.name);
  }
  return names;
}

FunctionRef NameResolver::function(const Node& node, const std::string& path, Problems& problems) {
  problems.add(node.place, path, "no function can stand here");
  return nullptr;
}

BindContext bind_context(const RunFile& run, const Section& section, Host host, Resolver* resolver) {
  BindContext context;
  context.path = section.path;
  context.subject = section.type.empty() ? "a body" : "type '" + section.type + "'";
  context.host = host;
  context.resolver = resolver;
  context.parameters = &run.parameters;
  context.folder = run.folder;
  if (section.type.empty()) context.other_keys = keys_below(RunFilePart::body);
  if (!section.name.empty() && !section.type.empty()) context.other_keys.emplace_back("name");
  if (&section == &run.system) {
    context.other_keys = keys_below(RunFilePart::system);
    for (const std::string& key : keys_below(RunFilePart::submodels)) context.other_keys.push_back(key);
    context.other_keys.emplace_back("type");
  }
  if (&section == &run.opened_analysis) context.other_keys = common_analysis_names();
  return context;
}

}  // namespace trammel
