// From exceptions to a Refusal: inside a plugin components may throw; across its boundary nothing is thrown.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>

#include "trammel/error.h"
#include "trammel/refusal.h"

namespace trammel::sdk {

/// Cuts the text where the buffer ends.
inline void write_text(std::string_view text, char* buffer, std::uint32_t capacity) {
  if (capacity == 0) return;
  const std::size_t size = std::min<std::size_t>(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), size);
  buffer[size] = 0;
}

inline void refuse(Refusal& refusal, ErrorKind kind, std::string_view key, std::string_view text) {
  refusal.kind = kind;
  write_text(key, refusal.key, refusal.key_capacity);
  write_text(text, refusal.text, refusal.text_capacity);
}

/// What `call` returns, or nullptr and the exception in words.
template <class Call>
auto or_refuse(Refusal& refusal, const Call& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    refuse(refusal, error.kind(), error.key(), error.what());
  } catch (const std::exception& error) {
    refuse(refusal, ErrorKind::plugin, "", "the plugin threw: " + std::string(error.what()));
  } catch (...) {
    refuse(refusal, ErrorKind::plugin, "", "the plugin threw something that is not a std::exception");
  }
  return nullptr;
}

}  // namespace trammel::sdk
