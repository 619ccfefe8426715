// Schema of a study from the tables of its parts.
#include "study/study_schema.h"

#include "config/schema.h"
#include "study/metric_types.h"

namespace trammel {
namespace {

/// Studies have no parameters, hence no expressions: where a run file may have one, only the number is left.
SchemaJson without_expressions(const SchemaJson& schema) {
  if (!schema.is_structured()) return schema;
  SchemaJson copy = schema.is_array() ? SchemaJson::array() : SchemaJson::object();
  for (const auto& entry : schema.items()) {
    if (entry.value() == reference_to("expression")) continue;
    if (schema.is_array())
      copy.push_back(without_expressions(entry.value()));
    else
      copy[entry.key()] = without_expressions(entry.value());
  }
  return copy;
}

SchemaJson names(const std::string& description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

SchemaJson metric_schema(const Catalogue& catalogue) {
  std::vector<std::string> types;
  SchemaJson branches = SchemaJson::array();
  const auto add = [&](const std::string& type, SchemaJson table) {
    table["properties"]["cases"] = names("Cases in which it is taken; all if left out.");
    types.push_back(type);
    branches.push_back({{"if", {{"properties", {{"type", {{"const", type}}}}}}}, {"then", table}});
  };
  for (const OwnMetricType& own : own_metric_types()) {
    SchemaJson table = table_schema(parameter_infos(own.table), Host::any, own.type, own.summary);
    if (own.kind == OwnMetric::error) {
      table["properties"]["columns"] = {
          {"type", "object"},
          {"minProperties", 1},
          {"additionalProperties", {{"type", "string"}}},
          {"description", "The reference's column by the run's; each a name or \"=formula\". All if left out."}};
    }
    add(own.type, table);
  }
  for (const Catalogue::Entry* entry : catalogue.available(ComponentKind::metric, Host::any)) {
    std::vector<ParameterInfo> table = entry->component->parameters;
    const std::vector<ParameterInfo> sampling = parameter_infos(sampling_table());
    table.insert(table.end(), sampling.begin(), sampling.end());
    add(entry->component->type, table_schema(table, Host::any, entry->component->type, entry->component->summary));
  }
  return {
      {"type", "object"}, {"properties", {{"type", {{"enum", types}}}}}, {"required", {"type"}}, {"allOf", branches}};
}

SchemaJson study_schema(const Catalogue& catalogue) {
  const SchemaJson base = {{"type", "string"}, {"description", "Run file, relative to the study."}};
  const SchemaJson set = {{"type", "object"}, {"description", "Values by dotted path of the run file."}};
  const SchemaJson one_case = {
      {"type", "object"},
      {"properties", {{"name", {{"type", "string"}, {"minLength", 1}}}, {"base", base}, {"set", set}}},
      {"required", {"name"}},
      {"additionalProperties", false}};
  const SchemaJson values = {{"type", "array"}, {"minItems", 1}};
  SchemaJson table = table_schema(parameter_infos(study_table_table()), Host::any, "", "What the tables show.");
  table["properties"]["columns"] = names("Metrics shown, in this order; all if left out.");
  const SchemaJson expectation = table_schema(parameter_infos(expectation_table()), Host::any, "", "");
  const SchemaJson properties = {
      {"$schema", {{"type", "string"}, {"description", "For editors; not used by Trammel."}}},
      {"trammel_study", {{"const", 1}, {"description", "Format version."}}},
      {"title", {{"type", "string"}}},
      {"source", {{"type", "string"}, {"description", "Where the problem and its figures are from."}}},
      {"row",
       {{"type", "string"}, {"description", "Table, figure or equation of the source that the expectations judge."}}},
      {"base", base},
      {"set", set},
      {"vary",
       {{"type", "object"},
        {"additionalProperties", values},
        {"description", "Values by dotted path; every combination is a case."}}},
      {"cases", {{"type", "array"}, {"minItems", 1}, {"items", one_case}}},
      {"metrics",
       {{"type", "object"},
        {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
        {"additionalProperties", metric_schema(catalogue)}}},
      {"verify",
       {{"type", "boolean"}, {"description", "Every case is verified; the digits that hold are the metric 'verify'."}}},
      {"expect", {{"type", "array"}, {"items", expectation}}},
      {"table", table}};
  return without_expressions({{"title", "Trammel study"},
                              {"type", "object"},
                              {"properties", properties},
                              {"required", {"trammel_study"}},
                              {"additionalProperties", false}});
}

}  // namespace

std::string input_schema(const Catalogue& catalogue) {
  SchemaJson definitions = run_file_definitions(catalogue);
  definitions["study"] = study_schema(catalogue);
  const SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                             {"title", "Trammel run file or study"},
                             {"if", {{"required", {"trammel_study"}}}},
                             {"then", reference_to("study")},
                             {"else", reference_to("run")},
                             {"$defs", definitions}};
  return schema.dump(2);
}

}  // namespace trammel
