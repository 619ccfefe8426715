// SignalForceReports: what a force that reads signals offers beyond its own methods.
#pragma once

#include "signals/signal_force.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/static_potential.h"

namespace trammel {

/// What the force itself offers, called with its signals, and what signals add: counted angles of channels, functions of the
/// state, switches, laws, memories.
class SignalForceReports final : public CountedAngles,
                                 public ElementChannels,
                                 public EventSource,
                                 public StateFunctions,
                                 public StateLaws,
                                 public LawSwitches,
                                 public StaticPotential,
                                 public AcceptedMemory {
 public:
  explicit SignalForceReports(const SignalForce& force);
  const void* find(const char* id) const;

  Index angle_count() const override { return angle_count_; }
  void initial_angles(VectorView angle) const override;
  void angles(const ElementState& s, VectorView angle) const override;
  Index channel_count() const override { return channels_->channel_count(); }
  const char* channel_name(Index i) const override { return channels_->channel_name(i); }
  const char* channel_unit(Index i) const override { return channels_->channel_unit(i); }
  Status channel_values(const ElementState& s, VectorView out) const override;
  Index event_count() const override { return events_->event_count(); }
  const char* event_name(Index i) const override { return events_->event_name(i); }
  EventDirection event_direction(Index i) const override { return events_->event_direction(i); }
  EventAction event_action(Index i) const override { return events_->event_action(i); }
  Status event_values(const ElementState& s, VectorView out) const override;
  Index state_function_count() const override;
  const Function* state_function(Index i) const override;
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override;
  Index law_count() const override;
  Index law_argument_count() const override;
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override;
  Status law(Index i, const double* x, const double* rate, double t, double* force) const override;
  Status law_bounds(Index i, const Box& box, double* force) const override;
  Index switch_count() const override;
  const char* switch_name(Index i) const override;
  Status switch_values(const ElementState& s, VectorView out) const override;
  bool static_potential(const ElementState& s, double& potential) const override;
  Index memory_size() const override { return force_.first_memory() + network().memory(); }
  Status initial_memory(const ElementState& s, VectorView memory) const override;
  Status accepted(const ElementState& s, VectorView memory) const override;

 private:
  const SignalNetwork& network() const { return force_.network(); }
  /// Calls the force with its signals at s.
  template <class Call>
  Status with_signals(const ElementState& s, const Call& call) const;
  /// The force's own laws or, without, the signals that it reads.
  bool own_laws() const { return laws_ != nullptr && laws_->law_count() > 0; }
  Index own_functions() const { return functions_ != nullptr ? functions_->state_function_count() : 0; }
  Index own_switches() const { return switches_ != nullptr ? switches_->switch_count() : 0; }
  /// Blocks with functions of something else than time.
  template <class Visit>
  void visit_functions(const Visit& visit) const;

  const SignalForce& force_;
  const ElementChannels* channels_ = nullptr;
  const CountedAngles* own_angles_ = nullptr;
  const EventSource* events_ = nullptr;
  const StateFunctions* functions_ = nullptr;
  const StateLaws* laws_ = nullptr;
  const LawSwitches* switches_ = nullptr;
  const StaticPotential* potential_ = nullptr;
  const AcceptedMemory* memory_ = nullptr;
  Index own_angle_count_ = 0, angle_count_ = 0;
};

}  // namespace trammel
