// Extensions of forces that read signals.
#include "signals/signal_force_reports.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/extensions/drawing.h"
#include "trammel/extensions/unbounded_laws.h"

namespace trammel {

SignalForceReports::SignalForceReports(const SignalForce& force) : force_(force) {
  for (const SignalForce::Channel& channel : force.channels()) angle_count_ += channel.angle >= 0 ? 1 : 0;
  if (force.inner() == nullptr) return;
  const ForceElement& inner = *force.inner();
  channels_ = find_extension<ElementChannels>(inner);
  own_angles_ = find_extension<CountedAngles>(inner);
  events_ = find_extension<EventSource>(inner);
  functions_ = find_extension<StateFunctions>(inner);
  laws_ = find_extension<StateLaws>(inner);
  switches_ = find_extension<LawSwitches>(inner);
  potential_ = find_extension<StaticPotential>(inner);
  memory_ = find_extension<AcceptedMemory>(inner);
  if (own_angles_ != nullptr) own_angle_count_ = own_angles_->angle_count();
  angle_count_ += own_angle_count_;
}

const void* SignalForceReports::find(const char* id) const {
  const auto is = [id](const char* other) { return std::strcmp(id, other) == 0; };
  if (is(CountedAngles::id)) return angle_count_ > 0 ? static_cast<const CountedAngles*>(this) : nullptr;
  if (is(ElementChannels::id)) return channels_ != nullptr ? static_cast<const ElementChannels*>(this) : nullptr;
  if (is(EventSource::id)) return events_ != nullptr ? static_cast<const EventSource*>(this) : nullptr;
  if (is(StateFunctions::id)) return static_cast<const StateFunctions*>(this);
  if (is(StateLaws::id)) return static_cast<const StateLaws*>(this);
  if (is(LawSwitches::id)) return static_cast<const LawSwitches*>(this);
  if (is(StaticPotential::id)) return potential_ != nullptr ? static_cast<const StaticPotential*>(this) : nullptr;
  if (is(AcceptedMemory::id)) return memory_size() > 0 ? static_cast<const AcceptedMemory*>(this) : nullptr;
  if (force_.inner() == nullptr) return nullptr;
  for (const char* without_state :
       {DryFriction::id, UnboundedLaws::id, CoordinateZeros::id, Drawing::id, SeesAcceptedStep::id}) {
    if (is(without_state)) return force_.inner()->extension(id);
  }
  return nullptr;
}

template <class Call>
Status SignalForceReports::with_signals(const ElementState& s, const Call& call) const {
  SignalForce::Slots slots;
  SignalForce::Read now;
  const Status status = force_.read(s, slots, now);
  if (!status) return status;
  const SignalsActing acting(now.value, now.rate);
  return call();
}

void SignalForceReports::initial_angles(VectorView angle) const {
  if (own_angles_ != nullptr) own_angles_->initial_angles({angle.data, own_angle_count_});
  for (const SignalForce::Channel& channel : force_.channels()) {
    if (channel.angle >= 0) channel.channel.angle()->initial_angles({angle.data + channel.angle, 1});
  }
}

void SignalForceReports::angles(const ElementState& s, VectorView angle) const {
  if (own_angles_ != nullptr) own_angles_->angles(s, {angle.data, own_angle_count_});
  for (const SignalForce::Channel& channel : force_.channels()) {
    if (channel.angle < 0) continue;
    const void* const bodies[2] = {s.bodies[channel.at[0]], s.bodies[channel.at[1]]};
    ElementState own;
    own.t = s.t, own.bodies = bodies, own.angle_references = s.angle_references + channel.angle;
    channel.channel.angle()->angles(own, {angle.data + channel.angle, 1});
  }
}

Status SignalForceReports::channel_values(const ElementState& s, VectorView out) const {
  return with_signals(s, [&] { return channels_->channel_values(s, out); });
}

Status SignalForceReports::event_values(const ElementState& s, VectorView out) const {
  return with_signals(s, [&] { return events_->event_values(s, out); });
}

bool SignalForceReports::static_potential(const ElementState& s, double& potential) const {
  bool known = false;
  const Status status = with_signals(s, [&] {
    known = potential_->static_potential(s, potential);
    return Status::success();
  });
  return status && known;
}

// --- Functions of the state ---

template <class Visit>
void SignalForceReports::visit_functions(const Visit& visit) const {
  for (const SignalBlock& block : network().blocks()) {
    const auto* function = std::get_if<FunctionBlock>(&block.law);
    if (function != nullptr && !block.time_only) visit(*function, block.inputs[0]);
  }
}

Index SignalForceReports::state_function_count() const {
  Index count = own_functions();
  visit_functions([&](const FunctionBlock&, std::size_t) { ++count; });
  return count;
}

const Function* SignalForceReports::state_function(Index i) const {
  const Index own = own_functions();
  if (i < own) return functions_->state_function(i);
  const Function* found = nullptr;
  visit_functions([&](const FunctionBlock& block, std::size_t) {
    if (i-- == own) found = &block.function();
  });
  return found;
}

Status SignalForceReports::state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const {
  SignalForce::Slots slots;
  SignalForce::Read now;
  Status status = force_.read(s, slots, now);
  if (!status) return status;
  Index own = own_functions();
  if (own > 0) {
    const SignalsActing acting(now.value, now.rate);
    status = functions_->state_function_arguments(s, {value.data, own}, {rate.data, own});
  }
  visit_functions([&](const FunctionBlock&, std::size_t slot) { value[own] = slots[slot], rate[own] = 0, ++own; });
  return status;
}

// --- Laws: arguments are those of the force, then the channels, then the states and memories of signals ---

Index SignalForceReports::law_count() const {
  return own_laws() ? laws_->law_count() : static_cast<Index>(force_.read_slots().size());
}

Index SignalForceReports::law_argument_count() const {
  const Index own = own_laws() ? laws_->law_argument_count() : 0;
  return own + static_cast<Index>(force_.channels().size()) + network().states() + network().memory();
}

Status SignalForceReports::law_places(const ElementState& s, VectorView x, VectorView rate) const {
  const Index own = own_laws() ? laws_->law_argument_count() : 0;
  Status status;
  if (own > 0) status = with_signals(s, [&] { return laws_->law_places(s, {x.data, own}, {rate.data, own}); });
  double *place = x.data + own, *moves = rate.data + own;
  for (std::size_t k = 0; status && k < force_.channels().size(); ++k, ++place, ++moves) {
    status = force_.channel(s, k, *place, nullptr, moves);
    if (force_.channels()[k].channel.is_velocity()) *moves = std::numeric_limits<double>::quiet_NaN();
  }
  const Index states = network().states(), memory = network().memory();
  if (states > 0) std::copy_n(force_.own_states(s), states, place);
  if (memory > 0) std::copy_n(force_.own_memory(s), memory, place + states);
  std::fill_n(moves, states + memory, std::numeric_limits<double>::quiet_NaN());
  return status;
}

Status SignalForceReports::law(Index i, const double* x, const double* rate, double t, double* force) const {
  const Index own = own_laws() ? laws_->law_argument_count() : 0;
  const double* place = x + own;
  SignalForce::Slots slots;
  slots[0] = t;
  for (std::size_t k = 0; k < force_.channels().size(); ++k) slots[network().slot_of_channel(k)] = *place++;
  network().evaluate(slots, place, place + network().states());
  SignalForce::Read now;
  for (std::size_t k = 0; k < force_.read_slots().size(); ++k) now.value[k] = slots[force_.read_slots()[k]];
  if (!own_laws()) {
    *force = now.value[i];
    return Status::success();
  }
  const SignalsActing acting(now.value, now.rate);
  return laws_->law(i, x, rate, t, force);
}

// Signals are bounded in interval arithmetic, one behind the other; the force bounds itself with them as free numbers.
Status SignalForceReports::law_bounds(Index i, const Box& box, double* force) const {
  const Index own = own_laws() ? laws_->law_argument_count() : 0;
  const std::size_t channels = force_.channels().size();
  const double* const low = box.x[0] + own;
  const double* const high = box.x[1] + own;
  SignalNetwork::Slots<Interval> slots;
  slots[0] = {box.t[0], box.t[1]};
  for (std::size_t k = 0; k < channels; ++k) slots[network().slot_of_channel(k)] = {low[k], high[k]};
  Interval z[SignalForce::most_states];
  const auto states = static_cast<std::size_t>(network().states());
  for (std::size_t k = 0; k < states; ++k) z[k] = {low[channels + k], high[channels + k]};
  Interval::undecided = false;
  network().evaluate(slots, z, low + channels + states);  // what is held has one value
  if (Interval::undecided) return Status::failure(StatusCode::unsupported, "a signal switches within the box");
  if (!own_laws()) {
    const Interval& signal = slots[force_.read_slots()[static_cast<std::size_t>(i)]];
    force[0] = signal.low, force[1] = signal.high;
    return Status::success();
  }
  Interval range[SignalForce::most_read];
  for (std::size_t k = 0; k < force_.read_slots().size(); ++k) range[k] = slots[force_.read_slots()[k]];
  const SignalsActing acting(range);
  return laws_->law_bounds(i, box, force);
}

// --- Switches ---

Index SignalForceReports::switch_count() const { return own_switches() + network().switch_count(); }

const char* SignalForceReports::switch_name(Index i) const {
  return i < own_switches() ? switches_->switch_name(i) : "signal";
}

Status SignalForceReports::switch_values(const ElementState& s, VectorView out) const {
  SignalForce::Slots slots;
  SignalForce::Read now;
  const Status status = force_.read(s, slots, now);
  if (!status) return status;
  const Index own = own_switches();
  network().switch_values(slots, force_.own_states(s), force_.own_memory(s), out.data + own);
  if (own == 0) return status;
  const SignalsActing acting(now.value, now.rate);
  return switches_->switch_values(s, {out.data, own});
}

// --- Memories ---

// Before the motion every held value is that before the first sample.
Status SignalForceReports::initial_memory(const ElementState& s, VectorView memory) const {
  const Index own = force_.first_memory();
  for (const SignalBlock& block : network().blocks()) {
    if (const auto* hold = std::get_if<HoldBlock>(&block.law)) memory[own + block.first_memory] = hold->start;
  }
  ElementState begun = s;
  std::vector<double> before(memory.data, memory.data + memory.size);
  begun.memory = before.data();
  SignalForce::Slots slots;
  Status status = force_.look(begun, slots);
  if (!status) return status;
  for (const SignalBlock& block : network().blocks()) {
    const auto* hold = std::get_if<HoldBlock>(&block.law);
    if (hold != nullptr && hold->samples_at(s.t)) memory[own + block.first_memory] = slots[block.inputs[0]];
  }
  if (own == 0) return status;
  SignalForce::Read now;
  for (std::size_t k = 0; k < force_.read_slots().size(); ++k) now.value[k] = slots[force_.read_slots()[k]];
  const SignalsActing acting(now.value, now.rate);
  return memory_->initial_memory(s, {memory.data, own});
}

Status SignalForceReports::accepted(const ElementState& s, VectorView memory) const {
  const Index own = force_.first_memory();
  SignalForce::Slots slots;
  SignalForce::Read now;
  const Status status = force_.read(s, slots, now);
  if (!status) return status;
  for (const SignalBlock& block : network().blocks()) {
    const auto* hold = std::get_if<HoldBlock>(&block.law);
    if (hold == nullptr) continue;
    double& kept = memory[own + block.first_memory];
    kept = hold->samples_at(s.t) ? slots[block.inputs[0]] : force_.own_memory(s)[block.first_memory];
  }
  if (own == 0) return status;
  const SignalsActing acting(now.value, now.rate);
  return memory_->accepted(s, {memory.data, own});
}

}  // namespace trammel
