// Which formulations give an integrator the view that it needs.
#include "run/formulation_choices.h"

#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/second_order_formulation.h"

namespace trammel {

std::string formulations_for(PluginHost& host, const RunFile& run, Model& model, ViewKind view) {
  std::string choices;
  for (const Catalogue::Entry* entry : host.catalogue().available(ComponentKind::formulation, model.host())) {
    Node node;
    node.kind = Node::Kind::object;
    node.members.push_back({"type", {}, Node::make_text(entry->component->type, {})});
    Section section;
    section.type = entry->component->type, section.node = &node, section.path = "/formulation";
    bool offers = view == ViewKind::ode;
    try {
      if (!offers) {
        const Component made = make_component(host, run, section, ComponentKind::formulation, model, &model.resolver());
        offers = find_extension<SecondOrderFormulation>(made.as<Formulation>()) != nullptr;
      }
    } catch (const Error&) {  // not with its defaults
    }
    if (offers) choices += (choices.empty() ? "'" : ", '") + entry->component->type + "'";
  }
  return choices;
}

}  // namespace trammel
