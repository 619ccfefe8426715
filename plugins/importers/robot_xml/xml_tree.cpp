// XML by tinyxml2, which keeps line numbers and expands no entities of the file's own.
#include "xml_tree.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "trammel/sdk/import/numbers.h"
#include "trammel/sdk/import/utf8.h"

namespace trammel::robot_xml {
namespace {

constexpr std::int64_t largest_file = std::int64_t{256} << 20;  // bytes
constexpr int deepest = 96;  // elements within each other; tinyxml2 stops at 100, or at 500 since version 10

std::string words(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_EMPTY_DOCUMENT: return "holds no element";
    case XML_ERROR_MISMATCHED_ELEMENT: return "is no XML: a tag is closed that was not opened, or the other way round";
    case XML_ERROR_PARSING_ELEMENT: return "is no XML: an element is broken off or has a malformed name";
    case XML_ERROR_PARSING_ATTRIBUTE: return "is no XML: a malformed attribute";
    case XML_ERROR_PARSING_TEXT: return "is no XML: text that does not end";
    case XML_ERROR_PARSING_COMMENT: return "is no XML: a comment that does not end";
    case XML_ERROR_PARSING_CDATA: return "is no XML: a CDATA section that does not end";
    case XML_ERROR_PARSING_DECLARATION: return "is no XML: a declaration that does not end, or stands behind elements";
    case XML_ERROR_PARSING_UNKNOWN: return "is no XML: a DOCTYPE or the like that does not end";
    case XML_ELEMENT_DEPTH_EXCEEDED: return "has elements nested too deeply";
    default: return std::string("is no XML: ") + XMLDocument::ErrorIDToName(error);
  }
}

constexpr const char* blanks = " \t\r\n";

}  // namespace

void copy_xml(const tinyxml2::XMLElement& from, const std::shared_ptr<const std::string>& file, int depth,
              XmlNode& to) {
  to.tag = from.Name(), to.line = from.GetLineNum(), to.file = file;
  if (depth > deepest) to.refuse("elements are nested too deeply: more than " + std::to_string(deepest) + " levels");
  for (const tinyxml2::XMLAttribute* a = from.FirstAttribute(); a != nullptr; a = a->Next())
    to.attributes.push_back({a->Name(), a->Value(), false});
  for (const tinyxml2::XMLNode* part = from.FirstChild(); part != nullptr; part = part->NextSibling()) {
    if (const tinyxml2::XMLElement* element = part->ToElement(); element != nullptr)
      copy_xml(*element, file, depth + 1, to.children.emplace_back());
    else if (part->ToText() != nullptr)
      to.text_ += (to.text_.empty() ? "" : " ") + std::string(part->Value());
  }
}

XmlNode read_xml(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  if (!stream || !(content << stream.rdbuf()) || stream.bad()) {
    if (!stream || stream.bad() || stream.peek() != std::ifstream::traits_type::eof())
      sdk::refuse_file({file, 0, ""}, "cannot be read: no such file, no permission, or nothing in it");
  }
  const std::string text = content.str();
  if (static_cast<std::int64_t>(text.size()) > largest_file) sdk::refuse_file({file, 0, ""}, "is larger than 256 MiB");
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    sdk::refuse_file({file, 0, ""}, "is no XML: it holds a zero byte");
  if (const std::size_t odd = sdk::first_no_utf8(text); odd != text.size()) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(odd), '\n');
    sdk::refuse_file({file, static_cast<int>(line), ""}, "is no UTF-8 text, as which XML is read here");
  }
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  if (document.Error()) sdk::refuse_file({file, document.ErrorLineNum(), ""}, words(document.ErrorID()));
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) sdk::refuse_file({file, 0, ""}, "holds no element");
  if (const tinyxml2::XMLElement* second = root->NextSiblingElement(); second != nullptr)
    sdk::refuse_file({file, second->GetLineNum(), second->Name()}, "is no XML: a second element beside the first");
  XmlNode node;
  copy_xml(*root, std::make_shared<const std::string>(file), 1, node);
  node.visit();
  return node;
}

std::string first_element(const char* text, std::int64_t size) {
  const std::string content(text, static_cast<std::size_t>(size));
  std::size_t at = 0;
  while ((at = content.find('<', at)) != std::string::npos) {
    if (content.compare(at, 4, "<!--") == 0) {
      at = content.find("-->", at);
      if (at == std::string::npos) return "";
    } else if (at + 1 < content.size() && content[at + 1] != '?' && content[at + 1] != '!') {
      const std::size_t end = content.find_first_of(" \t\r\n/>", at);
      return end == std::string::npos ? "" : content.substr(at + 1, end - at - 1);
    }
    ++at;
  }
  return "";
}

const XmlNode::Attribute* XmlNode::find(const char* name) const {
  for (const Attribute& a : attributes) {
    if (a.name == name) return a.read = true, &a;
  }
  return nullptr;
}

bool XmlNode::holds(const char* name) const {
  return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
}

const XmlNode* XmlNode::child(const char* name) const {
  for (const XmlNode& node : children) {
    if (node.tag == name) return node.read_ = true, &node;
  }
  return nullptr;
}

std::vector<const XmlNode*> XmlNode::all(const char* name) const {
  std::vector<const XmlNode*> found;
  for (const XmlNode& node : children) {
    if (node.tag == name) node.read_ = true, found.push_back(&node);
  }
  return found;
}

const XmlNode& XmlNode::need(const char* name) const {
  const XmlNode* node = child(name);
  if (node == nullptr) refuse(std::string("has no <") + name + ">");
  return *node;
}

