// Picks the blocks of a graph that some of its nodes need.
#include "signals/signal_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "config/problems.h"
#include "trammel/error.h"

namespace trammel {
namespace {

Index switches_of(const SignalBlock& block) {
  if (block.time_only) return 0;
  return std::visit(
      [](const auto& law) -> Index {
        if constexpr (requires { law.switch_count(); }) return law.switch_count();
        if constexpr (requires { law.formula(); }) return static_cast<Index>(law.formula().switches());
        return 0;
      },
      block.law);
}

}  // namespace

SignalNetwork::SignalNetwork(const SignalGraph& graph, const std::vector<Index>& roots) {
  using Kind = SignalGraph::Reference::Kind;
  std::vector<char> needed(graph.nodes().size(), 0);
  std::vector<Index> open = roots;
  while (!open.empty()) {
    const Index i = open.back();
    open.pop_back();
    if (std::exchange(needed[static_cast<std::size_t>(i)], 1) != 0) continue;
    for (const SignalGraph::Reference& input : graph.node(i).inputs) {
      if (input.kind == Kind::node) open.push_back(input.index);
      if (input.kind == Kind::channel && std::find(channels_.begin(), channels_.end(), input.index) == channels_.end())
        channels_.push_back(input.index);
    }
  }
  for (const Index i : graph.order()) {
    if (needed[static_cast<std::size_t>(i)] != 0) nodes_.push_back(i);
  }
  const std::size_t slots = 1 + channels_.size() + nodes_.size();
  if (slots > most_slots) {
    const SignalGraph::Node& root = graph.node(roots.front());
    throw Error(ErrorKind::input,
                message_at(root.place, root.path,
                           fmt::format("the signals that are read together follow from {} channels and {} formulas; "
                                       "the most are {} together",
                                       channels_.size(), nodes_.size(), most_slots - 1)));
  }
  for (const Index i : nodes_) {
    const SignalGraph::Node& node = graph.node(i);
    SignalBlock block{node.law, node.name, {}};
    block.slot = slot_of(i);
    for (const SignalGraph::Reference& input : node.inputs) {
      const auto channel = std::find(channels_.begin(), channels_.end(), input.index);
      block.inputs.push_back(input.kind == Kind::time      ? 0
                             : input.kind == Kind::channel ? slot_of_channel(channel - channels_.begin())
                                                           : slot_of(input.index));
    }
    block.direct = node.direct, block.time_only = node.time_only;
    block.first_state = states_, block.first_memory = memory_;
    block.states = std::visit(
        [](const auto& law) -> Index {
          if constexpr (requires { law.states(); }) return law.states();
          return 0;
        },
        node.law);
    block.memory = std::holds_alternative<HoldBlock>(node.law) ? 1 : 0;
    states_ += block.states, memory_ += block.memory;
    switches_ += switches_of(block);
    blocks_.push_back(std::move(block));
  }
}

std::size_t SignalNetwork::slot_of(Index node) const {
  return 1 + channels_.size() +
         static_cast<std::size_t>(std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
}

const SignalBlock* SignalNetwork::block_of(Index node) const {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  return found != nodes_.end() ? &blocks_[static_cast<std::size_t>(found - nodes_.begin())] : nullptr;
}

void SignalNetwork::initial_states(double* z) const {
  for (const SignalBlock& block : blocks_) {
    std::visit(
        [&](const auto& law) {
          if constexpr (requires { law.initial(z); }) law.initial(z + block.first_state);
        },
        block.law);
  }
}

void SignalNetwork::switch_values(const Slots<double>& slots, const double* z, const double* memory,
                                  double* out) const {
  double room[SignalBlock::most_inputs];
  for (const SignalBlock& block : blocks_) {
    const Index count = switches_of(block);
    if (count == 0) continue;
    std::fill_n(out, count, std::numeric_limits<double>::quiet_NaN());
    const BlockInputs<double> in = block.gather(slots.data(), z, memory, room);
    std::visit(
        [&](const auto& law) {
          if constexpr (requires { law.switches(in, out); }) law.switches(in, out);
          if constexpr (requires { law.formula(); }) law.formula().switches(in.u, out);
        },
        block.law);
    out += count;
  }
}

}  // namespace trammel
