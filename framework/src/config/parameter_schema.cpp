// From parameter tables to JSON Schema.
#include "config/parameter_schema.h"

#include "config/marker.h"

namespace trammel {
namespace {

/// A number or an expression; bounds hold for the number, an expression's value is checked by Trammel.
SchemaJson number_schema(const ParameterInfo& info, const char* type) {
  SchemaJson number = {{"type", type}};
  if (info.minimum != -no_bound) number[info.exclusive_minimum ? "exclusiveMinimum" : "minimum"] = info.minimum;
  if (info.maximum != no_bound) number[info.exclusive_maximum ? "exclusiveMaximum" : "maximum"] = info.maximum;
  return {{"anyOf", {number, reference_to("expression")}}};
}

SchemaJson array_schema(const SchemaJson& items, std::int64_t low, std::int64_t high) {
  SchemaJson array = {{"type", "array"}, {"items", items}};
  if (low > 0) array["minItems"] = low;
  if (high < std::numeric_limits<std::int32_t>::max()) array["maxItems"] = high;
  return array;
}

SchemaJson plain_numbers(int count) {
  return array_schema({{"anyOf", {{{"type", "number"}}, reference_to("expression")}}}, count, count);
}

SchemaJson value_schema(const ParameterInfo& info, Host host) {
  switch (info.type) {
    case ParameterType::number: return number_schema(info, "number");
    case ParameterType::integer: return number_schema(info, "integer");
    case ParameterType::boolean: return {{"type", "boolean"}};
    case ParameterType::choice: return {{"enum", info.choices}};
    case ParameterType::text:
    case ParameterType::file: return {{"type", "string"}};
    case ParameterType::expression: return {{"type", {"string", "number"}}};
    case ParameterType::vector:
    case ParameterType::direction:
    case ParameterType::body_point: {
      const bool two = info.length == VectorLength::two || (info.length == VectorLength::host && host == Host::planar);
      const SchemaJson entries = array_schema(number_schema(info, "number"), two ? 2 : 3, two ? 2 : 3);
      if (info.type == ParameterType::direction && takes_marker(info))
        return {
            {"anyOf",
             {entries,
              {{"type", "string"},
               {"pattern", std::string(part_name_pattern).substr(0, std::string_view(part_name_pattern).size() - 1) +
                               "\\.[xyz]$"}}}}};
      if (takes_marker(info)) return {{"anyOf", {entries, reference_to("name")}}};
      return entries;
    }
    case ParameterType::texts: return array_schema({{"type", "string"}}, info.count_min, info.count_max);
    case ParameterType::rotation:
      if (takes_marker(info)) return {{"anyOf", {reference_to("rotation"), reference_to("name")}}};
      return reference_to("rotation");
    case ParameterType::numbers: {
      const SchemaJson list = array_schema(number_schema(info, "number"), info.count_min, info.count_max);
      if (info.count_min > 1) return list;
      return {{"anyOf", {number_schema(info, "number"), list}}};
    }
    case ParameterType::body:
    case ParameterType::point:
    case ParameterType::element: return reference_to("name");
    case ParameterType::bodies: {
      SchemaJson bodies = array_schema(reference_to("name"), info.count_min, info.count_max);
      bodies["uniqueItems"] = true;
      return bodies;
    }
    case ParameterType::function: return reference_to("function");
    case ParameterType::functions: break;
  }
  return array_schema(reference_to("function"), info.count_min, info.count_max);
}

SchemaJson closed_object(const SchemaJson& properties, const SchemaJson& required) {
  return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

}  // namespace

SchemaJson parameter_schema(const ParameterInfo& info, Host host) {
  SchemaJson schema = value_schema(info, host);
  std::string text = info.description;
  if (!info.unit.empty() && info.unit != "1") text += " Unit: " + info.unit + ".";
  if (info.default_json && (*info.default_json)[0] == '=') {
    text += " Default: the value of '" + info.default_json->substr(1) + "'.";
  } else if (info.default_json) {
    schema["default"] = SchemaJson::parse(*info.default_json, nullptr, false);
  }
  schema["description"] = text;
  return schema;
}

SchemaJson table_schema(const std::vector<ParameterInfo>& table, Host host, const std::string& type,
                        const std::string& description) {
  SchemaJson properties = SchemaJson::object();
  SchemaJson required = SchemaJson::array();
  if (!type.empty()) {
    properties["type"] = {{"const", type}};
    required.push_back("type");
  }
  for (const ParameterInfo& info : table) {
    properties[info.name] = parameter_schema(info, host);
    if (!info.default_json && !info.optional) required.push_back(info.name);
  }
  SchemaJson schema = closed_object(properties, required);
  if (!type.empty()) schema["title"] = type;
  if (!description.empty()) schema["description"] = description;
  return schema;
}

void add_common_definitions(SchemaJson& definitions) {
  definitions["expression"] = {
      {"type", "string"}, {"pattern", "^="}, {"description", "A formula in the run file's parameters: \"=2*L\"."}};
  definitions["name"] = {{"type", "string"}, {"pattern", part_name_pattern}};
  const SchemaJson number = {{"anyOf", {{{"type", "number"}}, reference_to("expression")}}};
  const auto one_key = [](const char* key, const SchemaJson& value) {
    return closed_object({{key, value}}, SchemaJson::array({key}));
  };
  SchemaJson matrix = array_schema(plain_numbers(3), 3, 3);
  matrix["description"] = "Rows, body to ground.";
  definitions["rotation"] = {
      {"description",
       "By axis and angle, Euler parameters, matrix, or angles about z, the new x, the new z, or roll, pitch and "
       "yaw about x, y and z."},
      {"oneOf",
       {closed_object({{"axis", plain_numbers(3)}, {"angle", number}}, SchemaJson::array({"axis", "angle"})),
        one_key("euler_parameters", plain_numbers(4)), one_key("matrix", matrix), one_key("zxz", plain_numbers(3)),
        one_key("rpy", plain_numbers(3))}}};
}

}  // namespace trammel
