// Finds what a run file's coordinates count from in both formats, and writes what keeps them.
#include "migrate/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compose/compose.h"
#include "config/json_source.h"
#include "config/run_file.h"
#include "config/run_format.h"
#include "config/validate.h"
#include "migrate/layout_edit.h"
#include "model/zeros.h"
#include "results/atomic_file.h"
#include "trammel/error.h"

namespace trammel {
namespace {

/// Between two values of a coordinate in the drawing, m or rad: less is rounding.
constexpr double same_value = 1e-12;

/// A run file with its plugins and its model.
struct ReadModel {
  RunFile run;
  PluginHost host;
  std::optional<Model> model;

  ReadModel(RunFile&& read, const PluginSearch& plugins)
      : run(std::move(read)), host(search_folders(run.plugin_search, plugins)) {
    run = composed(std::move(run), host.catalogue());
    require_valid(run, host.catalogue(), host.search_trace());
    model.emplace(run, host);
  }
};

RunFile read(const WrittenDocument& written, const std::filesystem::path& file, const std::vector<Setting>& settings) {
  Problems problems;
  RunFile run = make_run_file(written, file, std::filesystem::absolute(file).parent_path(), settings, problems,
                              RunFileUse::equations);
  problems.raise();
  return run;
}

bool has_formula(const Node& node) {
  return !node.expression.empty() ||
         std::any_of(node.items.begin(), node.items.end(), [](const Node& item) { return has_formula(item); }) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [](const Member& member) { return has_formula(member.value); });
}

/// Whether other parameters may move the markers of an element in the drawing.
bool may_move(const RunFile& run, const Section& element) {
  const auto formula_in = [](const Node& node, std::initializer_list<const char*> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) {
      const Node* value = node.find(key);
      return value != nullptr && has_formula(*value);
    });
  };
  if (formula_in(*element.node, {"point_i", "point_j", "axis", "axis_i", "axis_j"})) return true;
  if (std::any_of(run.points.begin(), run.points.end(), [](const Section& s) { return has_formula(*s.node); }))
    return true;
  const Node* bodies = element.node->find("bodies");
  return bodies != nullptr && std::any_of(run.bodies.begin(), run.bodies.end(), [&](const Section& body) {
           const bool attached = std::any_of(bodies->items.begin(), bodies->items.end(),
                                             [&](const Node& name) { return name.text == body.name; });
           return attached && formula_in(*body.node, {"position", "angle", "rotation"});
         });
}

struct Need {
  CountedCoordinate coordinate;
  std::string element_path;  ///< dotted: "system.constraints.slide"
  double difference = 0;     ///< between markers less from the drawing, in the drawing
  std::string why;
};

std::string dotted_path(const RunFile& run, const CountedCoordinate& c) {
  return c.of_constraint ? "system.constraints." + run.constraints[c.section].name
                         : "system.forces." + run.forces[c.section].name;
}

const Section& section_of(const RunFile& run, const CountedCoordinate& c) {
  return (c.of_constraint ? run.constraints : run.forces)[c.section];
}

/// The setting that replaces an element, or something that contains it; nullptr: none does.
const Setting* replacing(const UsedWith& use, const std::string& element) {
  const auto found = std::find_if(use.settings.begin(), use.settings.end(), [&](const Setting& setting) {
    return element == setting.path || element.rfind(setting.path + ".", 0) == 0;
  });
  return found == use.settings.end() ? nullptr : &*found;
}

/// Coordinates of a model of an older format that would count from elsewhere, by "system.constraints.slide displacement".
using Needs = std::map<std::string, Need>;

std::string key_of(const std::string& element, const CountedCoordinate& c) {
  return element + " " + c.origin.coordinate;
}

void find_needs(const ReadModel& old, Needs& needs) {
  each_counted_coordinate(*old.model, [&](const CountedCoordinate& c) {
    if (!c.ignores_markers()) return;
    const double difference = c.origin.markers - c.origin.drawn;
    const bool differs = std::abs(difference) > same_value;
    if (!differs && !may_move(old.run, section_of(old.run, c))) return;
    const std::string element = dotted_path(old.run, c);
    needs.emplace(key_of(element, c), Need{c, element, differs ? difference : 0, differs ? "" : "formulas"});
  });
}

