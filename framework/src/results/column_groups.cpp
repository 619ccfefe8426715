// Channels of bodies, points, joints, drivers and forces.
#include "results/column_groups.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "trammel/extensions/system_extensions.h"

namespace trammel {
namespace {

/// A group from a lambda.
template <class F>
class Group final : public ColumnGroup {
 public:
  explicit Group(F values) : values_(std::move(values)) {}
  void values(const Sample& sample, VectorView out) const override { values_(sample, out); }

 private:
  mutable F values_;  // with room of its own for what it picks from
};

enum class Selection { by_default, plain, on_request };

using Strings = std::vector<std::string>;

template <class F>
std::unique_ptr<ColumnGroup> group(Strings names, Strings units, Selection selection, F values) {
  auto made = std::make_unique<Group<F>>(std::move(values));
  made->names = std::move(names);
  made->units = std::move(units);
  made->by_default = selection == Selection::by_default;
  made->on_request = selection == Selection::on_request;
  return made;
}

void set_nan(VectorView out) { out.map().setConstant(std::numeric_limits<double>::quiet_NaN()); }

Strings prefixed(const std::string& owner, Index count, const std::function<std::string(Index)>& name) {
  Strings names;
  for (Index i = 0; i < count; ++i) names.push_back(owner + "." + name(i));
  return names;
}

Strings units_of(Index count, const std::function<const char*(Index)>& unit) {
  Strings units;
  for (Index i = 0; i < count; ++i) {
    const char* const declared = unit(i);
    units.emplace_back(declared != nullptr ? declared : "");
  }
  return units;
}

/// Of a column of the bodies' state whose system declares no units: that of the coordinate which it is.
const char* coordinate_unit(const BodySystem& system, Index column) {
  const std::string name = system.output().column_name(column);
  for (Index k = 0; k < system.coordinates(); ++k) {
    if (name == system.coordinate_name(k)) return system.coordinate_unit(k);
  }
  return "";
}

/// The columns of a body among those of its system.
class Chosen {
 public:
  Chosen(const Index* list, Index count) {
    for (Index k = 0; k < count; ++k) columns_.push_back(list != nullptr ? list[k] : k);
  }
  Index size() const { return static_cast<Index>(columns_.size()); }
  Index operator[](Index k) const { return columns_[static_cast<std::size_t>(k)]; }
  Strings of(const Strings& all) const {
    Strings own;
    for (const Index k : columns_) own.push_back(all[static_cast<std::size_t>(k)]);
    return own;
  }
  void pick(const std::vector<double>& all, VectorView out) const {
    for (Index k = 0; k < size(); ++k) out[k] = all[static_cast<std::size_t>((*this)[k])];
  }

