// SignalGraph: all signals of a run file - what they are made of, in which order they follow from each other, and which of
// them depend on time alone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/signal_options.h"
#include "signals/signal_block.h"

namespace trammel {

class DelayedSignal;

class SignalGraph {
 public:
  struct Reference {
    enum class Kind { time, node, channel } kind;
    Index index;  ///< of the node or channel
  };
  /// A signal, or a formula at a key of one.
  struct Node {
    std::string name;  ///< "u", "u.input"
    std::string path;  ///< "/signals/u/input"
    Place place;
    const char* type;
    SignalLaw law;
    std::vector<Reference> inputs;
    bool direct = true, time_only = false;
  };

  /// [setup] `resolver` makes functions. Throws Error(input): unknown names, wrong keys, algebraic loops, with the place.
  /// `columns`: names without a dot may be columns (of systems without bodies).
  SignalGraph(const RunFile& run, Host host, Resolver& resolver, bool columns);
  ~SignalGraph();
  SignalGraph(const SignalGraph&) = delete;
  SignalGraph& operator=(const SignalGraph&) = delete;

  /// Signals are the first nodes, in the order of the run file.
  Index signals() const { return signals_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Nodes in an order in which each follows from those before it.
  const std::vector<Index>& order() const { return order_; }
  /// Channels by name, each once.
  const std::vector<std::string>& channels() const { return channels_; }
  /// -1: there is no such signal.
  Index find(const std::string& name) const;
  std::vector<std::string> names() const;
  /// Why a signal is no function of time, in words: "it depends on 'slider.x' by way of 'error'".
  std::string why_not_of_time(Index node) const;
  /// Index of a block of type sample_and_hold among the given ones, or of none: -1.
  const Node& node(Index i) const { return nodes_[static_cast<std::size_t>(i)]; }

 private:
  void read(Index signal);
  Index add_formula(const std::string& name, const std::string& path, const Place& place, const std::string& formula);
  void set_formula(Node& node, const std::string& formula);
  Reference reference(const std::string& name, const Node& node);
  void sort();
  /// Which nodes depend on time alone; delays of these become functions of time.
  void find_time_only();
  bool delay_in_time(Index node);
  void visit(Index node, std::vector<int>& state, std::vector<Index>& chain);

  const RunFile& run_;
  Host host_;
  Resolver& resolver_;
  bool columns_;
  Index signals_ = 0;
  std::vector<Node> nodes_;
  std::vector<Index> order_;
  std::vector<std::string> channels_;
  std::map<Index, Index> before_;  ///< by delay: what its input was before the start
  std::vector<std::unique_ptr<const DelayedSignal>> delayed_;
};

}  // namespace trammel
