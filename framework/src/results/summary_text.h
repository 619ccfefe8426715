// SummaryText: the text of summary.json, put together part by part.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace trammel {

/// An object, two blanks per level. A document of the whole would take many times the room of its text.
class SummaryText {
 public:
  /// Appends the members of an object and empties it. No key comes twice.
  void take(nlohmann::ordered_json& part);
  /// Appends a member that is JSON text already, as to_json (config/node.h) writes it.
  void add(std::string_view key, std::string_view json);
  /// The whole; nothing is left here.
  std::string finish();

 private:
  std::string text_ = "{";
};

}  // namespace trammel
