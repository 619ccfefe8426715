// The spatial joints of the catalogue against independent definitions of their rows.
#include "row_oracle.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

using State = SpatialBodyState;

/// Random body-fixed geometry; the frames of both bodies as the elements choose them.
struct Geometry {
  Vec3<> s_i, s_j, axis_i, axis_j, h_i, h_j;
  sdk::SpatialAxes axes;
  double start;  ///< m, displacement along h_i in the initial configuration

  Geometry(const std::vector<std::int32_t>& bodies, const ModelInfo& model, Random& random)
      : s_i(random_vec3(random)),
        s_j(random_vec3(random)),
        axis_i(random_vec3(random)),
        axis_j(random_vec3(random)),
        h_i((1 / sdk::norm(axis_i)) * axis_i),
        h_j((1 / sdk::norm(axis_j)) * axis_j),
        axes(frames(bodies, model)) {
    const auto& i = *static_cast<const State*>(model.initial_state(BodyRef{bodies[0]}));
    const auto& j = *static_cast<const State*>(model.initial_state(BodyRef{bodies[1]}));
    const Vec3<> d = sdk::position(j) + sdk::multiply(j.A, s_j) - sdk::position(i) - sdk::multiply(i.A, s_i);
    start = sdk::dot(sdk::multiply(i.A, h_i), d);
  }

 private:
  sdk::SpatialAxes frames(const std::vector<std::int32_t>& bodies, const ModelInfo& model) const {
    const double none = left_out();
    const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
    return sdk::spatial_axes(
        {{refs, 2}}, {{none, none, none}, {axis_i.x, axis_i.y, axis_i.z}, {axis_j.x, axis_j.y, axis_j.z}}, model);
  }
};

/// `fill_in(fill, geometry)`; `rows_of(geometry)` gives the rows as a function of poses.
template <Index rows, class Fill, class Rows>
void check(const char* type, const Fill& fill_in, const Rows& rows_of) {
  const ComponentRecord& record = find_component(type, ComponentKind::constraint, Host::spatial);
  check_constraint<State>(
      type, [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const Geometry g(bodies, model, random);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies);
        fill_in(fill, g);
        return with_oracle<State, 2, rows>(
            record, std::move(fill), model, bodies,
            [rows_of, g](const auto* b, auto* out, const double* references) { rows_of(g, b, out, references); });
      });
}

void points(ParameterFill& fill, const Geometry& g) { fill.vector("point_i", g.s_i).vector("point_j", g.s_j); }
void axes(ParameterFill& fill, const Geometry& g) { fill.vector("axis_i", g.axis_i).vector("axis_j", g.axis_j); }
void joint(ParameterFill& fill, const Geometry& g) { points(fill, g), axes(fill, g); }
void guide(ParameterFill& fill, const Geometry& g) { points(fill, g), fill.vector("axis_i", g.axis_i); }

const auto dot_ij = [](const auto* b, const Vec3<>& i, const Vec3<>& j) {
  return sdk::dot(turned(b[0], i), turned(b[1], j));
};
const auto along = [](const auto* b, const Geometry& g, const Vec3<>& i) {
  return sdk::dot(turned(b[0], i), between(b[0], b[1], g.s_i, g.s_j));
};

TEST_CASE("in-line, in-plane, planar and parallel-axes joints equal their oracles") {
  check<2>("in_line", guide, [](const Geometry& g, const auto* b, auto* out, const double*) {
    out[0] = along(b, g, g.axes.f_i), out[1] = along(b, g, g.axes.g_i);
  });
  check<1>("in_plane", guide,
           [](const Geometry& g, const auto* b, auto* out, const double*) { out[0] = along(b, g, g.h_i); });
  check<3>("planar_joint", joint, [](const Geometry& g, const auto* b, auto* out, const double*) {
    out[0] = dot_ij(b, g.axes.f_i, g.h_j), out[1] = dot_ij(b, g.axes.g_i, g.h_j), out[2] = along(b, g, g.h_i);
  });
  check<2>("parallel_axes", axes, [](const Geometry& g, const auto* b, auto* out, const double*) {
    out[0] = dot_ij(b, g.axes.f_i, g.h_j), out[1] = dot_ij(b, g.axes.g_i, g.h_j);
  });
}

