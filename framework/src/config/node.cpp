// Queries, descriptions and writing of JSON documents.
#include "config/node.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace trammel {

std::string Place::text() const {
  const std::string name = source ? *source : std::string("(built in)");
  return line > 0 ? name + ":" + std::to_string(line) : name;
}

bool Node::is_integer() const {
  return is_number() && number == std::floor(number) && std::abs(number) <= 9007199254740992.0;
}

const Member* Node::find_member(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

const Node* Node::find(std::string_view key) const {
  const Member* member = find_member(key);
  return member == nullptr ? nullptr : &member->value;
}

Node* Node::find(std::string_view key) {
  for (Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Node Node::make_number(double value, const Place& place) {
  Node node;
  node.kind = Kind::number;
  node.number = value;
  node.text = number_text(value);
  node.place = place;
  return node;
}

Node Node::make_text(std::string_view value, const Place& place) {
  Node node;
  node.kind = Kind::text;
  node.text = std::string(value);
  node.place = place;
  return node;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "null";
    case Node::Kind::boolean: return node.boolean ? "true" : "false";
    case Node::Kind::number:
      return node.expression.empty() ? node.text : node.text + " (from '" + node.expression.str() + "')";
    case Node::Kind::text:
      return "the text '" + (node.text.size() > 40 ? node.text.substr(0, 37) + "..." : node.text) + "'";
    case Node::Kind::array: return node.items.empty() ? "an empty array" : "an array";
    case Node::Kind::object: break;
  }
  return "an object";
}

std::string number_text(double value) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char escape[8];
          std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
          out += escape;
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

namespace {

bool is_flat(const Node& array) {
  for (const Node& item : array.items) {
    if (item.is_array() || item.is_object()) return false;
  }
  return true;
}

void write(const Node& node, int indent, std::string& out) {
  const std::string inner(2 * static_cast<std::size_t>(indent + 1), ' ');
  const std::string outer(2 * static_cast<std::size_t>(indent), ' ');
  switch (node.kind) {
    case Node::Kind::null: out += "null"; return;
    case Node::Kind::boolean: out += node.boolean ? "true" : "false"; return;
    case Node::Kind::number: out += node.text; return;
    case Node::Kind::text: out += json_quoted(node.text); return;
    case Node::Kind::array: {
      const bool flat = is_flat(node);
      out += "[";
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0) out += flat ? ", " : ",";
        if (!flat) out += "\n" + inner;
        write(node.items[i], indent + 1, out);
      }
      out += flat ? "]" : "\n" + outer + "]";
      return;
    }
    case Node::Kind::object: {
      out += "{";
      for (std::size_t i = 0; i < node.members.size(); ++i) {
        out += (i > 0 ? ",\n" : "\n") + inner + json_quoted(node.members[i].key) + ": ";
        write(node.members[i].value, indent + 1, out);
      }
      out += node.members.empty() ? "}" : "\n" + outer + "}";
      return;
    }
  }
}

}  // namespace

std::string to_json(const Node& node, int indent) {
  std::string out;
  write(node, indent, out);
  return out;
}

}  // namespace trammel
