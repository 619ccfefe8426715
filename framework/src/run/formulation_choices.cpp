// Which formulations give an integrator the view that it needs.
#include "run/formulation_choices.h"

#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/extensions/second_order_formulation.h"

namespace trammel {
namespace {

/// Whether the installed formulation of that type, made with its defaults, is as `wanted` says; those that cannot be
/// made without keys are not.
bool made_as_wanted(PluginHost& host, const RunFile& run, Model& model, const std::string& type,
                    bool (*wanted)(const Formulation&)) {
  Node node;
  node.kind = Node::Kind::object;
  node.members.push_back({"type", {}, Node::make_text(type, {})});
  Section section;
  section.type = type, section.node = &node, section.path = "/formulation";
  try {
    const Component made = make_component(host, run, section, ComponentKind::formulation, model, &model.resolver());
    return wanted(made.as<Formulation>());
  } catch (const Error&) {  // not with its defaults
    return false;
  }
}

/// `wanted` null: all of them.
std::string quoted_formulations(PluginHost& host, const RunFile& run, Model& model,
                                bool (*wanted)(const Formulation&)) {
  std::string choices;
  for (const Catalogue::Entry* entry : host.catalogue().available(ComponentKind::formulation, model.host())) {
    const std::string type = entry->component->type;
    if (wanted != nullptr && !made_as_wanted(host, run, model, type, wanted)) continue;
    choices += (choices.empty() ? "'" : ", '") + type + "'";
  }
  return choices;
}

}  // namespace

std::string formulations_for(PluginHost& host, const RunFile& run, Model& model, ViewKind view) {
  if (view == ViewKind::ode) return quoted_formulations(host, run, model, nullptr);
  return quoted_formulations(host, run, model, [](const Formulation& formulation) {
    return find_extension<SecondOrderFormulation>(formulation) != nullptr;
  });
}

std::string formulations_with_velocity_rows(PluginHost& host, const RunFile& run, Model& model) {
  return quoted_formulations(host, run, model, [](const Formulation& formulation) {
    const auto* carrier = find_extension<CarriesVelocityRows>(formulation);
    return carrier != nullptr && carrier->carries_velocity_rows(ViewKind::ode);
  });
}

}  // namespace trammel
