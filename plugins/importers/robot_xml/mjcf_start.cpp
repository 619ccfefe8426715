// What stands beside the bodies of MJCF: the start, elements on joints, equalities, actuators, and what is lost.
#include <algorithm>
#include <cmath>

#include "loops_file.h"
#include "mjcf_reader.h"
#include "trammel/sdk/import/write_model.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

}  // namespace

int MjcfReader::body_named(const std::string& name, const XmlNode& user) const {
  if (name == "world") return sdk::ground_link;
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) user.refuse("there is no body '" + name + "'");
  return found->second;
}

int MjcfReader::joint_named(const std::string& name, const XmlNode& user) const {
  const auto found = joints_.find(name);
  if (found == joints_.end()) user.refuse("there is no joint '" + name + "'");
  return found->second;
}

void MjcfReader::start_from_keyframe() {
  std::vector<const XmlNode*> keys;
  for (const XmlNode* section : document_.sections("keyframe")) {
    for (const XmlNode* key : section->all("key")) keys.push_back(key);
  }
  if (!given_.keyframe.given()) {
    for (const XmlNode* key : keys) {
      key->ignore();
      notes_.remark(key->place(), "not used: --set keyframe='" + key->get("name", "0") + "' starts from it");
    }
    return;
  }
  const std::string wanted(given_.keyframe.view());
  const XmlNode* chosen = nullptr;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k]->get("name", "") == wanted || std::to_string(k) == wanted) chosen = keys[k];
    keys[k]->ignore();
  }
  if (chosen == nullptr) throw Error::parameter("keyframe", "the file has no keyframe '" + wanted + "'");
  const std::vector<double> qpos = chosen->numbers("qpos", static_cast<std::size_t>(qpos_),
                                                   static_cast<std::size_t>(qpos_)),
                            qvel = chosen->numbers("qvel", static_cast<std::size_t>(qvel_),
                                                   static_cast<std::size_t>(qvel_));
  for (const char* what : {"act", "mpos", "mquat"}) {
    if (chosen->has(what)) notes_.lost(chosen->place(), std::string("'") + what + "' of the keyframe");
  }
  for (const Place& place : places_) {
    const auto q = [&](int k) { return qpos[static_cast<std::size_t>(place.qpos + k)]; };
    const auto v = [&](int k) { return qvel.empty() ? 0.0 : qvel[static_cast<std::size_t>(place.qvel + k)]; };
    if (place.joint < 0) {
      sdk::Link& link = model_.link(place.link);
      if (!qpos.empty()) link.start = {rotation_of_quaternion({q(3), q(4), q(5), q(6)}, *chosen), {q(0), q(1), q(2)}};
      link.velocity = {v(0), v(1), v(2)};
      link.omega = link.start.R * Eigen::Vector3d(v(3), v(4), v(5));
      continue;
    }
    sdk::Joint& joint = model_.joint(place.joint);
    if (joint.kind == Kind::spherical) {
      if (!qpos.empty()) joint.turned = rotation_of_quaternion({q(0), q(1), q(2), q(3)}, *chosen);
      joint.spin = {v(0), v(1), v(2)};
    } else {
      if (!qpos.empty()) joint.value = q(0);
      joint.rate = v(0);
    }
  }
}

std::vector<double> MjcfReader::control() const {
  if (!given_.keyframe.given()) return {};
  std::vector<double> values;
  int k = 0;
  for (const XmlNode* section : document_.sections("keyframe")) {
    for (const XmlNode* key : section->all("key")) {
      if (key->get("name", "") == given_.keyframe.view() || std::to_string(k) == given_.keyframe.view())
        values = key->numbers("ctrl", 1, 100000);
      ++k;
    }
  }
  return values;
}

