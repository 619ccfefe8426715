// Drawings and names as JSON.
#include "results/declared_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "results/json_number.h"
#include "trammel/plugin.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

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
    for (const ElementDrawing::Triple& point : element.still) one["still"].push_back(triple(point));
    if (element.push) {
      one["push"] = {{"frame", element.push->frame},
                     {"direction", triple(element.push->direction)},
                     {"reach", json_number(element.push->reach)}};
    }
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

void add_drawing(const ModelDrawing& drawing, Json& summary) {
  if (drawing.constraints.empty() && drawing.forces.empty()) return;
  summary["drawing"] = {{"constraints", drawing_json(drawing.constraints)}, {"forces", drawing_json(drawing.forces)}};
}

void add_names(const DeclaredNames& names, Json& summary) {
  if (names.host != Host::any) summary["model"]["host"] = host_name(names.host);
  summary["model"]["coordinates"] = units_json(names.coordinates);
  summary["columns"] = units_json(names.columns);
}

}  // namespace trammel
