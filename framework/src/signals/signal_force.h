// SignalForce: a force with the signals that it reads - an element over the bodies of both, with the states of both.
#pragma once

#include <memory>
#include <vector>

#include "signals/signal_channel.h"
#include "signals/signal_function.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/event.h"
#include "trammel/force.h"

// The force F(q, v, z, sigma) with its own states z, the signals sigma(t, c, w) of channels c(q, v) and states
// w' = r(t, c, w) of signals. F takes sigma as functions of time: its time gradient is F_t + F_sigma sigma', linear in the
// sigma' that it is told, so that calls with sigma' = 0 and with unit vectors give F_sigma exactly. Then
//   F_q = F_q|sigma + F_sigma sigma_c c_q,  F_v likewise,  F_w = F_sigma sigma_w,  dF/dt = F_t + F_sigma sigma_t    (1)
// and likewise for z'; w'_q = r_c c_q, and so on.
namespace trammel {

/// What carries states and memories of signals; an extension of forces within the kernel.
class SignalCarrier {
 public:
  static constexpr const char* id = "trammel.kernel.signal_carrier/1";

  virtual const SignalNetwork& network() const = 0;
  /// Where the network's states and memory begin among those of the element.
  virtual Index first_state() const = 0;
  virtual Index first_memory() const = 0;
  /// Channels and nodes at a state.
  virtual Status look(const ElementState& s, SignalNetwork::Slots<double>& slots) const = 0;

 protected:
  ~SignalCarrier() = default;
};

class SignalForceReports;

class SignalForce final : public ForceElement, public SignalCarrier {
 public:
  /// [setup] `inner`: reads the signals `read`, nodes of the network, in this order; outlives this; null: nothing but the
  /// states of signals. Throws Error(input): more bodies or signals than there is room for.
  SignalForce(const ForceElement* inner, SignalNetwork network, std::vector<SignalChannel> channels,
              const std::vector<Index>& read, Host host);
  ~SignalForce();
  SignalForce(const SignalForce&) = delete;
  SignalForce& operator=(const SignalForce&) = delete;

  Index body_count() const override { return static_cast<Index>(bodies_.size()); }
  BodyRef body(Index i) const override { return bodies_[static_cast<std::size_t>(i)]; }
  const void* extension(const char* id) const override;

  Status force(const ElementState& s, const VectorView* Q) const override;
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override;
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const override;
  Status energy(const ElementState& s, ForceEnergy& energy) const override;
  Index internal_states() const override { return inner_states_ + network_.states(); }
  void initial_internal_states(VectorView z) const override;
  Status internal_rate(const ElementState& s, VectorView z_rate) const override;
  Status internal_gradients(const ElementState& s, const InternalGradients& out) const override;

  const SignalNetwork& network() const override { return network_; }
  Index first_state() const override { return inner_states_; }
  Index first_memory() const override { return inner_memory_; }

  /// [setup] Whether the force itself, and not its time gradient alone, changes with the rates of the signals, with these
  /// states of the bodies: such a force would need more of a signal than its value.
  bool uses_rates(const void* const* bodies) const;

  // For its reports.
  static constexpr Index most_bodies = 32, most_inner = 8, most_read = 16, most_states = 64;
  static constexpr Index widest = SignalChannel::widest;
  using Slots = SignalNetwork::Slots<double>;
  using Duals = SignalNetwork::Slots<Taylor<1>>;
  /// Signals and their derivatives at a state.
  struct Read {
    double value[most_read];
    double rate[most_read] = {};
  };
  struct Channel {
    SignalChannel channel;
    Index at[2];  ///< among the bodies
    Index angle;  ///< among the counted angles, or -1
  };
  const ForceElement* inner() const { return inner_; }
  const std::vector<Channel>& channels() const { return channels_; }
  /// Slots of the signals that the force reads.
  const std::vector<std::size_t>& read_slots() const { return read_; }
  const double* own_states(const ElementState& s) const { return s.z + inner_states_; }
  const double* own_memory(const ElementState& s) const {
    return s.memory != nullptr ? s.memory + inner_memory_ : start_memory_.data();
  }
  Status channel(const ElementState& s, std::size_t k, double& value, SignalChannel::Gradient* gradient,
                 double* rate) const;
  Status look(const ElementState& s, Slots& slots) const override;
  Status read(const ElementState& s, Slots& slots, Read& read) const;

 private:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_inner * widest, most_read>;

  Index position(BodyRef body);
  /// All nodes with the derivative along one seed: t, then channels, then states.
  void derive(const ElementState& s, const Slots& at, std::size_t seed, Duals& out, Taylor<1>* z_rate) const;
  /// d sigma/dt along the motion; NaN where a velocity has a part in it.
  Status true_rates(const ElementState& s, const Slots& slots, double* rate) const;
  /// F_sigma: k c rows; (z')_sigma.
  Status by_signals(const ElementState& s, const Read& read, Columns& force, Columns& rates) const;

  const ForceElement* inner_;
  SignalNetwork network_;
  Host host_;
  Index c_, inner_bodies_ = 0, inner_states_ = 0, inner_angles_ = 0, inner_memory_ = 0;
  std::vector<double> start_memory_;  ///< of states outside of a motion
  std::vector<BodyRef> bodies_;
  std::vector<Channel> channels_;
  std::vector<std::size_t> read_;  ///< slots
  std::unique_ptr<const SignalForceReports> reports_;
};

}  // namespace trammel
