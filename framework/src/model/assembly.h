// Assembly: the structure of a model - its system, elements and where their rows and columns go. No numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/body_table.h"
#include "model/both_levels.h"
#include "trammel/constraint.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/event.h"
#include "trammel/force.h"
#include "trammel/kkt_solver.h"
#include "trammel/system.h"

namespace trammel {

/// What constraints and forces have in common.
struct ElementSlot {
  std::string name;
  std::string type;
  std::string plugin;         ///< id, for messages about code that throws, crashes or hangs
  std::vector<Index> bodies;  ///< attached bodies, -1 is ground
  Index first_angle = 0;      ///< among the counted angles of the model
  const CountedAngles* angles = nullptr;
  const ElementChannels* channels = nullptr;
  const EventSource* events = nullptr;
};

struct ConstraintSlot : ElementSlot {
  const Constraint* constraint = nullptr;  ///< all its rows, of both levels
  Index first_row = 0;
  Index rows = 0;
  Index velocity_rows = 0;  ///< the last of them that hold for velocities only
  Index first_block = 0;    ///< among Assembly::blocks; one block per attached body that is not ground
  const ReactionPoint* reaction = nullptr;
  const DriverEffort* effort = nullptr;
};

/// Whether it drives a length, as its first channel's unit says, and none of them is an angle; otherwise it drives an
/// angle, or something unknown.
bool drives_length(const ConstraintSlot& slot);

struct ForceSlot : ElementSlot {
  const ForceElement* force = nullptr;
  Index first_z = 0;
  Index states = 0;  ///< internal ones, as declared when the element was added
};

/// A named point of the run file.
struct PointSlot {
  std::string name;
  BodyRef body;
  double local[3] = {0, 0, 0};
};

class Assembly {
 public:
  Assembly(const BodySystem& system, std::string system_plugin, std::vector<std::string> body_names);

  /// [setup] Throws Error(input) for an element attached twice to one body.
  void add(const std::string& name, const std::string& type, const std::string& plugin, const Constraint& constraint);
  void add(const std::string& name, const std::string& type, const std::string& plugin, const ForceElement& force);
  void add(const PointSlot& point) { points.push_back(point); }
  /// [step] Another element of the same type takes the place of a force. Throws Error(input) unless it attaches to the
  /// same bodies with as many internal states, angles, channels and events.
  void replace(Index force, const ForceElement& by);

  const BodySystem& system;
  const BodyMotion& motion;
  const BodyOutput& output;
  const BodyReduction* reduction;  ///< nullptr: some body has no W_b
  std::string system_plugin;       ///< id, for messages
  const BodyTable table;
  std::vector<std::string> body_names;
  std::vector<ConstraintSlot> constraints;
  std::vector<ForceSlot> forces;
  std::vector<PointSlot> points;
  std::vector<JacobianBlock> blocks;

  Index bodies() const { return static_cast<Index>(body_names.size()); }
  /// Columns that elements have for every body.
  Index body_coordinates() const { return table.local(); }
  Index coordinates() const { return table.coordinates(); }
  Index element_rows() const { return element_rows_; }
  Index intrinsic_rows() const { return table.intrinsic_rows(); }
  Index rows() const { return element_rows() + intrinsic_rows(); }
  Index internal_states() const { return internal_states_; }
  Index angles() const { return angles_; }
  /// Rows that hold for velocities only, of all elements together, and the first element that has some, or nullptr.
  Index velocity_rows() const { return velocity_rows_; }
  const ConstraintSlot* first_with_velocity_rows() const;
  bool is_velocity_row(Index row) const;
  Index full_block_size() const { return full_block_size_; }
  Index reduced_block_size() const { return reduced_block_size_; }

  /// "crank.x"; "pin[2]" (or "pin" for a single row), "crank.normalisation".
  std::string coordinate_name(Index i) const;
  std::string row_name(Index i) const;
  /// The constraint a row belongs to, nullptr for intrinsic rows.
  const ConstraintSlot* constraint_of_row(Index row) const;

 private:
  void attach(ElementSlot& slot, const Extensible& element, Index count, BodyRef (*body)(const Extensible&, Index));

  Index element_rows_ = 0;
  Index internal_states_ = 0;
  Index angles_ = 0;
  Index velocity_rows_ = 0;
  std::vector<std::unique_ptr<const BothLevels>> both_levels_;  // of the slots that have both
  Index full_block_size_ = 0;
  Index reduced_block_size_ = 0;
};

}  // namespace trammel
