// Placed: how a joint places its second body, told once from the joint's geometry.
#pragma once

#include "trammel/extensions/joint_placement.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::sdk {

/// Keep one as a member, built once the geometry is known, and offer it as JointPlacement:
///
///   placed_(sdk::Placed(JointTurn::third).at(points).axes(geometry.axes))
class Placed final : public JointPlacement {
 public:
  explicit Placed(JointTurn turn) { form_.turn = turn; }

  Placed& at(const SpatialPoints& points) {
    store(points.s_i, form_.point[0]), store(points.s_j, form_.point[1]);
    return *this;
  }
  Placed& at(const PlanarPoints& points) {
    store(points.s_i, form_.point[0]), store(points.s_j, form_.point[1]);
    return *this;
  }
  Placed& axes(const SpatialAxes& a) { return axes(0, a.f_i, a.g_i, a.h_i).axes(1, a.f_j, a.g_j, a.h_j); }
  Placed& axes(Index body, const Vec3<>& f, const Vec3<>& g, const Vec3<>& h) {
    store(f, form_.axes[body]), store(g, form_.axes[body] + 3), store(h, form_.axes[body] + 6);
    return *this;
  }
  /// Of the plane: f along a unit vector.
  Placed& axes(Index body, const Vec2<>& f) { return axes(body, {f.x, f.y, 0}, {-f.y, f.x, 0}, {0, 0, 1}); }
  /// Displacements along these axes are left, 0 to 2.
  template <class... Axes>
  Placed& slides(Axes... axis) {
    form_.slides = ((1u << static_cast<unsigned>(axis)) | ...);
    return *this;
  }
  /// d_h = offset + lead angle.
  Placed& screw(double lead, double offset) {
    form_.lead = lead, form_.offset = offset;
    return *this;
  }

  JointPlacementForm placement() const override { return form_; }

 private:
  JointPlacementForm form_;
};

}  // namespace trammel::sdk
