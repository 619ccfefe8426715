// Elements on joints, as run files have them.
#include "joint_elements.h"

#include "trammel/sdk/import/write_model.h"

namespace trammel::robot_xml {

void JointElements::limit(int joint, const sdk::ImportPlace& place, double lower, double upper, bool second) {
  const sdk::Joint& on = model_.joint(joint);
  const std::string name = on.name, element = name + (second ? "_second" : "");
  const bool angle = on.turns() || on.kind == sdk::Joint::Kind::universal;
  if (!(lower < upper)) {
    return notes_.lost(place, "the limits of joint '" + on.original + "', " + sdk::json_number(lower) + " and " +
                                  sdk::json_number(upper) + ": the upper one is not above the lower one");
  }
  notes_.range(name + (second  ? ".second_angle"
                       : angle ? ".angle"
                               : ".displacement"),
               on.original, lower, upper, place);
  if (keys_.limits == LimitKind::none)
    return notes_.lost(place, "the limits of joint '" + on.original + "' (limits=none)");
  if (keys_.limits == LimitKind::rigid) {
    for (const bool low : {true, false}) {
      const double at = low ? lower : upper;
      if (std::isinf(at)) continue;
      sdk::ImportElement& e = model_.add_element(true, element + (low ? "_lower" : "_upper"), "joint_impact", place);
      e.keys.text("joint", name);
      if (second) e.keys.text("coordinate", "second_angle");
      e.keys.number(low ? "lower" : "upper", at).number("restitution", 0);
    }
    return;
  }
  sdk::ImportElement& e = model_.add_element(false, element + "_limit", "joint_limit", place);
  e.keys.text("joint", name);
  if (second) e.keys.text("coordinate", "second_angle");
  if (!std::isinf(lower)) e.keys.number("lower", lower);
  if (!std::isinf(upper)) e.keys.number("upper", upper);
  e.keys.number("stiffness", keys_.limit_stiffness).number("dissipation", keys_.limit_dissipation);
  e.comment = "stiffness and dissipation are not in the file";
  notes_.approximated(place, "the limits of joint '" + on.original + "' yield, with a stiffness of " +
                                 sdk::json_number(keys_.limit_stiffness) + (angle ? " N m/rad" : " N/m") +
                                 " (limit_stiffness)");
}

void JointElements::friction(int joint, const sdk::ImportPlace& place, double damping, double dry) {
  if (damping < 0 || dry < 0) {
    sdk::refuse_file(place, "damping and friction of joint '" + model_.joint(joint).original +
                                "' may not be negative: " + sdk::json_number(damping) + ", " + sdk::json_number(dry));
  }
  if (damping == 0 && dry == 0) return;
  const std::string name = model_.joint(joint).name;
  sdk::ImportElement& e = model_.add_element(false, name + "_friction", "joint_friction", place);
  e.keys.text("joint", name);
  // Coefficients of all coordinates of the joint, the angle first.
  const bool two =
      model_.joint(joint).kind == sdk::Joint::Kind::cylindrical || model_.joint(joint).kind == sdk::Joint::Kind::screw;
  const double c[2] = {damping, 0}, f[2] = {dry, 0};
  e.keys.add("damping", sdk::json_numbers(c, two ? 2 : 1));
  if (dry == 0) return;
  e.keys.add("friction", sdk::json_numbers(f, two ? 2 : 1)).number("friction_speed", keys_.friction_speed);
  e.comment = "dry friction is smoothed over friction_speed";
  notes_.approximated(model_.joint(joint).place, "the dry friction of joint '" + model_.joint(joint).original +
                                                     "' is smoothed over a rate of " +
                                                     sdk::json_number(keys_.friction_speed) + " (friction_speed)");
}

void JointElements::spring(int joint, const sdk::ImportPlace& place, double stiffness, double reference) {
  if (stiffness < 0)
    sdk::refuse_file(place, "the stiffness of joint '" + model_.joint(joint).original +
                                "' may not be negative: " + sdk::json_number(stiffness));
  if (stiffness == 0) return;
  const std::string name = model_.joint(joint).name;
  sdk::ImportElement& e = model_.add_element(false, name + "_spring", "joint_spring", place);
  e.keys.text("joint", name).number("stiffness", stiffness);
  if (reference != 0) e.keys.number("free_position", reference);
}

void JointElements::of_axis(int joint, bool second, const sdk::ImportPlace& place, double damping, double dry,
                            double stiffness, double reference) {
  const std::string name = model_.joint(joint).name, what = std::string("of the ") + (second ? "second" : "first") +
                                                            " axis of joint '" + model_.joint(joint).original + "'";
  if (damping < 0 || dry < 0 || stiffness < 0)
    sdk::refuse_file(place, "damping, friction and stiffness " + what + " may not be negative");
  if (damping == 0 && dry == 0 && stiffness == 0) return;
  sdk::ImportElement& e =
      model_.add_element(false, name + (second ? "_second_axis" : "_first_axis"), "joint_spring", place);
  e.keys.text("joint", name).text("coordinate", second ? "second_angle" : "angle");
  if (damping != 0) e.keys.number("damping", damping);
  if (stiffness != 0) e.keys.number("stiffness", stiffness);
  if (stiffness != 0 && reference != 0) e.keys.number("free_position", reference);
  if (dry == 0) return;
  e.keys.number("friction", dry).number("friction_speed", keys_.friction_speed);
  e.comment = "dry friction is smoothed over friction_speed";
  notes_.approximated(place, "the dry friction " + what + " is smoothed over a rate of " +
                                 sdk::json_number(keys_.friction_speed) + " (friction_speed)");
}

void JointElements::of_ball(const std::string& name, const sdk::ImportPlace& place, const BallFrames& at,
                            double stiffness, double damping) {
  if (stiffness < 0 || damping < 0)
    sdk::refuse_file(place, "stiffness and damping of '" + name + "' may not be negative: " +
                                sdk::json_number(stiffness) + ", " + sdk::json_number(damping));
  const auto frames = [&](sdk::ImportElement& e, bool turned) {
    e.keys.texts("bodies", {at.first, at.second});
    e.keys.vector("point_i", at.in_first.r).vector("point_j", at.in_second.r);
    if (turned)
      e.keys.add("rotation_i", sdk::ModelWriter::rotation(at.in_first.R))
          .add("rotation_j", sdk::ModelWriter::rotation(at.in_second.R));
  };
  if (stiffness !=
      0) {  // k times the rotation vector: the gradient of half k angle^2, in which every direction is alike
    sdk::ImportElement& e = model_.add_element(false, name + "_spring", "bushing", place);
    frames(e, true);
    const Eigen::Vector3d k = Eigen::Vector3d::Constant(stiffness);
    if (at.free) e.keys.vector("stiffness", k);
    e.keys.vector("torsional_stiffness", k);
    e.comment = "for turns of less than 170 degrees";
    notes_.remark(place, "the spring of '" + name + "' ends the run where it is turned by 170 degrees or more");
  }
  if (damping == 0) return;
  sdk::ImportElement& e = model_.add_element(false, name + "_damper", "six_component_force", place);
  frames(e, false);
  const std::string factor = "-" + sdk::json_number(damping) + "*";
  for (const char* axis : {"x", "y", "z"}) {
    if (at.free) e.keys.text(std::string("force_") + axis, factor + "v" + axis);
    e.keys.text(std::string("torque_") + axis, factor + "w" + axis);
  }
}

void JointElements::armature(int joint, const sdk::ImportPlace& place, double inertia) {
  if (inertia < 0)
    sdk::refuse_file(place, "the armature of joint '" + model_.joint(joint).original +
                                "' may not be negative: " + sdk::json_number(inertia));
  if (inertia == 0) return;
  const sdk::Joint on = model_.joint(joint);
  const int link = model_.add_link(on.name + "_rotor", place);
  // The mass does nothing: the rotor turns about its centre, which stands still.
  sdk::Link& rotor = model_.link(link);
  rotor.comment = "armature of '" + on.name + "': adds its inertia to that of the joint's coordinate";
  rotor.inertia.mass = 1;
  rotor.inertia.tensor = inertia * Eigen::Matrix3d::Identity();
  const int bearing = model_.add_joint(on.name + "_rotor_bearing", "bearing", place);
  sdk::Joint& b = model_.joint(bearing);
  b.kind = sdk::Joint::Kind::revolute, b.child = link, b.axis = Eigen::Vector3d::UnitZ();
  b.value = on.value, b.rate = on.rate;
  couple(on.name + "_rotor_gear", place, joint, bearing, 1, 0);
}

void JointElements::couple(const std::string& name, const sdk::ImportPlace& place, int first, int second, double ratio,
                           double offset) {
  sdk::ImportElement& e = model_.add_element(true, name, "coupler", place);
  e.keys.text("first", model_.joint(first).name).text("second", model_.joint(second).name);
  e.keys.number("ratio", ratio).number("offset", offset);
}

}  // namespace trammel::robot_xml
