// Asks elements what their coordinates count from.
#include "model/zeros.h"

#include <fmt/format.h>

#include <cstring>

#include "model/declared_sizes.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr Index most_coordinates = 1000;

void visit_element(const ElementSlot& slot, const Extensible& element, CountedCoordinate coordinate,
                   const std::function<void(const CountedCoordinate&)>& visit) {
  const auto* zeros = find_extension<CoordinateZeros>(element);
  if (zeros == nullptr) return;
  coordinate.slot = &slot;
  const std::string whose = fmt::format("plugin '{}': '{}' (type '{}')", slot.plugin, slot.name, slot.type);
  const Index count = guarded(slot.plugin, slot.name, "zeros", [&] { return zeros->zero_count(); });
  declared(count, most_coordinates, "zero_count()", whose);
  for (Index i = 0; i < count; ++i) {
    coordinate.origin = guarded(slot.plugin, slot.name, "zeros", [&] { return zeros->zero(i); });
    const auto zero = static_cast<std::int32_t>(coordinate.origin.zero);
    if (coordinate.origin.coordinate == nullptr || zero < 0 || zero > static_cast<std::int32_t>(CoordinateZero::bodies))
      throw Error(ErrorKind::plugin, whose + " tells of a coordinate without a name, or of no known zero");
    visit(coordinate);
  }
}

}  // namespace

void each_counted_coordinate(const Model& model, const std::function<void(const CountedCoordinate&)>& visit) {
  if (const Assembly* assembly = model.assembly(); assembly != nullptr) each_counted_coordinate(*assembly, visit);
}

void each_counted_coordinate(const Assembly& assembly, const std::function<void(const CountedCoordinate&)>& visit) {
  CountedCoordinate coordinate;
  for (std::size_t i = 0; i < assembly.constraints.size(); ++i) {
    coordinate.section = i;
    visit_element(assembly.constraints[i], *assembly.constraints[i].constraint, coordinate, visit);
  }
  coordinate.of_constraint = false;
  for (std::size_t i = 0; i < assembly.forces.size(); ++i) {
    coordinate.section = i;
    visit_element(assembly.forces[i], *assembly.forces[i].force, coordinate, visit);
  }
}

double coordinate_now(const ModelPoint& point, const CountedCoordinate& coordinate) {
  const ElementChannels* channels = coordinate.slot->channels;
  if (channels == nullptr) return left_out();
  const Index count = channels->channel_count();
  std::vector<double> values(static_cast<std::size_t>(count), 0.0);
  const ElementState state = coordinate.of_constraint
                                 ? point.element_state(static_cast<const ConstraintSlot&>(*coordinate.slot))
                                 : point.element_state(static_cast<const ForceSlot&>(*coordinate.slot));
  if (!channels->channel_values(state, {values.data(), count})) return left_out();
  for (Index i = 0; i < count; ++i) {
    if (std::strcmp(channels->channel_name(i), coordinate.origin.coordinate) == 0)
      return values[static_cast<std::size_t>(i)];
  }
  return left_out();
}

const char* zero_name(CoordinateZero zero) {
  constexpr const char* names[] = {"drawing", "given", "points", "references", "bodies"};
  return names[static_cast<std::int32_t>(zero)];
}

}  // namespace trammel
