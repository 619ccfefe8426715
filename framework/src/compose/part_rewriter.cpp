// Walking over an entry's keys by its table.
#include "compose/part_rewriter.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "config/includes.h"
#include "config/json_source.h"
#include "config/rotation.h"
#include "trammel/frame_use.h"

namespace trammel {
namespace {

FrameUse use_of(const ParameterInfo& info) { return static_cast<FrameUse>(info.count_min); }

bool is_fixed_in_body(const ParameterInfo& info) {
  if (info.type == ParameterType::body_point) return true;
  return use_of(info) == FrameUse::on_first_body || use_of(info) == FrameUse::on_second_body;
}

std::size_t body_of(const ParameterInfo& info) {
  if (info.type == ParameterType::body_point) return info.count_min == 1 ? 1 : 0;
  return use_of(info) == FrameUse::on_second_body ? 1 : 0;
}

bool is_vector(ParameterType type) {
  return type == ParameterType::vector || type == ParameterType::direction || type == ParameterType::body_point;
}

/// Types whose count_min tells how many entries they have.
bool is_list(ParameterType type) {
  return type == ParameterType::numbers || type == ParameterType::bodies || type == ParameterType::functions ||
         type == ParameterType::texts;
}

}  // namespace

void scale_angles(Node& rotation, double unit) {
  for (Member& member : rotation.members) {
    if (member.key == "angle") member.value.number *= unit;
    if (member.key != "zxz" && member.key != "rpy") continue;
    for (Node& item : member.value.items) item.number *= unit;
  }
}

void PartRewriter::refuse(const Part& part, const ParameterInfo& info, const std::string& why) const {
  const Member* const member = part.node.find_member(info.name);
  problems_.add(member == nullptr ? part.node.place : member->place, part.path + "/" + info.name,
                why + ", so that it cannot stand in a sub-model that is moved or turned (" + part.scope.where + ")");
}

void PartRewriter::body(Node& node, const std::string& path, const Scope& scope) const {
  const Catalogue::Entry* const system = catalogue_.find(ComponentKind::system, Host::any, run_.system.type);
  if (system == nullptr || !node.is_object()) return;
  Part part{node, system->component->body_parameters, path, scope};
  const Node* const type = node.find("type");
  part.has_turn = type == nullptr || type->text != "point_mass";
  rewrite(part);
}

void PartRewriter::point(Node& node, const std::string& path, const Scope& scope) const {
  if (!node.is_object()) return;
  std::vector<ParameterInfo> table = parameter_infos(point_table());
  for (ParameterInfo& info : table) {
    if (info.name == "point") info.type = ParameterType::body_point;
    if (info.name == "rotation" || info.name == "angle")
      info.count_min = static_cast<std::int32_t>(FrameUse::on_first_body);
  }
  std::erase_if(table,
                [&](const ParameterInfo& info) { return info.name == (host_ == Host::planar ? "rotation" : "angle"); });
  Part part{node, table, path, scope};
  rewrite(part);
}

void PartRewriter::element(ComponentKind kind, Node& node, const std::string& path, const Scope& scope) const {
  const Node* const type = node.find("type");
  if (type == nullptr || !type->is_text()) return;  // reported when the model is checked
  const Catalogue::Entry* const entry = catalogue_.find(kind, host_, type->text);
  if (entry == nullptr) return;
  Part part{node, entry->component->parameters, path, scope};
  rewrite(part);
}

/// What decides about the other keys.
void PartRewriter::look(Part& part) const {
  std::size_t count = 0;
  for (const ParameterInfo& info : part.table) {
    const Node* const value = part.node.find(info.name);
    if (value == nullptr) continue;
    if (info.type == ParameterType::body && count == 0) part.on_floor[0] = value->text == "ground", count = 1;
    if (info.type == ParameterType::bodies) {
      for (std::size_t k = 0; k < std::min<std::size_t>(2, value->items.size()); ++k)
        part.on_floor[k] = value->items[k].text == "ground";
      count = 2;
    }
    const bool place = info.type == ParameterType::vector && use_of(info) == FrameUse::at_start;
    part.global_form = part.global_form || place;
    part.in_body = part.in_body || (info.name == "frame" && value->text == "body");
  }
  if (part.scope.is_model()) part.on_floor[0] = part.on_floor[1] = false;
}

void PartRewriter::rewrite(Part& part) const {
  look(part);
  for (const ParameterInfo& info : part.table) {
    Node* const value = part.node.find(info.name);
    const std::string path = part.path + "/" + info.name;
    if (value != nullptr) {
      switch (info.type) {
        case ParameterType::body:
        case ParameterType::bodies: name_bodies(part, info, *value); break;
        case ParameterType::point:
        case ParameterType::element:
          if (value->is_text()) reference(part, *value, path, false);
          break;
        case ParameterType::function: function(part, *value, path); break;
        case ParameterType::functions:
          for (std::size_t k = 0; k < value->items.size(); ++k)
            function(part, value->items[k], path + "/" + std::to_string(k));
          break;
        case ParameterType::expression: formula(part, *value, path); break;
        case ParameterType::file: file(*value); break;
        default: break;
      }
    }
    if (!part.scope.is_model()) geometry(part, info);
  }
  if (host_ == Host::planar && part.scope.placement.turns()) planar_references(part);
}

void PartRewriter::name_bodies(Part& part, const ParameterInfo& info, Node& value) const {
  const std::string path = part.path + "/" + info.name;
  if (value.is_text()) reference(part, value, path, false);
  for (std::size_t k = 0; k < value.items.size(); ++k) {
    if (value.items[k].is_text()) reference(part, value.items[k], path + "/" + std::to_string(k), false);
  }
}

void PartRewriter::reference(const Part& part, Node& value, const std::string& path, bool axis) const {
  if (part.scope.is_model()) return;  // the check of the model looks at its names
  const std::size_t dot = axis ? value.text.rfind('.') : std::string::npos;
  const std::string behind = dot == std::string::npos ? "" : value.text.substr(dot);
  value.text = name_in_model(part.scope, value.text.substr(0, dot), value.place, path, problems_) + behind;
}

/// The value, or the default of the table put in its place.
Node* PartRewriter::value_or_default(Part& part, const ParameterInfo& info) const {
  if (Node* const value = part.node.find(info.name)) return value;
  if (!info.default_json || info.default_json->empty() || (*info.default_json)[0] == '=') return nullptr;
  Node made = parse_json(*info.default_json, "default of '" + info.name + "'", true);
  made.place = part.node.place;
  part.node.members.push_back({info.name, part.node.place, std::move(made)});
  return &part.node.members.back().value;
}

void PartRewriter::geometry(Part& part, const ParameterInfo& info) const {
  const Placement& placement = part.scope.placement;
  if (Node* const value = part.node.find(info.name); value != nullptr && value->is_text()) {
    if (is_vector(info.type) || info.type == ParameterType::rotation)
      reference(part, *value, part.path + "/" + info.name, info.type == ParameterType::direction);
    if (is_vector(info.type) || info.type == ParameterType::rotation) return;
  }
  if (placement.is_identity()) return;
  const bool floor = is_fixed_in_body(info) && part.on_floor[body_of(info)];
  if (is_vector(info.type)) {
    if (is_fixed_in_body(info)) {
      if (floor) vector(part, info, info.type != ParameterType::direction);
      return;
    }
    switch (use_of(info)) {
      case FrameUse::at_start:
      case FrameUse::of_body: return vector(part, info, info.type != ParameterType::direction);
      case FrameUse::global: return part.in_body ? void() : vector(part, info, false);
      case FrameUse::own_axes: return;
      default: break;
    }
    if (part.node.find(info.name) != nullptr)
      refuse(part, info,
             use_of(info) == FrameUse::ground ? "this belongs to the ground"
                                              : "its type does not say the frame of this vector");
    return;
  }
  if (info.type == ParameterType::rotation) {
    if (use_of(info) == FrameUse::own_axes) return;
    if (is_fixed_in_body(info)) return floor ? turned(part, info, !part.global_form) : void();
    if (use_of(info) == FrameUse::at_start) return turned(part, info, part.global_form);
    if (use_of(info) == FrameUse::of_body) return turned(part, info, part.has_turn);
    if (part.node.find(info.name) != nullptr) refuse(part, info, "its type does not say the frame of this rotation");
    return;
  }
  if (is_list(info.type)) {
    const bool places = info.type == ParameterType::numbers && info.unit == "m" && part.node.find(info.name) != nullptr;
    if (places && (part.on_floor[0] || part.on_floor[1]))
      refuse(part, info, "these may be places on the ground, which nobody knows how to move");
    return;
  }
  if (info.type == ParameterType::number) {
    const bool on_floor = is_fixed_in_body(info) && floor;
    if (use_of(info) == FrameUse::at_start) return angle(part, info, part.global_form);
    if (use_of(info) == FrameUse::of_body) return angle(part, info, part.has_turn);
    if (on_floor) return angle(part, info, !part.global_form);
  }
  if (use_of(info) == FrameUse::ground && part.node.find(info.name) != nullptr)
    refuse(part, info, "this belongs to the ground");
}

/// A vector in the frame of the floor, there or by default.
void PartRewriter::vector(Part& part, const ParameterInfo& info, bool place) const {
  if (!place && !part.scope.placement.turns()) return;
  Node* const value = place ? value_or_default(part, info) : part.node.find(info.name);
  if (value == nullptr) return;
  const bool two = info.length == VectorLength::two || (info.length == VectorLength::host && host_ == Host::planar);
  const std::size_t count = two ? 2 : 3;
  PlaceVector x = {0, 0, 0};
  // A default of three entries serves planar models as well.
  if (!value->is_array() || value->items.size() < count) return;
  for (std::size_t k = 0; k < count; ++k) {
    if (!value->items[k].is_number()) return;
    x[k] = value->items[k].number;
  }
  x = place ? part.scope.placement.place(x) : part.scope.placement.direction(x);
  for (std::size_t k = 0; k < count; ++k) value->items[k] = Node::make_number(x[k], value->items[k].place);
}

/// A rotation in the frame of the floor; left out it is none, which counts where `assumed`.
void PartRewriter::turned(Part& part, const ParameterInfo& info, bool assumed) const {
  if (!part.scope.placement.turns()) return;
  Node* value = part.node.find(info.name);
  std::array<double, 4> p = {1, 0, 0, 0};
  if (value != nullptr) {
    Node in_radians = *value;
    scale_angles(in_radians, angle_unit_);
    Problems told;  // by the check of the model
    if (!read_rotation(in_radians, "", p.data(), told)) return;
  } else if (!assumed) {
    return;
  }
  p = part.scope.placement.attitude(p);
  const Place place = value == nullptr ? part.node.place : value->place;
  Node array;
  array.kind = Node::Kind::array, array.place = place;
  for (const double e : p) array.items.push_back(Node::make_number(e, place));
  Node made;
  made.kind = Node::Kind::object, made.place = place;
  made.members.push_back({"euler_parameters", place, std::move(array)});
  if (value != nullptr)
    *value = std::move(made);
  else
    part.node.members.push_back({info.name, place, std::move(made)});
}

/// An angle from the x axis of the floor, in the file's unit.
void PartRewriter::angle(Part& part, const ParameterInfo& info, bool assumed) const {
  if (!part.scope.placement.turns()) return;
  Node* value = part.node.find(info.name);
  if (value == nullptr) {
    if (!assumed) return;
    part.node.members.push_back({info.name, part.node.place, Node::make_number(0, part.node.place)});
    value = &part.node.members.back().value;
  }
  if (!value->is_number()) return;
  const double turn = part.scope.placement.angle() / angle_unit_;
  *value = Node::make_number(value->number + turn, value->place);
}

/// Angles of planar models count from the x axes of the bodies where nothing else is said: of the floor it has turned.
void PartRewriter::planar_references(Part& part) const {
  const auto declares = [&](const char* key) {
    return std::any_of(part.table.begin(), part.table.end(),
                       [&](const ParameterInfo& info) { return info.name == key; });
  };
  if (part.node.find("initial_angle") != nullptr) return;
  for (std::size_t k = 0; k < 2; ++k) {
    const char* const key = k == 0 ? "reference_i" : "reference_j";
    if (!part.on_floor[k] || !declares(key) || part.node.find(key) != nullptr) continue;
    const PlaceVector x = part.scope.placement.direction({1, 0, 0});
    const Place& place = part.node.place;
    Node made;
    made.kind = Node::Kind::array, made.place = place;
    for (std::size_t i = 0; i < 2; ++i) made.items.push_back(Node::make_number(x[i], place));
    part.node.members.push_back({key, place, std::move(made)});
  }
}

void PartRewriter::formula(const Part& part, Node& value, const std::string& path) const {
  if (part.scope.is_model() || !value.is_text()) return;
  value.text = substitute_parameters(value.text, part.scope.parameters);
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (std::size_t at = 0; at < value.text.size();) {
    std::size_t end = at;
    while (end < value.text.size() && inside(value.text[end])) ++end;
    const std::string word = value.text.substr(at, end - at);
    at = std::max(end, at + 1);
    const std::vector<std::string>& outside = part.scope.of_file->names;
    if (word.empty() || std::find(outside.begin(), outside.end(), word) == outside.end()) continue;
    problems_.add(value.place, path,
                  "'" + word + "' is a parameter of the run file, and " + part.scope.subject +
                      " knows its own ones only: give it one of the name, or rename that of the file if '" + word +
                      "' is meant as a variable");
    return;
  }
}

void PartRewriter::file(Node& value) const {
  if (!value.is_text() || std::filesystem::path(value.text).is_absolute()) return;
  const std::filesystem::path folder = folder_of(value.place, run_.file, run_.folder);
  if (folder == run_.folder) return;
  value.text = (folder / value.text).lexically_normal().lexically_relative(run_.folder).string();
}

void PartRewriter::function(const Part& part, Node& value, const std::string& path) const {
  const Node* const type = value.find("type");
  if (type == nullptr || !type->is_text()) return;
  const Catalogue::Entry* const entry = catalogue_.find(ComponentKind::function, host_, type->text);
  if (entry == nullptr) return;
  for (const ParameterInfo& info : entry->component->parameters) {
    Node* const key = value.find(info.name);
    if (key == nullptr) continue;
    const std::string at = path + "/" + info.name;
    if (info.type == ParameterType::expression) formula(part, *key, at);
    if (info.type == ParameterType::file) file(*key);
    if (info.type == ParameterType::function) function(part, *key, at);
    for (std::size_t k = 0; info.type == ParameterType::functions && k < key->items.size(); ++k)
      function(part, key->items[k], at + "/" + std::to_string(k));
  }
}

}  // namespace trammel
