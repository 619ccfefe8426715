// The start in summary.json and for people.
#include "results/start_report.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "results/json_number.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void StartReport::note_zero(Zero zero) {
  constexpr std::size_t most = 1000;
  if (zeros.size() < most) zeros.push_back(std::move(zero));
}

void StartReport::add_zeros_to(Json& summary) const {
  for (const Zero& zero : zeros) {
    summary["coordinates"].push_back({{"coordinate", zero.coordinate},
                                      {"from", zero.from},
                                      {"drawing", json_number(zero.drawn)},
                                      {"start", json_number(zero.start)}});
  }
}

std::string StartReport::zeros_to_text() const {
  constexpr std::size_t most = 6;
  std::string names;
  std::size_t count = 0;
  for (const Zero& zero : zeros) {
    if (std::strcmp(zero.from, "drawing") != 0 || count++ >= most) continue;
    names += (count == 1 ? "" : ", ") + zero.coordinate;
  }
  if (count == 0) return "";
  if (count > most) names += fmt::format(" and {} more", count - most);
  return fmt::format("  Zero       in the drawing: {}\n", names);
}

long StartReport::redundant_rows() const {
  long rows = 0;
  for (const RedundantSet& set : redundant) rows += static_cast<long>(set.rows.size());
  return rows;
}

void StartReport::add_assembly_to(Json& summary) const {
  if (!assembly.made) return;
  const auto change = [](const AssemblyReport::Change& c) {
    return Json{
        {"weighted", json_number(c.weighted)}, {"largest", json_number(c.largest)}, {"coordinate", c.coordinate}};
  };
  const auto freedoms = [&](long count, const std::vector<std::string>& names) {
    return assembly.rank_known ? Json{{"freedoms", count}, {"undetermined", names}} : Json(nullptr);
  };
  Json& json = summary["assembly"];
  json["iterations"] = assembly.iterations;
  json["attempts"] = assembly.attempts;
  json["violated_before"] = Json::array();
  for (const AssemblyReport::Demand& demand : assembly.demands) {
    json["violated_before"].push_back({{"element", demand.name}, {"violation", json_number(demand.violation)}});
  }
  json["largest_violation"] = json_number(assembly.remaining);
  json["change"] = {{"positions", change(assembly.positions)}, {"velocities", change(assembly.velocities)}};
  json["conditions"] = Json::array();
  for (const AssemblyReport::Condition& condition : assembly.conditions) {
    json["conditions"].push_back(
        {{"of", condition.of}, {"value", json_number(condition.value)}, {"rate", json_number(condition.rate)}});
  }
  json["positions"] = freedoms(assembly.free_positions, assembly.undetermined_positions);
  json["velocities"] = freedoms(assembly.free_velocities, assembly.undetermined_velocities);
}

void StartReport::add_redundant_to(Json& summary) const {
  Json& json = summary["redundant"] = Json::array();
  for (const RedundantSet& set : redundant) {
    Json weaken = Json::array();
    for (const auto& [element, freedoms] : set.weaken) weaken.push_back({{"element", element}, {"freedoms", freedoms}});
    json.push_back({{"rows", set.rows},
                    {"elements", set.elements},
                    {"reactions_unique", set.reactions_unique},
                    {"rows_not_unique", set.not_unique},
                    {"weaken", weaken}});
  }
}

std::string StartReport::to_text() const {
  if (!assembly.asked) return zeros_to_text();
  return zeros_to_text() + fmt::format("  Assembly   {} iterations, {} {}; largest change {:.6g} ({})\n",
                                       assembly.iterations, assembly.attempts,
                                       assembly.attempts == 1 ? "start" : "starts", assembly.positions.largest,
                                       assembly.positions.coordinate);
}

}  // namespace trammel
