// What was run, and by which methods, in summary.json and for people.
#include "results/run_subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "model/some_names.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void Dimensions::add_to(Json& summary) const {
  summary["dimensions"] = {{"bodies", bodies},
                           {"coordinates", coordinates},
                           {"constraints", constraints},
                           {"redundant", redundant},
                           {"degrees_of_freedom", degrees_of_freedom}};
  if (velocity_rows > 0) summary["dimensions"]["velocity_rows"] = velocity_rows;
}

std::string Dimensions::to_text() const {
  if (bodies == 0) return fmt::format("  Problem    {}\n", counted(coordinates, "coordinate", "coordinates"));
  std::vector<std::string> remarks;
  if (velocity_rows > 0) remarks.push_back(fmt::format("{} for velocities only", velocity_rows));
  if (redundant > 0) remarks.push_back(fmt::format("{} redundant", redundant));
  return fmt::format("  Model      {}, {}, {}{}, {}\n", counted(bodies, "body", "bodies"),
                     counted(coordinates, "coordinate", "coordinates"),
                     counted(constraints, "constraint", "constraints"),
                     remarks.empty() ? std::string() : fmt::format(" ({})", fmt::join(remarks, ", ")),
                     counted(degrees_of_freedom, "degree of freedom", "degrees of freedom"));
}

void RunSubject::add_to(Json& summary) const {
  summary["plugins"] = Json::array();
  for (const PluginInfo* plugin : plugins) {
    summary["plugins"].push_back({{"id", plugin->id},
                                  {"version", plugin->version},
                                  {"path", plugin->library.string()},
                                  {"build_id", plugin->build_id}});
  }
  dimensions.add_to(summary);
}

std::string RunSubject::to_text() const {
  return (title.empty() ? "Untitled run" : title) + "\n" + dimensions.to_text();
}

void MethodReason::add_to(Json& summary) const {
  if (reason.empty()) return;
  summary["method_choice"] = {{"formulation", formulation.empty() ? Json() : Json(formulation)},
                              {"integrator", integrator},
                              {"reason", reason},
                              {"text", text}};
}

std::string MethodReason::to_text() const {
  if (reason.empty()) return "";
  return fmt::format("             chosen: {}\n             to keep it, write {}\n", reason, text);
}

void MethodsUsed::add_to(Json& summary) const {
  choice.add_to(summary);
  if (!independent.empty()) summary["independent"] = independent;
  if (!step_rule.empty()) summary["step_rule"] = step_rule;
  if (!linear_solver.empty()) {
    summary["linear_solver"] = linear_solver;
    summary["linear_solver_plugin"] = linear_solver_plugin;
    summary["rank_watch"] = watches_rank ? "every evaluation" : "ends of steps";
  }
}

std::string MethodsUsed::to_text(const std::string& note) const {
  std::string solver = linear_solver.empty() ? std::string() : ", linear solver " + linear_solver;
  if (linear_solver != linear_solver_plugin) solver += " of the plugin " + linear_solver_plugin;
  std::string text = fmt::format("  Method     {}{}\n", name, solver);
  text += choice.to_text();
  if (!note.empty()) text += fmt::format("             {}\n", note);
  return text;
}

}  // namespace trammel
