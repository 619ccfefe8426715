// JSON Schema of one parameter and of one table: what the binder accepts, in the schema's words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel {

/// Names of parts of a model (part_name.h).
inline constexpr const char* part_name_pattern = "^([A-Za-z_][A-Za-z0-9_]*(\\[[0-9]+\\])?\\.)*[A-Za-z_][A-Za-z0-9_]*$";

using SchemaJson = nlohmann::ordered_json;

/// Schema of the value of a parameter in a model of this host. Refers to #/$defs/expression, name, rotation, function.
SchemaJson parameter_schema(const ParameterInfo& info, Host host);

/// {"type": "object", ...} with the table's keys and nothing else; `type` is the value of the key "type", "" for none.
SchemaJson table_schema(const std::vector<ParameterInfo>& table, Host host, const std::string& type,
                        const std::string& description);

/// The definitions that parameter_schema refers to, except `function`, which depends on the catalogue.
void add_common_definitions(SchemaJson& definitions);

inline SchemaJson reference_to(const std::string& definition) { return {{"$ref", "#/$defs/" + definition}}; }

}  // namespace trammel
