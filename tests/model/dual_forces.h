// Equations of the shipped forces, of gravity and of the bodies' inertia in dual numbers, written anew.
#pragma once

#include <map>
#include <memory>

#include "dual_constraints.h"
#include "trammel/text/expression.h"

namespace trammel::duals {

using BuildLoad = std::function<Load(const Keys&)>;
using Law = std::function<Scalar(const Scalar& y, const Scalar& rate, const Scalar& t)>;
using Terms = std::vector<Load::Term>;

/// F = k s + F_s(s) + c r + F_d(r) + F_g(y, r, t), s = y - y0(t); zero on the side where it does not act.
inline Law spring_and_damper(const Keys& k, const char* free, const std::vector<std::string>& names) {
  const FunctionRef free_at = k.function(free), spring = k.function("spring"), damper = k.function("damper");
  const double stiffness = k.number("stiffness"), damping = k.number("damping");
  if (k.number_or_zero("friction") != 0) throw NotCovered("friction");
  std::shared_ptr<const Expression> formula;
  if (const Text& text = k.at<Text>("law"); text.given()) {
    formula = std::make_shared<Expression>(Expression::compile(text.view(), names));
  }
  const std::int32_t side = names[0] == "l" ? k.at<std::int32_t>("one_sided") : 0;
  return [=](const Scalar& y, const Scalar& rate, const Scalar& t) {
    const Scalar s = free_at != nullptr ? y - sdk::evaluate(*free_at, t) : y;
    Scalar F = stiffness * s + damping * rate;
    if (spring != nullptr) F += sdk::evaluate(*spring, s);
    if (damper != nullptr) F += sdk::evaluate(*damper, rate);
    if (formula != nullptr) {
      const Scalar values[] = {y, y, rate, t};
      F += formula->evaluate(values);
    }
    const bool acts = side == 0 || (side == 1 ? base_value(F) <= 0 : base_value(F) >= 0);
    return acts ? F : Scalar();
  };
}

/// A law over the very coordinate along which it acts.
inline Load along(const Points& p, const Coordinate& coordinate, const Law& law) {
  return {{p.i, p.j},
          [=](const Configuration& c, Terms& out) {
            const Number x = coordinate(c);
            out.push_back({x, x});
          },
          law};
}
inline Law scaled(FunctionRef function) {
  return [=](const Scalar& y, const Scalar&, const Scalar& t) {
    return function != nullptr ? sdk::evaluate(*function, t) * y : y;
  };
}
inline Scalar itself(const Scalar& y, const Scalar&, const Scalar&) { return y; }

/// Q = -V_q.
inline Load potential(const std::vector<BodyRef>& bodies, const Coordinate& V) {
  return {bodies, [=](const Configuration& c, Terms& out) { out.push_back({V(c), Number(1)}); }, itself};
}

inline Load uniform_field(const std::vector<BodyRef>& bodies, const std::vector<double>& mass, const Vec3<>& g) {
  return potential(bodies, [=](const Configuration& c) {
    Number V;
    for (std::size_t k = 0; k < bodies.size(); ++k) V -= mass[k] * dot(c.point(bodies[k], {0, 0, 0}), g);
    return V;
  });
}
inline Load gravity(const Keys& k) {
  const BodyRefs& chosen = k.at<BodyRefs>("bodies");
  std::vector<BodyRef> bodies(chosen.data, chosen.data + chosen.size);
  for (Index b = 0; chosen.size == 0 && b < k.model.body_count(); ++b) bodies.push_back({b});
  std::vector<double> mass;
  for (const BodyRef& body : bodies) mass.push_back(k.model.body_mass(body.index));
  return uniform_field(bodies, mass, k.vector("acceleration"));
}
inline Load point_gravity(const Keys& k) {
  const Points p = bodies_of(k);
  const auto mass = [&](const char* key, BodyRef body) {
    return given(k.number(key)) ? k.number(key) : k.model.body_mass(body.index);
  };
  const double strength = k.number("constant") * mass("mass_i", p.i) * mass("mass_j", p.j);
  return potential({p.i, p.j}, [=](const Configuration& c) { return -strength / norm(between(c, p)); });
}

/// A force on a point, constant in global axes or in those of the body.
inline Load applied_force(const Keys& k) {
  const BodyRef body = k.at<BodyRef>("body");
  const Vec3<> s = k.point(body), f = k.vector("force");
  const bool turns = k.at<std::int32_t>("frame") == 1;
  return {{body},
          [=](const Configuration& c, Terms& out) {
            const Vec3<Number> P = c.point(body, s), F = turns ? c.direction(body, f) : Vec3<Number>{f.x, f.y, f.z};
            out.push_back({-P.x, F.x}), out.push_back({-P.y, F.y}), out.push_back({-P.z, F.z});
          },
          scaled(k.function("function"))};
}
/// The axes u_k of the body turn by du_k = theta x u_k, so that the work of a torque T is half the sum of (T x
/// u_k).du_k.
inline Load applied_torque(const Keys& k) {
  const BodyRef body = k.at<BodyRef>("body");
  const Vec3<> given = k.planar() ? Vec3<>{0, 0, k.number("torque")} : k.vector("torque");
  const bool turns = !k.planar() && k.at<std::int32_t>("frame") == 1;
  return {{body},
          [=](const Configuration& c, Terms& out) {
            const Vec3<Number> T = turns ? c.direction(body, given) : Vec3<Number>{given.x, given.y, given.z};
            for (const Vec3<>& axis : {Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}, Vec3<>{0, 0, 1}}) {
              const Vec3<Number> u = c.direction(body, axis), f = 0.5 * cross(T, u);
              out.push_back({-u.x, f.x}), out.push_back({-u.y, f.y}), out.push_back({-u.z, f.z});
            }
          },
          scaled(k.function("function"))};
}

