// Springs, bushings, and forces whose components are expressions.
#include <algorithm>

#include "reader.h"

namespace trammel::adams_deck {
namespace {

std::string rotation_json(const Eigen::Matrix3d& R) { return sdk::ModelWriter::rotation(R); }

Eigen::Vector3d axis(const sdk::ModelWriter::OnBody& m, int k) { return m.frame.R.col(k); }

/// The axis of J in the first body, that of I in the second, and the directions between which AZ counts.
void about_z(sdk::JsonObject& keys, const sdk::ModelWriter::OnBody& j, const sdk::ModelWriter::OnBody& i) {
  keys.vector("axis_i", axis(j, 2)).vector("axis_j", axis(i, 2));
  keys.vector("reference_i", axis(j, 0)).vector("reference_j", axis(i, 0));
}

}  // namespace

void AdamsReader::spring(const Statement& s) {
  const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
  if (i.place.part == j.place.part) return lose(s, "it acts between a part and itself");
  const auto a = on_body(j.place), b = on_body(i.place);
  const bool turns = s.flag("ROTATIONAL");
  if (!turns && !s.flag("TRANSLATIONAL")) s.refuse("says neither TRANSLATIONAL nor ROTATIONAL");
  sdk::ImportElement& e = element(s, false, turns ? "rsda" : "tsda", j, i);
  const double unit = turns ? units_.torque() : units_.force / units_.length;
  const double stiffness = s.number(turns ? "KT" : "K", 0) * unit,
               damping = s.number(turns ? "CT" : "C", 0) * unit * units_.time;
  if (stiffness < 0 || damping < 0) s.refuse("stiffness and damping may not be negative");
  const double preload = turns ? s.number("TORQUE", 0) * units_.torque() : s.number("FORCE", 0) * units_.force;
  if (turns)
    about_z(e.keys, a, b);
  else
    e.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  e.keys.number("stiffness", stiffness).number("damping", damping);
  e.keys.number(turns ? "free_angle" : "free_length",
                turns ? s.number("ANGLE", 0) : s.number("LENGTH", 0) * units_.length);
  // Of the deck, a force that pushes the markers apart and a torque that turns I forward are positive.
  if (preload != 0) e.keys.text("law", sdk::json_number(-preload));
}

void AdamsReader::bushing(const Statement& s) {
  const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
  if (i.place.part == j.place.part) return lose(s, "it acts between a part and itself");
  const auto a = on_body(j.place), b = on_body(i.place);
  const Eigen::Vector3d k = s.vector("K") * (units_.force / units_.length),
                        c = s.vector("C") * (units_.force * units_.time / units_.length),
                        kt = s.vector("KT") * units_.torque(), ct = s.vector("CT") * (units_.torque() * units_.time);
  const Eigen::Vector3d force = s.vector("FORCE") * units_.force, torque = s.vector("TORQUE") * units_.torque();
  for (const Eigen::Vector3d& values : {k, c, kt, ct}) {
    if (values.minCoeff() < 0) s.refuse("stiffness and damping may not be negative");
  }
  sdk::ImportElement& e = element(s, false, "bushing", j, i);
  e.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  e.keys.add("rotation_i", rotation_json(a.frame.R)).add("rotation_j", rotation_json(b.frame.R));
  e.keys.vector("stiffness", k).vector("damping", c).vector("torsional_stiffness", kt).vector("torsional_damping", ct);
  if (!force.isZero(0)) e.keys.vector("preload", Eigen::Vector3d(-force));
  if (!torque.isZero(0)) e.keys.vector("torsional_preload", Eigen::Vector3d(-torque));
  if (!kt.isZero(0) || !ct.isZero(0)) {
    notes_.approximated(
        s.place(), "turns of " + s.words() +
                       " are taken as the rotation vector, which is the deck's small angles for turns about one axis");
  }
}

/// Between I and J in the axes of a third marker; false, and lost, where no element can have these axes.
bool AdamsReader::pair_of(const Statement& s, const MarkerPlace& on, const MarkerPlace& reaction,
                          const MarkerPlace& axes, Pair& pair) {
  if (on.part == reaction.part) return lose(s, "it acts between a part and itself"), false;
  pair.first = reaction, pair.second = on;
  pair.along_second = axes.part == on.part && axes.part != reaction.part;
  if (axes.part != on.part && axes.part != reaction.part)
    return lose(s, "its components are along axes of a part that it does not act on"), false;
  (pair.along_second ? pair.second : pair.first).frame.R = axes.frame.R;
  return true;
}

sdk::ImportElement& AdamsReader::six_components(const Statement& s, const Pair& pair) {
  const auto a = on_body(pair.first), b = on_body(pair.second);
  sdk::ImportElement& e = model_.add_element(false, s.own_name(), "six_component_force", s.place());
  e.comment = s.id_text();
  e.keys.texts("bodies", {a.body, b.body}).vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  if (!a.frame.R.isIdentity(0)) e.keys.add("rotation_i", rotation_json(a.frame.R));
  if (!b.frame.R.isIdentity(0)) e.keys.add("rotation_j", rotation_json(b.frame.R));
  if (pair.along_second) e.keys.text("axes", "second");
  return e;
}

/// A force that depends on its own length or angle only, as a spring; false where it depends on more.
bool AdamsReader::single_on_line(const Statement& s, const Expression& e, const Marker& i, const Marker& j,
                                 bool turns) {
  LineMeasures own(s.reference("I"), s.reference("J"), turns);
  Translator translate = translator(own, s);
  Formula f = 0.0;
  try {
    f = translate.translate(e, s.place()) * Formula(turns ? units_.torque() : units_.force);
  } catch (const NotCarried&) {
    return false;
  }
  const auto a = on_body(j.place), b = on_body(i.place);
  sdk::ImportElement& spring = element(s, false, turns ? "rsda" : "tsda", j, i);
  if (turns)
    about_z(spring.keys, a, b);
  else
    spring.keys.vector("point_i", a.frame.r).vector("point_j", b.frame.r);
  spring.keys.text("law", (-f).text);
  return true;
}

void AdamsReader::single(const Statement& s) {
  const Marker &i = marker(s.need_reference("I"), s), &j = marker(s.need_reference("J"), s);
  const std::string text = s.expression("FUNCTION");
  if (text.empty()) s.refuse("has no FUNCTION");
  const bool turns = s.flag("ROTATIONAL"), action = s.flag("ACTIONONLY");
  if (!s.flag("TRANSLATIONAL") && !turns) s.refuse("says neither TRANSLATIONAL nor ROTATIONAL");
  s.flag("REACTION");
  const Expression e = parse_expression(text, s.place());
  const MarkerPlace ground{};
  if (!action) {
    if (i.place.part == j.place.part) return lose(s, "it acts between a part and itself");
    if (single_on_line(s, e, i, j, turns)) return;
  } else if (i.place.part == sdk::ground_link) {
    return lose(s, "it acts on the ground only");
  }
  // Action and reaction from J to I, or from the ground to I along the axis of J.
  Pair pair;
  if (!pair_of(s, i.place,
               action && j.place.part == i.place.part ? ground
               : action                               ? MarkerPlace{sdk::ground_link, j.place.frame}
                                                      : j.place,
               j.place, pair))
    return;
  PairMeasures measures(pair.first, pair.second, finder(s));
  Translator translate = translator(measures, s);
  try {
    const Formula f = translate.translate(e, s.place()) * Formula(turns ? units_.torque() : units_.force);
    if (turns || action) {
      six_components(s, pair).keys.text(turns ? "torque_z" : "force_z", f.text);
    } else {  // pushes apart along the line between the markers
      const Formula3 d{Formula::name("x"), Formula::name("y"), Formula::name("z")};
      sdk::ImportElement& out = six_components(s, pair);
      const char* const keys[] = {"force_x", "force_y", "force_z"};
      for (std::size_t k = 0; k < 3; ++k) out.keys.text(keys[k], (f * d[k] / norm(d)).text);
    }
  } catch (const NotCarried& reason) {
    return lose(s, reason.why);
  }
  if (measures.wraps()) notes_.approximated(s.place(), "angles of " + s.words() + " begin again after half a turn");
}

/// VFORCE, VTORQUE, GFORCE: on I, the reaction on the part of JFLOAT at the same place, components along RM.
void AdamsReader::components(const Statement& s) {
  const bool forces = s.keyword != "VTORQUE", torques = s.keyword != "VFORCE";
  const int axes = s.reference("RM");
  const MarkerPlace i = marker(s.need_reference("I"), s).place;
  const int other = s.find("JFLOAT") != nullptr ? s.need_reference("JFLOAT") : s.need_reference("J");
  const MarkerPlace j = marker(other, s).place;
  if (s.find("FUNCTION") != nullptr) return lose(s, "its components come from a subroutine");
  if (s.has("FXYZ") || s.has("TXYZ")) return lose(s, "vector expressions are not carried over");
  // Without RM, along the global axes.
  Pair pair;
  if (!pair_of(s, i, {j.part, j.part == sdk::ground_link ? sdk::Frame{} : j.frame},
               axes > 0 ? marker(axes, s).place : MarkerPlace{}, pair))
    return;
  PairMeasures measures(pair.first, pair.second, finder(s));
  const std::pair<const char*, const char*> names[] = {{"FX", "force_x"},  {"FY", "force_y"},  {"FZ", "force_z"},
                                                       {"TX", "torque_x"}, {"TY", "torque_y"}, {"TZ", "torque_z"}};
  std::vector<std::pair<const char*, Formula>> found;
  try {
    for (const auto& [key, ours] : names) {
      const bool torque = key[0] == 'T';
      if (torque ? !torques : !forces) continue;
      const std::string text = s.expression(key);
      if (text.empty()) continue;
      Translator translate = translator(measures, s);
      const Formula f = translate.translate(parse_expression(text, s.place()), s.place()) *
                        Formula(torque ? units_.torque() : units_.force);
      if (!f.is(0)) found.emplace_back(ours, f);
    }
  } catch (const NotCarried& reason) {
    return lose(s, reason.why);
  }
  sdk::ImportElement& e = six_components(s, pair);
  for (const auto& [ours, f] : found) e.keys.text(ours, f.text);
  if (measures.wraps()) notes_.approximated(s.place(), "angles of " + s.words() + " begin again after half a turn");
}

}  // namespace trammel::adams_deck
