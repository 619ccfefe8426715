// Whether bytes are text that can be shown: UTF-8 without control characters.
#pragma once

#include <cstddef>

namespace trammel {

/// Length of the UTF-8 sequence of a printable character at `at`, 0 if there is none. `lines`: line breaks and tabs count.
inline std::size_t utf8_sequence(const unsigned char* at, std::size_t left, bool lines) {
  if (*at < 0x80) return (*at >= 0x20 && *at != 0x7f) || (lines && (*at == '\n' || *at == '\t')) ? 1 : 0;
  std::size_t size = 0;
  if (*at >= 0xc2 && *at < 0xe0) size = 2;
  if (*at >= 0xe0 && *at < 0xf0) size = 3;
  if (*at >= 0xf0 && *at < 0xf5) size = 4;
  if (size == 0 || size > left) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((at[i] & 0xc0) != 0x80) return 0;
  }
  const unsigned second = at[1];  // control characters, overlong forms, surrogates, beyond U+10FFFF
  const bool wrong = (*at == 0xc2 && second < 0xa0) || (*at == 0xe0 && second < 0xa0) ||
                     (*at == 0xed && second >= 0xa0) || (*at == 0xf0 && second < 0x90) ||
                     (*at == 0xf4 && second >= 0x90);
  return wrong ? 0 : size;
}

/// Up to its zero byte, which has to come within `size` bytes.
inline bool is_utf8_text(const char* data, std::size_t size, bool lines) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size;) {
    if (bytes[i] == 0) return true;
    const std::size_t length = utf8_sequence(bytes + i, size - i, lines);
    if (length == 0) return false;
    i += length;
  }
  return false;
}

}  // namespace trammel
