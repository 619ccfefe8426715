// Numbers of the run file, set and differentiated through Mechanics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/remade_run.h"
#include "model/kinks.h"
#include "plugin/breadcrumb.h"
#include "run/mechanics_state.h"
#include "run/varied_number.h"
#include "trammel/error.h"
#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/system.h"

namespace trammel {
namespace {

/// The element or body that a path leads into, and what the path says below it.
struct Owner {
  enum class Kind { none, constraint, force, body } kind = Kind::none;
  Index place = 0;
  const Section* section = nullptr;
  std::string key;
};

Owner owner_of(const RunFile& run, const std::string& path) {
  const std::pair<const char*, const std::vector<Section>*> lists[] = {
      {"system.constraints.", &run.constraints}, {"system.forces.", &run.forces}, {"system.bodies.", &run.bodies}};
  for (const auto& [prefix, sections] : lists) {
    for (std::size_t i = 0; i < sections->size(); ++i) {
      const std::string start = prefix + (*sections)[i].name + ".";
      if (!path.starts_with(start)) continue;
      const auto kind = sections == &run.constraints ? Owner::Kind::constraint
                        : sections == &run.forces    ? Owner::Kind::force
                                                     : Owner::Kind::body;
      return {kind, static_cast<Index>(i), &(*sections)[i], path.substr(start.size())};
    }
  }
  return {};
}

/// Whether the number acts in other places than its owner.
bool shared(const Model& model, const Owner& owner) {
  if (owner.kind == Owner::Kind::body) return model.numbers_are_shared(BodyRef{owner.place});
  return owner.kind == Owner::Kind::constraint && model.numbers_are_shared(ElementRef{owner.place});
}

template <class Numbers>
Index find_number(const Numbers& numbers, const std::string& key) {
  for (Index i = 0; i < numbers.parameter_count(); ++i) {
    if (key == numbers.parameter_name(i)) return i;
  }
  return -1;
}

/// Length of the direction that the key is an entry of, 1 for everything else: derivatives are those of unit vectors.
double direction_length(const LoadedComponent& loaded, const Section& section, const std::string& key) {
  const std::string name = key.substr(0, key.find('.'));
  for (const ParameterInfo& p : loaded.info->parameters) {
    if (p.name != name || p.type != ParameterType::direction) continue;
    double sum = 0;
    for (const Node& item : section.node->find(name)->items) sum += item.number * item.number;
    return std::sqrt(sum);
  }
  return 1;
}

/// An element's bodies' parts of a vector over all bodies, as elements see them: with all coordinates. Empty for ground.
struct LocalParts {
  LocalParts(const BodyTable& of_bodies, const std::vector<Index>& attached, const std::vector<double>& all)
      : table(of_bodies), bodies(attached), room(attached.size() * static_cast<std::size_t>(table.local()), 0.0) {
    const Index c = table.local();
    double* at = room.data();
    for (const Index body : bodies) {
      const Index width = body < 0 ? 0 : table.width(body);
      if (body >= 0) std::copy_n(all.data() + table.first(body), width, at);
      views.push_back(body < 0 ? VectorView{} : VectorView{at, c});
      read.push_back(body < 0 ? ConstVectorView{} : ConstVectorView{at, c});
      at += c;
    }
  }
  void write(std::vector<double>& all) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i] >= 0) std::copy_n(views[i].data, table.width(bodies[i]), all.data() + table.first(bodies[i]));
    }
  }

  const BodyTable& table;
  const std::vector<Index>& bodies;
  std::vector<double> room;
  std::vector<VectorView> views;
  std::vector<ConstVectorView> read;
};

}  // namespace

double Mechanics::parameter(const std::string& path) const { return number_at(state_->made->run, path); }

