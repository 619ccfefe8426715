// Reading of what a summary declares.
#include "verify/column_kinds.h"

#include <algorithm>
#include <initializer_list>

namespace trammel {
namespace {

const VerifyJson* part_of(const VerifyJson& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && !found->is_null() ? &*found : nullptr;
}

bool is_one_of(const std::string& unit, std::initializer_list<const char*> units) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}

/// The body, point or element in "crank.x"; the whole of "energy" and of a problem's "x".
std::string owner_of(const std::string& column) {
  return column.substr(0, column.find('.', column.rfind(']') == std::string::npos ? 0 : column.rfind(']') + 2));
}

}  // namespace

ColumnKinds::ColumnKinds(const VerifyJson& summary) {
  if (const VerifyJson* columns = part_of(summary, "columns")) {
    for (const auto& [name, unit] : columns->items()) units_.emplace(name, unit.get<std::string>());
  }
  if (const VerifyJson* model = part_of(summary, "model")) {
    has_bodies_ = part_of(*model, "host") != nullptr;
    if (const VerifyJson* coordinates = part_of(*model, "coordinates")) {
      for (const auto& [name, unit] : coordinates->items()) coordinates_.insert(name);
    }
  }
  if (const VerifyJson* redundant = part_of(summary, "redundant")) {
    for (const VerifyJson& set : *redundant) {
      if (set.value("reactions_unique", false)) continue;
      for (const VerifyJson& element : set["elements"]) open_.insert(element.get<std::string>());
    }
  }
}

const std::string& ColumnKinds::unit(const std::string& column) const {
  static const std::string undeclared;
  const auto found = units_.find(column);
  return found != units_.end() ? found->second : undeclared;
}

std::string ColumnKinds::kind(const std::string& column) const {
  const std::string& own = unit(column);
  return own.empty() || own == "1" ? owner_of(column) + " " + own : own;
}

bool ColumnKinds::is_coordinate(const std::string& column) const {
  if (!has_bodies_) return coordinates_.contains(column);
  const std::size_t dot = column.rfind('.');
  return dot != std::string::npos && coordinates_.contains(column.substr(dot + 1));
}

ColumnKinds::Order ColumnKinds::order(const std::string& column) const {
  const std::string& own = unit(column);
  if (own == "m" || own == "rad" || is_coordinate(column)) return Order::position;
  return is_one_of(own, {"m/s", "rad/s", "1/s"}) ? Order::rate : Order::other;
}

double ColumnKinds::least_scale(const std::string& column, double length) const {
  if (order(column) != Order::position) return 0;
  return unit(column) == "m" ? length : 1;
}

bool ColumnKinds::vanishes_at_rest(const std::string& column) const {
  for (const char* energy : {"energy.kinetic", "energy.dissipated", "energy.work"}) {
    if (column == energy) return true;
  }
  const std::string& own = unit(column);
  return is_one_of(own, {"m/s", "rad/s", "1/s", "m/s^2", "rad/s^2", "1/s^2", "W"});
}

bool ColumnKinds::is_comparable(const std::string& column) const {
  // The kernel's own columns, and those that mean the same in every method (IntegratorChannels).
  for (const char* own : {"step", "order", "local_error", "constraint.position", "constraint.velocity"}) {
    if (column == own) return false;
  }
  if (!open_.contains(owner_of(column))) return true;
  const std::string& own = unit(column);
  return !(own == "N" || own == "N m" || own.empty());  // multipliers declare no unit
}

}  // namespace trammel
