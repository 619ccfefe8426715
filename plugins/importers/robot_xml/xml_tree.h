// XmlNode: an XML document with the lines of its elements, which knows what of it has been read.
#pragma once

#include <Eigen/Dense>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/sdk/import/notes.h"

namespace tinyxml2 {
class XMLElement;
}

namespace trammel::robot_xml {

/// Whatever is asked for counts as read; `report_unread` tells the rest, so that nothing is lost unsaid.
class XmlNode {
 public:
  struct Attribute {
    std::string name, value;
    mutable bool read = false;
  };

  std::string tag;
  int line = 0;
  std::shared_ptr<const std::string> file;
  std::vector<Attribute> attributes;
  std::deque<XmlNode> children;

  sdk::ImportPlace place() const { return {*file, line, tag}; }
  [[noreturn]] void refuse(const std::string& message) const { sdk::refuse_file(place(), message); }

  /// The first child of this tag, or nullptr.
  const XmlNode* child(const char* name) const;
  std::vector<const XmlNode*> all(const char* name) const;
  /// The child; refuses if there is none.
  const XmlNode& need(const char* name) const;

  bool has(const char* name) const { return find(name) != nullptr; }
  /// The same without counting as read.
  bool holds(const char* name) const;
  /// The attribute, or nothing.
  std::optional<std::string> get(const char* name) const;
  std::string get(const char* name, const std::string& otherwise) const { return get(name).value_or(otherwise); }
  std::string need_text(const char* name) const;
  /// A number; refuses what is none.
  double number(const char* name, double otherwise) const;
  double need_number(const char* name) const;
  bool boolean(const char* name, bool otherwise) const;
  /// Numbers separated by blanks; refuses another count. Empty if the attribute is absent.
  std::vector<double> numbers(const char* name, std::size_t least, std::size_t most) const;
  Eigen::Vector3d vector(const char* name, const Eigen::Vector3d& otherwise) const;
  /// The text of the element without blanks around it.
  std::string words() const;
  /// The text as true or false (1, 0); refuses what is neither.
  bool truth() const;
  /// The text of the element as numbers; refuses another count.
  std::vector<double> text_numbers(std::size_t least, std::size_t most) const;
  double text_number() const { return text_numbers(1, 1)[0]; }

  /// Counts as read with all that is in it.
  void ignore() const;
  /// The same, and says what is lost with it.
  void lose(sdk::ImportNotes& notes, const std::string& what) const;
  /// Counts as read, with a remark: nothing of the model is lost with it.
  void lose_nothing(sdk::ImportNotes& notes, const std::string& what) const;
  /// Told of what nobody asked for, an attribute or (nullptr) the element itself; true: it has said so already.
  using Judge = std::function<bool(const XmlNode& node, const Attribute* attribute)>;
  /// Elements, attributes and texts that nobody asked for.
  void report_unread(sdk::ImportNotes& notes, const Judge& judge = {}) const { report_unread(notes, judge, false); }
  /// Marks this element as read.
  const XmlNode& visit() const { return read_ = true, *this; }

 private:
  void report_unread(sdk::ImportNotes& notes, const Judge& judge, bool again) const;
  const Attribute* find(const char* name) const;
  std::vector<double> parse(const std::string& value, const std::string& what, std::size_t least,
                            std::size_t most) const;
  friend void copy_xml(const tinyxml2::XMLElement& from, const std::shared_ptr<const std::string>& file, int depth,
                       XmlNode& to);
  std::string text_;
  mutable bool read_ = false, text_read_ = false;
};

/// Reads a file. Throws Error(input) with file and line: it cannot be read, is too large, is no XML, has no
/// element or some nested too deeply.
XmlNode read_xml(const std::string& file);

/// The name of the first element of a text that may be cut off, "" if there is none: to recognise formats.
std::string first_element(const char* text, std::int64_t size);

}  // namespace trammel::robot_xml
