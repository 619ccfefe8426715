// Signals for components, forces with their signals, and the carrier of the other states.
#include "model/model_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "config/problems.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr std::size_t as_place(Index i) { return static_cast<std::size_t>(i); }

bool has_past(const SignalLaw& law) {
  return !std::holds_alternative<FormulaBlock>(law) && !std::holds_alternative<FunctionBlock>(law);
}

}  // namespace

ModelSignals::ModelSignals(const RunFile& run, Host host, Resolver& resolver)
    : run_(run), host_(host), graph_(run, host, resolver, host == Host::any) {
  time_signals_.resize(graph_.nodes().size());
  carried_.assign(graph_.nodes().size(), 0);
  if (host != Host::any) return;
  for (const SignalGraph::Node& node : graph_.nodes()) {
    if (has_past(node.law))
      throw Error(ErrorKind::input,
                  message_at(node.place, node.path,
                             fmt::format("a {} has states, which systems without bodies do not carry", node.type)));
  }
}

const Function& ModelSignals::time_signal(Index node) const {
  std::unique_ptr<const TimeSignal>& own = time_signals_[as_place(node)];
  if (own == nullptr) own = std::make_unique<const TimeSignal>(graph_, node);
  return *own;
}

const Function& ModelSignals::use(Index signal) const {
  if (of_time(signal)) return time_signal(signal);
  if (!reading_) {
    throw Error(
        ErrorKind::input,
        fmt::format("the signal '{}' is no function of time: {}. Drivers and all else but forces take signals of "
                    "time only",
                    signal_name(signal), graph_.why_not_of_time(signal)));
  }
  const auto found = std::find(read_.begin(), read_.end(), signal);
  const auto place = static_cast<std::size_t>(found - read_.begin());
  if (found == read_.end()) read_.push_back(signal);
  inputs_.push_back(std::make_unique<const SignalInput>(place));
  return *inputs_.back();
}

const Function* ModelSignals::use_signal(Index i, Refusal* refusal) const {
  try {
    return &use(i);
  } catch (const Error& error) {
    if (refusal != nullptr && refusal->text != nullptr && refusal->text_capacity > 0) {
      const std::size_t size = std::min<std::size_t>(std::strlen(error.what()), refusal->text_capacity - 1);
      std::memcpy(refusal->text, error.what(), size);
      refusal->text[size] = 0;
    }
    return nullptr;
  }
}

bool ModelSignals::is_signal(const Function* f) const {
  const auto is = [f](const auto& own) { return own != nullptr && static_cast<const Function*>(own.get()) == f; };
  return std::any_of(inputs_.begin(), inputs_.end(), is) || std::any_of(time_signals_.begin(), time_signals_.end(), is);
}

bool ModelSignals::is_part(const Function* f) const {
  return std::any_of(graph_.nodes().begin(), graph_.nodes().end(), [f](const SignalGraph::Node& node) {
    const auto* function = std::get_if<FunctionBlock>(&node.law);
    return function != nullptr && &function->function() == f;
  });
}

namespace {

std::string owner_of(const std::string& channel) { return channel.substr(0, channel.rfind('.')); }

}  // namespace

void ModelSignals::end_force(const std::string& name, const std::string& plugin, const ForceElement& element) {
  reading_ = false;
  Source& source = sources_[name];
  if (source.followed && !read_.empty()) {
    throw Error(ErrorKind::input, fmt::format("'{}' would read the signal '{}' while signals follow its own channels",
                                              name, signal_name(read_.front())));
  }
  source.name = name, source.plugin = plugin, source.force = &element, source.reads = std::move(read_);
  read_.clear();
}

const ForceSource* ModelSignals::source(const std::string& force) const {
  const auto found = sources_.find(force);
  return found != sources_.end() ? &found->second : nullptr;
}

bool ModelSignals::leads_to(const std::string& force, const std::string& target,
                            std::vector<std::string>& chain) const {
  const auto found = sources_.find(force);
  if (found == sources_.end()) return false;
  for (const Index read : found->second.reads) {
    const SignalNetwork network(graph_, {read});
    for (const Index channel : network.channels()) {
      const std::string& name = graph_.channels()[as_place(channel)];
      if (std::find(chain.begin(), chain.end(), name) != chain.end()) continue;
      chain.insert(chain.end(), {signal_name(read), name});
      if (owner_of(name) == target || leads_to(owner_of(name), target, chain)) return true;
      chain.resize(chain.size() - 2);
    }
  }
  return false;
}

