// MjcfReader: bodies, joints and the rest of one MJCF document as a model.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "mjcf.h"
#include "mjcf_geometry.h"

namespace trammel::robot_xml {

class MjcfReader {
 public:
  MjcfReader(const MjcfImporter::Parameters& given, const ImportRequest& request, ImportedFile& out)
      : given_(given),
        request_(request),
        notes_(out),
        out_(out),
        document_(request.file),
        geometry_(document_, notes_),
        elements_(model_, notes_, given.limit) {}

  void read();

 private:
  /// One joint of the file: `first` its first number in qpos and qvel.
  struct Place {
    const XmlNode* node;
    std::string childclass;
    int joint;  ///< in the model; -1 of a free joint
    int link;   ///< that a free joint moves
    int qpos, qvel;
    sdk::Frame drawn;  ///< of a free joint: where the file has its body
  };
  struct JointNode {
    const XmlNode* node;
    sdk::Frame frame;  ///< in the body, of the <frame> that it stands in
    std::string childclass;
  };
  struct Site {
    int link;
    sdk::Frame frame;
  };

  // mjcf_bodies.cpp
  void body(const XmlNode& node, int parent, const sdk::Frame& offset, const std::string& childclass);
  void contents(const XmlNode& node, int link, const sdk::Frame& offset, const std::string& childclass, bool with_mass);
  void joints(const XmlNode& node, int link, int parent, const sdk::Frame& at, const std::string& childclass);
  void joint_nodes(const XmlNode& node, const sdk::Frame& offset, const std::string& childclass,
                   std::vector<JointNode>& out) const;
  bool has_solids(const XmlNode& node, const std::string& childclass) const;
  int chained_link(const XmlNode& node, const std::string& body, int count);
  sdk::MassProperties inertial(const XmlNode& node, const std::string& name) const;
  void bound_masses();
  // mjcf_equality.cpp
  bool active(const XmlNode& node);
  void equalities();
  void joint_equalities();
  void loop(const XmlNode& node, sdk::Joint::Kind kind, const std::string& fallback);
  void hold(const XmlNode& node, const std::string& name, int index, double value);
  void joint_equality(const XmlNode& node, const std::string& name);
  // mjcf_actuators.cpp
  std::string joint_of(const XmlNode& node) const;
  void joint_force(const Place& place, const std::map<std::string, int>& users);
  void actuators();
  void actuator(const XmlNode& node, double control);
  // mjcf_start.cpp
  void start_from_keyframe();
  void on_joints();
  void on_free(const Place& place, const Defaulted& joint, bool springs, bool dampers);
  void rest();
  void unread();
  // helpers of theirs
  int body_named(const std::string& name, const XmlNode& user) const;
  int joint_named(const std::string& name, const XmlNode& user) const;

  const MjcfImporter::Parameters& given_;
  const ImportRequest& request_;
  sdk::ImportNotes notes_;
  ImportedFile& out_;
  MjcfDocument document_;
  MjcfGeometry geometry_;
  sdk::ImportModel model_;
  JointElements elements_;
  std::map<std::string, int> bodies_, joints_;
  std::map<std::string, Site> sites_;
  std::vector<Place> places_;
  std::map<int, std::array<double, 2>> joint_forces_;  ///< what a joint allows its one actuator
  const XmlNode* control_ = nullptr;                   ///< the keyframe with the controls, or none
  int qpos_ = 0, qvel_ = 0, unnamed_ = 0;
};

}  // namespace trammel::robot_xml
