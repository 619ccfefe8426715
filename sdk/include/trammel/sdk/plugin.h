// Declaring a plugin: component classes become records, records become the one exported descriptor.
//
//   class Spring final : public ForceElement {
//    public:
//     struct Parameters { ... };
//     static constexpr auto parameters = sdk::table<Parameters>(...);   // see field.h; left out: no parameters
//     explicit Spring(const Parameters&, const ModelInfo&);             // or (const Parameters&), or ()
//     ...
//   };
//
//   TRAMMEL_PLUGIN("spring", "1.0.0", "BSD-3-Clause",
//                  component<Spring>(Host::spatial, "spring", "Linear spring between two points.", "Haug (1989) 6.2"));
//
// TRAMMEL_PLUGIN stands once per plugin, outside all namespaces; inside it the names of trammel and trammel::sdk are
// known. The id equals the one given to trammel_add_plugin.
#pragma once

#include <type_traits>

#include "trammel/abi_tag.h"
#include "trammel/error.h"
#include "trammel/plugin.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/refuse.h"

namespace trammel {

class System;
class Constraint;
class ForceElement;
class Formulation;
class Integrator;
class Function;
class Metric;
class Writer;
class Analysis;
class KktSolver;
class Importer;

namespace sdk {
namespace detail {

/// The interface that T implements.
template <class T>
consteval auto interface_of() {
  if constexpr (std::is_base_of_v<System, T>)
    return std::type_identity<System>();
  else if constexpr (std::is_base_of_v<Constraint, T>)
    return std::type_identity<Constraint>();
  else if constexpr (std::is_base_of_v<ForceElement, T>)
    return std::type_identity<ForceElement>();
  else if constexpr (std::is_base_of_v<Formulation, T>)
    return std::type_identity<Formulation>();
  else if constexpr (std::is_base_of_v<Integrator, T>)
    return std::type_identity<Integrator>();
  else if constexpr (std::is_base_of_v<Function, T>)
    return std::type_identity<Function>();
  else if constexpr (std::is_base_of_v<Metric, T>)
    return std::type_identity<Metric>();
  else if constexpr (std::is_base_of_v<Writer, T>)
    return std::type_identity<Writer>();
  else if constexpr (std::is_base_of_v<Analysis, T>)
    return std::type_identity<Analysis>();
  else if constexpr (std::is_base_of_v<KktSolver, T>)
    return std::type_identity<KktSolver>();
  else if constexpr (std::is_base_of_v<Importer, T>)
    return std::type_identity<Importer>();
  else
    static_assert(!sizeof(T*), "a component derives from one of the interfaces (System, Constraint, ...)");
}

template <class T>
using InterfaceOf = typename decltype(interface_of<T>())::type;

template <class T>
concept HasParameters = requires {
  T::parameters.view();
};
template <class T>
concept HasBodyParameters = requires {
  T::body_parameters.view();
};

template <class T>
T* construct(const void* parameters, const ModelInfo& model) {
  if constexpr (HasParameters<T>) {
    const auto& filled = *static_cast<const typename T::Parameters*>(parameters);
    if constexpr (std::is_constructible_v<T, decltype(filled), const ModelInfo&>)
      return new T(filled, model);
    else
      return new T(filled);
  } else if constexpr (std::is_constructible_v<T, const ModelInfo&>) {
    return new T(model);
  } else {
    return new T();
  }
}

template <class T>
void* create(const void* parameters, const ModelInfo* model, Refusal* refusal) {
  return or_refuse(*refusal, [&]() -> void* { return static_cast<InterfaceOf<T>*>(construct<T>(parameters, *model)); });
}

template <class T>
void destroy(void* component) {
  delete static_cast<T*>(static_cast<InterfaceOf<T>*>(component));
}

}  // namespace detail

/// The record of component class T. `type` is [vendor.]snake_case, `summary` one sentence, `citation` the source of the
/// equations, "" if there is none.
template <class T>
constexpr ComponentRecord component(Host host, const char* type, const char* summary, const char* citation = "") {
  static_assert(std::is_final_v<T>, "declare component classes `final`: interfaces have no virtual destructor");
  ComponentRecord record{};
  record.struct_size = sizeof(ComponentRecord);
  record.host = host;
  record.kind = detail::InterfaceOf<T>::kind_id;
  record.type = type;
  record.summary = summary;
  record.citation = citation;
  if constexpr (detail::HasParameters<T>) record.parameters = T::parameters.view();
  if constexpr (detail::HasBodyParameters<T>) record.body_parameters = T::body_parameters.view();
  record.create = &detail::create<T>;
  record.destroy = &detail::destroy<T>;
  return record;
}

template <std::size_t N>
constexpr PluginDescriptor descriptor(const char* id, const char* version, const char* licence,
                                      const ComponentRecord (&components)[N]) {
  return {descriptor_magic,
          sizeof(PluginDescriptor),
          interface_epoch,
          target_minor,
          static_cast<std::uint32_t>(N),
          abi_tag.data,
          id,
          version,
          licence,
          components};
}

}  // namespace sdk
}  // namespace trammel

/// Defines the plugin's only exported symbol. Licence: an SPDX identifier.
#define TRAMMEL_PLUGIN(id, version, licence, ...)                                                 \
  namespace trammel::sdk {                                                                        \
  namespace {                                                                                     \
  const ::trammel::ComponentRecord plugin_components[] = {__VA_ARGS__};                           \
  }                                                                                               \
  }                                                                                               \
  extern "C" {                                                                                    \
  __attribute__((visibility("default"))) extern const ::trammel::PluginDescriptor trammel_plugin; \
  const ::trammel::PluginDescriptor trammel_plugin =                                              \
      ::trammel::sdk::descriptor(id, version, licence, ::trammel::sdk::plugin_components);        \
  }                                                                                               \
  static_assert(true, "a semicolon follows TRAMMEL_PLUGIN")
