// Strict reading of JSON with comments: positions kept, duplicate keys and non-finite numbers refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "config/node.h"
#include "trammel/error.h"

namespace trammel {

inline constexpr int json_depth_limit = 100;
inline constexpr std::size_t json_size_limit = std::size_t{1024}
                                               << 20;  ///< bytes: a million bodies take 150 to 250 MiB

/// The text is no JSON at all, as opposed to JSON with wrong content.
class JsonSyntaxError : public Error {
 public:
  explicit JsonSyntaxError(const std::string& message) : Error(ErrorKind::input, message) {}
};

/// The content of a file of at most json_size_limit bytes. Throws Error (input) naming the reason: absent, a folder,
/// unreadable, too large.
std::string read_text_file(const std::filesystem::path& file);

/// Reads a document. `//` and `/* */` comments and a byte order mark are allowed. Throws JsonSyntaxError with
/// "source:LINE: ..." for malformed text, Error for duplicate keys (naming both lines), numbers outside the range of a
/// double, and nesting beyond json_depth_limit.
/// `single_line`: the places have no line numbers (--set, defaults).
Node parse_json(std::string_view text, const std::string& source, bool single_line = false);

/// read_text_file and parse_json; places show `file` as given.
Node read_json_file(const std::filesystem::path& file);

}  // namespace trammel