TEST_CASE("universal joint equals its oracle") {
  // Axes given globally: the element refuses axes that start far from perpendicular.
  const ComponentRecord& record = find_component("universal", ComponentKind::constraint, Host::spatial);
  check_constraint<State>(
      "universal", [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const auto state = [&](std::size_t k) {
          return *static_cast<const State*>(model.initial_state(BodyRef{bodies[k]}));
        };
        const Vec3<> at = random_vec3(random), h{0.6, 0.8, 0}, k{0.8, -0.6, 0};
        const auto local = [&](std::size_t b, const Vec3<>& x) { return sdk::multiply_transposed(state(b).A, x); };
        const Vec3<> h_i = local(0, h), h_j = local(1, k);
        const Vec3<> s_i = local(0, at - sdk::position(state(0))), s_j = local(1, at - sdk::position(state(1)));
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("at", at).vector("axis", 3.0 * h).vector("second_axis", k);
        return with_oracle<State, 2, 4>(record, std::move(fill), model, bodies,
                                        [=](const auto* b, auto* out, const double*) {
                                          const auto d = between(b[0], b[1], s_i, s_j);
                                          out[0] = d.x, out[1] = d.y, out[2] = d.z, out[3] = dot_ij(b, h_i, h_j);
                                        });
      });
}

TEST_CASE("fixed joint equals its oracle") {
  const ComponentRecord& record = find_component("fixed", ComponentKind::constraint, Host::spatial);
  check_constraint<State>(
      "fixed", [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const Vec3<> s_i = random_vec3(random), s_j = random_vec3(random);
        // The frame of the global z axis, in both bodies.
        const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
        const double none = left_out();
        const sdk::SpatialAxes a =
            sdk::spatial_axes({{refs, 2}}, {{0, 0, 1}, {none, none, none}, {none, none, none}}, model);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
        return with_oracle<State, 2, 6>(record, std::move(fill), model, bodies,
                                        [=](const auto* b, auto* out, const double*) {
                                          const auto d = between(b[0], b[1], s_i, s_j);
                                          out[0] = d.x, out[1] = d.y, out[2] = d.z;
                                          out[3] = dot_ij(b, a.f_i, a.h_j), out[4] = dot_ij(b, a.g_i, a.h_j);
                                          out[5] = dot_ij(b, a.f_i, a.g_j);
                                        });
      });
}

TEST_CASE("composites of massless links equal their oracles") {
  const auto link = [](ParameterFill& fill, const Geometry& g) { points(fill, g), fill.number("length", 1.7); };
  check<1>("spherical_spherical", link, [](const Geometry& g, const auto* b, auto* out, const double*) {
    out[0] = sdk::norm(between(b[0], b[1], g.s_i, g.s_j)) - 1.7;
  });
  // The hinge's axis perpendicular to the link at the start: anything else is refused.
  const ComponentRecord& record = find_component("revolute_spherical", ComponentKind::constraint, Host::spatial);
  check_constraint<State>("revolute_spherical", [&](const std::vector<std::int32_t>& bodies, const Model<State>& model,
                                                    Random& random) {
    const auto state = [&](std::size_t k) {
      return *static_cast<const State*>(model.initial_state(BodyRef{bodies[k]}));
    };
    const Vec3<> s_i = random_vec3(random), s_j = random_vec3(random);
    const Vec3<> d = sdk::position(state(1)) + sdk::multiply(state(1).A, s_j) - sdk::position(state(0)) -
                     sdk::multiply(state(0).A, s_i);
    const Vec3<> h = sdk::perpendicular(d), h_i = sdk::multiply_transposed(state(0).A, h);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j).vector("axis", h).number("length", 1.2);
    return with_oracle<State, 2, 2>(record, std::move(fill), model, bodies,
                                    [=](const auto* b, auto* out, const double*) {
                                      const auto d = between(b[0], b[1], s_i, s_j);
                                      out[0] = sdk::dot(turned(b[0], h_i), d), out[1] = sdk::norm(d) - 1.2;
                                    });
  });
}

/// arg((F_j.F_i) + i (F_j.G_i)).
template <class Pose>
auto angle_about(const Pose& i, const Pose& j, const sdk::SpatialAxes& a) {
  const auto F_j = turned(j, a.f_j);
  return atan2(sdk::dot(F_j, turned(i, a.g_i)), sdk::dot(F_j, turned(i, a.f_i)));
}

