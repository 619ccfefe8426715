// Actuators of MJCF: servos and motors, with bounds of their own and of their joint.
#include <algorithm>
#include <cmath>
#include <set>

#include "mjcf_reader.h"

namespace trammel::robot_xml {
namespace {

/// They share their defaults.
const std::vector<std::string>& actuator_kinds() {
  static const std::vector<std::string> kinds = {"general", "motor",    "position", "velocity", "intvelocity",
                                                 "damper",  "cylinder", "muscle",   "adhesion"};
  return kinds;
}

}  // namespace

std::string MjcfReader::joint_of(const XmlNode& node) const {
  const Defaulted a = document_.defaulted(node, "", actuator_kinds());
  std::string joint;
  for (const char* key : {"joint", "jointinparent"}) joint = a.get(key, joint);
  return joint;
}

/// What a joint allows all its actuators together: the bound of its one actuator, and lost where there are more.
void MjcfReader::joint_force(const Place& place, const std::map<std::string, int>& users) {
  const Defaulted joint = document_.defaulted(*place.node, place.childclass, "joint");
  const std::vector<double> range = joint.numbers("actuatorfrcrange", 2, 2);
  const bool counts = document_.limited(joint, "actuatorfrclimited", !range.empty());
  const std::string name = place.node->get("name", "");
  if (!counts) {
    if (!range.empty())
      notes_.remark(place.node->place(),
                    "actuatorfrcrange of joint '" + name + "' bounds nothing: actuatorfrclimited is not true");
    return;
  }
  if (range.empty() || !(range[0] < range[1]))
    place.node->refuse("joint '" + name +
                       "' bounds its actuators and has no actuatorfrcrange, or one whose ends are not in order");
  const auto found = users.find(name);
  const int count = name.empty() || found == users.end() ? 0 : found->second;
  if (count == 0)
    notes_.remark(place.node->place(),
                  "actuatorfrcrange of joint '" + name + "' bounds nothing: no actuator acts on it");
  else if (count == 1 && place.joint >= 0)
    joint_forces_[place.joint] = {range[0], range[1]};
  else
    notes_.lost(place.node->place(), "actuatorfrcrange of joint '" + name + "', which bounds " + std::to_string(count) +
                                         " actuators together");
}

void MjcfReader::actuator(const XmlNode& node, double control) {
  const std::string kind = node.tag;
  if (kind == "muscle" || kind == "adhesion" || kind == "plugin")
    node.refuse("actuators of this kind are not computed here, and the model is nothing without them");
  const Defaulted own = document_.defaulted(node, ""), a = document_.defaulted(node, "", actuator_kinds());
  const std::string name = node.get("name", "");
  const auto lose = [&](const std::string& why) { node.lose(notes_, "actuator '" + name + "': " + why); };
  const std::string joint = joint_of(node);
  if (joint.empty()) return lose("it acts on no joint");
  const int on = joint_named(joint, node);
  if (on < 0 || !elements_.usable(on)) return lose("joint '" + joint + "' has no coordinate for it");
  const std::vector<double> gears = a.numbers("gear", 1, 6);
  const double gear = gears.empty() ? 1 : gears[0];
  if (gear == 0) return lose("its gear is zero");
  const auto limited = [&](const char* flag, const char* range) {
    std::vector<double> values = a.numbers(range, 2, 2);
    const bool counts = document_.limited(a, flag, !values.empty());
    if (counts && (values.empty() || !(values[0] < values[1])))
      node.refuse("actuator '" + name + "' is limited and has no " + range + ", or one whose ends are not in order");
    if (!counts && !values.empty())
      notes_.remark(node.place(),
                    std::string(range) + " of actuator '" + name + "' bounds nothing: " + flag + " is not true");
    if (!counts) values.clear();
    return values;
  };
  const std::vector<double> ctrl = limited("ctrllimited", "ctrlrange"), force = limited("forcelimited", "forcerange");
  if (!ctrl.empty() && !document_.disabled("clampctrl")) control = std::clamp(control, ctrl[0], ctrl[1]);

  if (kind == "position" || kind == "velocity") {
    const char* const key = kind == "position" ? "kp" : "kv";
    const std::string shared = own.has(key) ? "" : a.given({"gainprm", "kp", "kv"});
    if (!shared.empty())
      notes_.lost(node.place(),
                  shared + " of the defaults, as " + key + " of actuator '" + name + "', which is taken as 1");
  }
  // force = gain u + b0 + b1 length + b2 speed at the shaft
  double gain = 1, b[3] = {0, 0, 0};
  if (kind == "position") {
    gain = own.number("kp", 1), b[1] = -gain, b[2] = -own.number("kv", 0);
    if (own.number("timeconst", 0) != 0 || own.number("dampratio", 0) != 0)
      return lose("its filter (timeconst) or dampratio is not known here");
  } else if (kind == "velocity") {
    gain = own.number("kv", 1), b[2] = -gain;
  } else if (kind == "damper") {
    return lose("a damper that its control sets");
  } else if (kind == "general") {
    const std::string dynamics = a.get("dyntype", "none"), gains = a.get("gaintype", "fixed"),
                      bias = a.get("biastype", "none");
    if (dynamics != "none" || gains != "fixed" || (bias != "none" && bias != "affine"))
      return lose("its dynamics '" + dynamics + "', gain '" + gains + "', bias '" + bias + "' are not known here");
    const std::vector<double> g = a.numbers("gainprm", 1, 10), given = a.numbers("biasprm", 1, 10);
    if (!g.empty()) gain = g[0];
    for (std::size_t k = 0; bias == "affine" && k < 3 && k < given.size(); ++k) b[k] = given[k];
    if (b[0] != 0 || b[1] > 0 || b[2] > 0 || (b[1] != 0 && b[1] != -gain)) return lose("its bias is no servo's");
  } else if (kind != "motor") {
    return lose("actuators of this kind are not known here");
  }

  if (b[1] > 0 || b[2] > 0) return lose("its gain is negative");
  const bool position = b[1] != 0, velocity = !position && b[2] != 0 && b[2] == -gain;
  if (gain == 0 && !position) return lose("its gain is zero");
  const std::string input = sdk::JsonObject()
                                .text("type", "input")
                                .text("name", sdk::ImportNames::valid(name.empty() ? joint : name))
                                .number("value", control)
                                .str();
  // Of the joint's force, with what the joint itself allows.
  double low = -no_limit, high = no_limit;
  if (!force.empty())
    low = std::min(gear * force[0], gear * force[1]), high = std::max(gear * force[0], gear * force[1]);
  if (const auto bound = joint_forces_.find(on); bound != joint_forces_.end())
    low = std::max(low, bound->second[0]), high = std::min(high, bound->second[1]);
  const bool bounded = !std::isinf(low) || !std::isinf(high);
  if (position || velocity) {
    sdk::ImportElement& e =
        model_.add_element(false, name.empty() ? model_.joint(on).name + "_servo" : name, "servo", node.place());
    e.keys.text("joint", model_.joint(on).name).add(position ? "position" : "rate", input);
    if (position) e.keys.number("stiffness", gain);
    if (b[2] != 0) e.keys.number("damping", -b[2]);
    if (gear != 1) e.keys.number("gear", gear);
    if (!std::isinf(low)) e.keys.number("minimum", low);
    if (!std::isinf(high)) e.keys.number("maximum", high);
    if (!ctrl.empty()) {
      e.comment = "control from " + sdk::json_number(ctrl[0]) + " to " + sdk::json_number(ctrl[1]);
      notes_.lost(node.place(), "the range of the control of actuator '" + name + "', for programs that set it later");
    }
    return;
  }
  if (b[2] != 0) {  // a motor with a damper
    if (bounded)
      notes_.lost(node.place(), "the bound of the force of actuator '" + name + "' together with that of its damping");
    low = -no_limit, high = no_limit;
    sdk::ImportElement& damper = model_.add_element(false, (name.empty() ? model_.joint(on).name : name) + "_damping",
                                                    "joint_spring", node.place());
    damper.keys.text("joint", model_.joint(on).name).number("damping", -b[2] * gear * gear);
  }
  sdk::ImportElement& e =
      model_.add_element(false, name.empty() ? model_.joint(on).name + "_motor" : name, "motor", node.place());
  e.keys.text("joint", model_.joint(on).name).add("command", input);
  if (gear * gain != 1) e.keys.number("gear", gear * gain);
  double least = low / (gear * gain), most = high / (gear * gain);  // of the command
  if (gear * gain < 0) std::swap(least, most);
  if (!ctrl.empty() && !document_.disabled("clampctrl"))
    least = std::max(least, ctrl[0]), most = std::min(most, ctrl[1]);
  if (!std::isinf(least)) e.keys.number("minimum", least);
  if (!std::isinf(most)) e.keys.number("maximum", most);
}

void MjcfReader::actuators() {
  if (document_.disabled("actuation")) {
    const std::string line = std::to_string(document_.flag_with("actuation")->line);
    for (const XmlNode* section : document_.sections("actuator")) {
      for (const XmlNode& node : section->children)
        node.lose_nothing(notes_,
                          "actuator '" + node.get("name", "") + "' is switched off by the <flag> in line " + line);
    }
    if (control_ != nullptr) control_->has("ctrl");
    return;
  }
  const std::vector<double> controls =
      control_ == nullptr ? std::vector<double>() : control_->numbers("ctrl", 1, 100000);
  std::map<std::string, int> users;
  std::set<std::string> names;
  std::size_t count = 0, k = 0;
  for (const XmlNode* section : document_.sections("actuator")) {
    for (const XmlNode& node : section->children) {
      const std::string name = node.get("name", "");
      if (!name.empty() && !names.insert(name).second) node.refuse("a second actuator '" + name + "'");
      ++count, ++users[joint_of(node)];
    }
  }
  if (!controls.empty() && controls.size() != count)
    control_->refuse("ctrl has " + std::to_string(controls.size()) + " numbers, and the file " + std::to_string(count) +
                     " actuators");
  for (const Place& place : places_) joint_force(place, users);
  for (const XmlNode* section : document_.sections("actuator")) {
    for (const XmlNode& node : section->children) {
      actuator(node.visit(), k < controls.size() ? controls[k] : 0);
      ++k;
    }
  }
}

}  // namespace trammel::robot_xml
