// Finds coordinates whose zero is hardly the one that is meant.
#include "run/zero_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/run_format.h"
#include "model/zeros.h"

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
  if (!(moved.largest > noticeable)) return {};
  const bool sketch = format_of(run) >= 2 && is_sketch(numbers, assembly);
  std::vector<std::string> warnings;
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
