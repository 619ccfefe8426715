// ModelSignals: the signals of a model - who reads them, and what carries their states.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/named_function.h"
#include "signals/signal_force.h"
#include "trammel/extensions/signal_functions.h"

namespace trammel {

class ModelSignals final : public SignalFunctions {
 public:
  /// [setup] Throws Error(input): what is wrong with the signals, with its place.
  ModelSignals(const RunFile& run, Host host, Resolver& resolver);

  const SignalGraph& graph() const { return graph_; }
  Index signal_count() const override { return graph_.signals(); }
  const char* signal_name(Index i) const override { return graph_.node(i).name.c_str(); }
  const Function* use_signal(Index i, Refusal* refusal) const override;
  /// [setup] The signal as whoever is being created sees it. Throws Error(input): it is no function of time, and no force is
  /// being created.
  const Function& use(Index signal) const;
  /// Whether it depends on time alone.
  bool of_time(Index signal) const { return graph_.node(signal).time_only; }
  /// Whether `f` stands for a signal: it has no argument but time.
  bool is_signal(const Function* f) const;

  /// [setup] From now on a force is being created, until `end_force`, which tells which one it was: its own element, without
  /// signals. Another one of the same name takes its place. Throws Error(input): others follow the one before, and cannot
  /// follow this one.
  void begin_force() { reading_ = true, read_.clear(); }
  void end_force(const std::string& name, const std::string& plugin, const ForceElement& element);
  /// nullptr: there is no such force.
  const ForceSource* source(const std::string& force) const;
  /// [setup] A force with the signals that it reads, when all forces are created. Throws Error(input).
  const ForceElement& with_signals(const std::string& name, const ChannelOwners& owners);
  /// [setup] Carries the states of signals that no force reads; nullptr: there are none. Throws Error(input).
  const ForceElement* carrier(const ChannelOwners& owners);

  /// [setup] What signals do in time: to be searched before a run, and where steps end; `end` of the run, s.
  std::vector<std::unique_ptr<NamedFunction>> functions_of_time(double end);
  /// Functions that signals are made of: their arguments are no times of their own.
  bool is_part(const Function* f) const;

 private:
  struct Source : ForceSource {
    std::vector<Index> reads;  ///< nodes
    bool followed = false;     ///< others follow its channels
  };
  /// `reader`: the force that reads the network, or "".
  std::vector<SignalChannel> channels_of(const SignalNetwork& network, const ChannelOwners& owners,
                                         const std::string& reader);
  /// Throws Error(input): the force behind a channel follows from signals itself.
  void require_free(const std::string& channel, const std::string& reader) const;
  bool leads_to(const std::string& force, const std::string& target, std::vector<std::string>& chain) const;
  const Function& time_signal(Index node) const;

  const RunFile& run_;
  Host host_;
  SignalGraph graph_;
  bool reading_ = false;
  mutable std::vector<Index> read_;  ///< nodes, by the force that is being created
  mutable std::vector<std::unique_ptr<const SignalInput>> inputs_;
  mutable std::vector<std::unique_ptr<const TimeSignal>> time_signals_;  ///< by node
  std::vector<std::unique_ptr<const SampleTimes>> sample_times_;
  std::vector<std::unique_ptr<const SignalForce>> forces_;
  std::vector<char> carried_;              ///< by node
  std::map<std::string, Source> sources_;  ///< forces by name; none moves once it is there
};

}  // namespace trammel
