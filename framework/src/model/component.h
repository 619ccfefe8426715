// Component: one created component with its parameters, and the guarded way to create it.
#pragma once

#include <string>

#include "config/binder.h"
#include "config/run_file.h"
#include "plugin/host.h"
#include "trammel/model_info.h"

namespace trammel {

/// Owns the object a plugin created; ends it through the plugin's own `destroy`.
class Component {
 public:
  Component() = default;
  /// [setup] Calls `create`. Throws Error naming plugin, element and phase, or the place of the key it complains about.
  Component(const LoadedComponent& loaded, BoundParameters parameters, const ModelInfo& model, const std::string& name,
            const Node& node, const std::string& path);
  ~Component();
  Component(Component&& other) noexcept;
  Component& operator=(Component&& other) noexcept;

  /// The object stays as it is, for good: whoever else uses what it holds goes on.
  void abandon() { object_ = nullptr; }

  template <class Interface>
  Interface& as() const {
    return *static_cast<Interface*>(object_);
  }
  explicit operator bool() const { return object_ != nullptr; }
  const LoadedComponent& loaded() const { return loaded_; }
  const BoundParameters& parameters() const { return parameters_; }
  const std::string& plugin_id() const { return loaded_.plugin->id; }
  const std::string& type() const { return loaded_.info->type; }

 private:
  LoadedComponent loaded_;
  BoundParameters parameters_;
  void* object_ = nullptr;
};

/// Loads the type of a section and binds its keys; `extra_keys` are legal too and bound by somebody else.
struct PreparedComponent {
  LoadedComponent loaded;
  BoundParameters parameters;
};
PreparedComponent prepare_component(PluginHost& host, const RunFile& run, const Section& section, ComponentKind kind,
                                    Host model_host, Resolver* resolver,
                                    const std::vector<std::string>& extra_keys = {});

/// Both in one go.
Component make_component(PluginHost& host, const RunFile& run, const Section& section, ComponentKind kind,
                         const ModelInfo& model, Resolver* resolver, const std::vector<std::string>& extra_keys = {});

}  // namespace trammel
