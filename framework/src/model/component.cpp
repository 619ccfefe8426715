// Creation of components inside the guard that turns whatever a plugin throws into one message.
#include "model/component.h"

#include <utility>

#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "plugin/extension_probe.h"

namespace trammel {

Component::Component(const LoadedComponent& loaded, BoundParameters parameters, const ModelInfo& model,
                     const std::string& name, const Node& node, const std::string& path)
    : loaded_(loaded), parameters_(std::move(parameters)) {
  try {
    object_ = create_component(*loaded_.record, loaded_.plugin->id, name, parameters_.data(), model);
    refuse_any_extension(loaded_.info->kind, object_, loaded_.plugin->id, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw locate(error, node, path);
  }
}

Component::~Component() {
  if (object_ == nullptr) return;
  const PhaseScope phase(loaded_.plugin->id.c_str(), loaded_.info->type.c_str(), "destroy");
  loaded_.record->destroy(object_);
}

Component::Component(Component&& other) noexcept
    : loaded_(other.loaded_),
      parameters_(std::move(other.parameters_)),
      object_(std::exchange(other.object_, nullptr)) {}

Component& Component::operator=(Component&& other) noexcept {
  std::swap(loaded_, other.loaded_);
  std::swap(parameters_, other.parameters_);
  std::swap(object_, other.object_);
  return *this;
}

PreparedComponent prepare_component(PluginHost& host, const RunFile& run, const Section& section, ComponentKind kind,
                                    Host model_host, Resolver* resolver, const std::vector<std::string>& extra_keys) {
  PreparedComponent prepared;
  try {
    prepared.loaded = host.find(kind, model_host, section.type);
  } catch (const Error& error) {
    const Node* type = section.node->find("type");
    throw Error(error.kind(),
                message_at(type != nullptr ? type->place : section.node->place, section.type_path(), error.what()));
  }
  BindContext context = bind_context(run, section, model_host, resolver);
  context.frames = attaches_to_frames(kind);
  context.other_keys.insert(context.other_keys.end(), extra_keys.begin(), extra_keys.end());
  prepared.parameters =
      bind_component(prepared.loaded.record->parameters, prepared.loaded.info->parameters, *section.node, context);
  return prepared;
}

Component make_component(PluginHost& host, const RunFile& run, const Section& section, ComponentKind kind,
                         const ModelInfo& model, Resolver* resolver, const std::vector<std::string>& extra_keys) {
  PreparedComponent prepared = prepare_component(host, run, section, kind, model.host(), resolver, extra_keys);
  return {prepared.loaded, std::move(prepared.parameters), model, section.name, *section.node, section.path};
}

}  // namespace trammel
