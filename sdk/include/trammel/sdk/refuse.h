// From exceptions to a Refusal: inside a plugin components may throw; across its boundary nothing is thrown.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "trammel/error.h"
#include "trammel/refusal.h"
#include "trammel/status.h"

namespace trammel::sdk {

/// Cuts the text where the buffer ends.
inline void write_text(std::string_view text, char* buffer, std::uint32_t capacity) {
  if (capacity == 0) return;
  const std::size_t size = std::min<std::size_t>(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), size);
  buffer[size] = 0;
}

/// False. `key`: the parameter whose value is wrong, or "".
inline bool refuse(Refusal& refusal, std::string_view key, std::string_view text, ErrorKind kind = ErrorKind::input) {
  refusal.kind = kind;
  write_text(key, refusal.key, refusal.key_capacity);
  write_text(text, refusal.text, refusal.text_capacity);
  return false;
}

/// What `call` returns, or nothing of it (nullptr, false) and the exception in words.
template <class Call>
auto or_refuse(Refusal& refusal, const Call& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (const Error& error) {
    refuse(refusal, error.key(), error.what(), error.kind());
  } catch (const std::exception& error) {
    refuse(refusal, "", "the plugin threw: " + std::string(error.what()), ErrorKind::plugin);
  } catch (...) {
    refuse(refusal, "", "the plugin threw something that is not a std::exception", ErrorKind::plugin);
  }
  return {};
}

/// What `call` returns; a failure without the exception's words where it throws, since a Status holds literals only.
template <class Call>
Status or_fail(const Call& call) noexcept {
  try {
    return call();
  } catch (...) {
    return Status::failure(StatusCode::failed, "the plugin threw an exception");
  }
}

}  // namespace trammel::sdk
