// JsonScanner: the events of a plain JSON text. nlohmann-json takes 80 instructions for a byte of a manifest, and whoever
// starts Trammel waits for it; this takes a tenth, and leaves to nlohmann-json what it does not know for sure.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace trammel {

enum class Scan {
  whole,   ///< the text is right, and the handler saw all of it
  ended,   ///< the handler did not want more
  unknown  ///< a mistake, or what only the whole grammar can judge: characters beyond ASCII, \u, more than 16 levels
};

/// `Handler` has the functions of nlohmann::json_sax; numbers come as number_float, without their text.
template <class Handler>
class JsonScanner {
 public:
  JsonScanner(const std::string& text, Handler& handler) : at_(text.c_str()), end_(at_ + text.size()), to_(handler) {}

  Scan scan() {
    Scan result = value(0);
    if (result == Scan::whole && (skip(), at_ != end_)) result = Scan::unknown;
    return result;
  }

 private:
  // The text ends with a NUL, which is no part of any JSON: nothing below reads beyond it.
  void skip() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }
  static Scan goes_on(bool wanted) { return wanted ? Scan::whole : Scan::ended; }

  Scan value(int depth) {
    skip();
    switch (*at_) {
      case '{': return members(depth);
      case '[': return elements(depth);
      case '"': return word() ? goes_on(to_.string(word_)) : Scan::unknown;
      case 't': return literal("true") ? goes_on(to_.boolean(true)) : Scan::unknown;
      case 'f': return literal("false") ? goes_on(to_.boolean(false)) : Scan::unknown;
      case 'n': return literal("null") ? goes_on(to_.null()) : Scan::unknown;
      default: return number();
    }
  }

  Scan members(int depth) {
    if (depth == deepest || !to_.start_object(std::size_t(-1))) return depth == deepest ? Scan::unknown : Scan::ended;
    ++at_, skip();
    while (*at_ != '}') {
      if (*at_ != '"' || !word()) return Scan::unknown;
      if (!to_.key(word_)) return Scan::ended;
      if (skip(), *at_++ != ':') return Scan::unknown;
      if (const Scan inside = value(depth + 1); inside != Scan::whole) return inside;
      if (skip(), *at_ == '}') break;
      if (*at_++ != ',' || (skip(), *at_ != '"')) return Scan::unknown;
    }
    ++at_;
    return goes_on(to_.end_object());
  }

  Scan elements(int depth) {
    if (depth == deepest || !to_.start_array(std::size_t(-1))) return depth == deepest ? Scan::unknown : Scan::ended;
    ++at_, skip();
    while (*at_ != ']') {
      if (const Scan inside = value(depth + 1); inside != Scan::whole) return inside;
      if (skip(), *at_ == ']') break;
      if (*at_++ != ',' || (skip(), *at_ == ']')) return Scan::unknown;
    }
    ++at_;
    return goes_on(to_.end_array());
  }

  bool word() {
    word_.clear();
    while (true) {
      const char* const from = ++at_;                            // behind the quotation mark or the escaped character
      while (*at_ >= ' ' && *at_ != '"' && *at_ != '\\') ++at_;  // where char has no sign, others are told apart below
      word_.append(from, at_);
      if (*at_ == '"') return ++at_, is_ascii();
      if (*at_ != '\\') return false;
      constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      const std::size_t which = names.find(*++at_);
      if (which == std::string_view::npos) return false;
      word_ += meanings[which];
    }
  }
  bool is_ascii() const {
    if constexpr (static_cast<char>(-1) < 0) return true;
    for (const char c : word_) {
      if (static_cast<unsigned char>(c) > 127) return false;
    }
    return true;
  }

  bool literal(std::string_view name) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, name.size()) != name) return false;
    at_ += name.size();
    return true;
  }

  Scan number() {
    const char *const from = at_, *digit = from + (*from == '-' ? 1 : 0);
    if (*digit < '0' || *digit > '9' || (*digit == '0' && digit[1] >= '0' && digit[1] <= '9')) return Scan::unknown;
    double value = 0;
    const auto [stop, error] = std::from_chars(from, end_, value);
    if (error != std::errc() || stop[-1] < '0' || stop[-1] > '9') return Scan::unknown;  // "1." is no JSON
    for (const char* c = digit; c != stop; ++c) {
      if (*c == '.' && (c[1] < '0' || c[1] > '9')) return Scan::unknown;  // nor is "1.e5"
    }
    if (stop == digit + 1 && *digit == '0') value = 0;  // "-0" is the integer 0 to nlohmann-json
    at_ = stop;
    return goes_on(to_.number_float(value, word_));
  }

  static constexpr int deepest = 16;
  const char *at_, *end_;
  Handler& to_;
  std::string word_;
};

}  // namespace trammel
