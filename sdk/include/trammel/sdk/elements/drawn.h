// Drawn: the picture of an element whose points and axes stay where they are in its bodies.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "trammel/extensions/drawing.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::sdk {

/// Keep one as a member, built once the geometry is known, and offer it:
///
///   drawn_(sdk::Drawn(Symbol::hinge).at(points).along(1, axes.h_j))
///   offer_extensions<ReactionPoint, Drawing>(id, &reaction_, &drawn_)
///
/// Body numbers are 0 and 1; points in m and axes of any length but zero, both fixed in that body. Points and axes of
/// the plane have z = 0; a planar hinge turns about z.
class Drawn final : public Drawing {
 public:
  explicit Drawn(Symbol symbol) : symbol_(symbol) {}

  Drawn& at(Index body, const Vec3<>& point) {
    points_[body] = triple(point);
    return *this;
  }
  Drawn& at(Index body, const Vec2<>& point) {
    if (symbol_ == Symbol::hinge) axes_[1] = {0, 0, 1};
    return at(body, {point.x, point.y, 0});
  }
  Drawn& at(const SpatialPoints& points) { return at(0, points.s_i).at(1, points.s_j); }
  Drawn& at(const PlanarPoints& points) { return at(0, points.s_i).at(1, points.s_j); }
  /// An optional global point, where both bodies are held in the initial configuration; not given: nothing is drawn.
  template <class State>
  Drawn& at(const TwoBodies& two, const double* global, const ModelInfo& model) {
    const double none = left_out();
    if (!given(global)) return *this;
    const PointKeys keys{{global[0], global[1], global[2]}, {none, none, none}, {none, none, none}};
    if constexpr (State::coordinates == PlanarBodyState::coordinates)
      return at(planar_points(two, keys, model));
    else
      return at(spatial_points(two, keys, model));
  }

  Drawn& along(Index body, const Vec3<>& axis) {
    axes_[body] = triple(axis);
    return *this;
  }
  Drawn& along(Index body, const Vec2<>& axis) { return along(body, {axis.x, axis.y, 0}); }

  /// The curve point(u), 0 <= u <= length, fixed in body 0, in `pieces` straight pieces, 4096 at most.
  template <class Point>
  Drawn& curve(double length, std::size_t pieces, const Point& point) {
    pieces = pieces < 4096 ? pieces : 4096;
    for (std::size_t k = 0; k <= pieces; ++k) {
      curve_.push_back(triple(point(length * static_cast<double>(k) / static_cast<double>(pieces))));
    }
    return *this;
  }

  void draw(Sketch& sketch) const override {
    sketch.symbol(symbol_);
    for (Index body = 0; body < 2; ++body) {
      if (points_[body]) sketch.point(body, points_[body]->data());
      if (axes_[body]) sketch.axis(body, axes_[body]->data());
    }
    for (const Triple& point : curve_) sketch.curve_point(point.data());
  }

 private:
  using Triple = std::array<double, 3>;
  static Triple triple(const Vec3<>& v) { return {v.x, v.y, v.z}; }
  static Triple triple(const Vec2<>& v) { return {v.x, v.y, 0}; }

  Symbol symbol_;
  std::optional<Triple> points_[2], axes_[2];
  std::vector<Triple> curve_;
};

}  // namespace trammel::sdk