 private:
  std::vector<Index> columns_;
};

/// Roll about x, then pitch about y, then yaw about z (axes that stay), each in (-pi, pi]: of Euler parameters of any
/// length.
void roll_pitch_yaw(const double* e, VectorView out) {
  const double zx = 2 * (e[1] * e[3] - e[0] * e[2]), zy = 2 * (e[2] * e[3] + e[0] * e[1]),
               zz = e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3], yx = 2 * (e[1] * e[2] + e[0] * e[3]),
               xx = e[0] * e[0] + e[1] * e[1] - e[2] * e[2] - e[3] * e[3];
  out[0] = std::atan2(zy, zz), out[1] = std::atan2(-zx, std::hypot(xx, yx)), out[2] = std::atan2(yx, xx);
}

/// The place of the column e0, which e1, e2 and e3 follow, among those of a body; -1: it has no Euler parameters.
Index first_euler_parameter(const BodyOutput& output, const Chosen& columns) {
  for (Index k = 0; k + 3 < columns.size(); ++k) {
    if (std::string_view(output.column_name(columns[k])) == "e0" &&
        std::string_view(output.column_name(columns[k + 3])) == "e3")
      return columns[k];
  }
  return -1;
}

void add_bodies(ConstrainedModel& model, const BodyColumnUnits* declared, const AddGroup& add) {
  const Assembly& assembly = model.assembly();
  const BodyOutput& output = assembly.output;
  const Strings units = units_of(output.column_count(), [&](Index k) {
    return declared != nullptr ? declared->column_unit(k) : coordinate_unit(assembly.system, k);
  });
  const Strings acceleration_units = units_of(output.acceleration_column_count(), [&](Index k) {
    return declared != nullptr ? declared->acceleration_column_unit(k) : "";
  });
  for (Index b = 0; b < assembly.bodies(); ++b) {
    const std::string& name = assembly.body_names[static_cast<std::size_t>(b)];
    const BodyShape& shape = assembly.table.shape(b);
    const Chosen columns(shape.columns, shape.column_count),
        of_a(shape.acceleration_columns, shape.acceleration_column_count);
    add(group(
        prefixed(name, columns.size(), [&](Index k) { return output.column_name(columns[k]); }), columns.of(units),
        Selection::by_default,
        [&model, &output, b, columns, all = std::vector<double>(units.size())](const Sample&, VectorView out) mutable {
          output.column_values(model.point().body_state(b), {all.data(), static_cast<Index>(all.size())});
          columns.pick(all, out);
        }));
    if (const Index e0 = first_euler_parameter(output, columns); e0 >= 0) {
      add(group(
          {name + ".roll", name + ".pitch", name + ".yaw"}, Strings(3, "rad"), Selection::on_request,
          [&model, &output, b, e0, all = std::vector<double>(units.size())](const Sample&, VectorView out) mutable {
            output.column_values(model.point().body_state(b), {all.data(), static_cast<Index>(all.size())});
            roll_pitch_yaw(all.data() + e0, out);
          }));
    }
    add(group(
        prefixed(name, of_a.size(), [&](Index k) { return output.acceleration_column_name(of_a[k]); }),
        of_a.of(acceleration_units), Selection::on_request,
        [&model, &output, b, of_a, all = std::vector<double>(acceleration_units.size()),
         room = std::vector<double>(static_cast<std::size_t>(assembly.body_coordinates()))](const Sample& sample,
                                                                                            VectorView out) mutable {
          const ConstVectorView a = model.assembly().table.widened(b, sample.observation->a, room.data());
          output.acceleration_values(model.point().body_state(b), a, {all.data(), static_cast<Index>(all.size())});
          of_a.pick(all, out);
        }));
  }
}

void add_points(ConstrainedModel& model, const AddGroup& add) {
  const Assembly& assembly = model.assembly();
  const Index dimensions = assembly.table.frame_columns() == PlanarBodyState::coordinates ? 2 : 3;
  for (const PointSlot& point : assembly.points) {
    const char* axes = "xyz";
    const auto names = [&](const char* prefix) {
      return prefixed(point.name, dimensions, [&](Index k) { return std::string(prefix) + axes[k]; });
    };
    Strings motion = names(""), units(motion.size(), "m");
    for (const std::string& name : names("v")) motion.push_back(name), units.emplace_back("m/s");
    const auto evaluate = [&model, point](ConstVectorView a, std::array<double, 9>& values) {
      model.assembly().output.point(model.point().body_state(point.body.index), point.local, a, values.data(),
                                    values.data() + 3, values.data() + 6);
    };
    add(group(motion, units, Selection::by_default, [evaluate, dimensions](const Sample&, VectorView out) {
      std::array<double, 9> values{};
      evaluate({}, values);
      for (Index k = 0; k < dimensions; ++k) {
        out[k] = values[static_cast<std::size_t>(k)];
        out[dimensions + k] = values[static_cast<std::size_t>(3 + k)];
      }
    }));
    const Index body = point.body.index;
    add(group(names("a"), Strings(static_cast<std::size_t>(dimensions), "m/s^2"), Selection::on_request,
              [evaluate, dimensions, body, &table = assembly.table](const Sample& sample, VectorView out) {
                std::array<double, 9> values{};
                std::array<double, 16> room{};
                if (body >= 0) evaluate(table.widened(body, sample.observation->a, room.data()), values);
                for (Index k = 0; k < dimensions; ++k) out[k] = values[static_cast<std::size_t>(6 + k)];
              }));
  }
}

/// Element channels of constraints and forces alike.
template <class Slot>
void add_channels(ConstrainedModel& model, const Slot& slot, const AddGroup& add) {
  if (slot.channels == nullptr) return;
  add(group(
      prefixed(slot.name, slot.channels->channel_count(), [&](Index k) { return slot.channels->channel_name(k); }),
      units_of(slot.channels->channel_count(), [&](Index k) { return slot.channels->channel_unit(k); }),
      Selection::plain, [&model, &slot](const Sample&, VectorView out) {
        if (!slot.channels->channel_values(model.point().element_state(slot), out)) set_nan(out);
      }));
}

void add_reaction(ConstrainedModel& model, const ConstraintSlot& slot, const AddGroup& add) {
  const Assembly& assembly = model.assembly();
  const bool planar = assembly.table.frame_columns() == PlanarBodyState::coordinates;
  const Strings axes = planar ? Strings{"force.x", "force.y", "torque.z"}
                              : Strings{"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"};
  const Strings units = planar ? Strings{"N", "N", "N m"} : Strings{"N", "N", "N", "N m", "N m", "N m"};
  Strings names;
  for (const std::string& axis : axes) names.push_back(slot.name + "." + axis);
  // The reaction is reported on the second body; where that is ground, minus the reaction on the other one.
  Index attached = slot.reaction->reaction_body();
  const bool other = slot.bodies[static_cast<std::size_t>(attached)] < 0;
  if (other) attached = attached == 0 ? 1 : 0;
  add(group(names, units, Selection::plain,
            [&model, &slot, attached, other, planar](const Sample& sample, VectorView out) {
              const BodyOutput& output = model.assembly().output;
              std::array<double, 7> generalized{};
              std::array<double, 3> force{}, torque{}, point{}, center{}, rate{}, origin{};
              const VectorView Q{generalized.data(), model.assembly().body_coordinates()};
              const void* state = model.point().body_state(slot.bodies[static_cast<std::size_t>(attached)]);
              reaction(model.point(), slot, attached, sample.observation->lambda, Q);
              output.wrench(state, Q, force.data(), torque.data());
              output.point(state, origin.data(), {}, center.data(), rate.data(), nullptr);
              slot.reaction->reaction_point(model.point().element_state(slot), point.data());
              // Torque about the joint point: T_P = T_C + (r_C - r_P) x F.
              const std::array<double, 3> arm{center[0] - point[0], center[1] - point[1], center[2] - point[2]};
              for (std::size_t k = 0; k < 3; ++k) {
                torque[k] += arm[(k + 1) % 3] * force[(k + 2) % 3] - arm[(k + 2) % 3] * force[(k + 1) % 3];
              }
              const double sign = other ? -1 : 1;
              if (planar) {
                out[0] = sign * force[0], out[1] = sign * force[1], out[2] = sign * torque[2];
                return;
              }
              for (Index k = 0; k < 3; ++k) {
                out[k] = sign * force[static_cast<std::size_t>(k)];
                out[3 + k] = sign * torque[static_cast<std::size_t>(k)];
              }
            }));
}

/// What a driver pushes with, along a length or about an axis.
const char* effort_unit(const ConstraintSlot& slot) {
  const bool length = slot.channels != nullptr && slot.channels->channel_count() > 0 &&
                      slot.channels->channel_unit(0) == std::string("m");
  return length ? "N" : "N m";
}

std::string rate_unit(const std::string& unit) { return unit.empty() ? "" : unit + "/s"; }

}  // namespace

