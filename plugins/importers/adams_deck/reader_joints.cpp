// Joints, primitives, motions, couplers and gears.
#include <algorithm>
#include <cmath>

#include "reader.h"

namespace trammel::adams_deck {
namespace {

using Kind = sdk::Joint::Kind;

struct JointType {
  const char* word;
  Kind kind;
};
constexpr JointType joint_types[] = {{"REVOLUTE", Kind::revolute},
                                     {"TRANSLATIONAL", Kind::prismatic},
                                     {"CYLINDRICAL", Kind::cylindrical},
                                     {"SPHERICAL", Kind::spherical},
                                     {"FIXED", Kind::fixed},
                                     {"UNIVERSAL", Kind::universal},
                                     {"HOOKE", Kind::universal},
                                     {"PLANAR", Kind::planar},
                                     {"SCREW", Kind::screw}};

}  // namespace

/// A joint holds I from J: the first body of the run file is that of J, and coordinates count as the deck's.
void AdamsReader::joint(const Statement& s) {
  const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
  const auto* type =
      std::find_if(std::begin(joint_types), std::end(joint_types), [&](const JointType& t) { return s.flag(t.word); });
  if (type == std::end(joint_types)) {
    for (const char* word : {"INLINE", "INPLANE", "ORIENTATION", "PARALLEL_AXES", "PERPENDICULAR", "ATPOINT"}) {
      if (s.flag(word)) return primitive(s);
    }
    if (s.flag("RACKPIN")) return rack_and_pinion(s, i, j);
    if (s.flag("CONVEL")) return constant_velocity(s, i, j);
    s.refuse("has no type of joint");
  }
  if (i.place.part == j.place.part) return lose(s, "it connects a part with itself");
  const int index = model_.add_joint(s.own_name(), "joint", s.place());
  sdk::Joint& joint = model_.joint(index);
  joint.kind = type->kind, joint.loop = true;
  joint.parent = j.place.part, joint.in_parent = j.place.frame;
  joint.child = i.place.part, joint.in_child = i.place.frame;
  joint.axis = Eigen::Vector3d::UnitZ(), joint.second_axis = Eigen::Vector3d::UnitZ();
  joint.comment = s.id_text();
  if (std::string(type->word) == "HOOKE")
    joint.axis = Eigen::Vector3d::UnitY(), joint.second_axis = Eigen::Vector3d::UnitX();
  if (joint.kind == Kind::screw) {
    joint.pitch = s.number("PITCH", 0) * units_.length;
    if (joint.pitch == 0) s.refuse("a screw without PITCH");
  }
  joints_[s.id] = {&s, joint.name};
  initial_conditions(s, joint);
}

/// Rolls on the side of the rack on which the markers lie; the deck's joint holds the two apart no more than ours does.
void AdamsReader::rack_and_pinion(const Statement& s, const Marker& pinion, const Marker& rack) {
  const double radius = std::abs(s.number("PD", 0)) / 2 * units_.length;
  if (!(radius > 0)) s.refuse("a rack and pinion without PD");
  if (pinion.place.part == rack.place.part) return lose(s, "it connects a part with itself");
  const auto global = [&](const MarkerPlace& m) {
    return m.part == sdk::ground_link ? m.frame : model_.link(m.part).start * m.frame;
  };
  const sdk::Frame p = global(pinion.place), r = global(rack.place);
  const Eigen::Vector3d axis = p.R.col(2), along = r.R.col(2), across = axis.cross(along);
  if (std::abs(axis.dot(along)) > 1e-6) return miss(s, "the rack's z axis is not across that of the pinion");
  if (const double apart = std::abs(across.dot(r.r - p.r)); std::abs(apart - radius) > 1e-6 * radius)
    return miss(s, "its rack lies " + sdk::json_number(apart) + " m from the pinion's axis, and PD/2 is " +
                       sdk::json_number(radius) + " m");
  const auto a = on_body(pinion.place), b = on_body(rack.place);
  sdk::ImportElement& e = element(s, true, "rack_and_pinion", pinion, rack);
  e.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  e.keys.vector("axis_i", Eigen::Vector3d(a.frame.R.col(2))).vector("axis_j", Eigen::Vector3d(b.frame.R.col(2)));
  e.keys.number("radius", radius);
}

/// The shafts turn equally fast: what turns one into the other, R, is a swing about an axis across them, without spin, or
/// R = Rx(a) Ry(2 b) Rx(a). So a massless cross between them follows both alike: two universal joints in one point whose
/// angles are equal in pairs. Markers' z axes point away from each other, or, as drawn here and there, the same way.
void AdamsReader::constant_velocity(const Statement& s, const Marker& i, const Marker& j) {
  if (i.place.part == j.place.part) return lose(s, "it connects a part with itself");
  const auto global = [&](const MarkerPlace& m) {
    return m.part == sdk::ground_link ? m.frame : model_.link(m.part).start * m.frame;
  };
  const sdk::Frame at_j = global(j.place);
  sdk::Frame in_i = i.place.frame;
  if (at_j.R.col(2).dot(global(i.place).R.col(2)) < 0) in_i.R = in_i.R * Eigen::Vector3d(1, -1, -1).asDiagonal();
  const sdk::Frame at_i = global({i.place.part, in_i});
  Eigen::Quaterniond swing(Eigen::Matrix3d(at_j.R.transpose() * at_i.R));
  if (swing.w() < 0) swing.coeffs() *= -1;
  const double a = std::atan2(swing.x(), swing.w()), b = std::asin(std::clamp(swing.y(), -1.0, 1.0));
  const std::string name = s.own_name();
  const int middle = model_.add_link(name + "_cross", s.place());
  sdk::Link& cross = model_.link(middle);
  cross.comment = "between the two halves of " + s.id_text();
  cross.start = {
      at_j.R * (Eigen::AngleAxisd(a, Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(b, Eigen::Vector3d::UnitY()))
                   .toRotationMatrix(),
      at_j.r};
  const sdk::ModelWriter::OnBody first = on_body(j.place), second = on_body({i.place.part, in_i}),
                                 mid = writer_.on_body(middle, {});
  const auto half = [&](const sdk::ModelWriter::OnBody& from, const sdk::ModelWriter::OnBody& to, int about, int then) {
    sdk::ImportElement& e = model_.add_element(true, name + (about == 0 ? "" : "_second"), "universal", s.place());
    e.comment = s.id_text() + (about == 0 ? ": constant velocity, first half" : ": second half");
    const auto axis = [](const sdk::ModelWriter::OnBody& m, int k) { return Eigen::Vector3d(m.frame.R.col(k)); };
    e.keys.texts("bodies", {from.body, to.body}).vector("point_i", from.frame.r).vector("point_j", to.frame.r);
    e.keys.vector("axis_i", axis(from, about)).vector("axis_j", axis(to, then));
    e.keys.vector("reference_i", axis(from, then)).vector("reference_j", axis(to, about));
    return e.name;
  };
  const std::string one = half(first, mid, 0, 1), two = half(mid, second, 1, 0);
  for (const bool outer : {true, false}) {
    sdk::ImportElement& e = model_.add_element(true, name + (outer ? "_outer" : "_inner"), "coupler", s.place());
    e.keys.text("first", one).text("second", two);
    e.keys.text("first_coordinate", outer ? "angle" : "second_angle");
    e.keys.text("second_coordinate", outer ? "second_angle" : "angle").number("ratio", 1).number("offset", 0);
  }
}

/// IC of a joint: where its coordinates start.
void AdamsReader::initial_conditions(const Statement& s, const sdk::Joint& joint) {
  const auto condition = [&](const char* key, bool turns) {
    const std::vector<double> values = s.numbers(key, 1, 2);
    if (values.empty()) return;
    const double unit = turns ? 1 : units_.length;
    sdk::JsonObject entry;
    entry.text("of", joint.name + (turns ? ".angle" : ".displacement")).number("value", values[0] * unit);
    if (values.size() > 1) entry.number("rate", values[1] * unit / units_.time);
    model_.conditions.push_back(entry.str());
  };
  if (joint.kind == Kind::revolute) condition("IC", true), condition("ICROT", true);
  if (joint.kind == Kind::prismatic) condition("IC", false), condition("ICTRAN", false);
  if (joint.kind == Kind::cylindrical) condition("ICROT", true), condition("ICTRAN", false);
}

sdk::ImportElement& AdamsReader::element(const Statement& s, bool constraint, const char* type, const Marker& first,
                                         const Marker& second) {
  sdk::ImportElement& e = model_.add_element(constraint, s.own_name(), type, s.place());
  e.keys.texts("bodies", {on_body(first.place).body, on_body(second.place).body});
  e.comment = s.id_text();
  return e;
}

void AdamsReader::primitive(const Statement& s) {
  const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
  if (i.place.part == j.place.part) return lose(s, "it connects a part with itself");
  const auto a = on_body(j.place), b = on_body(i.place);
  const auto axis = [](const sdk::ModelWriter::OnBody& m, int k) { return Eigen::Vector3d(m.frame.R.col(k)); };
  const auto points = [&](sdk::ImportElement& e) { e.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r); };
  if (s.flag("ATPOINT")) {
    points(element(s, true, "spherical", j, i));
  } else if (s.flag("INLINE")) {
    sdk::ImportElement& e = element(s, true, "in_line", j, i);
    points(e), e.keys.vector("axis_i", axis(a, 2));
  } else if (s.flag("INPLANE")) {
    sdk::ImportElement& e = element(s, true, "in_plane", j, i);
    points(e), e.keys.vector("axis_i", axis(a, 2));
  } else if (s.flag("PERPENDICULAR")) {
    element(s, true, "dot1", j, i).keys.vector("axis_i", axis(a, 2)).vector("axis_j", axis(b, 2));
  } else if (s.flag("PARALLEL_AXES") || s.flag("ORIENTATION")) {
    const bool all = s.flag("ORIENTATION");
    sdk::ImportElement& e = element(s, true, "parallel_axes", j, i);
    e.keys.vector("axis_i", axis(a, 2)).vector("axis_j", axis(b, 2));
    if (!all) return;
    const std::string name = e.name;
    e.comment += ", with " + name + "_turn";
    sdk::ImportElement& turn = model_.add_element(true, name + "_turn", "dot1", s.place());
    turn.keys.texts("bodies", {a.body, b.body}).vector("axis_i", axis(a, 0)).vector("axis_j", axis(b, 1));
  } else {
    s.refuse("has no type of primitive");
  }
}

/// A joint that is not in the model: lost, or not even in the deck.
void AdamsReader::miss_joint(const Statement& s, int id) {
  for (const Statement* joint : all("JOINT")) {
    if (joint->id == id && joint->flag("CONVEL")) s.refuse(joint->words() + " has no coordinate to drive or couple");
    if (joint->id == id) return miss(s, "JOINT/" + std::to_string(id) + ", which it needs, is lost");
  }
  s.refuse("there is no JOINT/" + std::to_string(id));
}

void AdamsReader::motion(const Statement& s) {
  const int on = s.reference("JOINT");
  if (on == 0) {
    const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
    const char* const words[] = {"X", "Y", "Z"};
    for (int k = 0; k < 3; ++k) {
      if (s.flag(words[k])) return drive(s, i, j, false, k);
    }
    if (s.flag("B1") || s.flag("B2") || s.flag("B3"))
      return miss(s, "motions of one of three angles are not carried over");
    if (s.flag("ROTATIONAL")) return drive(s, i, j, true, 2);
    if (s.flag("TRANSLATIONAL")) return drive(s, i, j, false, 2);
    s.refuse("says neither a JOINT nor which coordinate of I from J it drives");
  }
  const auto found = joints_.find(on);
  if (found == joints_.end()) return miss_joint(s, on);
  const Statement& joint = *found->second.first;
  const bool turns = s.flag("ROTATIONAL"), slides = s.flag("TRANSLATIONAL");
  const bool revolute = joint.flag("REVOLUTE"), prismatic = joint.flag("TRANSLATIONAL"),
             both = joint.flag("CYLINDRICAL");
  if (!revolute && !prismatic && !both) s.refuse("its joint is neither revolute, nor translational, nor cylindrical");
  if ((turns && prismatic) || (slides && revolute)) s.refuse("drives a coordinate that its joint does not have");
  if (both && turns == slides) s.refuse("must say ROTATIONAL or TRANSLATIONAL: its joint is cylindrical");
  drive(s, marker(joint.reference("I"), s), marker(joint.reference("J"), s), turns || revolute, 2);
}

void AdamsReader::drive(const Statement& s, const Marker& i, const Marker& j, bool turns, int axis) {
  const std::string text = s.expression("FUNCTION");
  if (text.empty()) s.refuse("has no FUNCTION");
  if (i.place.part == j.place.part) return lose(s, "it moves a part from itself");
  const bool of_rate = s.flag("VELOCITY"), of_acceleration = s.flag("ACCELERATION");
  s.flag("DISPLACEMENT");
  NoMeasures none;
  Translator translate = translator(none, s);
  Formula f = 0.0;
  try {
    f = translate.translate(parse_expression(text, s.place()), s.place());
  } catch (const NotCarried& reason) {
    return miss(s, reason.why);
  }
  const double unit = turns ? 1 : units_.length;
  const double per_time = of_acceleration ? 1 / (units_.time * units_.time) : of_rate ? 1 / units_.time : 1;
  f = f * Formula(unit * per_time);
  const auto a = on_body(j.place), b = on_body(i.place);
  const auto direction = [&](const sdk::ModelWriter::OnBody& m, int k) {
    return Eigen::Vector3d(m.frame.R.col((axis + k) % 3));
  };
  sdk::ImportElement& e = element(s, true, turns ? "angle_driver" : "translation_driver", j, i);
  e.keys.vector("axis_i", direction(a, 0));
  if (turns) {
    e.keys.vector("axis_j", direction(b, 0))
        .vector("reference_i", direction(a, 1))
        .vector("reference_j", direction(b, 1));
  } else {
    e.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  }
  std::string function = function_json(f, translate.break_points());
  if (of_rate || of_acceleration) {
    // Where the coordinate is as drawn, unless the deck says.
    const auto start = [&](const MarkerPlace& m) {
      return m.part == sdk::ground_link ? m.frame : model_.link(m.part).start * m.frame;
    };
    const sdk::Frame relative = start(j.place).inverse() * start(i.place);
    const double drawn = turns ? std::atan2(relative.R(1, 0), relative.R(0, 0)) : relative.r[axis];
    const double initial = s.find("ICDISP") != nullptr ? s.number("ICDISP", 0) * unit : drawn;
    const auto integral = [&](const std::string& of, double from) {
      return sdk::JsonObject()
          .text("type", "integral")
          .add("of", of)
          .number("initial", from)
          .number("until", 2 * given_.duration)
          .str();
    };
    if (of_acceleration) function = integral(function, s.number("ICVEL", 0) * unit / units_.time);
    function = integral(function, initial);
    e.comment += ": integrated up to twice the duration";
  }
  e.keys.add("function", function);
}

void AdamsReader::coupler(const Statement& s) {
  const std::vector<double> ids = s.numbers("JOINTS", 1, 3), scales = s.numbers("SCALES", 1, 3);
  const Argument* types = s.find("TYPE");
  if (ids.size() != 2) return miss(s, "couplers of two joints are carried over, not of " + std::to_string(ids.size()));
  if (scales.size() != 2 || !(scales[1] != 0)) return miss(s, "it has no SCALES for its two joints");
  std::string letters;
  if (types != nullptr) {
    for (const std::string& value : types->values) {
      for (const char c : upper_case(value))
        letters += std::isalpha(static_cast<unsigned char>(c)) != 0 ? std::string(1, c) : "";
    }
  }
  double unit[2] = {1, 1};
  std::string names[2], coordinates[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto found = joints_.find(static_cast<int>(ids[k]));
    if (found == joints_.end()) return miss_joint(s, static_cast<int>(ids[k]));
    const Statement& joint = *found->second.first;
    const bool slides = k < letters.size() ? letters[k] == 'T' : joint.flag("TRANSLATIONAL");
    if (!joint.flag("REVOLUTE") && !joint.flag("TRANSLATIONAL") && !joint.flag("CYLINDRICAL"))
      s.refuse(joint.words() + " has no coordinate to couple");
    if (slides) unit[k] = units_.length;
    names[k] = found->second.second, coordinates[k] = slides ? "displacement" : "angle";
  }
  // scale_1 x_1 + scale_2 x_2 stays as it is drawn.
  sdk::ImportElement& e = model_.add_element(true, s.own_name(), "coupler", s.place());
  e.comment = s.id_text();
  e.keys.text("first", names[0]).text("second", names[1]);
  e.keys.text("first_coordinate", coordinates[0]).text("second_coordinate", coordinates[1]);
  e.keys.number("ratio", -scales[0] / scales[1] * unit[1] / unit[0]);
}

/// Two joints on one carrier whose points at the marker CV move along its z axis as fast as each other.
void AdamsReader::gear(const Statement& s) {
  const std::vector<double> ids = s.numbers("JOINTS", 2, 2);
  const Marker& cv = marker(s.need_reference("CV"), s);
  if (ids.empty()) s.refuse("has no JOINTS");
  double lever[2] = {0, 0};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto found = joints_.find(static_cast<int>(ids[k]));
    if (found == joints_.end()) return miss_joint(s, static_cast<int>(ids[k]));
    const Statement& joint = *found->second.first;
    const Marker &i = marker(joint.reference("I"), s), &j = marker(joint.reference("J"), s);
    if (j.place.part != cv.place.part && i.place.part != cv.place.part)
      s.refuse("its marker CV does not sit on the carrier of " + joint.words());
    const Marker& on = j.place.part == cv.place.part ? j : i;
    const Eigen::Vector3d z = on.place.frame.R.col(2), along = cv.place.frame.R.col(2);
    if (!joint.flag("REVOLUTE") && !joint.flag("TRANSLATIONAL"))
      return miss(s, "gears on joints other than revolute and translational");
    lever[k] = joint.flag("REVOLUTE") ? z.cross(cv.place.frame.r - on.place.frame.r).dot(along) : z.dot(along);
    if (&on == &i) lever[k] = -lever[k];
  }
  if (!(std::abs(lever[0]) > 0) || !(std::abs(lever[1]) > 0))
    s.refuse("its marker CV lies on the axis of a joint, or points along it");
  sdk::ImportElement& e = model_.add_element(true, s.own_name(), "coupler", s.place());
  e.comment = s.id_text();
  e.keys.text("first", joints_.at(static_cast<int>(ids[0])).second)
      .text("second", joints_.at(static_cast<int>(ids[1])).second);
  e.keys.number("ratio", lever[0] / lever[1]);
}

}  // namespace trammel::adams_deck
