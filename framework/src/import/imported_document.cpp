// Laying out the run file of an importer.
#include "import/imported_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "config/json_source.h"

namespace trammel {
namespace {

constexpr std::size_t line_width = 118;

std::string indentation(std::size_t levels) { return std::string(2 * levels, ' '); }

/// All on one line.
std::string on_one_line(const Node& node) {
  std::string out;
  if (node.is_array()) {
    for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + on_one_line(item);
    return "[" + out + "]";
  }
  if (!node.is_object()) return to_json(node);
  for (const Member& member : node.members)
    out += (out.empty() ? " " : ", ") + json_quoted(member.key) + ": " + on_one_line(member.value);
  return out.empty() ? "{}" : "{" + out + " }";
}

std::string comment_lines(const std::string& comment, std::size_t indent) {
  std::string out, line;
  for (std::istringstream lines(comment); std::getline(lines, line);) out += indentation(indent) + "// " + line + "\n";
  return out;
}

std::string owned(const char* text) { return text == nullptr ? "" : text; }
OwnedImportSource owned(const ImportSource& source) {
  return {owned(source.path), owned(source.file), owned(source.tag), source.line};
}

std::vector<std::string> pointer_keys(const std::string& path) {
  std::vector<std::string> keys;
  std::size_t at = 0;
  while (at < path.size() && path[at] == '/') {
    const std::size_t end = std::min(path.find('/', at + 1), path.size());
    keys.push_back(path.substr(at + 1, end - at - 1));
    at = end;
  }
  return at == path.size() ? keys : std::vector<std::string>();
}

}  // namespace

std::string laid_out(const Node& node, std::size_t indent, std::size_t column) {
  const std::string line = on_one_line(node);
  if (column + line.size() <= line_width || (!node.is_object() && !node.is_array())) return line;
  const std::string inner = indentation(indent + 1);
  std::string out;
  if (node.is_object()) {
    // As many members a line as fit.
    std::string current = "{";
    std::size_t used = column + 1;
    for (std::size_t i = 0; i < node.members.size(); ++i) {
      const Member& member = node.members[i];
      const std::string key = json_quoted(member.key) + ": ";
      std::string value = on_one_line(member.value);
      const bool last = i + 1 == node.members.size();
      if (used + key.size() + value.size() + 3 > line_width && i > 0) {
        while (!current.empty() && current.back() == ' ') current.pop_back();
        out += current + "\n";
        current = inner, used = inner.size();
      } else if (i == 0) {
        current += " ", used += 1;
      }
      if (used + key.size() + value.size() + 3 > line_width)
        value = laid_out(member.value, indent + 1, used + key.size());
      current += key + value + (last ? " }" : ", ");
      const std::size_t line_break = current.rfind('\n');
      used = line_break == std::string::npos && out.empty() ? column + current.size()
             : line_break == std::string::npos              ? current.size()
                                                            : current.size() - line_break - 1;
    }
    return out + current;
  }
  out = "[";
  std::size_t used = column + 1;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string item = on_one_line(node.items[i]) + (i + 1 < node.items.size() ? "," : "]");
    if (i > 0 && used + item.size() + 1 > line_width) {
      out += "\n" + inner + item;
      used = inner.size() + item.size();
    } else {
      out += (i > 0 ? " " : "") + item;
      used += item.size() + (i > 0 ? 1 : 0);
    }
  }
  return node.items.empty() ? "[]" : out;
}

std::string OwnedImportNote::words() const {
  const char* const what = loss == ImportLoss::lost          ? "lost: "
                           : loss == ImportLoss::constraint  ? "lost constraint: "
                           : loss == ImportLoss::approximate ? "approximated: "
                                                             : "";
  return fmt::format("{}{}: {}{}{}", file, line > 0 ? fmt::format(":{}", line) : "",
                     tag.empty() ? "" : fmt::format("<{}>: ", tag), what, text);
}

void ImportedDocument::mistake(const std::string& text) {
  if (mistake_.empty()) mistake_ = text;
}

ImportedDocument::Entry* ImportedDocument::entry(const std::string& path, bool make) {
  Entry* at = &root_;
  for (const std::string& key : pointer_keys(path)) {
    const auto found =
        std::find_if(at->entries.begin(), at->entries.end(), [&](const Entry& e) { return e.key == key; });
    if (found != at->entries.end()) {
      at = &*found;
      continue;
    }
    if (!make || at->leaf) return nullptr;
    at->entries.push_back({key, "", {}, {}, false});
    at = &at->entries.back();
  }
  return at == &root_ ? nullptr : at;
}

const ImportedDocument::Entry* ImportedDocument::entry(const std::string& path) const {
  return const_cast<ImportedDocument*>(this)->entry(path, false);
}

void ImportedDocument::put(const char* path, const char* json, const char* comment) try {
  const std::string text = json == nullptr ? "" : json;
  if (path == nullptr || pointer_keys(path).empty()) return mistake("put() at no JSON pointer");
  Entry* at = entry(path, true);
  if (at == nullptr || at->leaf || !at->entries.empty())
    return mistake(fmt::format("put(\"{}\") for the second time", path));
  at->comment = comment == nullptr ? "" : comment;
  at->value = parse_json(text, path, true);
  at->leaf = !(at->value.is_object() && at->value.members.empty());
} catch (const std::exception& error) {
  mistake(fmt::format("put(\"{}\"): {}", path, error.what()));
}

