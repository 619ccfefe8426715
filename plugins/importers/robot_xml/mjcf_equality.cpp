// Equalities of MJCF: loops, welds, and relations of joints.
#include "mjcf_reader.h"
#include "trammel/sdk/import/write_model.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

}  // namespace

/// Whether the equality holds from the start; those that a program may switch on are lost.
bool MjcfReader::active(const XmlNode& node) {
  if (document_.defaulted(node, "", "equality").boolean("active", true)) return true;
  node.lose(notes_, "equality '" + node.get("name", "") + "', which is not active");
  return false;
}

void MjcfReader::loop(const XmlNode& node, Kind kind, const std::string& fallback) {
  const std::string name = node.get("name", "");
  if (!active(node)) return;
  sdk::Joint joint;
  joint.original = name, joint.place = node.place(), joint.kind = kind, joint.loop = true;
  joint.name = model_.names.take(name, fallback, "loop");
  if (node.has("site1")) {
    const std::string sites[2] = {node.need_text("site1"), node.need_text("site2")};
    for (int k = 0; k < 2; ++k) {
      const auto found = sites_.find(sites[k]);
      if (found == sites_.end()) node.refuse("there is no site '" + sites[k] + "'");
      (k == 0 ? joint.parent : joint.child) = found->second.link;
      (k == 0 ? joint.in_parent : joint.in_child) = found->second.frame;
    }
  } else {
    joint.parent = body_named(node.need_text("body1"), node),
    joint.child = body_named(node.get("body2", "world"), node);
    const auto start = [&](int link) { return link == sdk::ground_link ? sdk::Frame{} : model_.link(link).start; };
    // Where the bodies are in the reference configuration says what is held.
    const sdk::Frame between = start(joint.child).inverse() * start(joint.parent);
    joint.in_parent.r = node.vector("anchor", Eigen::Vector3d::Zero());
    joint.in_child = between * joint.in_parent;
    const std::vector<double> pose = kind == Kind::fixed ? node.numbers("relpose", 7, 7) : std::vector<double>();
    if (!pose.empty() && (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0)) {
      // The pose of body2 in body1; the anchor is a point of body2 then.
      const Eigen::Vector3d anchor = joint.in_parent.r;
      joint.in_child = {Eigen::Matrix3d::Identity(), anchor};
      joint.in_parent =
          sdk::Frame{rotation_of_quaternion({pose[3], pose[4], pose[5], pose[6]}, node), {pose[0], pose[1], pose[2]}} *
          joint.in_child;
    }
  }
  if (joint.parent == joint.child) node.refuse("an equality of a body with itself");
  model_.joints.push_back(joint);
  notes_.remark(node.place(), "equality '" + joint.name + "' holds exactly; MuJoCo lets it yield");
}

/// A joint that stands still, `value` from where it is in the reference configuration.
void MjcfReader::hold(const XmlNode& node, const std::string& name, int index, double value) {
  const sdk::Joint& on = model_.joint(index);
  const sdk::ModelWriter writer(model_, notes_, out_);
  const sdk::ModelWriter::OnBody i = writer.on_body(on.parent, on.in_parent), j = writer.on_body(on.child, on.in_child);
  const Eigen::Vector3d axis = on.axis.normalized();
  Eigen::Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Eigen::Vector3d across = (Eigen::Vector3d::Unit(least) - axis[least] * axis).normalized();
  sdk::ImportElement& e =
      model_.add_element(true, name, on.turns() ? "angle_driver" : "translation_driver", node.place());
  e.comment = "holds '" + on.name + "'";
  e.keys.texts("bodies", {i.body, j.body}).vector("axis_i", Eigen::Vector3d(i.frame.R * axis));
  if (on.turns()) {
    e.keys.vector("axis_j", Eigen::Vector3d(j.frame.R * axis))
        .vector("reference_i", Eigen::Vector3d(i.frame.R * across))
        .vector("reference_j", Eigen::Vector3d(j.frame.R * across));
  } else {
    e.keys.vector("point_i", i.frame.r).vector("point_j", j.frame.r);
  }
  e.keys.number("function", value);
}

void MjcfReader::joint_equality(const XmlNode& node, const std::string& name) {
  if (!active(node)) return;
  const int second = joint_named(node.need_text("joint1"), node),
            first = node.has("joint2") ? joint_named(node.need_text("joint2"), node) : -2;
  std::vector<double> a = node.numbers("polycoef", 1, 5);
  if (a.empty()) a = {0, 1};
  a.resize(5, 0.0);
  if (!elements_.usable(second) || (first != -2 && !elements_.usable(first)))
    return notes_.unconstrained(node.place(), "equality '" + name + "' of joints without a coordinate");
  if (first != -2 && (a[2] != 0 || a[3] != 0 || a[4] != 0))
    return notes_.unconstrained(node.place(), "equality '" + name + "': a relation of joints that is not linear");
  if (first == -2)
    hold(node, name, second, a[0]);
  else
    elements_.couple(name, node.place(), first, second, a[1],
                     model_.joint(second).zero + a[0] - a[1] * model_.joint(first).zero);
  notes_.remark(node.place(), "equality '" + name + "' holds exactly; MuJoCo lets it yield");
}

/// Those that hold bodies in the reference configuration; relations of joints come when joints are settled.
void MjcfReader::equalities() {
  const XmlNode* off = nullptr;
  for (const char* flag : {"equality", "constraint"}) {
    if (document_.disabled(flag)) off = document_.flag_with(flag);
  }
  int count = 0;
  for (const XmlNode* section : document_.sections("equality")) {
    for (const XmlNode& node : section->children) {
      const std::string name = node.get("name", "");
      if (off != nullptr) {
        node.ignore();
        notes_.remark(node.place(),
                      "equality '" + name + "' is switched off by the <flag> in line " + std::to_string(off->line));
      } else if (node.tag == "connect" || node.tag == "weld") {
        loop(node.visit(), node.tag == "weld" ? Kind::fixed : Kind::spherical,
             node.tag + "_" + std::to_string(++count));
      } else if (node.tag != "joint" && active(node)) {
        node.ignore();
        notes_.unconstrained(node.place(), "equality '" + name + "' of a kind that is not known here");
      }
    }
  }
}

void MjcfReader::joint_equalities() {
  int count = 0;
  for (const XmlNode* section : document_.sections("equality")) {
    if (document_.disabled("equality") || document_.disabled("constraint")) return;
    for (const XmlNode* node : section->all("joint"))
      joint_equality(*node, node->get("name", "joint_equality_" + std::to_string(++count)));
  }
}

}  // namespace trammel::robot_xml
