// An MJCF document as one tree: includes put in place, classes of defaults, units of angles, ways to say an orientation.
#pragma once

#include <map>
#include <set>
#include <string>

#include "trammel/sdk/import/model.h"
#include "xml_tree.h"

namespace trammel::robot_xml {

/// An element with the defaults of its class: attributes of its own first.
class Defaulted {
 public:
  Defaulted(const XmlNode& node, std::vector<const XmlNode*> defaults) : node_(node), defaults_(std::move(defaults)) {}

  const XmlNode& node() const { return node_; }
  /// Where the attribute stands, or nullptr.
  const XmlNode* with(const char* name) const;
  bool has(const char* name) const { return with(name) != nullptr; }
  std::string get(const char* name, const std::string& otherwise) const;
  double number(const char* name, double otherwise) const;
  std::vector<double> numbers(const char* name, std::size_t least, std::size_t most) const;
  Eigen::Vector3d vector(const char* name, const Eigen::Vector3d& otherwise) const;
  bool boolean(const char* name, bool otherwise) const;
  /// One of these words, separated by blanks; refuses others.
  std::string choice(const char* name, const char* words, const std::string& otherwise) const;
  /// Those of these attributes that are given, "friction, solref".
  std::string given(const std::vector<const char*>& names) const;
  /// The element itself or the nearest of its defaults that has one of these attributes, or nullptr.
  const XmlNode* nearest(const std::vector<const char*>& names) const;
  sdk::ImportPlace place() const { return node_.place(); }

 private:
  const XmlNode& node_;
  std::vector<const XmlNode*> defaults_;  ///< nearest class first
};

class MjcfDocument {
 public:
  /// Reads the file and what it includes. Throws Error(input): a file that includes itself, names of classes twice, ...
  explicit MjcfDocument(const std::string& file);

  const XmlNode& root() const { return root_; }
  /// The <include> elements and first elements of included files, without what is in them.
  const std::vector<XmlNode>& includes() const { return includes_; }
  /// Files that it includes.
  const std::set<std::string>& included() const { return included_; }
  /// Children of this tag of all top-level sections of this name.
  std::vector<const XmlNode*> sections(const char* name) const { return root_.all(name); }

  /// The element with defaults: those of its `class`, else of `childclass`, else the main ones. `kind`: under which name
  /// defaults have it, the tag if nullptr.
  Defaulted defaulted(const XmlNode& node, const std::string& childclass, const char* kind = nullptr) const;
  /// The same with the defaults of several kinds, as actuators share theirs.
  Defaulted defaulted(const XmlNode& node, const std::string& childclass, const std::vector<std::string>& kinds) const;
  /// Refuses a class of defaults that is not there.
  void need_class(const std::string& name, const XmlNode& user) const;
  /// Attribute of <compiler>, the last one that says it.
  std::string compiler(const char* name, const std::string& otherwise) const;
  /// The same of a keyword, one of these words; refuses others.
  std::string compiler_choice(const char* name, const char* words, const std::string& otherwise) const;
  bool compiler_flag(const char* name, bool otherwise) const {
    return compiler_choice(name, "true false", otherwise ? "true" : "false") == "true";
  }
  /// Whether a range counts whose element does not say `limited`: auto follows `autolimits` of the compiler.
  bool limited(const Defaulted& element, const char* flag, bool has_range) const;
  double compiler_number(const char* name, double otherwise) const;
  /// Of <option> and its <flag>.
  const XmlNode* option_with(const char* name) const;
  bool disabled(const char* flag) const;
  /// The last <flag> that says it, or nullptr.
  const XmlNode* flag_with(const char* flag) const;

  /// Factor from the file's angles to rad.
  double angle_unit() const { return angle_unit_; }
  /// pos and quat, axisangle, euler, xyaxes or zaxis of an element.
  sdk::Frame frame(const Defaulted& element) const;
  Eigen::Matrix3d orientation(const Defaulted& element) const;
  /// The file of an asset.
  std::string asset_file(const std::string& name, const char* folder_key) const;

 private:
  void include(XmlNode& node);
  void read_defaults(const XmlNode& node, const std::string& parent);

  std::string file_;
  std::set<std::string> included_;
  std::vector<XmlNode> includes_;
  XmlNode root_;
  std::map<std::string, std::vector<const XmlNode*>> classes_;  ///< with those it inherits from, nearest first
  double angle_unit_ = 1;
};

/// Rotation from a quaternion w x y z of any length; refuses zero.
Eigen::Matrix3d rotation_of_quaternion(const std::vector<double>& quat, const XmlNode& node);
/// The shortest rotation that turns z into this direction.
Eigen::Matrix3d rotation_of_z(const Eigen::Vector3d& z);

}  // namespace trammel::robot_xml
