// summary.json.
#include "results/summary.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/some_names.h"
#include "results/atomic_file.h"
#include "results/json_number.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN: null says that there is no number.

Json assembly_json(const AssemblyReport& report) {
  const auto change = [](const AssemblyReport::Change& c) {
    return Json{
        {"weighted", json_number(c.weighted)}, {"largest", json_number(c.largest)}, {"coordinate", c.coordinate}};
  };
  const auto freedoms = [&](long count, const std::vector<std::string>& names) {
    return report.rank_known ? Json{{"freedoms", count}, {"undetermined", names}} : Json(nullptr);
  };
  Json json;
  json["iterations"] = report.iterations;
  json["attempts"] = report.attempts;
  json["violated_before"] = Json::array();
  for (const AssemblyReport::Demand& demand : report.demands) {
    json["violated_before"].push_back({{"element", demand.name}, {"violation", json_number(demand.violation)}});
  }
  json["largest_violation"] = json_number(report.remaining);
  json["change"] = {{"positions", change(report.positions)}, {"velocities", change(report.velocities)}};
  json["conditions"] = Json::array();
  for (const AssemblyReport::Condition& condition : report.conditions) {
    json["conditions"].push_back(
        {{"of", condition.of}, {"value", json_number(condition.value)}, {"rate", json_number(condition.rate)}});
  }
  json["positions"] = freedoms(report.free_positions, report.undetermined_positions);
  json["velocities"] = freedoms(report.free_velocities, report.undetermined_velocities);
  return json;
}

const char* status_word(RunStatus status) {
  constexpr const char* words[] = {"completed", "failed", "interrupted"};
  return words[static_cast<int>(status)];
}

Json triple(const std::optional<ElementDrawing::Triple>& numbers) {
  if (!numbers) return nullptr;
  return {json_number((*numbers)[0]), json_number((*numbers)[1]), json_number((*numbers)[2])};
}

/// By name; points and axes have one entry per body, null for what is not there.
Json drawing_json(const std::vector<ElementDrawing>& elements) {
  Json::object_t json;
  for (const ElementDrawing& element : elements) {
    Json one = {{"symbol", symbol_names[static_cast<std::size_t>(element.symbol)]}, {"bodies", element.bodies}};
    const auto add = [&](const char* key, const std::optional<ElementDrawing::Triple>* values) {
      Json list = Json::array();
      for (std::size_t k = 0; k < element.bodies.size(); ++k) list.push_back(triple(values[k]));
      if (values[0] || values[1]) one[key] = std::move(list);
    };
    add("points", element.points), add("axes", element.axes);
    for (const ElementDrawing::Triple& point : element.curve) one["curve"].push_back(triple(point));
    json.push_back({element.name, std::move(one)});
  }
  return json;
}

Json units_json(const DeclaredNames::Units& units) {
  Json::object_t json;  // names are unique: appended without the search that operator[] makes
  for (const auto& [name, unit] : units) json.push_back({name, unit});
  return json;
}

}  // namespace

