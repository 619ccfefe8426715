// Where the links, joints and frames of one SDF model are, and which link a frame is attached to.
#pragma once

#include <map>
#include <string>

#include "trammel/sdk/import/model.h"
#include "xml_tree.h"

namespace trammel::robot_xml {

/// All of them in the model's frame.
class Poses {
 public:
  /// `otherwise`: to what the element is relative where its <pose> does not say so: what it is attached to, or the child of
  /// a joint. Refuses a second one of this name.
  void add(const XmlNode& node, const std::string& otherwise);
  /// The link that stands for the model, to which a frame is attached that says nothing else.
  void canonical(const std::string& link) { canonical_ = link; }

  sdk::Frame of(const std::string& name, const XmlNode& user);
  /// The link that carries a link, frame or joint (there it is the child); refuses names that lead to none.
  std::string link_of(const std::string& name, const XmlNode& user);

  /// Of a <pose> that may only be relative to the element it stands in.
  static sdk::Frame own(const XmlNode& pose);
  static sdk::Frame parse(const XmlNode& pose);

 private:
  struct Entry {
    const XmlNode* node;
    std::string otherwise;
    bool open = false;  ///< being looked for
    bool known = false;
    sdk::Frame frame = {};
    std::string link = {};  ///< that carries it, once that is known
  };
  std::map<std::string, Entry> nodes_;
  std::string canonical_;
};

}  // namespace trammel::robot_xml