void find_needs_of_use(const ReadModel& base, const UsedWith& use, const ReadModel& old, Needs& needs) {
  each_counted_coordinate(*old.model, [&](const CountedCoordinate& c) {
    const double difference = c.origin.markers - c.origin.drawn;
    if (!c.ignores_markers() || !(std::abs(difference) > same_value)) return;
    const std::string element = dotted_path(old.run, c);
    if (const Setting* setting = replacing(use, element)) {
      throw Error(
          ErrorKind::input,
          message_at(setting->value.place, "/" + setting->path,
                     fmt::format("{} replaces '{}', whose {} counts from the drawing in format 1 and between "
                                 "markers in format 2 ({:+.6g}): add \"initial_{}\": 0 here, then migrate",
                                 use.what, c.slot->name, c.origin.coordinate, difference, c.origin.coordinate)));
    }
    const auto of_base = [&](const CountedCoordinate& b) {
      if (dotted_path(base.run, b) == element && std::string_view(b.origin.coordinate) == c.origin.coordinate)
        needs.emplace(key_of(element, c), Need{b, element, difference, use.what});
    };
    each_counted_coordinate(*base.model, of_base);
  });
}

std::string told(const RunFile& run, const Need& need) {
  const Section& section = section_of(run, need.coordinate);
  const char* unit = std::string_view(need.coordinate.origin.coordinate) == "displacement" ? "m" : "rad";
  const std::string between =
      need.coordinate.origin.coordinate == std::string("displacement") ? "between its points" : "between its markers";
  std::string why;
  if (need.why.empty())
    why = fmt::format("{} it is {:+.6g} {} more in the drawing", between, need.difference, unit);
  else if (need.why == "formulas")
    why = fmt::format("{} it is the same with these parameters, but formulas move them", between);
  else
    why = fmt::format("{} it is {:+.6g} {} more in {}", between, need.difference, unit, need.why);
  return message_at(section.place, section.path,
                    fmt::format("added \"initial_{}\": 0, as '{}' counts from the drawing; {}",
                                need.coordinate.origin.coordinate, need.coordinate.name(), why));
}

/// Where a coordinate of the new file has another value in the drawing than in the old one.
void require_same(const ReadModel& old, const ReadModel& made) {
  std::vector<CountedCoordinate> before, after;
  each_counted_coordinate(*old.model, [&](const CountedCoordinate& c) { before.push_back(c); });
  each_counted_coordinate(*made.model, [&](const CountedCoordinate& c) { after.push_back(c); });
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool same = before.size() == after.size() && before[i].name() == after[i].name() &&
                      std::abs(before[i].origin.drawn - after[i].origin.drawn) <= same_value;
    if (same) continue;
    throw Error(
        ErrorKind::input,
        fmt::format("{}: '{}' would count from elsewhere in format 2 whatever 'trammel migrate' writes; the file "
                    "stays as it is",
                    old.run.file.string(), before[i].name()));
  }
}

}  // namespace

Migration migrate(const std::filesystem::path& file, const PluginSearch& plugins, const std::vector<UsedWith>& uses) {
  const std::string text = read_text_file(file);
  const WrittenDocument written(text, file.string());
  ReadModel old(read(written, file, {}), plugins);
  Migration result{file, text, {}};
  if (format_of(old.run) >= newest_run_format) return result;
  Needs needs;
  find_needs(old, needs);
  for (const UsedWith& use : uses) {
    const ReadModel used(read(written, file, use.settings), plugins);
    if (format_of(used.run) < newest_run_format) find_needs_of_use(old, use, used, needs);
  }
  LayoutEdit edit(text);
  const Node document = written.read();
  const Node* version = document.find("trammel");
  edit.replace_token(version->place, std::to_string(newest_run_format));
  result.changes.push_back(message_at(version->place, "/trammel", "format 2"));
  std::vector<const Need*> in_order;
  for (const auto& [key, need] : needs) in_order.push_back(&need);
  const auto place = [&](const Need* need) { return section_of(old.run, need->coordinate).place.line; };
  std::stable_sort(in_order.begin(), in_order.end(), [&](const Need* a, const Need* b) { return place(a) < place(b); });
  for (const Need* need : in_order) {
    const Member* type = section_of(old.run, need->coordinate).node->find_member("type");
    edit.insert_behind(type->place, type->value.place,
                       fmt::format("\"initial_{}\": 0", need->coordinate.origin.coordinate));
    result.changes.push_back(told(old.run, *need));
  }
  result.text = edit.text();
  const WrittenDocument rewritten(result.text, file.string());
  require_same(old, ReadModel(read(rewritten, file, {}), plugins));
  for (const UsedWith& use : uses)
    require_same(ReadModel(read(written, file, use.settings), plugins),
                 ReadModel(read(rewritten, file, use.settings), plugins));
  return result;
}

void write_migrated(const std::string& text, const std::filesystem::path& target) {
  std::error_code none;
  const std::filesystem::path real =
      std::filesystem::exists(target, none) ? std::filesystem::canonical(target) : target;
  const std::filesystem::file_status before = std::filesystem::status(real, none);
  write_atomically(real, text);
  if (std::filesystem::exists(before)) std::filesystem::permissions(real, before.permissions(), none);
}

}  // namespace trammel
