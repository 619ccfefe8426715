// A small catalogue made by hand: two hosts of bodies, a problem, elements, functions, methods.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel {

class ExampleCatalogue {
 public:
  ExampleCatalogue() {
    const ParameterInfo bodies =
        parameter("bodies", ParameterType::bodies, [](auto& p) { p.count_min = p.count_max = 2; });
    const ParameterInfo at = parameter("at", ParameterType::vector, [](auto& p) { p.unit = "m"; });
    const ParameterInfo axis = parameter("axis", ParameterType::direction);
    const ParameterInfo mass = positive("mass", "kg");
    const ParameterInfo inertia =
        parameter("inertia", ParameterType::numbers, [](auto& p) { p.count_min = 3, p.count_max = 6; });
    const ParameterInfo position = parameter("position", ParameterType::vector);
    const ParameterInfo rotation = parameter("rotation", ParameterType::rotation, [](auto& p) { p.optional = true; });
    const ParameterInfo gravity = parameter("gravity", ParameterType::vector, [](auto& p) { p.optional = true; });
    ComponentInfo& spatial = add(ComponentKind::system, Host::spatial, "spatial", {gravity});
    spatial.body_parameters = {mass, inertia, position, rotation};
    ComponentInfo& planar = add(ComponentKind::system, Host::planar, "planar", {gravity});
    planar.body_parameters = {mass, positive("inertia", "kg m^2"), position};
    add(ComponentKind::system, Host::any, "spinning_top", {mass});
    add(ComponentKind::constraint, Host::spatial, "revolute", {bodies, at, axis});
    add(ComponentKind::constraint, Host::spatial, "cylindrical", {bodies, at, axis});
    add(ComponentKind::constraint, Host::spatial, "angle_driver",
        {parameter("joint", ParameterType::element), parameter("function", ParameterType::function)});
    add(ComponentKind::constraint, Host::planar, "point_on_line", {bodies, at, axis});
    add(ComponentKind::force, Host::spatial, "push",
        {parameter("point", ParameterType::point), parameter("force", ParameterType::vector)});
    add(ComponentKind::function, Host::any, "constant", {parameter("value", ParameterType::number)});
    add(ComponentKind::function, Host::any, "harmonic",
        {parameter("amplitude", ParameterType::number),
         parameter("base", ParameterType::function, [](auto& p) { p.default_json = "0"; })});
    add(ComponentKind::formulation, Host::any, "baumgarte", {positive("alpha", "1/s")});
    add(ComponentKind::integrator, Host::any, "rk4", {positive("step", "s")});
    add(ComponentKind::integrator, Host::any, "dopri5", {parameter("norm", ParameterType::choice, [](auto& p) {
          p.choices = {"rms", "max"};
          p.default_json = "\"rms\"";
        })});
    add(ComponentKind::writer, Host::any, "csv", {});
    plugin_.id = "example";
    plugin_.version = "1.2.3";
    plugin_.library = "/plugins/example.so";
    std::vector<Catalogue::Entry> entries;
    for (const ComponentInfo& component : components_) entries.push_back({&plugin_, &component});
    catalogue_ = Catalogue(entries);
  }

  operator const Catalogue&() const { return catalogue_; }

 private:
  static ParameterInfo parameter(const std::string& name, ParameterType type) {
    ParameterInfo info;
    info.name = name;
    info.type = type;
    info.unit = "1";
    info.description = "The " + name + ".";
    return info;
  }
  template <class Change>
  static ParameterInfo parameter(const std::string& name, ParameterType type, Change change) {
    ParameterInfo info = parameter(name, type);
    change(info);
    return info;
  }
  static ParameterInfo positive(const std::string& name, const std::string& unit) {
    return parameter(name, ParameterType::number, [&](ParameterInfo& p) {
      p.unit = unit;
      p.minimum = 0;
      p.exclusive_minimum = true;
    });
  }
  ComponentInfo& add(ComponentKind kind, Host host, const std::string& type, const std::vector<ParameterInfo>& table) {
    ComponentInfo info;
    info.kind = kind;
    info.host = host;
    info.type = type;
    info.summary = "A " + type + ".";
    info.parameters = table;
    components_.push_back(info);
    return components_.back();
  }

  PluginInfo plugin_;
  std::deque<ComponentInfo> components_;
  Catalogue catalogue_;
};

}  // namespace trammel