/// F = k d + c d' upwards, d = R + h(x) - z.
inline Load tyre(const Keys& k) {
  const BodyRef body = k.at<BodyRef>("body");
  const Vec3<> s = k.point(body);
  const double stiffness = k.number("stiffness"), damping = k.number("damping"), R = k.number("radius");
  const FunctionRef road = k.function("road");
  const bool unilateral = k.at<std::int32_t>("contact") == 1;
  return {{body},
          [=](const Configuration& c, Terms& out) {
            const Vec3<Number> P = c.point(body, s);
            const Number z = c.planar() ? P.y : P.z;
            out.push_back({-z, (road != nullptr ? sdk::evaluate(*road, P.x) : Number()) + R - z});
          },
          [=](const Scalar& d, const Scalar& rate, const Scalar&) {
            const Scalar F = stiffness * d + damping * rate;
            return unilateral && !(base_value(d) > 0 && base_value(F) > 0) ? Scalar() : F;
          }};
}

inline Load rsda(const Keys& k) {
  const Points p = bodies_of(k);
  const Law law = spring_and_damper(k, "free_angle", {"theta", "angle", "rate", "t"});
  if (k.has("reference_i") || (k.planar() && k.has("initial_angle"))) throw NotCovered("a zero of its own");
  if (k.planar()) return along(p, planar_turn(p, 0), law);
  const sdk::SpatialAxes a = k.axes();
  const double start = k.number_or_zero("initial_angle");
  return along(
      p, [=](const Configuration& c) { return turn(c, p, a) + start; }, law);
}
inline Load tsda(const Keys& k) {
  const Points p = k.points();
  return along(p, rod(p, 0), spring_and_damper(k, "free_length", {"l", "length", "rate", "t"}));
}

inline const std::map<std::string, BuildLoad>& forces() {
  static const std::map<std::string, BuildLoad> types = {
      {"gravity", gravity},    {"point_gravity", point_gravity}, {"tsda", tsda},
      {"rsda", rsda},          {"applied_force", applied_force}, {"applied_torque", applied_torque},
      {"tyre_vertical", tyre},
  };
  return types;
}

/// All equations of a model. Throws NotCovered at the first element that this test does not know.
inline Equations equations(LoadedModel& loaded) {
  const Host host = loaded.model.host();
  const bool planar = host == Host::planar;
  Equations all{planar ? 3u : 7u, {}, {}, {}};
  const auto keys = [&](const Section& section, ComponentKind kind) {
    return Keys(loaded, section, loaded.host.find(kind, host, section.type).record->parameters);
  };
  const auto known = [](const auto& types, const Section& section) {
    const auto found = types.find(section.type);
    if (found == types.end()) throw NotCovered(section.type);
    return found->second;
  };
  for (const Section& section : loaded.run.constraints) {
    const auto& build = known(planar ? planar_constraints() : spatial_constraints(), section);
    all.rows.push_back(build(keys(section, ComponentKind::constraint)));
  }
  for (const Section& section : loaded.run.forces) {
    const auto& build = known(forces(), section);
    all.loads.push_back(build(keys(section, ComponentKind::force)));
  }
  std::vector<BodyRef> bodies;
  std::vector<double> mass;
  std::size_t first = 0;
  const ComponentRecord& system = *loaded.host.find(ComponentKind::system, Host::any, loaded.run.system.type).record;
  for (const Section& section : loaded.run.bodies) {
    const BodyRef body{static_cast<std::int32_t>(bodies.size())};
    const Keys k(loaded, section, system.body_parameters);
    Body own{k.number("mass"), {0, 0, 0, 0, 0, 0}};
    own.point = k.at<std::int32_t>("type") == 1;
    own.first = first, own.width = own.point ? all.width - (planar ? 1 : 4) : all.width;
    first += own.width;
    if (!own.point && planar) own.J[2] = k.number("inertia");
    if (!own.point && !planar) {
      const trammel::Numbers& J = k.at<trammel::Numbers>("inertia");
      for (std::int64_t n = 0; n < J.size; ++n) own.J[n] = J[n];
      all.rows.push_back({{body}, [=](const Configuration& c, Numbers& Phi) {  // |p| = 1
                            const Number* p = c.of(body) + 3;
                            Phi.push_back((p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1.0) / 2.0);
                          }});
    }
    bodies.push_back(body), mass.push_back(own.mass), all.bodies.push_back(own);
  }
  const Keys field(loaded, loaded.run.system, system.parameters);
  all.loads.push_back(uniform_field(bodies, mass, field.vector("gravity")));
  return all;
}

}  // namespace trammel::duals