void add_model_groups(ConstrainedModel& model, const System& system, const AddGroup& add) {
  const Assembly& assembly = model.assembly();
  add_bodies(model, find_extension<BodyColumnUnits>(system), add);
  add_points(model, add);
  for (const ConstraintSlot& slot : assembly.constraints) {
    add_channels(model, slot, add);
    if (slot.effort != nullptr) {
      add(group({slot.name + ".effort"}, {effort_unit(slot)}, Selection::plain,
                [&slot](const Sample& sample, VectorView out) {
                  out[0] = slot.effort->effort_sign() * sample.observation->lambda[slot.first_row];
                }));
    }
    const Strings unknown(static_cast<std::size_t>(slot.rows));  // rows do not declare what they are measured in
    add(group(prefixed(slot.name, slot.rows, [](Index k) { return fmt::format("lambda.{}", k); }), unknown,
              Selection::plain, [&slot](const Sample& sample, VectorView out) {
                out.map() = sample.observation->lambda.segment(slot.first_row, slot.rows).map();
              }));
    if (slot.reaction != nullptr && slot.bodies.size() >= 2) add_reaction(model, slot, add);
  }
  for (const ForceSlot& slot : assembly.forces) {
    add_channels(model, slot, add);
    const Index first = slot.first_z, states = slot.states;
    if (states == 0) continue;
    add(group(prefixed(slot.name, states, [](Index k) { return fmt::format("z.{}", k); }),
              Strings(static_cast<std::size_t>(states)), Selection::plain,
              [first, states](const Sample& sample, VectorView out) {
                out.map() = sample.observation->z.segment(first, states).map();
              }));
  }
}

