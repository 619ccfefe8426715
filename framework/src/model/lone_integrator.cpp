// Creation of integrators outside of models.
#include "model/lone_integrator.h"

#include "config/step_control_keys.h"
#include "model/no_model.h"
#include "trammel/error.h"

namespace trammel {

Component lone_integrator(const RunFile& run, const Section& section, PluginHost& host) {
  if (section.type == "auto")
    throw Error(ErrorKind::input, message_at(section.place, section.path,
                                             "name the integrator: \"auto\" is chosen for a run, and this needs none"));
  std::vector<std::string> of_kernel;
  const ParameterTable control = step_control_table();
  for (std::int32_t i = 0; i < control.count; ++i) of_kernel.emplace_back(control.records[i].name);
  PreparedComponent prepared =
      prepare_component(host, run, section, ComponentKind::integrator, Host::any, nullptr, of_kernel);
  return {prepared.loaded, std::move(prepared.parameters), no_model(), "", *section.node, section.path};
}

}  // namespace trammel
