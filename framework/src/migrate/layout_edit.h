// Changes of a JSON text that leave everything else in it as it is: comments, order, spaces.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/node.h"

namespace trammel {

/// Places are those of the text's document; the changes are made at the end, together.
class LayoutEdit {
 public:
  explicit LayoutEdit(std::string text);

  /// Puts `token` in place of the number or literal at this place.
  void replace_token(const Place& value, const std::string& token);
  /// Adds a member behind another one, on a line of its own where that has one. `key`, `value`: where the other begins;
  /// it is a text.
  void insert_behind(const Place& key, const Place& value, const std::string& member);

  std::string text() const;

 private:
  struct Change {
    std::size_t at, length;
    std::string by;
  };
  std::size_t offset(const Place& place) const;
  std::size_t end_of_text(std::size_t quote) const;

  std::string text_;
  std::vector<std::size_t> lines_;  ///< where they begin
  std::vector<Change> changes_;
};

}  // namespace trammel
