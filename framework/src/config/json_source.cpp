// nlohmann-json's event interface over an iterator that tells how far the lexer has read.
#include "config/json_source.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

namespace trammel {
namespace {

using Json = nlohmann::json;

/// Forward iterator over the text that publishes the furthest position read.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  CountingIterator(const char* at, const char** front) : at_(at), front_(front) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *front_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_ = nullptr;
  const char** front_ = nullptr;
};

bool is_number_character(char c) { return std::strchr("+-.0123456789eE", c) != nullptr && c != '\0'; }

/// Builds the Node tree from nlohmann's events.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& source, bool single_line)
      : text_(text), source_(std::make_shared<const std::string>(source)), single_line_(single_line) {
    front = text.data();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_ends_.push_back(i);
    }
  }

  const char* front;  ///< one past the furthest character read

  Node take() { return std::move(root_); }

  bool null() { return scalar(4).kind == Node::Kind::null; }
  bool boolean(bool value) {
    Node& node = scalar(value ? 4 : 5);
    node.kind = Node::Kind::boolean;
    node.boolean = value;
    return true;
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    Node& node = place_value(string_start());
    node.kind = Node::Kind::text;
    node.text = value;
    return true;
  }
  bool binary(Json::binary_t&) { return false; }  // never comes from text
  bool start_object(std::size_t) { return open(Node::Kind::object); }
  bool start_array(std::size_t) { return open(Node::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    const Place place = place_at(string_start());
    Node& object = *open_.back().node;
    if (!open_.back().keys.insert(name).second) {
      const Member* const first = object.find_member(name);
      throw Error(
          ErrorKind::input,
          message(place, "duplicate key '" + name + "'" +
                             (single_line_ ? std::string()
                                           : "; it stands in line " + std::to_string(first->place.line) + " already")));
    }
    object.members.push_back({name, place, Node()});
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    const std::size_t end = offset_of_front();
    const Place place = place_at(end > 0 ? end - 1 : 0);
    throw JsonSyntaxError(message(place, clear_text(error)));
  }

 private:
  static std::string message(const Place& place, const std::string& text) { return place.text() + ": " + text; }

  std::size_t offset_of_front() const { return static_cast<std::size_t>(front - text_.data()); }

  Place place_at(std::size_t offset) const {
    if (single_line_) return {source_, 0, static_cast<int>(offset) + 1};
    const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    const std::size_t start = line == line_ends_.begin() ? 0 : *(line - 1) + 1;
    return {source_, static_cast<int>(line - line_ends_.begin()) + 1, static_cast<int>(offset - start) + 1};
  }

  /// Offset of the opening quote of the text that was just read; its closing quote is the last character read.
  std::size_t string_start() const {
    std::size_t at = offset_of_front() - 1;
    const auto escaped = [&](std::size_t quote) {
      std::size_t backslashes = 0;
      while (backslashes < quote && text_[quote - 1 - backslashes] == '\\') ++backslashes;
      return backslashes % 2 == 1;
    };
    do --at;
    while (at > 0 && (text_[at] != '"' || escaped(at)));
    return at;
  }

  Node& place_value(std::size_t offset) {
    Node* node = &root_;
    if (!open_.empty()) {
      Node& parent = *open_.back().node;
      node = parent.is_array() ? &parent.items.emplace_back() : &parent.members.back().value;
    }
    node->place = place_at(offset);
    return *node;
  }

  /// A word (true, false, null) of this length that was just read.
  Node& scalar(std::size_t length) { return place_value(offset_of_front() - length); }

  bool number(double value) {
    // The lexer has read one character beyond the number, unless the text ended.
    std::size_t end = offset_of_front();
    if (end > 0 && !is_number_character(text_[end - 1])) --end;
    std::size_t start = end;
    while (start > 0 && is_number_character(text_[start - 1])) --start;
    Node& node = place_value(start);
    node.kind = Node::Kind::number;
    node.number = value;
    node.text = std::string(text_.substr(start, end - start));
    if (!std::isfinite(value))
      throw Error(ErrorKind::input, message(node.place, "the number " + node.text + " is too large"));
    return true;
  }

  bool open(Node::Kind kind) {
    Node& node = place_value(offset_of_front() - 1);
    node.kind = kind;
    if (static_cast<int>(open_.size()) >= json_depth_limit) {
      throw Error(ErrorKind::input,
                  message(node.place, "nested deeper than " + std::to_string(json_depth_limit) + " levels"));
    }
    open_.push_back({&node, {}});
    return true;
  }

  bool close() {
    Node& closed = *open_.back().node;
    closed.items.fit(), closed.members.fit();
    open_.pop_back();
    return true;
  }

  /// nlohmann's message without its preamble, or a better one for the usual slips.
  std::string clear_text(const nlohmann::detail::exception& error) const {
    std::string text = error.what();
    const auto says = [&](const char* piece) { return text.find(piece) != std::string::npos; };
    if (says("out_of_range")) return "a number is too large for a double";
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) return "the file is empty";
    if (says("unexpected end of input")) {
      if (open_.empty()) return "the file ends before its JSON value";
      return std::string("the file ends too early: a '") + (open_.back().node->is_array() ? "]" : "}") +
             "' is missing for the one opened in line " + std::to_string(open_.back().node->place.line);
    }
    const std::size_t at = offset_of_front() > 0 ? offset_of_front() - 1 : 0;
    if (says("control character U+000A") || says("missing closing quote")) return "a text is not closed in its line";
    if (says("unexpected ','")) return "a value is missing before ','";
    if (text_[at] == '#') return "'#' starts no comment in JSON; use //";
    if (says("unexpected '}'") || says("unexpected ']'")) {
      const std::size_t before = text_.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
      if (text_[before] == ',')
        return std::string("a comma before '") + text_[at] + "'; the last entry has none behind it";
    } else if (says("expected ']'") || says("expected '}'") || says("expected ','")) {
      const std::string word = word_at(at);
      if (word.size() > 1 && word[0] == '0' && word[1] != '.') return word + " is no JSON number; it starts with 0";
      return "a comma is missing before " + word;
    }
    if (says("invalid literal")) {
      const std::string word = word_at(at);
      if (word == "NaN" || word == "nan" || word == "Infinity" || word == "inf") {
        return word + " is no JSON number; numbers must be finite";
      }
      if (word[0] == '\'') return "texts stand in double quotes, not in single ones";
      if (std::strchr("+.", word[0]) != nullptr) return word + " is no JSON number; write a digit first";
      return "'" + word + "' is no JSON value; texts stand in double quotes";
    }
    const std::size_t dash = text.find(" - ");
    if (dash != std::string::npos) text = text.substr(dash + 3);
    return "no valid JSON: " + text.substr(0, text.find("; last read"));
  }

  /// The word around this offset, or the character there; the lexer stops somewhere inside what it cannot read.
  std::string word_at(std::size_t at) const {
    const auto in_word = [&](std::size_t i) {
      return i < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[i])) || std::strchr("_.+-", text_[i]));
    };
    if (text_[at] == '"')
      at = string_start();
    else if (!in_word(at) && at > 0 && in_word(at - 1))
      --at;
    std::size_t start = at;
    while (start > 0 && in_word(start) && in_word(start - 1)) --start;
    std::size_t end = start + 1;
    if (text_[start] == '"')
      end = offset_of_front();
    else if (in_word(start))
      while (in_word(end)) ++end;
    return std::string(text_.substr(start, std::min<std::size_t>(end - start, 40)));
  }

  std::string_view text_;
  std::shared_ptr<const std::string> source_;
  bool single_line_;
  std::vector<std::size_t> line_ends_;
  Node root_;
  /// A container that is not closed yet.
  struct Open {
    Node* node;
    std::unordered_set<std::string> keys;  ///< so far
  };
  std::vector<Open> open_;  ///< only the innermost one grows, so the pointers stay valid
};

}  // namespace

std::string read_text_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(file, code);
  if (status.type() == std::filesystem::file_type::not_found) throw Error(ErrorKind::input, name + ": no such file");
  if (std::filesystem::is_directory(status)) throw Error(ErrorKind::input, name + ": this is a folder, not a file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::input, name + ": cannot be read: " + std::strerror(errno));
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > json_size_limit) {
      throw Error(ErrorKind::input, name + ": larger than " + std::to_string(json_size_limit >> 20) + " MiB");
    }
  }
  if (stream.bad()) throw Error(ErrorKind::input, name + ": reading failed: " + std::strerror(errno));
  return text;
}

Node parse_json(std::string_view text, const std::string& source, bool single_line) {
  TreeBuilder builder(text, source, single_line);
  const CountingIterator first(text.data(), &builder.front);
  const CountingIterator last(text.data() + text.size(), &builder.front);
  const bool ignore_comments = true;
  const bool strict = true;
  Json::sax_parse(first, last, &builder, Json::input_format_t::json, strict, ignore_comments);
  return builder.take();
}

Node read_json_file(const std::filesystem::path& file) { return parse_json(read_text_file(file), file.string()); }

}  // namespace trammel
