// Values of all signals at a sample: states from the forces that carry them, channels from other columns.
#include "results/signal_columns.h"

#include <algorithm>
#include <limits>

#include "config/problems.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

class SignalColumns final : public ColumnGroup {
 public:
  SignalColumns(const ModelSignals& signals, ConstrainedModel* numbers,
                const std::function<void(const AddGroup&)>& make_groups)
      : numbers_(numbers) {
    const SignalGraph& graph = signals.graph();
    std::vector<Index> all;
    for (Index i = 0; i < graph.signals(); ++i) all.push_back(i);
    network_ = SignalNetwork(graph, all);
    for (const Index i : all) {
      names.push_back(graph.node(i).name);
      slots_.push_back(network_.slot_of(i));
    }
    units.assign(names.size(), "");
    by_default = true;
    z_.assign(static_cast<std::size_t>(network_.states()), 0.0);
    memory_.assign(static_cast<std::size_t>(network_.memory()), 0.0);
    find_channels(graph, make_groups);
    if (numbers_ != nullptr) find_states();
  }

  void values(const Sample& sample, VectorView out) const override {
    SignalNetwork::Slots<double> slots;
    slots[0] = sample.observation->t;
    for (const Group& group : groups_) group.columns->values(sample, {group.values.data(), group.size()});
    for (std::size_t k = 0; k < channels_.size(); ++k) {
      const Channel& channel = channels_[k];
      slots[network_.slot_of_channel(k)] = groups_[channel.group].values[channel.position];
    }
    for (const Carried& carried : carried_) {
      const ForceSlot& slot = *carried.slot;
      const ElementState s = numbers_->point().element_state(slot);
      for (Index k = 0; k < carried.states; ++k)
        z_[static_cast<std::size_t>(carried.state + k)] = sample.observation->z[slot.first_z + carried.slot_state + k];
      for (Index k = 0; k < carried.numbers; ++k) {
        memory_[static_cast<std::size_t>(carried.memory + k)] =
            s.memory != nullptr ? s.memory[carried.slot_memory + k] : std::numeric_limits<double>::quiet_NaN();
      }
    }
    network_.evaluate(slots, z_.data(), memory_.data());
    for (std::size_t i = 0; i < slots_.size(); ++i) out[static_cast<Index>(i)] = slots[slots_[i]];
  }

 private:
  struct Group {
    std::unique_ptr<ColumnGroup> columns;
    mutable std::vector<double> values;
    Index size() const { return static_cast<Index>(values.size()); }
  };
  struct Channel {
    std::size_t group, position;
  };
  struct Carried {
    const ForceSlot* slot;
    Index slot_state, slot_memory;         ///< in the slot
    Index state, states, memory, numbers;  ///< here
  };

  void find_channels(const SignalGraph& graph, const std::function<void(const AddGroup&)>& make_groups) {
    if (network_.channels().empty()) return;
    std::vector<std::unique_ptr<ColumnGroup>> made;
    make_groups([&](std::unique_ptr<ColumnGroup> group) { made.push_back(std::move(group)); });
    std::vector<std::size_t> kept(made.size(), made.size());
    std::vector<std::string> known;
    for (const auto& group : made) known.insert(known.end(), group->names.begin(), group->names.end());
    for (const Index channel : network_.channels()) {
      const std::string& name = graph.channels()[static_cast<std::size_t>(channel)];
      bool found = false;
      for (std::size_t g = 0; !found && g < made.size(); ++g) {
        const std::vector<std::string>& own = made[g] != nullptr ? made[g]->names : groups_[kept[g]].columns->names;
        const auto at = std::find(own.begin(), own.end(), name);
        if (at == own.end()) continue;
        const auto position = static_cast<std::size_t>(at - own.begin());
        if (made[g] != nullptr) {
          kept[g] = groups_.size();
          const std::size_t size = own.size();
          groups_.push_back({std::move(made[g]), std::vector<double>(size)});
        }
        channels_.push_back({kept[g], position});
        found = true;
      }
      if (!found || of_steps(name)) refuse(graph, channel, name, found, known);
    }
  }

  /// Known at the ends of steps only.
  static bool of_steps(const std::string& name) {
    return name == "step" || name == "energy.dissipated" || name == "energy.work";
  }

  [[noreturn]] static void refuse(const SignalGraph& graph, Index channel, const std::string& name, bool found,
                                  const std::vector<std::string>& known) {
    for (const SignalGraph::Node& node : graph.nodes()) {
      for (const SignalGraph::Reference& input : node.inputs) {
        if (input.kind != SignalGraph::Reference::Kind::channel || input.index != channel) continue;
        throw Error(ErrorKind::input,
                    message_at(node.place, node.path,
                               found ? "'" + name + "' is known at the ends of steps only"
                                     : "there is no channel '" + name + "'" + did_you_mean(name, known)));
      }
    }
    throw Error(ErrorKind::input, "there is no channel '" + name + "'");
  }

  /// The first force that carries a state shows it.
  void find_states() {
    for (std::size_t b = 0; b < network_.blocks().size(); ++b) {
      const SignalBlock& block = network_.blocks()[b];
      if (block.states == 0 && block.memory == 0) continue;
      for (const ForceSlot& slot : numbers_->assembly().forces) {
        const auto* carrier = find_extension<SignalCarrier>(*slot.force);
        const SignalBlock* own = carrier != nullptr ? carrier->network().block_of(network_.nodes()[b]) : nullptr;
        if (own == nullptr) continue;
        carried_.push_back({&slot, carrier->first_state() + own->first_state,
                            carrier->first_memory() + own->first_memory, block.first_state, block.states,
                            block.first_memory, block.memory});
        break;
      }
    }
  }

  ConstrainedModel* numbers_;
  SignalNetwork network_;
  std::vector<std::size_t> slots_;  ///< of the signals
  std::vector<Group> groups_;
  std::vector<Channel> channels_;
  std::vector<Carried> carried_;
  mutable std::vector<double> z_, memory_;
};

}  // namespace

void add_signal_group(const Model& model, ConstrainedModel* numbers, const std::function<void(const AddGroup&)>& groups,
                      const AddGroup& add) {
  if (model.signals() == nullptr) return;
  add(std::make_unique<SignalColumns>(*model.signals(), numbers, groups));
}

}  // namespace trammel
