// Derivatives of revolute joints with respect to their points and axes.
#pragma once

#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/point_parameters.h"

namespace trammel::revolute {

/// Rows 0..2: P_j - P_i; rows 3, 4: the second axis against f and g of the first, as SpatialAxes makes them of an axis,
/// or of the reference in the first body and the axis.
class SpatialNumbers final : public sdk::AutoRowParameters<SpatialNumbers, SpatialBodyState, 2, 5, 12> {
 public:
  SpatialNumbers(const sdk::TwoBodies& two, const sdk::PointKeys& point, const sdk::AxisKeys& axis,
                 const sdk::AngleKeys& angle, const ModelInfo& model)
      : point_(two, point, model),
        global_axis_(given(axis.axis)),
        referenced_(given(angle.reference_i)),
        reference_(sdk::vec3(angle.reference_i)) {
    point_.list(point, [this](const char* name, double value) { add(name, value); });
    static constexpr const char* names[] = {"axis.0", "axis.1", "axis.2"};
    static constexpr const char* names_i[] = {"axis_i.0", "axis_i.1", "axis_i.2"};
    static constexpr const char* names_j[] = {"axis_j.0", "axis_j.1", "axis_j.2"};
    if (global_axis_) {
      add(names, axis.axis);
    } else {
      add(names_i, axis.axis_i), add(names_j, axis.axis_j);
    }
  }

  template <class T>
  void phi(const T&, const sdk::Pose<SpatialBodyState, T>* b, const T* p, T* out) const {
    const sdk::Vec3<T> d = point_.distance(b, p);
    out[0] = d.x, out[1] = d.y, out[2] = d.z;
    const T* axis = p + point_.count();
    sdk::Vec3<T> h_i = unit(sdk::vector_of<SpatialBodyState>(axis)), h_j = h_i;
    if (global_axis_)
      h_i = point_.initial(0).back(h_i), h_j = point_.initial(1).back(h_j);
    else
      h_j = unit(sdk::vector_of<SpatialBodyState>(axis + 3));
    const sdk::Vec3<T> f_i = referenced_ ? across(h_i) : sdk::perpendicular(h_i), H_j = b[1].direction(h_j);
    out[3] = dot(b[0].direction(f_i), H_j);
    out[4] = dot(b[0].direction(cross(h_i, f_i)), H_j);
  }

 private:
  template <class T>
  static sdk::Vec3<T> unit(const sdk::Vec3<T>& a) {
    return (1.0 / sdk::norm(a)) * a;
  }
  /// The reference's part across a unit axis, of length 1.
  template <class T>
  sdk::Vec3<T> across(const sdk::Vec3<T>& h) const {
    const sdk::Vec3<T> r{T(reference_.x), T(reference_.y), T(reference_.z)};
    return unit(r - dot(r, h) * h);
  }

  sdk::CommonPointParameters<SpatialBodyState> point_;
  bool global_axis_, referenced_;
  sdk::Vec3<> reference_;  ///< NaN if it is left out
};

/// Rows 0, 1: P_j - P_i.
class PlanarNumbers final : public sdk::AutoRowParameters<PlanarNumbers, PlanarBodyState, 2, 2, 4> {
 public:
  PlanarNumbers(const sdk::TwoBodies& two, const sdk::PointKeys& point, const ModelInfo& model)
      : point_(two, point, model) {
    point_.list(point, [this](const char* name, double value) { add(name, value); });
  }

  template <class T>
  void phi(const T&, const sdk::Pose<PlanarBodyState, T>* b, const T* p, T* out) const {
    const sdk::Vec2<T> d = point_.distance(b, p);
    out[0] = d.x, out[1] = d.y;
  }

 private:
  sdk::CommonPointParameters<PlanarBodyState> point_;
};

}  // namespace trammel::revolute
