// The page of a run without its rows.
#include "report/run_content.h"

#include "report/body_motion.h"
#include "report/scene_reader.h"
#include "version.h"

namespace trammel {
namespace {

/// Bodies, constraints, forces and parameters for the tables of the page.
ReportJson parts_of(const ReportJson& run) {
  ReportJson parts = {
      {"bodies", ReportJson::array()}, {"elements", ReportJson::array()}, {"parameters", ReportJson::object()}};
  if (const ReportJson* parameters = member(run, "parameters")) parts["parameters"] = *parameters;
  const ReportJson* system = member(run, "system");
  const auto each = [&](const char* map, const auto& take) {
    const ReportJson* objects = system == nullptr ? nullptr : member(*system, map);
    if (objects == nullptr || !objects->is_object()) return;
    for (const auto& [name, object] : objects->items()) {
      if (object.is_object()) take(name, object);
    }
  };
  each("bodies", [&](const std::string& name, const ReportJson& body) {
    parts["bodies"].push_back({{"name", name}});
    for (const char* key : {"type", "mass", "inertia"}) {
      if (const ReportJson* value = member(body, key)) parts["bodies"].back()[key] = *value;
    }
  });
  for (const char* kind : {"constraint", "force"}) {
    each(std::string(kind) == "force" ? "forces" : "constraints", [&](const std::string& name, const ReportJson& one) {
      ReportJson bodies = ReportJson::array(), values = ReportJson::object();
      for (const auto& [key, value] : one.items()) {
        if (key == "bodies")
          bodies = value;
        else if (key == "body")
          bodies.push_back(value);
        else if (key != "type")
          values[key] = value;
      }
      parts["elements"].push_back({{"name", name}, {"kind", kind}, {"type", text_of(one, "type")}});
      parts["elements"].back()["bodies"] = bodies.is_array() ? bodies : ReportJson::array();
      parts["elements"].back()["values"] = values;
    });
  }
  return parts;
}

/// Integrator or formulation: an object with its type, the chosen one where the program chose; null where there is none.
ReportJson method_of(const ReportJson& run, const ReportJson* choice, const char* key) {
  ReportJson section;
  if (const ReportJson* written = member(run, key)) {
    section = *written;
    if (section.is_string()) section = {{"type", *written}};
  }
  if (choice != nullptr) section["type"] = choice->value(key, ReportJson());
  return section.is_object() && section["type"].is_string() ? section : ReportJson();
}

/// Sections of the run file that the page shows, and the file itself.
void add_run(const ReportJson& run, const ReportJson* choice, ReportJson& content) {
  content["analysis"] = text_of(run.value("analysis", ReportJson::object()), "type");
  for (const char* key : {"integrator", "formulation"}) {
    const ReportJson section = method_of(run, choice, key);
    if (!section.is_null()) content[key] = section;
  }
  const ReportJson* report = member(run, "report");
  if (report != nullptr && report->is_object()) content["report"] = *report;
  const ReportJson* output = member(run, "output");
  const ReportJson* channels = output == nullptr ? nullptr : member(*output, "channels");
  if (channels != nullptr && channels->is_array()) content["requested"] = *channels;
  std::string text = run.dump(2);
  constexpr std::size_t longest = 200'000;
  if (text.size() <= longest) content["parts"] = parts_of(run);
  content["run_file"] = text.size() > longest ? ReportJson(nullptr) : ReportJson(std::move(text));
}

}  // namespace

ReportJson block_json(const ColumnBlock& block, const ResultTable& table) {
  ReportJson columns = ReportJson::array();
  for (const PackedColumn& c : block.columns) {
    ReportJson entry = {c.name, coding_name(c.coding), c.offset};
    if (c.coding == Coding::uint16) entry.insert(entry.end(), {c.low, c.step});
    columns.push_back(std::move(entry));
  }
  return {{"rows", block.rows}, {"stride", block.stride}, {"all_rows", table.rows}, {"columns", columns}};
}

ReportJson run_content(const RunResults& results) {
  ReportJson content = {{"kind", "run"}, {"generator", std::string("trammel ") + version()}, {"title", results.title}};
  const ReportJson* run = member(results.summary, "run");
  if (run != nullptr) add_run(*run, member(results.summary, "method_choice"), content);
  content["summary"] = results.summary;
  if (results.summary.is_object()) {
    if (const ReportJson* units = member(results.summary, "columns")) content["units"] = *units;
    if (const ReportJson* model = member(results.summary, "model")) content["model"] = *model;
    for (const char* key : {"columns", "model", "run", "drawing", "final"}) content["summary"].erase(key);
  }
  const Scene scene = scene_of(results);
  if (scene.has_bodies) {
    content["scene"] = scene_json(scene);
    content["missing"] = BodyMotion(scene, results.table).missing();
  }
  return content;
}

}  // namespace trammel
