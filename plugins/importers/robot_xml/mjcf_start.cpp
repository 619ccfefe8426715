// What stands beside the bodies of MJCF: the start, elements on joints, and what is lost.
#include <algorithm>
#include <cmath>
#include <map>

#include "mjcf_reader.h"
#include "mjcf_schema.h"
#include "trammel/sdk/import/write_model.h"
#include "trammel/text/suggest.h"

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
    for (std::size_t k = 0; k < keys.size(); ++k) {
      keys[k]->lose_nothing(
          notes_, "not used: --set 'keyframe=" + keys[k]->get("name", std::to_string(k)) + "' starts from it");
    }
    return;
  }
  const std::string wanted(given_.keyframe.view());
  const XmlNode* chosen = nullptr;
  for (const XmlNode* key : keys) {
    if (key->get("name", "") != wanted) continue;
    if (chosen != nullptr) key->refuse("a second keyframe '" + wanted + "'");
    chosen = key;
  }
  for (std::size_t k = 0; chosen == nullptr && k < keys.size(); ++k) {
    if (std::to_string(k) == wanted) chosen = keys[k];
  }
  control_ = chosen;
  for (const XmlNode* key : keys) {
    if (key != chosen) key->lose_nothing(notes_, "another keyframe than the one of --set keyframe");
  }
  if (chosen == nullptr) throw Error::parameter("keyframe", "the file has no keyframe '" + wanted + "'");
  const std::vector<double> qpos = chosen->numbers("qpos", static_cast<std::size_t>(qpos_),
                                                   static_cast<std::size_t>(qpos_)),
                            qvel = chosen->numbers("qvel", static_cast<std::size_t>(qvel_),
                                                   static_cast<std::size_t>(qvel_));
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

/// Spring and damper of a free joint: on the displacement of the body's frame from where the file has it, and on its turn.
void MjcfReader::on_free(const Place& place, const Defaulted& joint, bool springs, bool dampers) {
  const double stiffness = joint.number("stiffness", 0), damping = joint.number("damping", 0);
  const sdk::Link& link = model_.link(place.link);
  const std::string name = link.name;
  const sdk::ModelWriter::OnBody j = sdk::ModelWriter(model_, notes_, out_).on_body(place.link, {});
  elements_.of_ball(name, place.node->place(), {"ground", j.body, place.drawn, j.frame, true}, springs ? stiffness : 0,
                    dampers ? damping : 0);
  for (const char* what : {"armature", "frictionloss"}) {
    if (joint.number(what, 0) != 0) notes_.lost(place.node->place(), std::string(what) + " of a free joint");
  }
}

/// Limits, damping, springs, rotors.
void MjcfReader::on_joints() {
  const bool all = !document_.disabled("constraint"), limits = all && !document_.disabled("limit"),
             dry = all && !document_.disabled("frictionloss"), passive = !document_.disabled("passive"),
             springs = passive && !document_.disabled("spring"), dampers = passive && !document_.disabled("damper");
  for (const Place& place : places_) {
    const Defaulted joint = document_.defaulted(*place.node, place.childclass, "joint");
    if (place.joint < 0) {
      if (place.node->tag != "freejoint") on_free(place, joint, springs, dampers);
      continue;
    }
    const sdk::Joint& on = model_.joint(place.joint);
    const std::string what = " of joint '" + (on.original.empty() ? on.name : on.original) + "'";
    const double unit = on.kind == Kind::prismatic ? 1 : document_.angle_unit();
    const bool usable = elements_.usable(place.joint);
    const double damping = joint.number("damping", 0), stiffness = joint.number("stiffness", 0),
                 armature = joint.number("armature", 0), loss = joint.number("frictionloss", 0),
                 reference = joint.number("springref", 0) * unit, margin = joint.number("margin", 0);
    if (on.kind == Kind::spherical && elements_.in_model(place.joint)) {
      const sdk::ModelWriter writer(model_, notes_, out_);
      const sdk::ModelWriter::OnBody i = writer.on_body(on.parent, on.in_parent),
                                     j = writer.on_body(on.child, on.in_child);
      const std::string name = on.name;
      elements_.of_ball(name, place.node->place(), {i.body, j.body, i.frame, j.frame}, springs ? stiffness : 0,
                        dampers ? damping : 0);
      for (const char* what_else : {"armature", "frictionloss"}) {
        if (joint.number(what_else, 0) != 0) notes_.lost(place.node->place(), what_else + what + ", which is a ball");
      }
    } else if (!usable) {
      for (const char* name : {"damping", "stiffness", "armature", "frictionloss"}) {
        if (joint.number(name, 0) != 0) notes_.lost(place.node->place(), name + what + ": it has no coordinate for it");
      }
    } else {
      if (springs) elements_.spring(place.joint, place.node->place(), stiffness, reference);
      elements_.friction(place.joint, place.node->place(), dampers ? damping : 0, dry ? loss : 0);
      elements_.armature(place.joint, place.node->place(), armature);
    }
    if (joint.has("springdamper") && joint.numbers("springdamper", 2, 2) != std::vector<double>{0, 0})
      notes_.lost(place.node->place(),
                  "'springdamper'" + what + ": its stiffness depends on the inertia of the whole model");
    const std::vector<double> range = joint.numbers("range", 2, 2);
    const bool bounded = document_.limited(joint, "limited", !range.empty());
    if (!bounded && !range.empty())
      notes_.remark(place.node->place(), "range" + what + " bounds nothing: limited is not true");
    if (!bounded || !limits) continue;
    if (range.empty()) place.node->refuse("joint" + what.substr(9) + " is limited and has no range");
    if (!usable) {
      notes_.lost(place.node->place(), "limit" + what + ": it has no coordinate for it");
      continue;
    }
    if (margin != 0) notes_.lost(place.node->place(), "the margin of the limit" + what);
    elements_.limit(place.joint, place.node->place(), range[0] * unit, range[1] * unit);
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
    option->all("flag");
  }
  for (const char* flag : {"actuation", "constraint", "contact", "equality", "limit", "passive", "spring", "damper",
                           "frictionloss", "gravity", "clampctrl"}) {
    if (document_.disabled(flag))
      notes_.remark(document_.flag_with(flag)->place(), std::string(flag) + "=disable holds here too");
  }
  geometry_.unused();
}

