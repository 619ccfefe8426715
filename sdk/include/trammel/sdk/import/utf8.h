// Texts of files that may be no UTF-8: run files are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel::sdk {

/// The first byte that does not belong to a character of UTF-8 (RFC 3629), or the text's size.
inline std::size_t first_no_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(at);
    const std::size_t more = first < 0x80                    ? 0
                             : first >= 0xc2 && first < 0xe0 ? 1
                             : first >= 0xe0 && first < 0xf0 ? 2
                             : first >= 0xf0 && first < 0xf5 ? 3
                                                             : text.size();
    if (at + more >= text.size()) return at;
    for (std::size_t k = 1; k <= more; ++k) {
      if ((byte(at + k) & 0xc0u) != 0x80u) return at;
    }
    const unsigned char second = more > 0 ? byte(at + 1) : 0;
    const bool longer_than_needed = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    if (longer_than_needed || (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90)) return at;
    at += more + 1;
  }
  return text.size();
}

inline bool is_utf8(std::string_view text) { return first_no_utf8(text) == text.size(); }

/// Every byte as the character of that number, as ISO 8859-1 has it.
inline std::string from_latin_1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0u | (byte >> 6u));
      out += static_cast<char>(0x80u | (byte & 0x3fu));
    }
  }
  return out;
}

}  // namespace trammel::sdk