void MechanicsState::change(const RunFile& from, const std::vector<Setting>& changed, RowsLeftOut rows) {
  auto other = std::make_unique<MechanicsModel>(remade(from, changed), host);
  const ConstrainedModel& now = numbers();
  const ConstrainedModel& then = *other->plant->model();
  if (then.coordinates() != now.coordinates() || then.constraints() != now.constraints() ||
      then.internal_states() != now.internal_states()) {
    throw Error(ErrorKind::input, "another number of equations is another model: it takes another Mechanics");
  }
  ModelRank& rank = other->plant->model()->rank();
  if (rows == RowsLeftOut::the_same) {
    rank.adopt(numbers().rank());
  } else if (rank.redundant() != numbers().rank().redundant()) {
    throw Error(
        ErrorKind::input,
        fmt::format("with this number {} constraint rows depend on others, without it {}: that is a mechanism of "
                    "another mobility, and takes another Mechanics",
                    rank.redundant(), numbers().rank().redundant()));
  }
  for (const std::string& name : made->inputs->names())
    other->inputs->set(other->inputs->find(name), made->inputs->value(made->inputs->find(name)));
  other->inputs->taken();
  const VectorView kept = numbers().point().angle_references(), to = other->plant->model()->point().angle_references();
  if (kept.size == to.size) std::copy(kept.data, kept.data + kept.size, to.data);
  std::swap(made, other);
  try {
    numbers().point().invalidate();
    observe();
  } catch (...) {
    std::swap(made, other);
    numbers().point().invalidate();
    observe();
    throw;
  }
}

void Mechanics::set_parameter(const std::string& path, double value) {
  state_->change(state_->made->run, {number_setting(path, value)}, RowsLeftOut::as_many);
}

// Right-hand sides of M a_p + Phi_q^T lambda_p = -(M a + Phi_q^T lambda - Q)_p and Phi_q a_p = -(Phi_q a - gamma)_p.
bool MechanicsState::own_effect(const std::string& path, NumberEffect& effect) {
  const Owner owner = owner_of(made->run, path);
  if (owner.kind == Owner::Kind::none || shared(*made->model, owner)) return false;
  if (numbers_point().memory().sees_last_step()) return false;  // what forces see changes with the number, too
  const Model& model = *made->model;
  const Assembly& assembly = *model.assembly();
  const BodyTable& table = assembly.table;
  const auto own = [&](const auto* numbers) {
    return numbers != nullptr ? find_number(*numbers, owner.key) : Index(-1);
  };
  const auto place = static_cast<std::size_t>(owner.place);
  if (owner.kind == Owner::Kind::constraint) {
    const ConstraintSlot& slot = assembly.constraints[place];
    const auto* numbers = find_extension<ConstraintParameterDerivatives>(*slot.constraint);
    const Index i = own(numbers);
    if (i < 0 || slot.velocity_rows > 0) return false;  // the derivatives are those of its position rows
    linearize();
    if (at_switch(*slot.constraint, numbers_point().element_state(slot))) return false;
    const LocalParts force(table, slot.bodies, effect.residual), a(table, slot.bodies, acceleration);
    RowDerivatives out;
    out.Phi = {effect.Phi.data() + slot.first_row, slot.rows};
    out.velocity = {effect.velocity.data() + slot.first_row, slot.rows};
    out.acceleration = {effect.acceleration.data() + slot.first_row, slot.rows};
    out.force = force.views.data();
    require(numbers->parameter_derivatives(i, numbers_point().element_state(slot), a.read.data(),
                                           {multiplier.data() + slot.first_row, slot.rows}, out));
    force.write(effect.residual);
    const double length = direction_length(model.component(slot), *owner.section, owner.key);
    for (auto* part : {&effect.residual, &effect.Phi, &effect.velocity, &effect.acceleration}) {
      for (double& x : *part) x /= length;
    }
    return true;
  }
  if (owner.kind == Owner::Kind::force) {
    const ForceSlot& slot = assembly.forces[place];
    const auto* numbers = find_extension<ForceParameterDerivatives>(*slot.force);
    const Index i = own(numbers);
    if (i < 0) return false;
    linearize();
    if (at_switch(*slot.force, numbers_point().element_state(slot))) return false;
    const LocalParts Q(table, slot.bodies, effect.residual);
    ForceDerivatives out;
    out.Q = Q.views.data();
    out.z_rate = {effect.z_rate.data() + slot.first_z, slot.states};
    require(numbers->parameter_derivatives(i, numbers_point().element_state(slot), out));
    Q.write(effect.residual);
    const double length = direction_length(model.component(slot), *owner.section, owner.key);
    for (double& x : effect.residual) x /= -length;
    for (double& x : effect.z_rate) x /= length;
    return true;
  }
  const auto* numbers = find_extension<BodyParameterDerivatives>(model.system());
  for (Index i = 0; numbers != nullptr && i < numbers->parameter_count(owner.place); ++i) {
    if (owner.key != numbers->parameter_name(owner.place, i)) continue;
    linearize();
    BodyDerivatives out;
    const Index first = table.first(owner.place), width = table.width(owner.place);
    out.residual = {effect.residual.data() + first, width};
    require(numbers->parameter_derivatives(owner.place, i, t, numbers_point().body_state(owner.place),
                                           {acceleration.data() + first, width}, out));
    return true;
  }
  return false;
}

