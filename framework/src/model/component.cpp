// Creation of components inside the guard that turns whatever a plugin throws into one message.
#include "model/component.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "plugin/extension_probe.h"

namespace trammel {
namespace {

/// Of a formula that names what it does not know: what it does. The units of its key have its variables: "N over l m, t s".
Error with_known_names(const Error& error, const std::vector<ParameterInfo>& parameters) {
  const std::string text = error.what();
  if (text.rfind("unknown name '", 0) != 0) return error;
  const auto key =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& info) { return info.name == error.key(); });
  constexpr std::string_view over = " over ";
  const std::size_t at = key != parameters.end() ? key->unit.find(over) : std::string::npos;
  if (at == std::string::npos) return error;
  std::string names;
  std::istringstream variables(key->unit.substr(at + over.size()));
  for (std::string variable; std::getline(variables >> std::ws, variable, ',');)
    names += (names.empty() ? "" : ", ") + variable.substr(0, variable.find(' '));
  return Error::parameter(
      error.key(), text + "; this formula knows " + names + ", parameters, and signals, which may name channels");
}

}  // namespace

Component::Component(const LoadedComponent& loaded, BoundParameters parameters, const ModelInfo& model,
                     const std::string& name, const Node& node, const std::string& path)
    : loaded_(loaded), parameters_(std::move(parameters)) {
  try {
    object_ = create_component(*loaded_.record, loaded_.plugin->id, name, parameters_.data(), model);
    refuse_any_extension(loaded_.info->kind, object_, loaded_.plugin->id, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw locate(with_known_names(error, loaded_.info->parameters), node, path);
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
