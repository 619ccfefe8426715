// What tables of parameters say, read once per thread: models are made of the same tables again and again.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "config/json_source.h"
#include "config/node.h"
#include "plugin/catalogue.h"
#include "trammel/parameters.h"

namespace trammel {

/// A default as a table gives it.
inline const Node& known_default(const std::string& text, const std::string& name, const std::string& subject) {
  static thread_local std::map<std::string, Node> known;
  static thread_local std::string key;  // it keeps its room
  key.assign(text).append("\n").append(name).append("\n").append(subject);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, parse_json(text, "default of '" + name + "' for " + subject, true)).first->second;
}

/// parameter_infos of a table of literals. Another table at the same place has other records.
inline const std::vector<ParameterInfo>& known_infos(const ParameterTable& table) {
  struct Known {
    std::vector<std::byte> records;
    std::vector<ParameterInfo> infos;
  };
  static thread_local std::map<const ParameterRecord*, Known> known;
  Known& found = known[table.records];
  const std::size_t size = static_cast<std::size_t>(table.count) * sizeof(ParameterRecord);
  const auto* const records = reinterpret_cast<const std::byte*>(table.records);
  if (found.records.size() != size || (size > 0 && std::memcmp(found.records.data(), records, size) != 0)) {
    found.records.assign(records, records + size);
    found.infos = parameter_infos(table);
  }
  return found.infos;
}

}  // namespace trammel
