// Attributes of MJCF up to MuJoCo 3.3, by element.
#include "mjcf_schema.h"

#include <sstream>

namespace trammel::robot_xml {
namespace {

using Kind = MjcfFate::Kind;

struct Row {
  const char* tags;
  const char* attributes;
  Kind kind;
  const char* why;
};

constexpr const char* actuators = "general motor position velocity intvelocity damper cylinder muscle adhesion";
constexpr const char* soft = "how MuJoCo lets it yield; it holds exactly here";
constexpr const char* soft_limit = "how MuJoCo lets the limit yield; limit_stiffness and limit_dissipation say it here";
constexpr const char* solver = "a setting of MuJoCo's solver; the run file has its own integrator and formulation";
constexpr const char* contact = "contact is not computed";
constexpr const char* data = "data for programs";

constexpr Row rows[] = {
    {"mujoco", "model", Kind::carried, ""},
    {"compiler",
     "angle coordinate eulerseq strippath meshdir assetdir boundmass boundinertia settotalmass balanceinertia "
     "inertiafromgeom inertiagrouprange exactmeshinertia autolimits",
     Kind::carried, ""},
    {"compiler", "discardvisual texturedir", Kind::picture, ""},
    {"compiler", "usethread fusestatic convexhull saveinertial", Kind::idle, ""},
    {"compiler", "fitaabb", Kind::idle, ""},
    {"compiler", "alignfree", Kind::lost, "frames of free bodies are those of the file"},
    {"option", "gravity density viscosity", Kind::carried, ""},
    {"option", "wind", Kind::lost, "the surrounding fluid, and its forces"},
    {"option", "magnetic", Kind::lost, "a field for sensors"},
    {"option",
     "impratio cone o_margin o_solref o_solimp o_friction mpr_iterations mpr_tolerance ccd_iterations "
     "ccd_tolerance sdf_iterations sdf_initpoints collision",
     Kind::lost, contact},
    {"option",
     "timestep integrator jacobian solver iterations tolerance ls_iterations ls_tolerance noslip_iterations "
     "noslip_tolerance apirate",
     Kind::lost, solver},
    {"option", "actuatorgroupdisable", Kind::lost, "actuators of all groups act"},
    {"flag", "gravity equality constraint actuation passive spring damper limit frictionloss contact clampctrl",
     Kind::carried, ""},
    {"flag",
     "warmstart filterparent refsafe sensor midphase nativeccd eulerdamp autoreset override energy fwdinv invdiscrete "
     "sensornoise multiccd island",
     Kind::lost, solver},
    {"default", "class", Kind::carried, ""},
    {"body", "name pos quat axisangle euler xyaxes zaxis childclass mocap gravcomp", Kind::carried, ""},
    {"body", "user", Kind::lost, data},
    {"body", "sleep", Kind::lost, solver},
    {"worldbody", "name childclass", Kind::carried, ""},
    {"frame", "name pos quat axisangle euler xyaxes zaxis childclass", Kind::carried, ""},
    {"inertial", "pos quat axisangle euler xyaxes zaxis mass diaginertia fullinertia", Kind::carried, ""},
    {"joint freejoint",
     "name class type pos axis ref range limited margin springref stiffness damping armature frictionloss springdamper "
     "actuatorfrcrange actuatorfrclimited",
     Kind::carried, ""},
    {"joint freejoint", "group", Kind::picture, ""},
    {"joint", "solreflimit solimplimit", Kind::lost, soft_limit},
    {"joint", "solreffriction solimpfriction", Kind::lost,
     "how MuJoCo smooths dry friction; friction_speed says it here"},
    {"joint", "actuatorgravcomp", Kind::lost, "compensation of gravity"},
    {"joint", "user", Kind::lost, data},
    {"freejoint", "align", Kind::lost, "frames of free bodies are those of the file"},
    {"geom",
     "name class type size pos quat axisangle euler xyaxes zaxis fromto mass density group mesh rgba material contype "
     "conaffinity shellinertia condim priority friction solmix solref solimp margin gap",
     Kind::carried, ""},
    {"geom", "fluidshape fluidcoef", Kind::lost, "forces of a surrounding fluid"},
    {"geom", "hfield fitscale", Kind::lost, "shapes of this kind are not known here"},
    {"geom", "user", Kind::lost, data},
    {"site", "name class pos quat axisangle euler xyaxes zaxis", Kind::carried, ""},
    {"site", "type size rgba group material fromto", Kind::picture, ""},
    {"site", "user", Kind::lost, data},
    {"mesh", "name class file scale inertia vertex face refpos refquat", Kind::carried, ""},
    {"mesh", "smoothnormal normal texcoord material content_type", Kind::picture, ""},
    {"mesh", "maxhullvert octree_maxdepth", Kind::lost, contact},
    {"material", "name class rgba", Kind::carried, ""},
    {"material", "texture texuniform texrepeat emission specular shininess reflectance metallic roughness",
     Kind::picture, ""},
    {"key", "name qpos qvel ctrl", Kind::carried, ""},
    {"key", "time", Kind::lost, "runs start at t = 0"},
    {"key", "act", Kind::lost, "states of actuators are not carried over"},
    {"key", "mpos mquat", Kind::lost, "bodies that a program moves stand still"},
    {"connect weld", "name class active body1 body2 anchor site1 site2 relpose", Kind::carried, ""},
    {"joint", "active joint1 joint2 polycoef", Kind::carried, ""},
    {"equality", "active class", Kind::carried, ""},
    {"connect weld joint equality", "solref solimp torquescale", Kind::lost, soft},
    {actuators,
     "name class joint jointinparent gear ctrllimited forcelimited ctrlrange forcerange kp kv dyntype gaintype "
     "biastype "
     "gainprm biasprm timeconst dampratio",
     Kind::carried, ""},
    {actuators, "group", Kind::picture, ""},
    {actuators, "user", Kind::lost, data},
    {actuators, "lengthrange actdim dynprm actlimited actrange actearly inheritrange nsample interp delay", Kind::lost,
     "states and ranges of actuators are not carried over"},
};

bool holds(const char* words, const std::string& wanted) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

}  // namespace

MjcfFate mjcf_fate(const std::string& tag, const std::string& attribute) {
  for (const Row& row : rows) {
    if (holds(row.tags, tag) && holds(row.attributes, attribute)) return {row.kind, row.why};
  }
  return {Kind::unknown, ""};
}

std::vector<std::string> mjcf_attributes(const std::string& tag) {
  std::vector<std::string> out;
  for (const Row& row : rows) {
    if (!holds(row.tags, tag)) continue;
    std::istringstream stream(row.attributes);
    for (std::string word; stream >> word;) out.push_back(word);
  }
  return out;
}

bool mjcf_has_defaults(const std::string& tag) {
  return holds(actuators, tag) || holds("mesh material joint geom site camera light pair equality tendon skin", tag);
}

}  // namespace trammel::robot_xml
