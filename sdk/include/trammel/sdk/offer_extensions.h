// Answering Extensible::extension with the objects that implement the interfaces.
#pragma once

#include <cstring>

namespace trammel::sdk {

/// The one of the objects whose interface is called `id`, or nullptr. Name the interfaces:
/// `offer_extensions<CountedAngles, ElementChannels>(id, &angle_, &channels_)`.
template <class... Extensions>
const void* offer_extensions(const char* id, const Extensions*... objects) {
  const void* found = nullptr;
  ((found = std::strcmp(id, Extensions::id) == 0 ? objects : found), ...);
  return found;
}

}  // namespace trammel::sdk