std::string OwnedImportSource::words() const {
  return fmt::format("{}{}: {}", file, line > 0 ? fmt::format(":{}", line) : "",
                     tag.empty() ? "" : fmt::format("<{}>: ", tag));
}

void ImportedDocument::note(const ImportNote& note) {
  notes_.push_back({note.loss, note.line, owned(note.file), owned(note.tag), owned(note.text)});
}

void ImportedDocument::source(const ImportSource& source) { sources_.push_back(owned(source)); }

void ImportedDocument::range(const ImportRange& range) {
  ranges_.push_back({owned(range.channel), owned(range.joint), range.lower, range.upper, owned(range.source)});
}

void ImportedDocument::reads(const char* file) { files_.push_back(owned(file)); }

std::vector<OwnedImportSource> ImportedDocument::named_in(const std::string& message) const {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<OwnedImportSource> found;
  for (const OwnedImportSource& source : sources_) {
    const std::string name = source.path.substr(source.path.rfind('/') + 1);
    bool named = message.find("'" + name + "'") != std::string::npos;
    for (std::size_t at = 0; !named && (at = message.find(source.path, at)) != std::string::npos;) {
      at += source.path.size();
      named = at == message.size() || !in_name(message[at]);
    }
    if (named) found.push_back(source);
  }
  return found;
}

void ImportedDocument::check(const std::string& plugin) const {
  if (!mistake_.empty()) throw Error(ErrorKind::plugin, fmt::format("plugin '{}', read: {}", plugin, mistake_));
  if (entry("/system") == nullptr)
    throw Error(ErrorKind::plugin, fmt::format("plugin '{}', read: it said no system", plugin));
}

std::size_t ImportedDocument::count(ImportLoss loss) const {
  return static_cast<std::size_t>(
      std::count_if(notes_.begin(), notes_.end(), [&](const OwnedImportNote& n) { return n.loss == loss; }));
}

const Node* ImportedDocument::find(const std::string& path) const {
  // A pointer may lead into a leaf.
  std::string head = path, rest;
  for (;;) {
    const Entry* at = entry(head);
    if (at != nullptr && (at->leaf || rest.empty())) {
      const Node* node = &at->value;
      for (const std::string& key : pointer_keys(rest)) {
        node = node->find(key);
        if (node == nullptr) return nullptr;
      }
      return node;
    }
    const std::size_t slash = head.rfind('/');
    if (slash == std::string::npos || slash == 0) return nullptr;
    rest = head.substr(slash) + rest;
    head.resize(slash);
  }
}

std::size_t ImportedDocument::members(const std::string& path) const {
  const Entry* at = entry(path);
  return at == nullptr ? 0 : at->leaf ? at->value.members.size() : at->entries.size();
}

std::vector<std::string> ImportedDocument::keys(const std::string& path) const {
  std::vector<std::string> names;
  const Entry* at = entry(path);
  if (at == nullptr) return names;
  for (const Entry& part : at->entries) names.push_back(part.key);
  for (const Member& member : at->value.members) names.push_back(member.key);
  return names;
}

void ImportedDocument::replace(const std::string& path, const std::string& json) {
  const std::size_t slash = path.rfind('/');
  Entry* owner = entry(path.substr(0, slash), false);
  const std::string key = path.substr(slash + 1);
  if (owner == nullptr) return;
  Node value = parse_json(json, path, true);
  if (!owner->leaf) {
    Entry* at = entry(path, true);
    at->value = std::move(value), at->leaf = true, at->entries.clear();
    return;
  }
  if (Node* old = owner->value.find(key); old != nullptr) {
    *old = std::move(value);
  } else {
    owner->value.members.push_back({key, {}, std::move(value)});
  }
}

void ImportedDocument::write(const Entry& entry, std::size_t indent, std::string& out) {
  out += comment_lines(entry.comment, indent);
  const std::string key = indentation(indent) + json_quoted(entry.key) + ": ";
  out += key;
  if (entry.leaf) {
    out += laid_out(entry.value, indent, key.size());
    return;
  }
  if (entry.entries.empty()) {
    out += "{}";
    return;
  }
  out += "{\n";
  for (std::size_t i = 0; i < entry.entries.size(); ++i) {
    write(entry.entries[i], indent + 1, out);
    out += i + 1 < entry.entries.size() ? ",\n" : "\n";
  }
  out += indentation(indent) + "}";
}

std::string ImportedDocument::text(const std::string& heading, const std::vector<std::string>& leave_out) const {
  std::string out = comment_lines(heading, 0) + "{\n  \"trammel\": 2";
  for (const Entry& section : root_.entries) {
    if (std::find(leave_out.begin(), leave_out.end(), section.key) != leave_out.end()) continue;
    out += ",\n";
    write(section, 1, out);
  }
  return out + "\n}\n";
}

}  // namespace trammel