/// Limits, damping, springs, rotors.
void MjcfReader::on_joints() {
  const bool passive = !document_.disabled("passive"), limits = !document_.disabled("limit"),
             dry = !document_.disabled("frictionloss");
  for (const Place& place : places_) {
    const Defaulted joint = document_.defaulted(*place.node, place.childclass, "joint");
    for (const char* known : {"solreflimit", "solimplimit", "solreffriction", "solimpfriction", "user", "class", "type",
                              "pos", "axis", "ref", "actuatorfrcrange", "actuatorfrclimited"})
      joint.has(known);
    if (place.joint < 0) continue;
    const sdk::Joint& on = model_.joint(place.joint);
    const std::string what = " of joint '" + (on.original.empty() ? on.name : on.original) + "'";
    const double unit = on.kind == Kind::prismatic ? 1 : document_.angle_unit();
    const bool usable = elements_.usable(place.joint);
    const double damping = joint.number("damping", 0), stiffness = joint.number("stiffness", 0),
                 armature = joint.number("armature", 0), loss = joint.number("frictionloss", 0);
    if (!usable) {
      for (const char* name : {"damping", "stiffness", "armature", "frictionloss"}) {
        if (joint.number(name, 0) != 0) notes_.lost(place.node->place(), name + what + ": it has no coordinate for it");
      }
    } else {
      if (passive) elements_.spring(place.joint, place.node->place(), stiffness, joint.number("springref", 0) * unit);
      elements_.friction(place.joint, passive ? damping : 0, dry ? loss : 0);
      elements_.armature(place.joint, place.node->place(), armature);
    }
    if (joint.has("springdamper") && joint.numbers("springdamper", 2, 2) != std::vector<double>{0, 0})
      notes_.lost(place.node->place(),
                  "'springdamper'" + what + ": its stiffness depends on the inertia of the whole model");
    const std::vector<double> range = joint.numbers("range", 2, 2);
    const std::string limited =
        joint.get("limited", document_.compiler("autolimits", "true") == "true" ? "auto" : "false");
    const bool bounded = limited == "true" || (limited == "auto" && !range.empty());
    if (!bounded || !limits) continue;
    if (range.empty()) place.node->refuse("joint" + what.substr(9) + " is limited and has no range");
    if (!usable) {
      notes_.lost(place.node->place(), "limit" + what + ": it has no coordinate for it");
      continue;
    }
    if (joint.number("margin", 0) != 0) notes_.lost(place.node->place(), "the margin of the limit" + what);
    elements_.limit(place.joint, place.node->place(), range[0] * unit, range[1] * unit);
  }
}

