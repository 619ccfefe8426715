// SignalNetwork: the signals that one reader needs, with their channels, states and memories in one row each.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "signals/signal_graph.h"

namespace trammel {

/// Evaluates on any scalar: a Taylor with one seed gives the derivative by that seed.
class SignalNetwork {
 public:
  /// Values on the way: slot 0 is t, then the channels, then the nodes.
  static constexpr std::size_t most_slots = 128;
  template <class T>
  using Slots = std::array<T, most_slots>;

  SignalNetwork() = default;
  /// [setup] What the nodes `roots` follow from. Throws Error(input) if that is more than there is room for.
  SignalNetwork(const SignalGraph& graph, const std::vector<Index>& roots);

  /// Channels by their index in the graph.
  const std::vector<Index>& channels() const { return channels_; }
  Index states() const { return states_; }
  Index memory() const { return memory_; }
  const std::vector<SignalBlock>& blocks() const { return blocks_; }
  /// Nodes of the graph in the order of the blocks.
  const std::vector<Index>& nodes() const { return nodes_; }
  /// The slot of a node among the roots.
  std::size_t slot_of(Index node) const;
  std::size_t slot_of_channel(std::size_t k) const { return 1 + k; }
  /// The block of a node, or nullptr.
  const SignalBlock* block_of(Index node) const;

  /// [hot] Writes all nodes; t and channels are there.
  template <class T>
  void evaluate(Slots<T>& slots, const std::type_identity_t<T>* z, const double* memory) const {
    T room[SignalBlock::most_inputs];
    for (const SignalBlock& block : blocks_) {
      const BlockInputs<T> in = block.direct ? block.gather(slots.data(), z, memory, room)
                                             : BlockInputs<T>{room, z + block.first_state, memory + block.first_memory};
      slots[block.slot] = std::visit([&](const auto& law) { return law.output(in); }, block.law);
    }
  }
  /// [hot] Rates of the states, from all slots.
  template <class T>
  void rates(const Slots<T>& slots, const std::type_identity_t<T>* z, const double* memory,
             std::type_identity_t<T>* z_rate) const {
    T room[SignalBlock::most_inputs];
    for (const SignalBlock& block : blocks_) {
      if (block.states == 0) continue;
      const BlockInputs<T> in = block.gather(slots.data(), z, memory, room);
      std::visit(
          [&](const auto& law) {
            if constexpr (requires { law.rates(in, z_rate); }) law.rates(in, z_rate + block.first_state);
          },
          block.law);
    }
  }
  /// [setup] Start values of the states.
  void initial_states(double* z) const;

  /// [setup] Switching functions of blocks that do not follow from time alone: known before a run is what these do.
  Index switch_count() const { return switches_; }
  /// [step] NaN where it does not matter.
  void switch_values(const Slots<double>& slots, const double* z, const double* memory, double* out) const;

 private:
  std::vector<SignalBlock> blocks_;
  std::vector<Index> nodes_, channels_;
  Index states_ = 0, memory_ = 0, switches_ = 0;
};

}  // namespace trammel