std::string Summary::to_json() const {
  Json json;
  json["status"] = status_word(status);
  json["message"] = message;
  json["title"] = title;
  json["run"] = Json::parse(run_json);
  json["plugins"] = Json::array();
  for (const PluginInfo* plugin : plugins) {
    json["plugins"].push_back({{"id", plugin->id},
                               {"version", plugin->version},
                               {"path", plugin->library.string()},
                               {"build_id", plugin->build_id}});
  }
  json["dimensions"] = {{"bodies", dimensions.bodies},
                        {"coordinates", dimensions.coordinates},
                        {"constraints", dimensions.constraints},
                        {"redundant", dimensions.redundant},
                        {"degrees_of_freedom", dimensions.degrees_of_freedom}};
  json["statistics"] = {{"steps", statistics.steps},
                        {"rejected", statistics.rejected},
                        {"evaluations", statistics.evaluations},
                        {"jacobians", statistics.jacobians},
                        {"factorizations", statistics.factorizations},
                        {"newton_iterations", statistics.newton_iterations},
                        {"constraint_projections", statistics.constraint_projections},
                        {"partitions", statistics.partitions},
                        {"restarts", statistics.restarts},
                        {"events", statistics.events}};
  for (const auto& [name, value] : formulation_counts) json["statistics"][name] = value;
  if (const auto* check = tolerance_check; check != nullptr && check->reruns > 0) {
    json["tolerance_check"] = {
        {"reruns", check->reruns},
        {"evaluations", check->evaluations},
        {"estimated_error", {{"value", json_number(check->error)}, {"channel", check->channel}}}};
  }
  if (const auto* check = fixed_step_check; check != nullptr && check->reruns > 0) {
    json["fixed_step_check"] = {
        {"pieces", check->reruns},
        {"until", json_number(check->until)},
        {"evaluations", check->evaluations},
        {"estimated_error", {{"value", json_number(check->error)}, {"channel", check->channel}}}};
  }
  if (!independent.empty()) json["independent"] = independent;
  if (!step_rule.empty()) json["step_rule"] = step_rule;
  if (!linear_solver.empty()) json["linear_solver"] = linear_solver;
  json["timing"] = {{"setup_s", timing.setup_s}, {"solve_s", timing.solve_s}, {"output_s", timing.output_s}};
  if (time_scan.functions > 0)
    json["time_scan"] = {{"width", json_number(time_scan.width)}, {"functions", time_scan.functions}};
  json["final"]["t"] = json_number(final_t);
  Json::object_t channels;  // names are unique: appended without the search that operator[] makes
  for (const auto& [name, value] : final_channels) channels.push_back({name, json_number(value)});
  json["final"]["channels"] = std::move(channels);
  json["max"] = {{"constraint_position", json_number(max.constraint_position)},
                 {"constraint_velocity", json_number(max.constraint_velocity)},
                 {"constraint_acceleration", json_number(max.constraint_acceleration)},
                 {"multiplier_residual", json_number(max.multiplier_residual)},
                 {"energy_drift", json_number(max.energy_drift)},
                 {"energy_exchanged", json_number(max.energy_exchanged)},
                 {"energy_drift_relative", json_number(max.energy_drift_relative)}};
  if (assembly.made) json["assembly"] = assembly_json(assembly);
  if (statics != nullptr) statics->add_to(json);
  json["redundant"] = Json::array();
  for (const RedundantSet& set : redundant) {
    Json weaken = Json::array();
    for (const auto& [element, freedoms] : set.weaken) weaken.push_back({{"element", element}, {"freedoms", freedoms}});
    json["redundant"].push_back({{"rows", set.rows},
                                 {"elements", set.elements},
                                 {"reactions_unique", set.reactions_unique},
                                 {"rows_not_unique", set.not_unique},
                                 {"weaken", weaken}});
  }
  if (!drawing.constraints.empty() || !drawing.forces.empty())
    json["drawing"] = {{"constraints", drawing_json(drawing.constraints)}, {"forces", drawing_json(drawing.forces)}};
  if (names.host != Host::any) json["model"]["host"] = host_name(names.host);
  json["model"]["coordinates"] = units_json(names.coordinates);
  json["columns"] = units_json(names.columns);
  json["warnings"] = warnings;
  if (!note.empty()) json["integrator_note"] = note;
  return json.dump(2) + "\n";
}

std::string Summary::to_text() const {
  std::string text = fmt::format("{}\n", title.empty() ? "Untitled run" : title);
  text +=
      dimensions.bodies > 0
          ? fmt::format("  Model      {}, {}, {}{}, {}\n", counted(dimensions.bodies, "body", "bodies"),
                        counted(dimensions.coordinates, "coordinate", "coordinates"),
                        counted(dimensions.constraints, "constraint", "constraints"),
                        dimensions.redundant > 0 ? fmt::format(" ({} redundant)", dimensions.redundant) : std::string(),
                        counted(dimensions.degrees_of_freedom, "degree of freedom", "degrees of freedom"))
          : fmt::format("  Problem    {}\n", counted(dimensions.coordinates, "coordinate", "coordinates"));
  text += fmt::format("  Method     {}{}\n", method,
                      linear_solver.empty() ? std::string() : fmt::format(", linear solver {}", linear_solver));
  if (!note.empty()) text += fmt::format("             {}\n", note);
  if (assembly.asked) {
    text += fmt::format("  Assembly   {} iterations, {} {}; largest change {:.6g} ({})\n", assembly.iterations,
                        assembly.attempts, assembly.attempts == 1 ? "start" : "starts", assembly.positions.largest,
                        assembly.positions.coordinate);
  }
  if (statics != nullptr) text += statics->to_text();
  text += fmt::format("  Outcome    {}{}{}\n", status_word(status),
                      over_time ? fmt::format(" at t = {:.6g} s", final_t) : std::string(),
                      message.empty() ? "" : ": " + message);
  text += fmt::format("  Work       {} steps, {} rejected, {} evaluations, {:.3g} s\n", statistics.steps,
                      statistics.rejected, statistics.evaluations, timing.solve_s);
  if (dimensions.bodies > 0) {
    text += fmt::format(
        "  Accuracy   largest constraint violation {:.2e} (position), {:.2e} (velocity); energy drift {:.2e} J\n",
        max.constraint_position, max.constraint_velocity, max.energy_drift);
  }
  return text;
}

void Summary::write(const std::filesystem::path& file) const { write_atomically(file, to_json()); }

void Summary::predict(const std::string& warning) {
  if (warning.empty()) return;
  warnings.push_back(warning);
  predictions.push_back(warning);
}

void Summary::withdraw_predictions() {
  if (predictions.empty()) return;
  for (const std::string& prediction : predictions) std::erase(warnings, prediction);
  note += (note.empty() ? "" : "; ") + std::string("what was foreseen of the steps did not show in other steps");
}

}  // namespace trammel
