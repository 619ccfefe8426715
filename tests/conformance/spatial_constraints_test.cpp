// Spatial constraints against independent definitions of their rows.
#include "constraint_check.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

using sdk::Pose;
using State = SpatialBodyState;

/// Everything the rows are made of, body-fixed.
struct Geometry {
  Vec3<> s_i{}, s_j{}, f_i{}, g_i{}, h_i{}, f_j{}, g_j{}, h_j{};
  double value = 0;
};

/// Rows of the oracle by the names of the primitives.
enum class Rows { point, dot1, dot2, distance, spherical, revolute, cylindrical, translational };

template <Rows kind>
constexpr Index row_count() {
  constexpr Index counts[] = {3, 1, 1, 1, 3, 5, 4, 5};
  return counts[static_cast<int>(kind)];
}

template <Rows kind>
class Oracle final : public sdk::AutoConstraint<Oracle<kind>, State, 2, row_count<kind>()> {
 public:
  Oracle(BodyRef i, BodyRef j, const Geometry& g)
      : sdk::AutoConstraint<Oracle<kind>, State, 2, row_count<kind>()>(i, j), g_(g) {}

  template <class T>
  void phi(const T&, const Pose<State, T>* b, T* out) const {
    const Vec3<T> d = between(b[0], b[1], g_.s_i, g_.s_j);
    const auto dot_ij = [&](const Vec3<>& i, const Vec3<>& j) { return sdk::dot(turned(b[0], i), turned(b[1], j)); };
    const auto along = [&](const Vec3<>& i) { return sdk::dot(turned(b[0], i), d); };
    if constexpr (kind == Rows::point || kind == Rows::spherical || kind == Rows::revolute) {
      out[0] = d.x, out[1] = d.y, out[2] = d.z;
    }
    if constexpr (kind == Rows::dot1) out[0] = dot_ij(g_.f_i, g_.h_j) - g_.value;
    if constexpr (kind == Rows::dot2) out[0] = along(g_.f_i) - g_.value;
    if constexpr (kind == Rows::distance) out[0] = sdk::norm(d) - g_.value;
    if constexpr (kind == Rows::revolute) out[3] = dot_ij(g_.f_i, g_.h_j), out[4] = dot_ij(g_.g_i, g_.h_j);
    if constexpr (kind == Rows::cylindrical || kind == Rows::translational) {
      out[0] = dot_ij(g_.f_i, g_.h_j), out[1] = dot_ij(g_.g_i, g_.h_j);
      out[2] = along(g_.f_i), out[3] = along(g_.g_i);
    }
    if constexpr (kind == Rows::translational) out[4] = dot_ij(g_.f_i, g_.g_j);
  }

 private:
  Geometry g_;
};

/// Which keys an element takes.
struct Keys {
  bool points = true, axes = false;
};

template <Rows kind>
void check(const char* type, Keys keys) {
  const ComponentRecord& record = find_component(type, ComponentKind::constraint, Host::spatial);
  check_constraint<State>(type, [&](const std::vector<std::int32_t>& bodies, const Model<State>& model,
                                    Random& random) {
    Geometry g;
    g.s_i = random_vec3(random), g.s_j = random_vec3(random);
    const Vec3<> axis_i = random_vec3(random), axis_j = random_vec3(random);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies);
    if (keys.points) fill.vector("point_i", g.s_i).vector("point_j", g.s_j);
    const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
    if (keys.axes) {
      const double none = left_out();
      fill.vector("axis_i", axis_i).vector("axis_j", axis_j);
      const sdk::AxisKeys axis_keys{{none, none, none}, {axis_i.x, axis_i.y, axis_i.z}, {axis_j.x, axis_j.y, axis_j.z}};
      const sdk::SpatialAxes axes = sdk::spatial_axes({{refs, 2}}, axis_keys, model);
      g.f_i = axes.f_i, g.g_i = axes.g_i, g.h_i = axes.h_i, g.f_j = axes.f_j, g.g_j = axes.g_j, g.h_j = axes.h_j;
    }
    if (kind == Rows::dot1) {
      g.f_i = (1 / sdk::norm(axis_i)) * axis_i, g.h_j = (1 / sdk::norm(axis_j)) * axis_j, g.value = 0.3;
      fill.vector("axis_i", axis_i).vector("axis_j", axis_j).number("value", g.value);
    }
    if (kind == Rows::dot2) {
      g.f_i = (1 / sdk::norm(axis_i)) * axis_i, g.value = -0.7;
      fill.vector("axis_i", axis_i).number("value", g.value);
    }
    if (kind == Rows::distance) fill.number("length", g.value = 1.7);
    return std::pair(std::make_unique<Component<Constraint>>(record, std::move(fill), model),
                     std::make_unique<Oracle<kind>>(refs[0], refs[1], g));
  });
}

TEST_CASE("spatial rows and contractions equal the oracle's") {
  check<Rows::point>("point", {});
  check<Rows::dot1>("dot1", {false, false});
  check<Rows::dot2>("dot2", {true, false});
  check<Rows::distance>("distance", {});
  check<Rows::spherical>("spherical", {});
  check<Rows::revolute>("revolute", {true, true});
  check<Rows::cylindrical>("cylindrical", {true, true});
  check<Rows::translational>("translational", {true, true});
}

}  // namespace
}  // namespace conformance
