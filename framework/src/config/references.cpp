// Names of bodies and elements in parameter tables.
#include "config/references.h"

#include <vector>

#include "trammel/text/suggest.h"

namespace trammel {

std::optional<std::int32_t> find_reference(const ReferenceUse& use, const Node& text, const std::string& path,
                                           const char* what, ParameterType type, Problems& problems) {
  const Resolver& resolver = use.resolver;
  const bool of_element = type == ParameterType::element, frames = of_element || use.context.frames;
  const std::optional<std::int32_t> index = of_element ? resolver.element(text.text) : resolver.body(text.text);
  if (!index) {
    std::vector<std::string> names = resolver.names(type);
    if (!frames)
      std::erase_if(names, [&](const std::string& name) { return resolver.body_of_frame(name).has_value(); });
    problems.add(text.place, path,
                 std::string("there is no ") + what + " '" + text.text + "'" + did_you_mean(text.text, names));
    return std::nullopt;
  }
  const std::optional<std::string> owner = frames ? std::nullopt : resolver.body_of_frame(text.text);
  if (!owner) return index;
  problems.add(text.place, path,
               "'" + text.text + "' is a point of '" + *owner + "'; " + use.context.subject + " takes a body here");
  return std::nullopt;
}

}  // namespace trammel