void MjcfReader::loop(const XmlNode& node, Kind kind, const std::string& fallback) {
  const std::string name = node.get("name", "");
  for (const char* soft : {"solref", "solimp", "torquescale", "class"}) node.get(soft);
  if (!node.boolean("active", true)) return notes_.lost(node.place(), "equality '" + name + "', which is not active");
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

void MjcfReader::joint_equality(const XmlNode& node, const std::string& name) {
  for (const char* soft : {"solref", "solimp", "class"}) node.get(soft);
  if (!node.boolean("active", true)) return notes_.lost(node.place(), "equality '" + name + "', which is not active");
  const int second = joint_named(node.need_text("joint1"), node),
            first = node.has("joint2") ? joint_named(node.need_text("joint2"), node) : -2;
  std::vector<double> a = node.numbers("polycoef", 1, 5);
  if (a.empty()) a = {0, 1};
  a.resize(5, 0.0);
  if (!elements_.usable(second) || (first != -2 && !elements_.usable(first)))
    return notes_.lost(node.place(), "equality '" + name + "' of joints without a coordinate");
  const double zero = model_.joint(second).zero;
  if (first == -2) {  // the joint stands still
    return notes_.lost(node.place(),
                       "equality '" + name + "' that holds joint '" + model_.joint(second).original + "' at a value");
  }
  if (a[2] != 0 || a[3] != 0 || a[4] != 0)
    return notes_.lost(node.place(), "equality '" + name + "': a relation of joints that is not linear");
  elements_.couple(name, node.place(), first, second, a[1], zero + a[0] - a[1] * model_.joint(first).zero);
  notes_.remark(node.place(), "equality '" + name + "' holds exactly; MuJoCo lets it yield");
}

void MjcfReader::equalities() {
  if (document_.disabled("equality") || document_.disabled("constraint")) {
    for (const XmlNode* section : document_.sections("equality")) section->ignore();
    return;
  }
  int count = 0;
  for (const XmlNode* section : document_.sections("equality")) {
    for (const XmlNode* node : section->all("connect"))
      loop(*node, Kind::spherical, "connect_" + std::to_string(++count));
    for (const XmlNode* node : section->all("weld")) loop(*node, Kind::fixed, "weld_" + std::to_string(++count));
    for (const char* tag : {"tendon", "distance", "flex"}) {
      for (const XmlNode* node : section->all(tag))
        node->lose(notes_, "equality '" + node->get("name", "") + "' of a kind that is not known here");
    }
  }
}

void MjcfReader::actuator(const XmlNode& node, double control) {
  const std::string kind = node.tag;
  if (kind == "muscle" || kind == "adhesion" || kind == "plugin")
    node.refuse("actuators of this kind are not computed here, and the model is nothing without them");
  const Defaulted a = document_.defaulted(node, "");
  const std::string name = node.get("name", "");
  for (const char* known : {"ctrllimited", "forcelimited", "group", "user", "class", "lengthrange", "actlimited",
                            "actrange", "inheritrange", "actdim", "actearly"})
    a.has(known);
  const auto lose = [&](const std::string& why) { node.lose(notes_, "actuator '" + name + "': " + why); };
  std::string joint;
  for (const char* key : {"joint", "jointinparent"}) {
    if (a.has(key)) joint = a.get(key, "");
  }
  if (joint.empty()) return lose("it acts on no joint");
  const int on = joint_named(joint, node);
  if (on < 0 || !elements_.usable(on)) return lose("joint '" + joint + "' has no coordinate for it");
  const std::vector<double> gears = a.numbers("gear", 1, 6);
  const double gear = gears.empty() ? 1 : gears[0];
  if (gear == 0) return lose("its gear is zero");
  const auto limited = [&](const char* flag, const char* range) {
    const std::string says = a.get(flag, document_.compiler("autolimits", "true") == "true" ? "auto" : "false");
    const std::vector<double> values = a.numbers(range, 2, 2);
    return (says == "true" || (says == "auto" && !values.empty())) && values.size() == 2 && values[0] < values[1]
               ? values
               : std::vector<double>();
  };
  const std::vector<double> ctrl = limited("ctrllimited", "ctrlrange"), force = limited("forcelimited", "forcerange");
  if (!ctrl.empty()) control = std::clamp(control, ctrl[0], ctrl[1]);

  // force = gain u + b0 + b1 length + b2 speed at the shaft
  double gain = 1, b[3] = {0, 0, 0};
  if (kind == "position") {
    gain = a.number("kp", 1), b[1] = -gain, b[2] = -a.number("kv", 0);
    if (a.number("timeconst", 0) != 0 || a.number("dampratio", 0) != 0)
      return lose("its filter (timeconst) or dampratio is not known here");
  } else if (kind == "velocity") {
    gain = a.number("kv", 1), b[2] = -gain;
  } else if (kind == "damper") {
    return lose("a damper that its control sets");
  } else if (kind == "general") {
    const std::string dynamics = a.get("dyntype", "none"), gains = a.get("gaintype", "fixed"),
                      bias = a.get("biastype", "none");
    if (dynamics != "none" || gains != "fixed" || (bias != "none" && bias != "affine"))
      return lose("its dynamics '" + dynamics + "', gain '" + gains + "', bias '" + bias + "' are not known here");
    const std::vector<double> g = a.numbers("gainprm", 1, 10), given = a.numbers("biasprm", 1, 10);
    a.has("dynprm");
    if (!g.empty()) gain = g[0];
    for (std::size_t k = 0; bias == "affine" && k < 3 && k < given.size(); ++k) b[k] = given[k];
    if (b[0] != 0 || b[1] > 0 || b[2] > 0 || (b[1] != 0 && b[1] != -gain)) return lose("its bias is no servo's");
  } else if (kind != "motor") {
    return lose("actuators of this kind are not known here");
  }

  const std::string input = sdk::JsonObject()
                                .text("type", "input")
                                .text("name", sdk::ImportNames::valid(name.empty() ? joint : name))
                                .number("value", control)
                                .str();
  const bool position = b[1] != 0, velocity = !position && b[2] != 0 && b[2] == -gain;
  if (position || velocity) {
    sdk::ImportElement& e = model_.add_element(false, name.empty() ? model_.joint(on).name + "_servo" : name, "servo");
    e.keys.text("joint", model_.joint(on).name).add(position ? "position" : "rate", input);
    if (position) e.keys.number("stiffness", gain);
    if (b[2] != 0) e.keys.number("damping", -b[2]);
    if (gear != 1) e.keys.number("gear", gear);
    if (!force.empty()) {
      const double low = std::min(gear * force[0], gear * force[1]), high = std::max(gear * force[0], gear * force[1]);
      e.keys.number("minimum", low).number("maximum", high);
    }
    if (!ctrl.empty()) {
      e.comment = "control from " + sdk::json_number(ctrl[0]) + " to " + sdk::json_number(ctrl[1]);
      notes_.lost(node.place(), "the range of the control of actuator '" + name + "', for programs that set it later");
    }
    return;
  }
  if (b[2] != 0) {  // a motor with a damper
    sdk::ImportElement& damper =
        model_.add_element(false, (name.empty() ? model_.joint(on).name : name) + "_damping", "joint_spring");
    damper.keys.text("joint", model_.joint(on).name).number("damping", -b[2] * gear * gear);
  }
  sdk::ImportElement& e = model_.add_element(false, name.empty() ? model_.joint(on).name + "_motor" : name, "motor");
  e.keys.text("joint", model_.joint(on).name).add("command", input);
  if (gear * gain != 1) e.keys.number("gear", gear * gain);
  double low = ctrl.empty() ? -no_limit : ctrl[0], high = ctrl.empty() ? no_limit : ctrl[1];
  if (!force.empty() && gain > 0) low = std::max(low, force[0] / gain), high = std::min(high, force[1] / gain);
  if (!std::isinf(low)) e.keys.number("minimum", low);
  if (!std::isinf(high)) e.keys.number("maximum", high);
}

void MjcfReader::actuators() {
  const std::vector<double> controls = control();
  std::size_t k = 0;
  for (const XmlNode* section : document_.sections("actuator")) {
    for (const XmlNode& node : section->children) {
      actuator(node.visit(), k < controls.size() ? controls[k] : 0);
      ++k;
    }
  }
}

/// Sections without a place in the run file.
void MjcfReader::rest() {
  static const std::pair<const char*, const char*> lost[] = {{"tendon", "tendon"},
                                                             {"sensor", "sensor"},
                                                             {"contact", "contact"},
                                                             {"custom", "custom data"},
                                                             {"deformable", "deformable parts"},
                                                             {"extension", "plugins of MuJoCo"}};
  for (const auto& [section, words] : lost) {
    for (const XmlNode* node : document_.sections(section)) {
      for (const XmlNode& part : node->children) {
        const std::string name = part.get("name", "");
        part.lose(notes_, words + (name.empty() ? std::string() : " '" + name + "'"));
      }
    }
  }
  for (const char* section : {"visual", "statistic", "size"}) {
    for (const XmlNode* node : document_.sections(section))
      node->lose(notes_, "settings of MuJoCo's viewer and memory");
  }
  for (const XmlNode* option : document_.sections("option")) {
    for (const char* fluid : {"density", "viscosity"}) {
      if (option->number(fluid, 0) != 0)
        notes_.lost(option->place(), std::string(fluid) + " of the surrounding fluid, and its forces");
    }
    for (const char* flag : {"actuation", "constraint", "contact", "equality", "limit", "passive", "frictionloss"}) {
      if (document_.disabled(flag)) notes_.remark(option->place(), std::string("flag ") + flag + "=disable");
    }
    option->ignore();
  }
  for (const XmlNode* node : document_.sections("compiler")) node->ignore();
  for (const XmlNode* node : document_.sections("default")) node->ignore();
  for (const XmlNode* node : document_.sections("asset")) {
    for (const XmlNode* mesh : node->all("mesh")) mesh->ignore();
  }
}

void MjcfReader::read() {
  const XmlNode& root = document_.root();
  model_.title = root.get("model", "MuJoCo model");
  const XmlNode* gravity = document_.option_with("gravity");
  model_.gravity = gravity != nullptr ? gravity->vector("gravity", {0, 0, -9.81}) : Eigen::Vector3d(0, 0, -9.81);
  if (document_.disabled("gravity")) model_.gravity.setZero();
  for (const XmlNode* world : document_.sections("worldbody"))
    contents(*world, sdk::ground_link, {}, world->get("childclass", ""), false);
  bound_masses();
  // Equalities hold what is so in the reference configuration.
  sdk::place_links(model_, sdk::tree_order(model_));
  equalities();
  start_from_keyframe();
  sdk::settle_model(model_, notes_);
  on_joints();
  const bool equal = !document_.disabled("equality") && !document_.disabled("constraint");
  for (const XmlNode* section : document_.sections("equality")) {
    int count = 0;
    if (!equal) break;
    for (const XmlNode* node : section->all("joint"))
      joint_equality(*node, node->get("name", "joint_equality_" + std::to_string(++count)));
  }
  if (document_.disabled("actuation"))
    for (const XmlNode* section : document_.sections("actuator"))
      section->lose(notes_, "actuators, which the options disable");
  else
    actuators();
  rest();
  root.report_unread(notes_);
  // Rotors came with the joints' elements.
  sdk::place_links(model_, sdk::tree_order(model_));
  sdk::ModelWriter(model_, notes_, out_).write();
}

bool MjcfImporter::recognises(const char* beginning, std::int64_t size) const {
  const std::string first = first_element(beginning, size);
  return first == "mujoco" || first == "mujocoinclude";
}

bool MjcfImporter::read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const {
  return sdk::or_refuse(refusal, [&] { return MjcfReader(given_, request, out).read(), true; });
}

}  // namespace trammel::robot_xml
