// What a plugin refuses becomes an Error of the kernel; so does what it throws against the rules.
#include "plugin/create.h"

#include <fmt/format.h>

#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/refusal.h"

namespace trammel {

void* create_component(const ComponentRecord& record, const std::string& plugin, const std::string& element,
                       const void* parameters, const ModelInfo& model) {
  char key[128] = "", text[4096] = "";
  Refusal refusal{.struct_size = sizeof(Refusal),
                  .kind = ErrorKind::input,
                  .key = key,
                  .key_capacity = sizeof key,
                  .text_capacity = sizeof text,
                  .text = text};
  void* created = guarded(plugin, element, "create", [&] { return record.create(parameters, &model, &refusal); });
  if (created != nullptr) return created;
  key[sizeof key - 1] = text[sizeof text - 1] = 0;
  if (text[0] == 0) {
    throw Error(ErrorKind::plugin, fmt::format("plugin '{}' created nothing for type '{}'", plugin, record.type));
  }
  if (key[0] != 0) throw Error::parameter(key, text);
  const ErrorKind kind = refusal.kind == ErrorKind::input ? ErrorKind::input : ErrorKind::plugin;
  throw Error(kind, element.empty() ? fmt::format("plugin '{}', create: {}", plugin, text)
                                    : fmt::format("plugin '{}', '{}', create: {}", plugin, element, text));
}

}  // namespace trammel
