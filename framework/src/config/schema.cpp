// The run file's sections put together from the schemas of the types that were found.
#include "config/schema.h"

#include "config/method_request.h"
#include "config/opened_analysis.h"
#include "config/parameter_schema.h"
#include "config/report_options.h"
#include "config/run_file.h"
#include "config/section_keys.h"
#include "config/signal_options.h"
#include "config/step_control_keys.h"

namespace trammel {
namespace {

class SchemaBuilder {
 public:
  explicit SchemaBuilder(const Catalogue& catalogue) : catalogue_(catalogue) {}

  SchemaJson build() {
    add_common_definitions(definitions_);
    add_function();
    const SchemaJson system = by_type(ComponentKind::system, Host::any, "system", top("system"));
    const SchemaJson formulation = method(ComponentKind::formulation, "formulation");
    const SchemaJson integrator = method(ComponentKind::integrator, "integrator");
    const SchemaJson properties = {
        {"$schema", {{"type", "string"}, {"description", top("$schema")}}},
        {"trammel", {{"enum", {2, 1}}, {"description", top("trammel")}}},
        {"title", {{"type", "string"}, {"description", top("title")}}},
        {"include", include()},
        {"units", units()},
        {"parameters",
         {{"type", "object"},
          {"description", top("parameters")},
          {"propertyNames", reference_to("name")},
          {"additionalProperties", {{"anyOf", {{{"type", "number"}}, reference_to("expression")}}}}}},
        {"signals", signals()},
        {"plugins",
         {{"type", "object"},
          {"properties",
           {{"search", {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", top("plugins.search")}}},
            {"require",
             {{"type", "object"},
              {"propertyNames", {{"pattern", "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$"}}},
              {"additionalProperties", {{"type", "string"}}},
              {"description", top("plugins.require")}}}}},
          {"additionalProperties", false}}},
        {"system", system},
        {"analysis", analysis()},
        {"formulation", formulation},
        {"integrator", integrator},
        {"output", output()},
        {"report", report_schema()}};
    SchemaJson run = {{"title", "Trammel run file"},
                      {"type", "object"},
                      {"properties", properties},
                      {"required", {"trammel"}},
                      {"additionalProperties", false}};
    run["anyOf"] = {{{"required", {"system", "analysis"}}}, {{"required", {"include"}}}};
    run["allOf"] = {analysis_needs({"dynamics", "kinematics", "inverse_dynamics"},
                                   {{"properties", {{"analysis", {{"required", {"duration"}}}}}}})};
    definitions_["run"] = run;
    return definitions_;
  }

 private:
  static const char* top(const char* key) { return key_description(RunFilePart::run_file, key); }
  static const char* of_system(const char* key) { return key_description(RunFilePart::system, key); }

  SchemaJson signals() {
    SchemaJson branches = {{{"type", "number"}}, {{"type", "string"}}};
    for (const SignalType& type : signal_types()) {
      definitions_[std::string("signal_") + type.type] =
          table_schema(parameter_infos(type.table), Host::any, type.type, type.summary);
      branches.push_back(reference_to(std::string("signal_") + type.type));
    }
    return {{"type", "object"},
            {"description", top("signals")},
            {"propertyNames", reference_to("name")},
            {"additionalProperties", {{"anyOf", branches}}}};
  }

  static SchemaJson analysis_needs(const std::vector<std::string>& types, const SchemaJson& needed) {
    const SchemaJson of_type = {{"properties", {{"type", {{"enum", types}}}}}, {"required", {"type"}}};
    return {{"if", {{"properties", {{"analysis", of_type}}}, {"required", {"analysis"}}}}, {"then", needed}};
  }

  /// One of the kernel's, or an object that meets the definition of a plugin's type.
  SchemaJson analysis() {
    SchemaJson own = table_schema(parameter_infos(analysis_table()), Host::any, "", top("analysis"));
    own["properties"]["solver"] = solver();
    add_start_schema(own["properties"]);
    add_events_schema(own["properties"]);
    const std::vector<const Catalogue::Entry*> opened = types_of(ComponentKind::analysis, Host::any);
    if (opened.empty()) return own;
    std::vector<std::string> types = built_in_analyses();
    SchemaJson branches = {{{"if", {{"properties", {{"type", {{"enum", types}}}}}}}, {"then", own}}};
    for (const Catalogue::Entry* entry : opened) {
      const ComponentInfo& component = *entry->component;
      std::vector<ParameterInfo> table = component.parameters;
      const std::vector<ParameterInfo> common = common_analysis_keys();
      table.insert(table.end(), common.begin(), common.end());
      SchemaJson definition = table_schema(table, Host::any, component.type, component.summary);
      definition["properties"]["solver"] = solver();
      add_start_schema(definition["properties"]);
      definitions_["analysis_" + component.type] = definition;
      branches.push_back({{"if", {{"properties", {{"type", {{"const", component.type}}}}}}},
                          {"then", reference_to("analysis_" + component.type)}});
      types.push_back(component.type);
    }
    return {{"type", "object"},
            {"description", top("analysis")},
            {"properties", {{"type", {{"enum", types}}}}},
            {"required", {"type"}},
            {"allOf", branches}};
  }

  SchemaJson solver() {
    SchemaJson schema = type_or_object(ComponentKind::linear_solver, "linear_solver", "Solves the linear systems.",
                                       SchemaJson::array({"auto"}));
    schema["description"] = key_description(RunFilePart::analysis, "solver");
    return schema;
  }

  SchemaJson method(ComponentKind kind, const char* key) {
    SchemaJson schema = type_or_object(kind, key, top(key), SchemaJson::array({"auto"}));
    schema["description"] = top(key);
    return schema;
  }

  SchemaJson output() {
    SchemaJson schema = table_schema(parameter_infos(output_table()), Host::any, "", top("output"));
    schema["properties"]["channels"] = {
        {"description", key_description(RunFilePart::output, "channels")},
        {"anyOf", {{{"const", "all"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
    schema["properties"]["writers"] = {
        {"description", key_description(RunFilePart::output, "writers")},
        {"type", "array"},
        {"minItems", 1},
        {"items",
         type_or_object(ComponentKind::writer, "writer", "Writes the rows of a run to a file.", SchemaJson::array())}};
    schema["not"] = {{"required", {"step", "at"}}};
    return schema;
  }

  /// A component that may be named by its type alone; `words` are allowed as well.
  SchemaJson type_or_object(ComponentKind kind, const std::string& prefix, const std::string& description,
                            SchemaJson words) {
    const SchemaJson object = by_type(kind, Host::any, prefix, description);
    for (const Catalogue::Entry* entry : types_of(kind, Host::any)) words.push_back(entry->component->type);
    return {{"anyOf", {{{"enum", words}}, object}}};
  }

  static SchemaJson name_for_people() {
    return {{"type", "string"}, {"description", key_description(RunFilePart::body, "name")}};
  }

  /// An object whose "type" decides which definition it has to meet; the definitions are added.
  SchemaJson by_type(ComponentKind kind, Host host, const std::string& prefix, const std::string& description) {
    std::vector<std::string> types;
    SchemaJson branches = SchemaJson::array();
    for (const Catalogue::Entry* entry : types_of(kind, host)) {
      const ComponentInfo& component = *entry->component;
      const std::string name = prefix + "_" + component.type;
      types.push_back(component.type);
      std::vector<ParameterInfo> table = component.parameters;
      if (kind == ComponentKind::integrator) {
        const std::vector<ParameterInfo> common = parameter_infos(step_control_table());
        table.insert(table.end(), common.begin(), common.end());
      }
      definitions_[name] = kind == ComponentKind::system ? system_schema(component)
                                                         : table_schema(table, host, component.type, component.summary);
      if (kind == ComponentKind::constraint || kind == ComponentKind::force)
        definitions_[name]["properties"]["name"] = name_for_people();
      const SchemaJson of_type = of(component.type, kind);
      branches.push_back({{"if", of_type}, {"then", reference_to(name)}});
    }
    if (kind == ComponentKind::integrator || kind == ComponentKind::formulation) {
      const bool keys = kind == ComponentKind::integrator;
      types.emplace_back("auto");
      definitions_[prefix + "_auto"] = table_schema(keys ? automatic_integrator_keys() : std::vector<ParameterInfo>(),
                                                    host, "auto", "Chosen from the model at its start.");
      SchemaJson automatic = of("auto", kind);
      if (keys) definitions_[prefix + "_auto"]["required"] = SchemaJson::array();
      if (keys) automatic = {{"anyOf", SchemaJson::array({automatic, {{"not", {{"required", {"type"}}}}}})}};
      branches.push_back({{"if", automatic}, {"then", reference_to(prefix + "_auto")}});
    }
    SchemaJson schema = {
        {"type", "object"}, {"properties", {{"type", {{"enum", types}}}}}, {"description", description}};
    if (kind != ComponentKind::integrator) schema["required"] = SchemaJson::array({"type"});
    if (types.empty())
      schema = {{"not", SchemaJson::object()}, {"description", "No type was found."}};
    else
      schema["allOf"] = branches;
    return schema;
  }

  /// What is of this type; an integrator without one is "auto".
  static SchemaJson of(const std::string& type, ComponentKind kind) {
    SchemaJson schema = {{"properties", {{"type", {{"const", type}}}}}};
    if (kind == ComponentKind::integrator) schema["required"] = SchemaJson::array({"type"});
    return schema;
  }

  /// `available` looks at the host, which a system defines and does not need.
  std::vector<const Catalogue::Entry*> types_of(ComponentKind kind, Host host) const {
    if (kind != ComponentKind::system) return catalogue_.available(kind, host);
    std::vector<const Catalogue::Entry*> systems;
    for (const Catalogue::Entry& entry : catalogue_.entries()) {
      if (entry.component->kind == kind) systems.push_back(&entry);
    }
    return systems;
  }

  SchemaJson system_schema(const ComponentInfo& component) {
    SchemaJson schema = table_schema(component.parameters, component.host, component.type, component.summary);
    if (component.host == Host::any) return schema;
    const std::string host = host_name(component.host);
    SchemaJson body = table_schema(component.body_parameters, component.host, "", "A rigid body.");
    body["properties"]["shape"] = shape(component.host);
    // Massless frames alone have no mass.
    body["if"] = {{"properties", {{"type", {{"const", "massless"}}}}}, {"required", {"type"}}};
    body["else"] = {{"required", {"mass"}}};
    body["properties"]["name"] = name_for_people();
    definitions_["body_" + component.type] = body;
    SchemaJson& properties = schema["properties"];
    properties["ground"] = {{"type", "object"},
                            {"description", of_system("ground")},
                            {"properties", {{"shape", shape(component.host)}}},
                            {"additionalProperties", false}};
    properties["bodies"] = map_of(reference_to("body_" + component.type), of_system("bodies"));
    SchemaJson point = table_schema(parameter_infos(point_table()), component.host, "", "A named point.");
    point["properties"]["name"] = name_for_people();
    properties["points"] = map_of(point, of_system("points"));
    const auto elements = [&](ComponentKind kind, const char* description) {
      const std::string name = host + "_" + kind_name(kind);
      if (!definitions_.contains(name)) definitions_[name] = by_type(kind, component.host, name, description);
      return reference_to(name);
    };
    const SchemaJson constraint = elements(ComponentKind::constraint, "A joint or a driver.");
    properties["constraints"] = map_of(constraint, of_system("constraints"));
    properties["forces"] = map_of(elements(ComponentKind::force, "A force element."), of_system("forces"));
    add_submodels(properties, host, component.host == Host::planar);
    return schema;
  }

  static SchemaJson include() {
    const SchemaJson file = {{"type", "string"}};
    return {{"description", top("include")}, {"anyOf", {file, {{"type", "array"}, {"items", file}}}}};
  }

  static SchemaJson units() {
    SchemaJson properties = SchemaJson::object();
    for (const char* key : {"length", "mass", "angle", "force"}) {
      const SectionKey* found = nullptr;
      for (const SectionKey& known : section_keys(RunFilePart::run_file)) {
        if (std::string(known.name) == std::string("units.") + key) found = &known;
      }
      SchemaJson words = SchemaJson::array();
      const std::string all = found->type;
      for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find(" | ", at), all.size());
        words.push_back(all.substr(at, end - at));
        at = end + 3;
      }
      properties[key] = {{"enum", words}, {"description", found->description}};
    }
    return {
        {"type", "object"}, {"description", top("units")}, {"properties", properties}, {"additionalProperties", false}};
  }

  /// Sub-models and their uses; `maps`: schemas of bodies, points, constraints and forces.
  void add_submodels(SchemaJson& properties, const std::string& host, bool planar) {
    const auto text = [](const char* key) { return key_description(RunFilePart::submodels, key); };
    const SchemaJson name = reference_to("name");
    const SchemaJson number = {{"anyOf", {{{"type", "number"}}, reference_to("expression")}}};
    SchemaJson inside = SchemaJson::object();
    for (const char* map : {"bodies", "points", "constraints", "forces"}) {
      inside[map] = properties[map];
      inside[map]["description"] = text((std::string("submodels.NAME.") + map).c_str());
    }
    SchemaJson number_or_null = number;
    number_or_null["anyOf"].push_back({{"type", "null"}});
    inside["parameters"] = {{"type", "object"},
                            {"additionalProperties", number_or_null},
                            {"description", text("submodels.NAME.parameters")}};
    inside["connect"] = {{"type", "array"}, {"items", name}, {"description", text("submodels.NAME.connect")}};
    inside["submodels"] = {{"type", "object"},
                           {"additionalProperties", reference_to(host + "_submodel")},
                           {"description", text("submodels.NAME.submodels")}};
    inside["parts"] = {{"type", "object"},
                       {"additionalProperties", reference_to(host + "_part")},
                       {"description", text("submodels.NAME.parts")}};
    const SchemaJson written = {{"type", "object"}, {"properties", inside}, {"additionalProperties", false}};
    const SchemaJson file = {
        {"type", "object"},
        {"properties", {{"include", {{"type", "string"}, {"description", text("submodels.NAME.include")}}}}},
        {"required", {"include"}},
        {"additionalProperties", false}};
    definitions_[host + "_submodel"] = {{"anyOf", {written, file}}};
    const SchemaJson target = {{"type", "string"}};
    const SchemaJson first_and_others = {
        {"type", "object"}, {"properties", {{"first", target}, {"others", target}}}, {"additionalProperties", false}};
    SchemaJson part = {
        {"submodel",
         {{"anyOf", {name, reference_to(host + "_submodel")}}, {"description", text("parts.NAME.submodel")}}},
        {"count",
         {{"anyOf", {{{"type", "integer"}, {"minimum", 0}}, reference_to("expression")}},
          {"description", text("parts.NAME.count")}}},
        {"parameters",
         {{"type", "object"}, {"additionalProperties", number}, {"description", text("parts.NAME.parameters")}}},
        {"connect",
         {{"type", "object"},
          {"additionalProperties", {{"anyOf", {target, first_and_others}}}},
          {"description", text("parts.NAME.connect")}}},
        {"position",
         {{"type", "array"},
          {"items", number},
          {"minItems", planar ? 2 : 3},
          {"maxItems", planar ? 2 : 3},
          {"description", text("parts.NAME.position")}}}};
    if (planar) {
      part["angle"] = number;
      part["angle"]["description"] = text("parts.NAME.angle");
    } else {
      part["rotation"] = {{"allOf", {reference_to("rotation")}}, {"description", text("parts.NAME.rotation")}};
    }
    definitions_[host + "_part"] = {
        {"type", "object"}, {"properties", part}, {"required", {"submodel"}}, {"additionalProperties", false}};
    for (const char* key : {"submodels", "parts"}) {
      properties[key] = inside[key];
      properties[key]["propertyNames"] = name;
      properties[key]["description"] = text(key);
    }
  }

  static SchemaJson map_of(const SchemaJson& entries, const std::string& description) {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", part_name_pattern}, {"not", {{"enum", reserved_names()}}}}},
            {"additionalProperties", entries},
            {"description", description}};
  }

  static SchemaJson shape(Host host) {
    SchemaJson shapes = SchemaJson::array();
    for (const ShapeType& type : shape_types()) {
      shapes.push_back(table_schema(parameter_infos(type.table), host, type.type, ""));
    }
    const SchemaJson one = {{"oneOf", shapes}};
    return {{"description", "For pictures only."}, {"anyOf", {one, {{"type", "array"}, {"items", one}}}}};
  }

  void add_function() {
    SchemaJson typed = by_type(ComponentKind::function, Host::any, "function", "A function of one argument.");
    definitions_["function"] = {
        {"description", "A function of one argument, a number for a constant, or the name of a signal."},
        {"anyOf",
         {{{"type", "number"}},
          reference_to("expression"),
          {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}},
          typed}}};
  }

  const Catalogue& catalogue_;
  SchemaJson definitions_ = SchemaJson::object();
};

}  // namespace

SchemaJson run_file_definitions(const Catalogue& catalogue) { return SchemaBuilder(catalogue).build(); }

}  // namespace trammel
