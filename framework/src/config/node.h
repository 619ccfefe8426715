// A JSON document in which every value and every key knows its file, line and column.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/slim.h"

namespace trammel {

/// Where something was written. `source` is a file's name as the user gave it, or "--set PATH=VALUE" (line 0).
struct Place {
  std::shared_ptr<const std::string> source;
  int line = 0;    ///< from 1; 0: the source has no lines
  int column = 0;  ///< from 1, bytes

  /// "file.json:41", or the source alone.
  std::string text() const;
};

struct Member;

/// One JSON value. Plain data; members and items in the order of the file.
struct Node {
  enum class Kind { null, boolean, number, text, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;     ///< of a text; of a number, as written
  RareText expression;  ///< of a number that was computed: the text "=..." it came from
  SlimVector<Node> items;
  SlimVector<Member> members;
  Place place;

  bool is_number() const { return kind == Kind::number; }
  bool is_text() const { return kind == Kind::text; }
  bool is_array() const { return kind == Kind::array; }
  bool is_object() const { return kind == Kind::object; }
  /// A number without fractional part that a double holds exactly (up to 2^53); 3.0 counts.
  bool is_integer() const;

  /// Stands where an expression was that has been reported as wrong: nothing more is to be said about it.
  bool is_wrong_expression() const { return kind == Kind::null && !expression.empty(); }

  /// The value at `key`, or nullptr; also nullptr where this is no object.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  const Member* find_member(std::string_view key) const;

  static Node make_number(double value, const Place& place);
  static Node make_text(std::string_view value, const Place& place);
};

struct Member {
  std::string key;
  Place place;  ///< of the key
  Node value;
};

/// "3.9", "true", "null", "the text 'abc'", "an array", "an object": for messages.
std::string describe(const Node& node);

/// Shortest text that reads back as the same double.
std::string number_text(double value);

/// JSON text of a node, two spaces per level, starting at `indent` levels; no line break at the end. Numbers computed
/// from expressions appear as numbers.
std::string to_json(const Node& node, int indent = 0);

/// `text` as a JSON string with its quotes.
std::string json_quoted(std::string_view text);

}  // namespace trammel
