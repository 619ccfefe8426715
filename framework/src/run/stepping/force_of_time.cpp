// A force element as a function of time.
#include "run/stepping/force_of_time.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "plugin/breadcrumb.h"
#include "signals/signal_force.h"

namespace trammel {
namespace {

/// Numbers in -1 .. 1 without a pattern: multiples of the golden ratio, modulo 2 (Knuth, TAOCP 3, section 6.4).
double scattered(std::size_t k) { return std::remainder(1.2360679774997896 * static_cast<double>(k + 1), 2.0); }

/// Formulas in a section; functions inside it (objects with a type) are searched by themselves.
bool texts_mention_time(const Node& node, bool top) {
  if (node.is_text()) return mentions_time(node.text);
  if (!top && node.is_object() && node.find("type") != nullptr) return false;
  for (const Node& item : node.items) {
    if (texts_mention_time(item, false)) return true;
  }
  for (const Member& member : node.members) {
    if (member.key != "type" && texts_mention_time(member.value, false)) return true;
  }
  return false;
}

bool has_functions(const Node& section) {
  return std::any_of(section.members.begin(), section.members.end(),
                     [](const Member& m) { return m.value.is_object() && m.value.find("type") != nullptr; });
}

bool is_formula(const Member& member) {
  const std::string& text = member.value.text;
  return member.key != "type" && member.value.is_text() && text.find_first_of("+-*/^(") != std::string::npos;
}

}  // namespace

bool mentions_time(const std::string& formula) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  for (std::size_t k = 0; k < formula.size(); ++k) {
    if (formula[k] != 't') continue;
    const bool before = k > 0 && part_of_name(formula[k - 1]);
    const bool behind = k + 1 < formula.size() && part_of_name(formula[k + 1]);
    if (!before && !behind) return true;
  }
  return false;
}

ForceOfTime::ForceOfTime(const Model& model, std::size_t index)
    : slot_(model.assembly()->forces[index]),
      coordinates_(model.assembly()->body_coordinates()),
      memory_(std::make_unique<StartMemory>(*model.assembly(), slot_)) {
  const PhaseScope scope(slot_.plugin.c_str(), slot_.name.c_str(), "search of time");
  const ForceElement& force = *slot_.force;
  const auto count = static_cast<std::size_t>(force.internal_states());
  z_.assign(count, 0.0), rates_.assign(count, 0.0);
  if (count > 0) force.initial_internal_states({z_.data(), static_cast<Index>(count)});
  if (slot_.angles != nullptr) {
    angles_.assign(static_cast<std::size_t>(slot_.angles->angle_count()), 0.0);
    slot_.angles->initial_angles({angles_.data(), static_cast<Index>(angles_.size())});
  }
  const std::size_t bodies = slot_.bodies.size(), n = bodies * static_cast<std::size_t>(coordinates_);
  Q_.assign(n, 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    const bool ground = slot_.bodies[b] < 0;
    blocks_.push_back(ground ? VectorView{}
                             : VectorView{Q_.data() + b * static_cast<std::size_t>(coordinates_), coordinates_});
  }
  for (std::size_t k = 0; k < n + count; ++k) weights_.push_back(1.5 + 0.5 * scattered(k));
  for (std::size_t k = 0; k < n + count; k += 2) weights_[k] = -weights_[k];
  freeze(model, 0, frozen_[0]);
  freeze(model, 0.1, frozen_[1]);
  for (Frozen& frozen : frozen_) {
    double value = 0;
    frozen.valid = sum(frozen, 0, false, value).ok() && std::isfinite(value);
  }
}