TEST_CASE("screw equals its oracle") {
  // Body-fixed frames; the start of the displacement follows from the initial configuration.
  check<5>(
      "screw",
      [](ParameterFill& fill, const Geometry& g) {
        joint(fill, g);
        fill.number("pitch", 0.8).number("initial_angle", 0.3).number("initial_displacement", -0.2);
      },
      [](const Geometry& g, const auto* b, auto* out, const double* references) {
        out[0] = dot_ij(b, g.axes.f_i, g.h_j), out[1] = dot_ij(b, g.axes.g_i, g.h_j);
        out[2] = along(b, g, g.axes.f_i), out[3] = along(b, g, g.axes.g_i);
        const double k = 0.8 / (2 * M_PI);
        out[4] =
            along(b, g, g.h_i) - g.start - k * (nearest(angle_about(b[0], b[1], g.axes) + 0.3, references[0]) - 0.3);
      });
}

TEST_CASE("gear pair of three bodies equals its oracle") {
  const ComponentRecord& record = find_component("gear_pair", ComponentKind::constraint, Host::spatial);
  check_constraint<State>(
      "gear_pair",
      [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random&) {
        const Vec3<> h{0.6, 0, 0.8}, k{0, 1, 0};
        const double none = left_out();
        const auto frames = [&](std::size_t gear, const Vec3<>& x) {
          const BodyRef refs[2] = {{bodies[2]}, {bodies[gear]}};
          return sdk::spatial_axes({{refs, 2}}, {{x.x, x.y, x.z}, {none, none, none}, {none, none, none}}, model);
        };
        const sdk::SpatialAxes first = frames(0, h), second = frames(1, k);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", {bodies[0], bodies[1]}).body("carrier", bodies[2]);
        fill.vector("axis", h).vector("second_axis", k).number("ratio", -1.5);
        return with_oracle<State, 3, 1>(record, std::move(fill), model, bodies,
                                        [=](const auto* b, auto* out, const double* references) {
                                          out[0] = nearest(angle_about(b[2], b[1], second), references[1]) +
                                                   1.5 * nearest(angle_about(b[2], b[0], first), references[0]);
                                        });
      },
      {{0, 1, 2}, {0, 1, -1}, {-1, 1, 2}});
}

TEST_CASE("rack and pinion equals its oracle") {
  const ComponentRecord& record = find_component("rack_and_pinion", ComponentKind::constraint, Host::spatial);
  check_constraint<State>("rack_and_pinion", [&](const std::vector<std::int32_t>& bodies, const Model<State>& model,
                                                 Random& random) {
    const auto state = [&](std::size_t k) {
      return *static_cast<const State*>(model.initial_state(BodyRef{bodies[k]}));
    };
    const Vec3<> h{0.6, 0, 0.8}, t{0, 1, 0}, n = sdk::cross(h, t), s_i = random_vec3(random), s_j = random_vec3(random);
    const auto local = [&](std::size_t b, const Vec3<>& x) { return sdk::multiply_transposed(state(b).A, x); };
    const Vec3<> d = sdk::position(state(1)) + sdk::multiply(state(1).A, s_j) - sdk::position(state(0)) -
                     sdk::multiply(state(0).A, s_i);
    const double R = sdk::dot(n, d) < 0 ? 0.4 : -0.4, start = sdk::dot(t, d);
    const Vec3<> f_i = local(0, t), g_i = local(0, sdk::cross(h, t)), t_j = local(1, t);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j).number("radius", 0.4);
    fill.vector("axis", h).vector("second_axis", t);
    return with_oracle<State, 2, 1>(
        record, std::move(fill), model, bodies, [=](const auto* b, auto* out, const double* references) {
          const auto T_j = turned(b[1], t_j);
          // Of the rack about the pinion's axis: minus the pinion's angle.
          const auto angle =
              nearest(atan2(sdk::dot(T_j, turned(b[0], g_i)), sdk::dot(T_j, turned(b[0], f_i))), -references[0]);
          out[0] = -R * angle - (sdk::dot(T_j, between(b[0], b[1], s_i, s_j)) - start);
        });
  });
}

}  // namespace
}  // namespace conformance
