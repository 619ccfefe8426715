// Names that had a meaning in minor 0.
#include "plugin/older_minor.h"

namespace trammel {
namespace {

void read_as_minor_0(std::vector<ParameterInfo>& table) {
  for (ParameterInfo& p : table) {
    if (p.type != ParameterType::vector) continue;
    if (p.name == "axis" || p.name == "axis_i" || p.name == "axis_j" || p.name == "second_axis")
      p.type = ParameterType::direction;
    if (p.name == "point" || p.name == "point_i" || p.name == "point_j") {
      p.type = ParameterType::body_point;
      p.count_min = p.name == "point_j" ? 1 : 0;
    }
  }
}

}  // namespace

void read_as_its_minor_meant(PluginInfo& plugin) {
  if (plugin.sdk_minor > 0) return;
  for (ComponentInfo& component : plugin.components) {
    read_as_minor_0(component.parameters);
    read_as_minor_0(component.body_parameters);
  }
}

}  // namespace trammel
