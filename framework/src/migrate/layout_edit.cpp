// Finds tokens by line and column.
#include "migrate/layout_edit.h"

#include <algorithm>
#include <stdexcept>

namespace trammel {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

// Places count the bytes of a byte order mark, too.
LayoutEdit::LayoutEdit(std::string text) : text_(std::move(text)), lines_(1, 0) {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
}

std::size_t LayoutEdit::offset(const Place& place) const {
  const auto line = static_cast<std::size_t>(place.line), column = static_cast<std::size_t>(place.column);
  if (line < 1 || line > lines_.size() || column < 1) throw std::logic_error("a place that is not in the text");
  return lines_[line - 1] + column - 1;
}

std::size_t LayoutEdit::end_of_text(std::size_t quote) const {
  if (quote >= text_.size() || text_[quote] != '"') throw std::logic_error("no text begins at this place");
  for (std::size_t i = quote + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\')
      ++i;
    else if (text_[i] == '"')
      return i + 1;
  }
  throw std::logic_error("the text does not end");
}

void LayoutEdit::replace_token(const Place& value, const std::string& token) {
  const std::size_t begin = offset(value);
  const auto part_of_token = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' ||
           c == '-';
  };
  std::size_t end = begin;
  while (end < text_.size() && part_of_token(text_[end])) ++end;
  if (end == begin) throw std::logic_error("no token begins at this place");
  changes_.push_back({begin, end - begin, token});
}

void LayoutEdit::insert_behind(const Place& key, const Place& value, const std::string& member) {
  const std::size_t begin = offset(key), end = end_of_text(offset(value));
  std::size_t indent = begin;
  while (indent > 0 && is_space(text_[indent - 1])) --indent;
  std::size_t after = end;
  while (after < text_.size() && (is_space(text_[after]) || text_[after] == ',')) ++after;
  const bool first = indent == 0 || text_[indent - 1] == '\n';
  const bool last = after < text_.size() && (text_[after] == '\n' || text_.compare(after, 2, "//") == 0);
  const bool windows = !lines_.empty() && text_.find("\r\n") != std::string::npos;
  const std::string space =
      first && last ? (windows ? "\r\n" : "\n") + text_.substr(indent, begin - indent) : std::string(" ");
  changes_.push_back({end, 0, "," + space + member});
}

std::string LayoutEdit::text() const {
  std::vector<Change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  std::string text;
  std::size_t at = 0;
  for (const Change& change : changes) {
    text.append(text_, at, change.at - at).append(change.by);
    at = change.at + change.length;
  }
  return text.append(text_, at, std::string::npos);
}

}  // namespace trammel
