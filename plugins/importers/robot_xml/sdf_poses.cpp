// Poses of SDF: each relative to what its element says, or to what it is attached to.
#include "sdf_poses.h"

#include <vector>

namespace trammel::robot_xml {

void Poses::add(const XmlNode& node, const std::string& otherwise) {
  const std::string name = node.need_text("name");
  if (!nodes_.emplace(name, Entry{&node, otherwise, false, false, {}, {}}).second)
    node.refuse("a second link, joint or frame '" + name + "'");
}

// In a loop: a file may have a chain of thousands of poses.
sdk::Frame Poses::of(const std::string& name, const XmlNode& user) {
  std::vector<Entry*> chain;
  std::string at = name;
  const XmlNode* asks = &user;
  sdk::Frame frame;
  while (at != "__model__" && !at.empty()) {
    const auto found = nodes_.find(at);
    if (found == nodes_.end()) asks->refuse("there is no link, joint or frame '" + at + "'");
    Entry& entry = found->second;
    if (entry.open) asks->refuse("the pose of '" + at + "' is relative to itself");
    if (entry.known) {
      frame = entry.frame;
      break;
    }
    entry.open = true, chain.push_back(&entry);
    asks = entry.node, at = entry.otherwise;
    if (const XmlNode* pose = entry.node->child("pose"); pose != nullptr) {
      const std::string to = pose->get("relative_to", pose->get("frame", ""));
      asks = pose;
      if (!to.empty()) at = to;
    }
  }
  for (auto entry = chain.rbegin(); entry != chain.rend(); ++entry) {
    const XmlNode* pose = (*entry)->node->child("pose");
    if (pose != nullptr) frame = frame * parse(*pose);
    (*entry)->frame = frame, (*entry)->known = true, (*entry)->open = false;
  }
  return frame;
}

std::string Poses::link_of(const std::string& name, const XmlNode& user) {
  std::vector<Entry*> chain;
  std::string at = name;
  for (std::size_t step = 0; step <= nodes_.size(); ++step) {
    if (at.empty() || at == "__model__") at = canonical_;
    const auto found = nodes_.find(at);
    if (found == nodes_.end()) user.refuse("there is no link, joint or frame '" + at + "' in this model");
    Entry& entry = found->second;
    const bool link = entry.node->tag == "link";
    if (!link && entry.link.empty()) chain.push_back(&entry), at = entry.otherwise;
    if (!link && !entry.link.empty()) at = entry.link;
    if (link || !entry.link.empty() || at == "world") {
      for (Entry* passed : chain) passed->link = at;
      return at;
    }
  }
  user.refuse("'" + name + "' is attached to itself");
}

sdk::Frame Poses::own(const XmlNode& pose) {
  const std::string to = pose.get("relative_to", pose.get("frame", ""));
  if (!to.empty() && to != "world" && to != "__model__")
    pose.refuse("is relative to '" + to + "', which is read for links, joints and frames of a model only");
  return parse(pose);
}

sdk::Frame Poses::parse(const XmlNode& pose) {
  const double unit = pose.boolean("degrees", false) ? 3.14159265358979323846 / 180 : 1;
  const std::string format = pose.get("rotation_format", "euler_rpy");
  if (format == "quat_xyzw") {
    const std::vector<double> v = pose.text_numbers(7, 7);
    Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
    if (!(q.norm() > 1e-14)) pose.refuse("a quaternion may not be zero");
    return {q.normalized().toRotationMatrix(), {v[0], v[1], v[2]}};
  }
  if (format != "euler_rpy") pose.refuse("rotation_format must be euler_rpy or quat_xyzw, not '" + format + "'");
  if (pose.words().empty()) return {};
  const std::vector<double> v = pose.text_numbers(6, 6);
  return {sdk::rotation_from_rpy(unit * Eigen::Vector3d(v[3], v[4], v[5])), {v[0], v[1], v[2]}};
}

}  // namespace trammel::robot_xml
