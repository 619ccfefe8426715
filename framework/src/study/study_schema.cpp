// Schema of a study from the tables of its parts.
#include "study/study_schema.h"

#include "config/schema.h"
#include "study/metric_types.h"
#include "study/sampling.h"

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

/// A branch per type, as for components.
SchemaJson distribution_schema() {
  std::vector<std::string> types;
  SchemaJson branches = SchemaJson::array();
  for (const DistributionType& known : distribution_types()) {
    types.emplace_back(known.type);
    branches.push_back({{"if", {{"properties", {{"type", {{"const", known.type}}}}}}},
                        {"then", table_schema(parameter_infos(known.table), Host::any, known.type, known.summary)}});
  }
  return {
      {"type", "object"}, {"properties", {{"type", {{"enum", types}}}}}, {"required", {"type"}}, {"allOf", branches}};
}

SchemaJson sample_schema() {
  SchemaJson schema = table_schema(parameter_infos(sample_table()), Host::any, "",
                                   "Parameters that follow distributions; every point of the sample is a case.");
  schema["properties"]["distributions"] = {{"type", "object"},
                                           {"minProperties", 1},
                                           {"additionalProperties", distribution_schema()},
                                           {"description", "By dotted path of the run file."}};
  schema["properties"]["correlations"] = {
      {"type", "array"}, {"items", table_schema(parameter_infos(correlation_table()), Host::any, "", "")}};
  schema["required"].push_back("distributions");
  return schema;
}

SchemaJson study_schema(const Catalogue& catalogue) {
  const SchemaJson base = {{"type", "string"}, {"description", "Run file, relative to the study."}};
  const SchemaJson set = {{"type", "object"}, {"description", "Values by dotted path of the run file."}};
  const SchemaJson one_case = {
      {"type", "object"},
      {"properties", {{"name", {{"type", "string"}, {"minLength", 1}}}, {"base", base}, {"set", set}}},
      {"required", {"name"}},
      {"additionalProperties", false}};
  const SchemaJson values = {{"anyOf",
                              {SchemaJson({{"type", "array"}, {"minItems", 1}}),
                               table_schema(parameter_infos(range_table()), Host::any, "", "A range of numbers.")}}};
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
      {"sample", sample_schema()},
      {"keep",
       {{"enum", {"files", "numbers"}},
        {"description",
         "What is left of a case: its folder, or its numbers in study.db; default: files, of samples numbers."}}},
      {"limits", table_schema(parameter_infos(limits_table()), Host::any, "", "Limits of each case.")},
      {"best", table_schema(parameter_infos(best_table()), Host::any, "", "The case that the tables mark.")},
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
