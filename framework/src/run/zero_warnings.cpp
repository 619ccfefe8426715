// Finds coordinates whose zero is hardly the one that is meant.
#include "run/zero_warnings.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "config/run_format.h"
#include "model/zeros.h"
#include "trammel/body_state.h"
#include "trammel/extensions/joint_placement.h"
#include "trammel/math/two_pi.h"

namespace trammel {
namespace {

/// Between two values of a coordinate in the drawing, m or rad: less is rounding.
constexpr double same_value = 1e-12;
/// Of the unit of length, or rad: more is no printed figure any more.
constexpr double noticeable = 1e-3;

/// "'a.angle', 'b.angle' and 3 more"
class NameList {
 public:
  void add(const std::string& name) {
    if (count_++ < most) text_ += (count_ == 1 ? "" : ", ") + name;
  }
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  std::string text() const {
    return text_ + (count_ > most ? fmt::format(" and {} more", count_ - most) : std::string());
  }

 private:
  static constexpr std::size_t most = 6;
  std::string text_;
  std::size_t count_ = 0;
};

const Section& section_of(const RunFile& run, const CountedCoordinate& coordinate) {
  return (coordinate.of_constraint ? run.constraints : run.forces)[coordinate.section];
}

bool is_displacement(const CountedCoordinate& coordinate) {
  return std::string_view(coordinate.origin.coordinate) == "displacement";
}

/// What to write for a zero that does not depend on the drawing.
std::string other_zero(const CountedCoordinate& coordinate) {
  return is_displacement(coordinate) ? "'point_i' and 'point_j'" : "'reference_i' and 'reference_j'";
}

std::string about_driver(const CountedCoordinate& coordinate, const AssemblyReport::Change& moved) {
  const std::string key = fmt::format("initial_{}", coordinate.origin.coordinate);
  const std::string zero =
      coordinate.ignores_markers() ? std::string() : other_zero(coordinate) + " for a zero between them, or ";
  return fmt::format(
      "this driver counts from the drawing, where its coordinate is zero, and assembly moved {} by {:.3g} from where "
      "it was drawn; give {}'{}', the coordinate's value in the drawing (0 if it is meant so)",
      moved.coordinate, moved.largest, zero, key);
}

/// Whether a driver's motion is its rate: it starts where the mechanism is.
bool by_rate(const Section& section) { return section.node->find("rate") != nullptr; }

/// Whether joints do not fit the drawing, whatever drivers and conditions ask for.
bool is_sketch(const ConstrainedModel& numbers, const AssemblyReport& assembly) {
  const std::vector<ConstraintSlot>& slots = numbers.assembly().constraints;
  return std::any_of(assembly.demands.begin(), assembly.demands.end(), [&](const AssemblyReport::Demand& demand) {
    const auto slot = std::find_if(slots.begin(), slots.end(), [&](const auto& s) { return s.name == demand.name; });
    return slot != slots.end() && slot->rows > 0 && !slot->constraint->rheonomic() &&
           demand.violation > noticeable * numbers.unit().row(slot->first_row);
  });
}

/// Other elements on the driver's bodies whose angles count turns from the drawing on, and not from a condition.
template <class Slots>
void add_counting(const RunFile& run, const Slots& slots, const ElementSlot& driver, NameList& names) {
  for (const auto& slot : slots) {
    const auto asks = [&](const StartCondition& condition) { return condition.of.rfind(slot.name + ".", 0) == 0; };
    if (std::any_of(run.start.conditions.begin(), run.start.conditions.end(), asks)) continue;
    const bool shares = std::any_of(slot.bodies.begin(), slot.bodies.end(), [&](Index body) {
      return body >= 0 && std::find(driver.bodies.begin(), driver.bodies.end(), body) != driver.bodies.end();
    });
    if (slot.angles != nullptr && shares) names.add("'" + slot.name + "'");
  }
}

/// In space a driver's row knows its angle up to whole turns. Where no assembly followed its turns from the drawing, what
/// counts turns followed the shorter way.
void add_turn_warnings(const RunFile& run, const Model& model, const ConstrainedModel& numbers,
                       std::vector<std::string>& warnings) {
  if (numbers.assembly().table.frame_columns() == PlanarBodyState::coordinates) return;
  constexpr double half_a_turn = two_pi / 2 * (1 + 1e-9);
  each_counted_coordinate(model, [&](const CountedCoordinate& coordinate) {
    if (!coordinate.of_constraint || std::string_view(coordinate.origin.coordinate) != "angle") return;
    const Section& section = section_of(run, coordinate);
    if (static_cast<const ConstraintSlot*>(coordinate.slot)->effort == nullptr || by_rate(section)) return;
    const double start = coordinate_now(numbers.point(), coordinate), drawn = coordinate.origin.drawn;
    if (!(std::abs(start - drawn) > half_a_turn)) return;
    NameList others;
    add_counting(run, numbers.assembly().constraints, *coordinate.slot, others);
    add_counting(run, numbers.assembly().forces, *coordinate.slot, others);
    if (others.empty()) return;
    warnings.push_back(message_at(
        section.place, section.path,
        fmt::format("this driver starts at {:.6g} rad, more than half a turn from the drawing ({:.6g} rad): the start "
                    "took the shorter way, and angles of {} count from there, whole turns away from the driver's; "
                    "draw the bodies within half a turn of the start, or change the function by whole turns",
                    start, drawn, others.text())));
  });
}

/// Joints whose axes point in opposite directions: their rows are zero then as well.
void add_opposed(const ConstrainedModel& numbers, NameList& names) {
  if (numbers.assembly().table.frame_columns() == PlanarBodyState::coordinates) return;
  for (const ConstraintSlot& slot : numbers.assembly().constraints) {
    const auto* placement = find_extension<JointPlacement>(*slot.constraint);
    if (placement == nullptr || slot.bodies.size() != 2) continue;
    const JointPlacementForm form = placement->placement();
    if (form.turn != JointTurn::third && form.turn != JointTurn::none) continue;
    Eigen::Vector3d axes[2][3];
    for (std::size_t side = 0; side < 2; ++side) {
      const auto* body = static_cast<const SpatialBodyState*>(numbers.point().body_state(slot.bodies[side]));
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> A(body->A);
      for (std::size_t k = 0; k < 3; ++k)
        axes[side][k] = A * Eigen::Map<const Eigen::Vector3d>(form.axes[side] + 3 * k);
    }
    const auto opposed = [&](std::size_t k) { return axes[0][k].dot(axes[1][k]) < 0; };
    if (opposed(2) || (form.turn == JointTurn::none && opposed(0))) names.add("'" + slot.name + "'");
  }
}

/// Asked for by name: a condition, a column, or a force's own law.
bool asked_for(const RunFile& run, const CountedCoordinate& coordinate) {
  if (!coordinate.of_constraint) return true;
  const std::string name = coordinate.name();
  const auto of_condition = [&](const StartCondition& condition) { return condition.of == name; };
  const auto of_column = [&](const std::string& column) { return column == name || column == coordinate.slot->name; };
  return std::any_of(run.start.conditions.begin(), run.start.conditions.end(), of_condition) ||
         std::any_of(run.output.channels.begin(), run.output.channels.end(), of_column);
}

}  // namespace

std::vector<std::string> format_warnings(const RunFile& run, const Model& model) {
  if (format_of(run) >= newest_run_format) return {};
  NameList names;
  each_counted_coordinate(model, [&](const CountedCoordinate& coordinate) {
    const double difference = coordinate.origin.markers - coordinate.origin.drawn;
    if (!coordinate.ignores_markers() || !(std::abs(difference) > same_value)) return;
    names.add(
        fmt::format("'{}' ({:+.6g} {})", coordinate.name(), difference, is_displacement(coordinate) ? "m" : "rad"));
  });
  if (names.empty()) return {};
  const bool one = names.count() == 1;
  const Node* version = run.document->find("trammel");
  return {
      message_at(version->place, "/trammel",
                 fmt::format("in format 1, {} from the drawing, in format 2 from {} markers: {}; 'trammel migrate {}' "
                             "writes format 2 and keeps the motion",
                             one ? "a coordinate counts" : fmt::format("{} coordinates count", names.count()),
                             one ? "its" : "their", names.text(), run.file.string()))};
}

std::vector<std::string> sketch_warnings(const RunFile& run, const Model& model, const ConstrainedModel& numbers,
                                         const AssemblyReport& assembly) {
  const AssemblyReport::Change& moved = assembly.positions;
  std::vector<std::string> warnings;
  if (!assembly.counted_turns) add_turn_warnings(run, model, numbers, warnings);
  if (!(moved.largest > noticeable)) return warnings;
  const bool sketch = format_of(run) >= 2 && is_sketch(numbers, assembly);
  NameList others;
  std::string zero;
  each_counted_coordinate(model, [&](const CountedCoordinate& coordinate) {
    const Section& section = section_of(run, coordinate);
    const bool driver =
        coordinate.of_constraint && static_cast<const ConstraintSlot*>(coordinate.slot)->effort != nullptr;
    if (driver && by_rate(section) && run.start.conditions.empty()) {  // which ask for it
      const double start = coordinate_now(numbers.point(), coordinate);
      if (std::abs(start - coordinate.origin.drawn) > noticeable) {
        warnings.push_back(message_at(
            section.place, section.path,
            fmt::format("this driver gives a rate and starts where assembly put it, at {:.6g}: joints do not fit its "
                        "coordinate as drawn, {:.6g}",
                        start, coordinate.origin.drawn)));
      }
    }
    if (coordinate.origin.zero != CoordinateZero::drawing) return;
    if (driver && !by_rate(section)) {
      warnings.push_back(message_at(section.place, section.path, about_driver(coordinate, moved)));
    } else if (sketch && asked_for(run, coordinate)) {
      others.add("'" + coordinate.name() + "'");
      if (zero.empty()) zero = other_zero(coordinate);
    }
  });
  NameList opposed;
  if (sketch) add_opposed(numbers, opposed);
  if (!opposed.empty()) {
    warnings.push_back(fmt::format(
        "the drawing is a sketch: assembly left axes of {} in opposite directions, in which joints hold as well; "
        "draw bodies within a quarter of a turn of how they are meant",
        opposed.text()));
  }
  if (!others.empty()) {
    const bool one = others.count() == 1;
    warnings.push_back(fmt::format(
        "the drawing is a sketch: assembly moved {} by {:.3g} from where it was drawn, and {} {} from the drawing; {} "
        "define a zero that does not depend on it",
        moved.coordinate, moved.largest, others.text(), one ? "counts" : "count", zero));
  }
  return warnings;
}

}  // namespace trammel
