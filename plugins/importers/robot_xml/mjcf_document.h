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
  /// Children of this tag of all top-level sections of this name.
  std::vector<const XmlNode*> sections(const char* name) const { return root_.all(name); }

  /// The element with defaults: those of its `class`, else of `childclass`, else the main ones. `kind`: under which name
  /// defaults have it, the tag if nullptr.
  Defaulted defaulted(const XmlNode& node, const std::string& childclass, const char* kind = nullptr) const;
  /// Attribute of <compiler>, the last one that says it.
  std::string compiler(const char* name, const std::string& otherwise) const;
  bool compiler_flag(const char* name, bool otherwise) const {
    return compiler(name, otherwise ? "true" : "false") == "true";
  }
  double compiler_number(const char* name, double otherwise) const;
  /// Of <option> and its <flag>.
  const XmlNode* option_with(const char* name) const;
  bool disabled(const char* flag) const;

  /// Factor from the file's angles to rad.
  double angle_unit() const { return angle_unit_; }
  /// pos and quat, axisangle, euler, xyaxes or zaxis of an element.
  sdk::Frame frame(const Defaulted& element) const;
  Eigen::Matrix3d orientation(const Defaulted& element) const;
  /// The file of an asset.
  std::string asset_file(const std::string& name, const char* folder_key) const;

 private:
  void include(XmlNode& node, std::set<std::string>& seen);
  void read_defaults(const XmlNode& node, const std::string& parent);

  std::string file_;
  XmlNode root_;
  std::map<std::string, std::vector<const XmlNode*>> classes_;  ///< with those it inherits from, nearest first
  double angle_unit_ = 1;
};

/// Rotation from a quaternion w x y z of any length; refuses zero.
Eigen::Matrix3d rotation_of_quaternion(const std::vector<double>& quat, const XmlNode& node);
/// The shortest rotation that turns z into this direction.
Eigen::Matrix3d rotation_of_z(const Eigen::Vector3d& z);

}  // namespace trammel::robot_xml
