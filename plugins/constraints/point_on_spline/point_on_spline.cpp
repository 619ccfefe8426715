// Plugin: a point of the second body stays on a spline curve of the first, planar (cam follower) and spatial.
#include "joint.h"
#include "trammel/sdk/elements/planar_joint.h"
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

namespace trammel::point_on_spline {

template <template <class> class Vec>
sdk::Drawn drawn(const Curve<Vec>& curve, std::size_t points) {
  return sdk::Drawn(Symbol::curve).curve(curve.length(), 8 * points, [&](double u) { return curve.at(u).c; });
}

/// Row 0: the point's distance from the curve, positive to the left of its direction, m.
class PlanarSpline final : public sdk::AutoConstraint<PlanarSpline, PlanarBodyState, 2, 1> {
 public:
  using Parameters = point_on_spline::Parameters;
  static constexpr auto parameters = spline_table(sdk::zero_planar);
  static constexpr const char* channel_names[] = {"parameter", "parameter_rate"};
  static constexpr const char* channel_units[] = {"m", "m/s"};

  PlanarSpline(const Parameters& given, const ModelInfo& model)
      : PlanarSpline(given, read_points<Vec2<>>(given.points, 2, given.closed), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, Drawing>(id, &parameter_, &channels_,
                                                                                         &reaction_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<PlanarBodyState, T>* b, T* out, const ElementState& s) const {
    const Vec2<T> x = parameter_.local(b);
    const CurvePoint<Vec2<T>> p = curve_.at(parameter_.value(x, s));
    out[0] = sdk::dot(sdk::perp(p.c1), x - p.c) / sdk::norm(p.c1);
  }
  template <class T>
  void coordinates(const Pose<PlanarBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = parameter_.value(parameter_.local(b), s);
  }

 private:
  PlanarSpline(const Parameters& given, const std::vector<Vec2<>>& points, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        curve_(points, chord_lengths(points, given.closed), given.closed),
        parameter_(curve_, sdk::vec2(given.point_j), sdk::planar_state(model, given.two.bodies[0]),
                   sdk::planar_state(model, given.two.bodies[1])),
        channels_(*this),
        reaction_(sdk::vec2(given.point_j)),
        drawn_(drawn(curve_, points.size()).at(1, sdk::vec2(given.point_j))) {
    sdk::require_two_bodies(given.two);
  }

  Curve<Vec2> curve_;
  CurveParameter<Vec2, PlanarBodyState> parameter_;
  sdk::AutoChannels<PlanarSpline, PlanarBodyState, 2, 1> channels_;
  sdk::PlanarReaction reaction_;
  sdk::Drawn drawn_;
};

/// Normals n_k at the points of a spatial curve, carried along it with as little twist as possible (double reflection
/// would be finer; projection suffices, since any smooth frame gives the same curve); on a closed curve the angle by
/// which the last misses the first is spread over the way.
inline std::vector<Vec3<>> carried_normals(const Curve<Vec3>& curve, const std::vector<double>& chords, bool closed) {
  const auto tangent = [&](double u) {
    const Vec3<> c1 = curve.at(u).c1;
    return (1 / sdk::norm(c1)) * c1;
  };
  constexpr int substeps = 16;
  std::vector<Vec3<>> normals{sdk::perpendicular(tangent(0))};
  Vec3<> n = normals[0];
  double u = 0;
  for (const double h : chords) {
    for (int k = 0; k < substeps; ++k) {
      u += h / substeps;
      const Vec3<> t = tangent(u);
      n = n - sdk::dot(n, t) * t;
      n = (1 / sdk::norm(n)) * n;
    }
    normals.push_back(n);
  }
  if (!closed) return normals;
  normals.pop_back();
  const Vec3<> t0 = tangent(0), first = normals[0];
  const double miss = std::atan2(sdk::dot(sdk::cross(first, n), t0), sdk::dot(first, n));
  double way = 0;
  for (std::size_t k = 0; k < normals.size(); ++k) {
    const double angle = -miss * way / curve.length();
    normals[k] = std::cos(angle) * normals[k] + std::sin(angle) * sdk::cross(tangent(way), normals[k]);
    way += chords[k];
  }
  return normals;
}

/// Rows 0, 1: the point's distance from the curve along two normals of it, m.
class SpatialSpline final : public sdk::AutoConstraint<SpatialSpline, SpatialBodyState, 2, 2> {
 public:
  using Parameters = point_on_spline::Parameters;
  static constexpr auto parameters = spline_table(sdk::zero_spatial);
  static constexpr const char* channel_names[] = {"parameter", "parameter_rate"};
  static constexpr const char* channel_units[] = {"m", "m/s"};

  SpatialSpline(const Parameters& given, const ModelInfo& model)
      : SpatialSpline(given, read_points<Vec3<>>(given.points, 3, given.closed), model) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, ReactionPoint, Drawing>(id, &parameter_, &channels_,
                                                                                         &reaction_, &drawn_);
  }

  template <class T>
  void phi(const T&, const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    const Vec3<T> x = parameter_.local(b);
    const T u = parameter_.value(x, s);
    const CurvePoint<Vec3<T>> p = curve_.at(u);
    const Vec3<T> d = x - p.c, t = (1.0 / sdk::norm(p.c1)) * p.c1, n = normals_.at(u).c;
    const Vec3<T> across = n - sdk::dot(n, t) * t, e = (1.0 / sdk::norm(across)) * across;
    out[0] = sdk::dot(e, d), out[1] = sdk::dot(sdk::cross(t, e), d);
  }
  template <class T>
  void coordinates(const Pose<SpatialBodyState, T>* b, T* out, const ElementState& s) const {
    out[0] = parameter_.value(parameter_.local(b), s);
  }

 private:
  SpatialSpline(const Parameters& given, const std::vector<Vec3<>>& points, const ModelInfo& model)
      : AutoConstraint(given.two.bodies[0], given.two.bodies[1]),
        curve_(points, chord_lengths(points, given.closed), given.closed),
        normals_(carried_normals(curve_, chord_lengths(points, given.closed), given.closed),
                 chord_lengths(points, given.closed), given.closed),
        parameter_(curve_, sdk::vec3(given.point_j), sdk::spatial_state(model, given.two.bodies[0]),
                   sdk::spatial_state(model, given.two.bodies[1])),
        channels_(*this),
        reaction_(sdk::vec3(given.point_j)),
        drawn_(drawn(curve_, points.size()).at(1, sdk::vec3(given.point_j))) {
    sdk::require_two_bodies(given.two);
  }

  Curve<Vec3> curve_, normals_;
  CurveParameter<Vec3, SpatialBodyState> parameter_;
  sdk::AutoChannels<SpatialSpline, SpatialBodyState, 2, 1> channels_;
  sdk::SpatialReaction reaction_;
  sdk::Drawn drawn_;
};

}  // namespace trammel::point_on_spline

TRAMMEL_PLUGIN("point_on_spline", "1.0.0", "BSD-3-Clause",
               component<trammel::point_on_spline::SpatialSpline>(
                   Host::spatial, "point_on_spline", "A point of the second body stays on a spline curve of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"),
               component<trammel::point_on_spline::PlanarSpline>(
                   Host::planar, "point_on_spline", "A point of the second body stays on a spline curve of the first.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"));
