// What a plugin refuses becomes an Error of the kernel; so does what it throws against the rules.
#include "plugin/create.h"

#include <fmt/format.h>

#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/refusal.h"

namespace trammel {

RefusalBuffer::RefusalBuffer()
    : refusal_{.struct_size = sizeof(Refusal),
               .kind = ErrorKind::input,
               .key = key_,
               .key_capacity = sizeof key_,
               .text_capacity = sizeof text_,
               .text = text_} {}

void RefusalBuffer::raise(const std::string& plugin, const std::string& element, const char* phase,
                          const std::string& nothing) {
  key_[sizeof key_ - 1] = text_[sizeof text_ - 1] = 0;
  const std::string who = element.empty() ? fmt::format("plugin '{}', {}", plugin, phase)
                                          : fmt::format("plugin '{}', '{}', {}", plugin, element, phase);
  if (text_[0] == 0) throw Error(ErrorKind::plugin, fmt::format("{}: {}", who, nothing));
  if (key_[0] != 0) throw Error::parameter(key_, text_);
  const ErrorKind kind = refusal_.kind == ErrorKind::input ? ErrorKind::input : ErrorKind::plugin;
  throw Error(kind, fmt::format("{}: {}", who, text_));
}

void RefusalBuffer::raise_about(const std::string& subject, const std::string& nothing) {
  text_[sizeof text_ - 1] = 0;
  if (text_[0] == 0) throw Error(ErrorKind::plugin, fmt::format("{}: {}", subject, nothing));
  const bool known = refusal_.kind == ErrorKind::input || refusal_.kind == ErrorKind::compute;
  throw Error(known ? refusal_.kind : ErrorKind::plugin, fmt::format("{}: {}", subject, text_));
}

void* create_component(const ComponentRecord& record, const std::string& plugin, const std::string& element,
                       const void* parameters, const ModelInfo& model) {
  RefusalBuffer reason;
  void* created =
      guarded(plugin, element, "create", [&] { return record.create(parameters, &model, &reason.refusal()); });
  if (created == nullptr)
    reason.raise(plugin, element, "create", fmt::format("nothing was created for type '{}'", record.type));
  return created;
}

}  // namespace trammel