// Bodies are moved by a share of the model's size and turned by as many radians; they move and turn as much in a
// second.
void ForceOfTime::freeze(const Model& model, double beside, Frozen& frozen) const {
  const Assembly& assembly = *model.assembly();
  const BodySystem& system = assembly.system;
  std::vector<double> q = model.q0(), v = model.v0();
  const BodyTable& table = assembly.table;
  const auto bodies = static_cast<std::size_t>(table.bodies());
  const auto displaces = [&](std::size_t i) { return table.displaces(static_cast<Index>(i)); };
  double size = 0;
  for (std::size_t i = 0; i < q.size(); ++i) size = displaces(i) ? std::max(size, std::abs(q[i])) : size;
  if (size == 0) size = 1;
  for (std::size_t i = 0; beside > 0 && i < q.size(); ++i) {
    const double scale = beside * (displaces(i) ? size : 1);
    q[i] += scale * scattered(2 * i), v[i] += scale * scattered(2 * i + 1);
  }
  for (Index b = 0; beside > 0 && b < table.bodies(); ++b) {
    if (table.width(b) != SpatialBodyState::coordinates) continue;
    double* p = q.data() + table.first(b);
    const double length = std::sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
    for (int k = 3; k < 7; ++k) p[k] /= length;
  }
  const std::size_t stride = static_cast<std::size_t>(system.state_bytes() + 7) / 8;
  frozen.states.assign((bodies + 1) * stride, 0.0);
  const auto n = static_cast<Index>(q.size());
  assembly.motion.kinematics({q.data(), n}, {v.data(), n}, frozen.states.data());
  system.ground_state(frozen.states.data() + bodies * stride);
  for (const Index b : slot_.bodies) {
    frozen.bodies.push_back(frozen.states.data() + (b < 0 ? bodies : static_cast<std::size_t>(b)) * stride);
  }
}

Status ForceOfTime::state(const Frozen& frozen, double t, ElementState& s) const {
  s = {t, frozen.bodies.data(), angles_.data(), z_.data(), nullptr, nullptr};
  return memory_->give(s);
}

Status ForceOfTime::sum(const Frozen& frozen, double t, bool derivative, double& value) const {
  std::fill(Q_.begin(), Q_.end(), 0.0);
  std::fill(rates_.begin(), rates_.end(), 0.0);
  ElementState s;
  Status status = state(frozen, t, s);
  if (!status) return status;
  const ForceElement& force = *slot_.force;
  const ElementMark mark(slot_.plugin.c_str(), slot_.name.c_str());
  status = derivative ? force.time_gradient(s, blocks_.data()) : force.force(s, blocks_.data());
  if (status && !rates_.empty()) {
    const VectorView rates{rates_.data(), static_cast<Index>(rates_.size())};
    InternalGradients gradients;
    gradients.rate_t = rates;
    status = derivative ? force.internal_gradients(s, gradients) : force.internal_rate(s, rates);
  }
  for (std::size_t k = 0; k < Q_.size(); ++k) value += weights_[k] * Q_[k];
  for (std::size_t k = 0; k < rates_.size(); ++k) value += weights_[Q_.size() + k] * rates_[k];
  return status;
}

Status ForceOfTime::evaluate(double t, int order, double* value) const {
  for (int derivative = 0; derivative <= order; ++derivative) value[derivative] = 0;
  Status status;
  for (const Frozen& frozen : frozen_) {
    for (int derivative = 0; frozen.valid && status.ok() && derivative <= std::min(order, 1); ++derivative) {
      status = sum(frozen, t, derivative == 1, value[derivative]);
    }
  }
  for (int derivative = 0; status.ok() && derivative <= order; ++derivative) {
    if (!std::isfinite(value[derivative])) status = Status::failure(StatusCode::not_finite, "a force over time");
  }
  return status;
}

bool ForceOfTime::formula_of_time(const Model& model, std::size_t index) {
  // Signals that are formulas of time and motion are known to their readers alone.
  if (find_extension<SignalCarrier>(*model.assembly()->forces[index].force) != nullptr) return true;
  return texts_mention_time(*model.run().forces[index].node, true);
}

bool ForceOfTime::code_alone(const Model& model, std::size_t index) {
  const Node& section = *model.run().forces[index].node;
  if (has_functions(section) || std::any_of(section.members.begin(), section.members.end(), is_formula)) return false;
  // What an element adds to -0 is +0 at least, unless it adds nothing or -0 only.
  const ForceOfTime force(model, index);
  std::fill(force.Q_.begin(), force.Q_.end(), -0.0);
  const ForceSlot& slot = force.slot_;
  ElementState s;
  if (!force.state(force.frozen_[1], 0, s) || !slot.force->time_gradient(s, force.blocks_.data())) return false;
  return slot.states > 0 || std::any_of(force.Q_.begin(), force.Q_.end(), [](double x) { return !std::signbit(x); });
}

bool ForceOfTime::changes(double from, double to, long looks) const {
  double first = 0, value = 0;
  if (!evaluate(from, 0, &first)) return false;
  for (long k = 1; k <= looks; ++k) {
    const double t = from + (to - from) * static_cast<double>(k) / static_cast<double>(looks);
    if (evaluate(t, 0, &value) && value != first) return true;
  }
  return false;
}

}  // namespace trammel
