// DrivenAngles: how far drivers of angles in space are off, whole turns included, along a search of assembly.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "model/constrained_model.h"
#include "model/zeros.h"
#include "trammel/body_state.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/math/two_pi.h"

namespace trammel {

/// The row of such a driver is zero at every whole turn. Its residual is counted along the way from the drawing, so that
/// bodies turn as far as the driver says, and all that counts turns with them.
class DrivenAngles {
 public:
  /// [setup] The model was evaluated at the given positions.
  void find(const ConstrainedModel& model) {
    angles_.clear();
    farthest_ = 0, counts_ = false;
    if (model.assembly().table.frame_columns() == PlanarBodyState::coordinates) return;
    each_counted_coordinate(model.assembly(), [&](const CountedCoordinate& coordinate) {
      if (!coordinate.of_constraint || std::string_view(coordinate.origin.coordinate) != "angle") return;
      const auto& slot = static_cast<const ConstraintSlot&>(*coordinate.slot);
      if (slot.effort == nullptr || slot.rows != 1) return;
      const double turns = (coordinate.origin.drawn - coordinate_now(model.point(), coordinate)) / two_pi;
      if (!(std::abs(turns) <= most_turns)) return;
      const double given = model.Phi()[slot.first_row] + two_pi * std::round(turns);
      angles_.push_back({slot.first_row, given, given, given});
      farthest_ = std::max(farthest_, std::abs(given));
    });
  }
  bool any() const { return !angles_.empty(); }
  /// rad: of them all, at the given positions.
  double farthest() const { return counts_ ? farthest_ : 0; }
  /// A way begins at the given positions; `count`: whether turns count on it.
  void begin(bool count) {
    for (Angle& angle : angles_) angle.reference = angle.given;
    counts_ = count, matter_ = false;
  }
  /// Puts the counted residuals in place of those that the rows know.
  void count(Eigen::VectorXd& Phi) {
    if (!counts_) return;
    for (Angle& angle : angles_) {
      angle.now = counted_angle(Phi[angle.row], angle.reference);
      matter_ = matter_ || std::abs(angle.now - Phi[angle.row]) > 1;
      Phi[angle.row] = angle.now;
    }
  }
  /// The way goes on from what was counted last.
  void follow() {
    for (Angle& angle : angles_) angle.reference = angle.now;
  }
  /// Whether counting made a difference on this way.
  bool matter() const { return counts_ && matter_; }

 private:
  static constexpr double most_turns = 50;  ///< from the drawing to the start, that are counted
  struct Angle {
    Index row;
    double given, reference, now;  ///< at the given positions, where the way is, at the last evaluation; rad
  };
  std::vector<Angle> angles_;
  double farthest_ = 0;
  bool counts_ = false, matter_ = false;
};

}  // namespace trammel