void ModelSignals::require_free(const std::string& channel, const std::string& reader) const {
  const std::string owner = owner_of(channel);
  const auto found = sources_.find(owner);
  if (found == sources_.end() || found->second.reads.empty()) return;
  std::vector<std::string> chain;
  for (const std::string& target : {reader, owner}) {
    if (target.empty() || !leads_to(owner, target, chain)) continue;
    if (target != owner) chain.push_back(channel);
    std::string names = "'" + owner + "'";
    for (const std::string& name : chain) names += " -> '" + name + "'";
    throw Error(ErrorKind::input, fmt::format("a loop: the force '{}' follows from its own channel: {}; break it by a "
                                              "formula of coordinates and velocities in place of the channel",
                                              owner, names));
  }
  throw Error(
      ErrorKind::input,
      fmt::format("'{}' cannot act on a force or feed a state: '{}' reads the signal '{}' itself. Events and columns "
                  "may use it; for a force, write what it follows from as a formula",
                  channel, owner, signal_name(found->second.reads.front())));
}

std::vector<SignalChannel> ModelSignals::channels_of(const SignalNetwork& network, const ChannelOwners& owners,
                                                     const std::string& reader) {
  std::vector<SignalChannel> channels;
  for (const Index channel : network.channels()) {
    const std::string& name = graph_.channels()[as_place(channel)];
    try {
      channels.emplace_back(name, owners);
      require_free(name, reader);
    } catch (const Error& error) {
      for (const Index i : network.nodes()) {
        const SignalGraph::Node& node = graph_.node(i);
        const bool names = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const auto& input) {
          return input.kind == SignalGraph::Reference::Kind::channel && input.index == channel;
        });
        if (names) throw Error(ErrorKind::input, message_at(node.place, node.path, error.what()));
      }
      throw;
    }
    const auto source = sources_.find(owner_of(name));
    if (source != sources_.end()) source->second.followed = true;
  }
  return channels;
}

const ForceElement& ModelSignals::with_signals(const std::string& name, const ChannelOwners& owners) {
  const Source& source = sources_.at(name);
  const ForceElement& element = *source.force;
  const std::vector<Index>& read = source.reads;
  if (read.empty()) return element;
  SignalNetwork network(graph_, read);
  std::vector<SignalChannel> channels = channels_of(network, owners, name);
  for (const Index node : network.nodes()) carried_[as_place(node)] = 1;
  forces_.push_back(
      std::make_unique<const SignalForce>(&element, std::move(network), std::move(channels), read, host_));
  const Index first = read.front();
  const SignalForce& made = *forces_.back();
  std::vector<const void*> bodies;
  for (Index k = 0; k < made.body_count(); ++k) bodies.push_back(owners.start(made.body(k)));
  if (made.uses_rates(bodies.data())) {
    throw Error(
        ErrorKind::input,
        fmt::format("this type uses the rate of its function, which only signals of time have; '{}' is none: {}",
                    signal_name(first), graph_.why_not_of_time(first)));
  }
  return made;
}

const ForceElement* ModelSignals::carrier(const ChannelOwners& owners) {
  std::vector<Index> roots;
  for (Index i = 0; i < static_cast<Index>(graph_.nodes().size()); ++i) {
    if (has_past(graph_.node(i).law) && carried_[as_place(i)] == 0) roots.push_back(i);
  }
  if (roots.empty()) return nullptr;
  SignalNetwork network(graph_, roots);
  std::vector<SignalChannel> channels = channels_of(network, owners, "");
  forces_.push_back(std::make_unique<const SignalForce>(nullptr, std::move(network), std::move(channels),
                                                        std::vector<Index>(), host_));
  return forces_.back().get();
}

std::vector<std::unique_ptr<NamedFunction>> ModelSignals::functions_of_time(double end) {
  std::vector<std::unique_ptr<NamedFunction>> found;
  std::vector<char> inside(graph_.nodes().size(), 0);  // of others that depend on time alone
  for (const SignalGraph::Node& node : graph_.nodes()) {
    for (const SignalGraph::Reference& input : node.inputs) {
      if (node.time_only && input.kind == SignalGraph::Reference::Kind::node) inside[as_place(input.index)] = 1;
    }
  }
  const auto add = [&](const Function& f, const SignalGraph::Node& node) {
    found.push_back(std::make_unique<NamedFunction>(f, node.path.substr(1), fmt::format("signal '{}'", node.name)));
  };
  for (Index i = 0; i < static_cast<Index>(graph_.nodes().size()); ++i) {
    const SignalGraph::Node& node = graph_.node(i);
    if (node.time_only && !node.inputs.empty() && inside[as_place(i)] == 0) add(time_signal(i), node);
    const auto* hold = std::get_if<HoldBlock>(&node.law);
    if (hold == nullptr || !given(end)) continue;
    try {
      sample_times_.push_back(std::make_unique<const SampleTimes>(*hold, end));
    } catch (const Error& error) {
      throw Error(ErrorKind::input, message_at(node.place, node.path + "/" + error.key(), error.what()));
    }
    add(*sample_times_.back(), node);
  }
  return found;
}

}  // namespace trammel