ParameterDerivative Mechanics::derivative(const std::string& path) { return state_->derivative(path); }

std::vector<double> MechanicsState::loads() {
  const ConstrainedModel& model = numbers();
  const Index n = model.coordinates();
  const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
  std::vector<double> masses(ones), accelerations(model.Q().data, model.Q().data + n);
  model.apply_mass(view(ones), {masses.data(), n});
  double largest = 0;
  for (const double mass : masses) largest = std::max(largest, std::abs(mass));
  for (double& a : accelerations) a = largest > 0 ? a / largest : 0;
  return accelerations;
}

ParameterDerivative MechanicsState::derivative(const std::string& path) {
  MechanicsState& s = *this;
  const double value = number_at(s.made->run, path);
  const Index n = s.numbers().coordinates(), m = s.numbers().constraints(), nz = s.numbers().internal_states();
  ParameterDerivative result;
  const auto size = [](Index k) { return static_cast<std::size_t>(k); };
  NumberEffect effect{std::vector<double>(size(n)), std::vector<double>(size(m)), std::vector<double>(size(m)),
                      std::vector<double>(size(m)), std::vector<double>(size(nz))};
  result.exact = blamed([&] { return s.own_effect(path, effect); });
  if (result.exact) {
    for (auto* part : {&effect.residual, &effect.acceleration}) {
      for (double& x : *part) x = -x;
    }
    std::vector<double> a(size(n));
    s.require(s.numbers().solve({effect.residual.data(), n}, {effect.acceleration.data(), m}, {a.data(), n}, {}));
    result.rate.assign(size(n), 0.0);  // v does not depend on p
    result.rate.insert(result.rate.end(), a.begin(), a.end());
    result.rate.insert(result.rate.end(), effect.z_rate.begin(), effect.z_rate.end());
    result.violation = effect.Phi, result.velocity_violation = effect.velocity;
    s.observe();
    return result;
  }
  const RunFile given = remade(s.made->run, {});
  const auto all = [&](double p) {  // loads beside f(p), Phi and what velocities leave of it below each other
    s.change(s.made->run, {number_setting(path, p)}, RowsLeftOut::the_same);
    std::vector<double> f = s.loads();
    const ConstVectorView parts[] = {s.made->plant->observation().a, s.numbers().z_rate(), s.numbers().Phi(),
                                     s.view(s.velocity_violation)};
    for (const ConstVectorView& part : parts) f.insert(f.end(), part.data, part.data + part.size);
    return f;
  };
  try {
    const std::vector<double> at = all(value);
    const auto largest = [](const std::vector<double>& x) {
      double most = 1;
      for (const double entry : x) most = std::max(most, std::abs(entry));
      return most;
    };
    std::vector<DifferenceGroup> groups;
    std::size_t first = 0;
    for (const auto& [length, of] :
         {std::pair<Index, double>{2 * n, 0}, {nz, 0}, {m, largest(s.q)}, {m, largest(s.v)}}) {
      groups.push_back({first, first + size(length), of});
      first += size(length);
    }
    const std::vector<double> f_p = varied_derivative(all, value, at, groups, path);
    const auto rows = f_p.begin() + 2 * n + nz;
    result.rate.assign(f_p.begin(), rows);
    std::fill_n(result.rate.begin(), n, 0.0);  // v does not depend on p
    result.violation.assign(rows, rows + m), result.velocity_violation.assign(rows + m, f_p.end());
  } catch (...) {
    s.change(given, {}, RowsLeftOut::the_same);
    throw;
  }
  s.change(given, {}, RowsLeftOut::the_same);
  return result;
}

}  // namespace trammel
