// Places rows, columns, internal states and counted angles of a model's elements.
#include "model/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/declared_sizes.h"
#include "trammel/error.h"
#include "trammel/extensions/accepted_step.h"

namespace trammel {
namespace {

// No element has more: beyond, the number is a mistake, and making room for it would end the program.
constexpr Index most_attached = 1000000, most_rows = 10000, most_states = 100000, most_angles = 10000;

std::string whose(const ElementSlot& slot) {
  return fmt::format("plugin '{}': '{}' (type '{}')", slot.plugin, slot.name, slot.type);
}

/// Of two elements' extensions, each of which may not be there.
template <class Extension>
bool same_count(const Extension* a, const Extension* b, Index (Extension::*count)() const) {
  return (a != nullptr ? (a->*count)() : 0) == (b != nullptr ? (b->*count)() : 0);
}

}  // namespace

Assembly::Assembly(const BodySystem& body_system, std::string plugin, std::vector<std::string> names)
    : system(body_system),
      motion(body_system.motion()),
      output(body_system.output()),
      reduction(body_system.reduction()),
      system_plugin(std::move(plugin)),
      table(body_system, static_cast<Index>(names.size()), system_plugin),
      body_names(std::move(names)) {}

void Assembly::attach(ElementSlot& slot, const Extensible& element, Index count,
                      BodyRef (*body)(const Extensible&, Index)) {
  declared(count, most_attached, "body_count()", whose(slot));
  for (Index i = 0; i < count; ++i) {
    const BodyRef reference = body(element, i);
    if (reference.index < -1 || reference.index >= bodies()) {
      throw Error(ErrorKind::plugin, fmt::format("'{}' (type '{}') attaches to body number {}, of {}", slot.name,
                                                 slot.type, reference.index, bodies()));
    }
    if (std::find(slot.bodies.begin(), slot.bodies.end(), reference.index) != slot.bodies.end()) {
      throw Error::parameter("bodies", fmt::format("'{}' connects '{}' with itself", slot.name,
                                                   reference.is_ground() ? "ground" : body_names[reference.index]));
    }
    slot.bodies.push_back(reference.index);
  }
  slot.angles = find_extension<CountedAngles>(element);
  slot.channels = find_extension<ElementChannels>(element);
  slot.events = find_extension<EventSource>(element);
  slot.first_angle = angles_;
  if (slot.angles != nullptr)
    angles_ += declared(slot.angles->angle_count(), most_angles, "angle_count()", whose(slot));
}

void Assembly::add(const std::string& name, const std::string& type, const std::string& plugin,
                   const Constraint& constraint) {
  ConstraintSlot slot;
  slot.name = name;
  slot.type = type;
  slot.plugin = plugin;
  attach(slot, constraint, constraint.body_count(),
         [](const Extensible& e, Index i) { return static_cast<const Constraint&>(e).body(i); });
  slot.constraint = &constraint;
  if (const auto* velocity = find_extension<VelocityRows>(constraint)) {
    slot.velocity_rows = declared(velocity->velocity_row_count(), most_rows, "velocity_row_count()", whose(slot));
    if (static_cast<Index>(slot.bodies.size()) > VelocityRows::most_bodies) {
      throw Error(ErrorKind::plugin, fmt::format("{} has rows for velocities over {} bodies, the most are {}",
                                                 whose(slot), slot.bodies.size(), VelocityRows::most_bodies));
    }
    declared(constraint.rows(), most_rows, "rows()", whose(slot));
    both_levels_.push_back(std::make_unique<const BothLevels>(constraint, *velocity));
    slot.constraint = both_levels_.back().get();
  }
  slot.reaction = find_extension<ReactionPoint>(constraint);
  slot.effort = find_extension<DriverEffort>(constraint);
  slot.rows = declared(slot.constraint->rows(), most_rows, "rows()", whose(slot));
  velocity_rows_ += slot.velocity_rows;
  slot.first_row = element_rows_;
  slot.first_block = static_cast<Index>(blocks.size());
  const bool attached = std::any_of(slot.bodies.begin(), slot.bodies.end(), [](Index body) { return body >= 0; });
  for (Index body : slot.bodies) {
    if (body < 0 || slot.rows == 0) continue;
    blocks.push_back({static_cast<Index>(constraints.size()), body, slot.first_row, slot.rows, full_block_size_,
                      reduced_block_size_, table.first(body), table.width(body), table.reduced_first(body),
                      table.reduced_width(body)});
    full_block_size_ += slot.rows * table.local();  // elements write all columns; a body's own are the first ones
    reduced_block_size_ += slot.rows * table.reduced_width(body);
  }
  if (!attached) {
    throw Error::parameter("bodies", fmt::format("'{}' attaches to ground only", name));
  }
  element_rows_ += slot.rows;
  constraints.push_back(std::move(slot));
}

void Assembly::add(const std::string& name, const std::string& type, const std::string& plugin,
                   const ForceElement& force) {
  ForceSlot slot;
  slot.name = name;
  slot.type = type;
  slot.plugin = plugin;
  attach(slot, force, force.body_count(),
         [](const Extensible& e, Index i) { return static_cast<const ForceElement&>(e).body(i); });
  slot.force = &force;
  slot.first_z = internal_states_;
  slot.states = declared(force.internal_states(), most_states, "internal_states()", whose(slot));
  internal_states_ += slot.states;
  forces.push_back(std::move(slot));
}

void Assembly::replace(Index index, const ForceElement& by) {
  ForceSlot& slot = forces[static_cast<std::size_t>(index)];
  const auto* angles = find_extension<CountedAngles>(by);
  const auto* channels = find_extension<ElementChannels>(by);
  const auto* events = find_extension<EventSource>(by);
  bool same = by.body_count() == static_cast<Index>(slot.bodies.size()) && by.internal_states() == slot.states &&
              same_count(angles, slot.angles, &CountedAngles::angle_count) &&
              same_count(channels, slot.channels, &ElementChannels::channel_count) &&
              same_count(events, slot.events, &EventSource::event_count) &&
              same_count(find_extension<AcceptedMemory>(by), find_extension<AcceptedMemory>(*slot.force),
                         &AcceptedMemory::memory_size) &&
              same_count(find_extension<SeesAcceptedStep>(by), find_extension<SeesAcceptedStep>(*slot.force),
                         &SeesAcceptedStep::seen_count);
  for (Index i = 0; same && i < by.body_count(); ++i)
    same = by.body(i).index == slot.bodies[static_cast<std::size_t>(i)];
  if (!same) {
    throw Error(ErrorKind::input,
                fmt::format("force '{}' (type '{}') may not change its bodies, internal states, memory, "
                            "channels or events during a run",
                            slot.name, slot.type));
  }
  slot.force = &by, slot.angles = angles, slot.channels = channels, slot.events = events;
}

std::string Assembly::coordinate_name(Index i) const {
  return body_names[table.body_of(i)] + "." + system.coordinate_name(table.within(i));
}

const ConstraintSlot* Assembly::constraint_of_row(Index row) const {
  if (row < 0 || row >= element_rows_) return nullptr;
  const auto after = std::upper_bound(constraints.begin(), constraints.end(), row,
                                      [](Index r, const ConstraintSlot& slot) { return r < slot.first_row; });
  return &*std::prev(after);
}

bool Assembly::is_velocity_row(Index row) const {
  if (velocity_rows_ == 0) return false;
  const ConstraintSlot* slot = constraint_of_row(row);
  return slot != nullptr && row >= slot->first_row + slot->rows - slot->velocity_rows;
}

const ConstraintSlot* Assembly::first_with_velocity_rows() const {
  const auto found = std::find_if(constraints.begin(), constraints.end(),
                                  [](const ConstraintSlot& slot) { return slot.velocity_rows > 0; });
  return found != constraints.end() ? &*found : nullptr;
}

std::string Assembly::row_name(Index row) const {
  if (const ConstraintSlot* slot = constraint_of_row(row)) {
    return slot->rows == 1 ? slot->name : fmt::format("{}[{}]", slot->name, row - slot->first_row);
  }
  return body_names[table.intrinsic_body(row - element_rows_)] + ".normalisation";
}

bool drives_length(const ConstraintSlot& slot) {
  if (slot.effort == nullptr || slot.channels == nullptr || slot.channels->channel_count() == 0) return false;
  for (Index i = 0; i < slot.channels->channel_count(); ++i) {
    if (std::string_view(slot.channels->channel_unit(i)).starts_with("rad")) return false;
  }
  return std::string_view(slot.channels->channel_unit(0)) == "m";
}

}  // namespace trammel
