// Collecting and placing messages about input files.
#include "config/problems.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace trammel {

std::string message_at(const Place& place, const std::string& path, const std::string& message) {
  return place.text() + ": " + (path.empty() ? "" : path + ": ") + message;
}

void Problems::add(const Place& place, const std::string& path, const std::string& message, ErrorKind kind) {
  entries_.push_back({place.line, kind, message_at(place, path, message)});
}

void Problems::add_once(const Place& place, const std::string& path, const std::string& message, ErrorKind kind) {
  const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.kind == kind && entry.text.ends_with(message);
  });
  if (!known) add(place, path, message, kind);
}

namespace {

/// "link[]: ..." of "link[5]: ...": one mistake in a part with a count is one message.
std::string without_indices(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '[') continue;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > i + 1 && end < text.size() && text[end] == ']') i = end - 1;
  }
  return out;
}

}  // namespace

void Problems::add(const Error& error) { entries_.push_back({0, error.kind(), error.what()}); }

std::vector<std::string> Problems::lines() const {
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) { return a.line < b.line; });
  std::vector<std::string> texts;
  std::map<std::string, std::size_t> first;  // by the text without its indices
  std::map<std::size_t, int> more;
  for (const Entry& entry : sorted) {
    const std::string key = without_indices(entry.text);
    const auto [at, is_new] = first.emplace(key, texts.size());
    if (is_new || key == entry.text)
      texts.push_back(entry.text);
    else
      ++more[at->second];
  }
  for (const auto& [at, count] : more) {
    texts[at] += " (and the same in " + std::to_string(count) + (count == 1 ? " other part)" : " other parts)");
  }
  return texts;
}

ErrorKind Problems::kind() const {
  const bool only_types =
      std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.kind == ErrorKind::plugin; });
  return only_types ? ErrorKind::plugin : ErrorKind::input;
}

void Problems::raise() const {
  if (entries_.empty()) return;
  constexpr std::size_t shown = 20;
  const std::vector<std::string> texts = lines();
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < shown; ++i) all += (i > 0 ? "\n" : "") + texts[i];
  if (texts.size() > shown) all += "\n... and " + std::to_string(texts.size() - shown) + " more errors";
  throw Error(kind(), all);
}

Error locate(const Error& error, const Node& node, const std::string& path) {
  const Node* at = &node;
  Place place = node.place;
  std::string where = path;
  std::string key = error.key();
  while (!key.empty()) {
    const std::size_t slash = key.find('/');
    const std::string step = key.substr(0, slash);
    key = slash == std::string::npos ? "" : key.substr(slash + 1);
    where += "/" + step;
    if (at == nullptr) continue;
    const Node* next = nullptr;
    if (at->is_array()) {
      std::size_t i = 0;
      const std::from_chars_result read = std::from_chars(step.data(), step.data() + step.size(), i);
      if (read.ec == std::errc() && i < at->items.size()) next = &at->items[i];
    } else {
      next = at->find(step);
    }
    at = next;
    if (next != nullptr) place = next->place;
  }
  return Error(error.kind(), message_at(place, where, error.what()));
}

}  // namespace trammel