void add_problem_groups(const System& system, Index n, const AddGroup& add) {
  for (Index i = 0; i < n; ++i) {
    const std::string name = system.coordinate_name(i), unit = system.coordinate_unit(i);
    add(group({name}, {unit}, Selection::by_default,
              [i](const Sample& sample, VectorView out) { out[0] = sample.observation->q[i]; }));
    add(group({name + "_dot"}, {rate_unit(unit)}, Selection::by_default,
              [i](const Sample& sample, VectorView out) { out[0] = sample.observation->v[i]; }));
  }
}

void add_common_groups(bool energy, bool constraints, const AddGroup& add) {
  if (energy) {
    add(group({"energy.kinetic", "energy.potential", "energy.total", "energy.dissipated", "energy.work"},
              Strings(5, "J"), Selection::by_default, [](const Sample& sample, VectorView out) {
                const EnergyBudget& energy = sample.observation->energy;
                out[0] = energy.kinetic;
                out[1] = energy.potential;
                out[2] = energy.kinetic + energy.potential;
                out[3] = sample.dissipated;
                out[4] = sample.work;
              }));
  }
  if (constraints) {
    add(group({"constraint.position", "constraint.velocity"}, Strings(2), Selection::by_default,
              [](const Sample& sample, VectorView out) {
                out[0] = sample.observation->constraint_position;
                out[1] = sample.observation->constraint_velocity;
              }));
  }
  add(group({"step"}, {"s"}, Selection::by_default, [](const Sample& sample, VectorView out) { out[0] = sample.h; }));
}

void add_method_group(MethodChannels method, const AddGroup& add) {
  if (method.channels == nullptr) return;
  Strings names, units;
  for (Index i = 0; i < method.channels->channel_count(); ++i) {
    const std::string& name = names.emplace_back(method.channels->channel_name(i));
    units.emplace_back(name == "order" || name == "local_error" ? "1" : "");  // those that mean the same in all methods
  }
  add(group(names, units, Selection::plain, [method](const Sample&, VectorView out) {
    for (Index i = 0; i < out.size; ++i) out[i] = method.channels->channel(i, *method.memory);
  }));
}

}  // namespace trammel