/// What became of all that no reader asked for: MJCF says where it has a place, and the rest is unknown.
void MjcfReader::unread() {
  using Fate = MjcfFate::Kind;
  std::map<std::string, int> pictures;
  const auto judge = [&](bool shared) {  // compiler, option and defaults are asked only where something needs them
    return [&, shared](const XmlNode& node, const XmlNode::Attribute* a) {
      if (a == nullptr) {
        if (!shared || !mjcf_has_defaults(node.tag)) return false;
        notes_.remark(node.place(), "defaults of elements that the file does not have, or that are lost");
        for (const XmlNode::Attribute& given : node.attributes) {
          if (mjcf_fate(node.tag, given.name).kind == Fate::unknown && !mjcf_attributes(node.tag).empty())
            notes_.lost(node.place(), "attribute '" + given.name + "' (" + given.value.substr(0, 60) +
                                          ") is unknown here" + did_you_mean(given.name, mjcf_attributes(node.tag)));
        }
        return true;
      }
      const MjcfFate fate = mjcf_fate(node.tag, a->name);
      const std::string words = "attribute '" + a->name + "' (" + a->value.substr(0, 60) + ")";
      if (fate.kind == Fate::picture)
        ++pictures[a->name];
      else if (fate.kind == Fate::lost)
        notes_.lost(node.place(), words + ": " + fate.why);
      else if (fate.kind == Fate::idle || (fate.kind == Fate::carried && shared))
        notes_.remark(node.place(), words + " has no effect on this model");
      else if (fate.kind == Fate::carried)
        notes_.lost(node.place(), words + " has no meaning for this element");
      else
        notes_.lost(node.place(), words + " is unknown here" + did_you_mean(a->name, mjcf_attributes(node.tag)));
      return true;
    };
  };
  for (const char* section : {"compiler", "option", "default"}) {
    for (const XmlNode* node : document_.sections(section)) node->report_unread(notes_, judge(true)), node->ignore();
  }
  for (const XmlNode& node : document_.includes()) node.report_unread(notes_, judge(true));
  document_.root().report_unread(notes_, judge(false));
  std::string names;
  int count = 0;
  for (const auto& [name, times] : pictures)
    names += (names.empty() ? "" : ", ") + name + " (" + std::to_string(times) + ")", count += times;
  if (count > 0)
    notes_.remark(document_.root().place(),
                  std::to_string(count) + " attributes of pictures alone are not drawn: " + names);
}

void MjcfReader::read() {
  const XmlNode& root = document_.root();
  for (const std::string& file : document_.included()) notes_.reads(file);
  sdk::refuse_loops(request_);
  model_.title = root.get("model", "MuJoCo model");
  const XmlNode* gravity = document_.option_with("gravity");
  model_.gravity = gravity != nullptr ? gravity->vector("gravity", {0, 0, -9.81}) : Eigen::Vector3d(0, 0, -9.81);
  if (document_.disabled("gravity")) model_.gravity.setZero();
  for (const XmlNode* world : document_.sections("worldbody"))
    contents(*world, sdk::ground_link, {}, world->get("childclass", ""), false);
  if (model_.links.empty()) root.refuse("holds no <body>");
  bound_masses();
  // Equalities hold what is so in the reference configuration.
  sdk::place_links(model_, sdk::tree_order(model_));
  equalities();
  start_from_keyframe();
  sdk::settle_model(model_, notes_);
  on_joints();
  joint_equalities();
  actuators();
  rest();
  unread();
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
