// JSON text of the values that importers write: numbers that read back to the same bits, lists, objects in order.
#pragma once

#include <charconv>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trammel::sdk {

inline std::string json_number(double value) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value);
  return std::string(buffer, end.ptr);
}

inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Of anything with operator[] and a number of entries.
template <class Values>
std::string json_numbers(const Values& values, long count) {
  std::string out = "[";
  for (long k = 0; k < count; ++k) out += (k > 0 ? ", " : "") + json_number(values[k]);
  return out + "]";
}
template <class Vector>
std::string json_vector(const Vector& v) {
  return json_numbers(v, static_cast<long>(v.size()));
}

/// The members of an object in the order in which they are added; values are JSON text.
class JsonObject {
 public:
  JsonObject& add(const std::string& key, const std::string& json) {
    out_ += (out_.empty() ? "" : ", ") + json_text(key) + ": " + json;
    return *this;
  }
  JsonObject& text(const std::string& key, std::string_view value) { return add(key, json_text(value)); }
  JsonObject& number(const std::string& key, double value) { return add(key, json_number(value)); }
  template <class Vector>
  JsonObject& vector(const std::string& key, const Vector& v) {
    return add(key, json_vector(v));
  }
  JsonObject& texts(const std::string& key, const std::vector<std::string>& values) {
    return add(key, json_texts(values));
  }
  bool empty() const { return out_.empty(); }
  std::string str() const { return "{" + out_ + "}"; }

  static std::string json_texts(const std::vector<std::string>& values) {
    std::string out = "[";
    for (const std::string& value : values) out += (out.size() > 1 ? ", " : "") + json_text(value);
    return out + "]";
  }

 private:
  std::string out_;
};

}  // namespace trammel::sdk