std::optional<std::string> XmlNode::get(const char* name) const {
  const Attribute* a = find(name);
  return a == nullptr ? std::nullopt : std::optional<std::string>(a->value);
}

std::string XmlNode::need_text(const char* name) const {
  const Attribute* a = find(name);
  if (a == nullptr || a->value.empty()) refuse(std::string("has no attribute '") + name + "'");
  return a->value;
}

std::vector<double> XmlNode::parse(const std::string& value, const std::string& what, std::size_t least,
                                   std::size_t most) const {
  std::vector<double> found;
  const char *at = value.data(), *end = at + value.size();
  while (true) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
    if (at == end) break;
    if (*at == '+') ++at;
    double number = 0;
    const std::from_chars_result read = sdk::read_double(at, end, number);
    const bool ends =
        read.ptr == end || *read.ptr == ' ' || *read.ptr == '\t' || *read.ptr == '\n' || *read.ptr == '\r';
    if (read.ec != std::errc() || !ends || !std::isfinite(number)) {
      const bool macro = value.find("${") != std::string::npos || value.find("$(") != std::string::npos;
      refuse(what + " must consist of finite numbers, not '" + value.substr(0, 60) + "'" +
             (macro ? ", which is for xacro to replace; run xacro first" : ""));
    }
    found.push_back(number);
    at = read.ptr;
  }
  if (found.size() < least || found.size() > most) {
    refuse(what + " must have " + std::to_string(least) +
           (most == least ? "" : " to " + (most > 1000 ? std::string("any number of") : std::to_string(most))) +
           (least == 1 && most == 1 ? " number" : " numbers") + ", has " + std::to_string(found.size()) + ": '" +
           value.substr(0, 60) + "'");
  }
  return found;
}

double XmlNode::number(const char* name, double otherwise) const {
  const Attribute* a = find(name);
  return a == nullptr ? otherwise : parse(a->value, std::string("attribute '") + name + "'", 1, 1)[0];
}

double XmlNode::need_number(const char* name) const {
  need_text(name);
  return number(name, 0);
}

bool XmlNode::boolean(const char* name, bool otherwise) const {
  const Attribute* a = find(name);
  if (a == nullptr) return otherwise;
  if (a->value == "true" || a->value == "1" || a->value == "True") return true;
  if (a->value == "false" || a->value == "0" || a->value == "False") return false;
  refuse(std::string("attribute '") + name + "' must be true or false, not '" + a->value + "'");
}

std::vector<double> XmlNode::numbers(const char* name, std::size_t least, std::size_t most) const {
  const Attribute* a = find(name);
  return a == nullptr ? std::vector<double>() : parse(a->value, std::string("attribute '") + name + "'", least, most);
}

Eigen::Vector3d XmlNode::vector(const char* name, const Eigen::Vector3d& otherwise) const {
  const std::vector<double> v = numbers(name, 3, 3);
  return v.empty() ? otherwise : Eigen::Vector3d(v[0], v[1], v[2]);
}

std::vector<double> XmlNode::text_numbers(std::size_t least, std::size_t most) const {
  read_ = text_read_ = true;
  return parse(text_, "its text", least, most);
}

std::string XmlNode::words() const {
  read_ = text_read_ = true;
  const std::size_t first = text_.find_first_not_of(blanks), last = text_.find_last_not_of(blanks);
  return first == std::string::npos ? "" : text_.substr(first, last - first + 1);
}

bool XmlNode::truth() const {
  const std::string value = words();
  if (value == "true" || value == "1" || value == "True") return true;
  if (value == "false" || value == "0" || value == "False") return false;
  refuse("must be true or false, not '" + value.substr(0, 60) + "'");
}

void XmlNode::ignore() const {
  read_ = text_read_ = true;
  for (const Attribute& a : attributes) a.read = true;
  for (const XmlNode& node : children) node.ignore();
}

void XmlNode::lose(sdk::ImportNotes& notes, const std::string& what) const {
  ignore();
  notes.lost(place(), what);
}

void XmlNode::lose_nothing(sdk::ImportNotes& notes, const std::string& what) const {
  ignore();
  notes.remark(place(), what);
}

void XmlNode::report_unread(sdk::ImportNotes& notes, const Judge& judge, bool again) const {
  if (!read_) {
    if (judge && judge(*this, nullptr)) return;
    std::string name;
    for (const Attribute& a : attributes) {
      if (a.name == "name") name = " '" + a.value + "'";
    }
    return notes.lost(place(), (again ? "stands here for the second time, the first one counts" : "unknown here") +
                                   name + (children.empty() ? "" : ", with all that is in it"));
  }
  for (const Attribute& a : attributes) {
    const bool names_a_space = a.name == "xmlns" || a.name.rfind("xmlns:", 0) == 0;  // says nothing of a model
    if (!a.read && !names_a_space && !(judge && judge(*this, &a)))
      notes.lost(place(), "attribute '" + a.name + "' (" + a.value.substr(0, 60) + ") is unknown here");
  }
  if (!text_read_ && text_.find_first_not_of(blanks) != std::string::npos)
    notes.lost(place(), "its text '" + words().substr(0, 60) + "' has no meaning here");
  for (const XmlNode& node : children) {
    const bool read_before = std::any_of(children.begin(), children.end(), [&](const XmlNode& other) {
      return other.read_ && other.tag == node.tag && other.line <= node.line;
    });
    node.report_unread(notes, judge, read_before);
  }
}

}  // namespace trammel::robot_xml
