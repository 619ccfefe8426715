// Extra initial conditions as rows beside the constraints: Phi'(q) = value, B' v = rate at the start (Haug, Eqs. 7.2.4,
// 7.2.5).
#pragma once

#include <string>
#include <vector>

#include "config/start_options.h"
#include "model/constrained_model.h"

namespace trammel {

/// One number of a sparse row.
struct RowEntry {
  Index column;
  double value;
};

/// A coordinate of a body, a body-fixed point or a joint, or a velocity of a body, as a function of the model's state.
class StartRow {
 public:
  /// [setup] Throws Error(input) if nothing is called so.
  StartRow(ConstrainedModel& model, const std::string& name);

  /// Known as a velocity only (angular velocities): it has no `value`.
  bool velocity_only() const { return kind_ == Kind::velocity; }
  /// [setup] Value and gradient (with respect to q; of a velocity with respect to v) at the model's last evaluation
  /// point.
  Status evaluate(ConstrainedModel& model, double& value, std::vector<RowEntry>& gradient);
  /// [setup] Turns count from the drawing, as they do in the model.
  void begin_angle_reference();
  /// [setup] Angles that count turns go on from the model's last evaluation point.
  void update_angle_reference(const ConstrainedModel& model);

 private:
  enum class Kind { coordinate, velocity, point, joint };

  bool find_body(ConstrainedModel& model, const std::string& owner, const std::string& what);
  bool is_rate_of_a_coordinate(ConstrainedModel& model);
  bool find_point(const ConstrainedModel& model, const std::string& owner, const std::string& what);
  bool find_joint(const ConstrainedModel& model, const std::string& owner, const std::string& what);
  std::vector<std::string> choices(const ConstrainedModel& model) const;
  /// Calls measure(value) for the unit velocity of each coordinate of the body: what is linear in v has these as
  /// gradient.
  template <class Measure>
  void differentiate(ConstrainedModel& model, std::vector<RowEntry>& gradient, Measure&& measure) const;
  Status evaluate_joint(ConstrainedModel& model, double& value, std::vector<RowEntry>& gradient);

  Kind kind_ = Kind::coordinate;
  Index body_ = -1;
  Index position_ = 0;  ///< coordinate of the body, column of the body, or axis of the point
  const PointSlot* point_ = nullptr;
  const Constraint* row_ = nullptr;
  const CountedAngles* angle_ = nullptr;
  double reference_ = 0;
};

}  // namespace trammel
