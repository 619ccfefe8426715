// Reading signals, their references, and the order in which they follow from each other.
#include "signals/signal_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "config/formula_names.h"
#include "config/problems.h"
#include "signals/delayed_signal.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

[[noreturn]] void refuse(const SignalGraph::Node& node, const std::string& text) {
  throw Error(ErrorKind::input, message_at(node.place, node.path, text));
}

const Place& place_of(const Section& section, const char* key) {
  const trammel::Node* node = section.node->find(key);
  return node != nullptr ? node->place : section.place;
}

}  // namespace

SignalGraph::SignalGraph(const RunFile& run, Host host, Resolver& resolver, bool columns)
    : run_(run), host_(host), resolver_(resolver), columns_(columns), signals_(static_cast<Index>(run.signals.size())) {
  for (const Section& section : run.signals) {
    nodes_.push_back({section.name,
                      section.path,
                      section.node->place,
                      formula_signal,
                      FormulaBlock(Expression::compile("0")),
                      {},
                      true,
                      false});
  }
  for (Index i = 0; i < signals_; ++i) read(i);
  sort();
  find_time_only();
}

SignalGraph::~SignalGraph() = default;

// A delay depends on time alone if its input does; circles through delays never do.
void SignalGraph::find_time_only() {
  const auto of_time = [&](const Node& node) {
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Reference& input) {
      return input.kind == Reference::Kind::time ||
             (input.kind == Reference::Kind::node && this->node(input.index).time_only);
    });
  };
  for (bool found = true; found;) {
    found = false;
    for (const Index i : order_) {
      Node& node = nodes_[static_cast<std::size_t>(i)];
      const bool delay = std::holds_alternative<DelayBlock>(node.law);
      const bool stateless =
          delay || std::holds_alternative<FormulaBlock>(node.law) || std::holds_alternative<FunctionBlock>(node.law);
      if (node.time_only || !stateless || !of_time(node)) continue;
      if (delay && !delay_in_time(i)) continue;
      node.time_only = found = true;
    }
  }
  for (const auto& entry : before_) {
    Node& node = nodes_[static_cast<std::size_t>(entry.first)];
    const Index before = entry.second;
    auto* law = std::get_if<DelayBlock>(&node.law);
    if (law == nullptr) continue;
    if (before < 0) {
      refuse(node,
             "a delay of a value that depends on the motion needs 'initial': what its input was before the start, "
             "a number or a formula of t");
    }
    if (!this->node(before).time_only)
      refuse(this->node(before), "is the past before the start, and may depend on t alone: " + why_not_of_time(before));
    const TimeSignal past(*this, before);
    *law = DelayBlock(law->time, static_cast<int>(law->points.size()), [&](double ago) {
      double value = 0;
      if (!past.evaluate(-ago, 0, &value))
        refuse(this->node(before), fmt::format("has no finite value at t = {:g}, before the start", -ago));
      return value;
    });
  }
}

// False: what was before the start does not follow from time, as far as is known by now.
bool SignalGraph::delay_in_time(Index i) {
  Node& node = nodes_[static_cast<std::size_t>(i)];
  const double time = std::get<DelayBlock>(node.law).time;
  const Index before = before_.at(i);
  std::optional<TimeSignal> past;
  if (before >= 0) {
    if (!this->node(before).time_only) return false;
    past.emplace(*this, before);
  }
  delayed_.push_back(std::make_unique<const DelayedSignal>(TimeSignal(*this, node.inputs[0].index), past, time));
  if (const std::string why = delayed_.back()->unknown_before(); !why.empty()) {
    refuse(node, fmt::format("the input of this delay has no value somewhere in the {:g} s before the start ({}); give "
                             "'initial', what it was there: a number or a formula of t",
                             time, why));
  }
  node.law = FunctionBlock(delayed_.back().get(), 0);
  node.inputs = {Reference{Reference::Kind::time, 0}};
  return node.direct = true;
}

Index SignalGraph::find(const std::string& name) const {
  for (Index i = 0; i < signals_; ++i) {
    if (node(i).name == name) return i;
  }
  return -1;
}

std::vector<std::string> SignalGraph::names() const {
  std::vector<std::string> names;
  for (Index i = 0; i < signals_; ++i) names.push_back(node(i).name);
  return names;
}

SignalGraph::Reference SignalGraph::reference(const std::string& name, const Node& from) {
  if (const Index signal = find(name); signal >= 0) return {Reference::Kind::node, signal};
  if (name.find('.') == std::string::npos && !columns_) {
    std::vector<std::string> known = names();
    known.insert(known.end(), run_.parameters.names.begin(), run_.parameters.names.end());
    refuse(from, fmt::format("there is no signal or parameter '{}'{}", name, did_you_mean(name, known)));
  }
  const auto found = std::find(channels_.begin(), channels_.end(), name);
  const auto index = static_cast<Index>(found - channels_.begin());
  if (found == channels_.end()) channels_.push_back(name);
  return {Reference::Kind::channel, index};
}

void SignalGraph::set_formula(Node& node, const std::string& formula) {
  std::vector<std::string> names = {"t"};
  for (std::string& name : names_in(formula)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  Expression compiled = [&] {
    try {
      return compile_formula(formula, names);
    } catch (const Error& error) {
      refuse(node, error.what());
    }
  }();
  // Without variables that it does not use: each is an input.
  std::vector<std::string> used;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (compiled.uses(k)) used.push_back(names[k]);
  }
  if (used.size() > SignalBlock::most_inputs)
    refuse(node, fmt::format("names {} values, the most are {}", used.size(), SignalBlock::most_inputs));
  std::vector<Reference> inputs;
  for (const std::string& name : used)
    inputs.push_back(name == "t" ? Reference{Reference::Kind::time, 0} : reference(name, node));
  node.inputs = std::move(inputs);
  node.law = FormulaBlock(compile_formula(formula, used));
}

Index SignalGraph::add_formula(const std::string& name, const std::string& path, const Place& place,
                               const std::string& formula) {
  Node node{name, path, place, formula_signal, FormulaBlock(Expression::compile("0")), {}, true, false};
  set_formula(node, formula);
  nodes_.push_back(std::move(node));
  return static_cast<Index>(nodes_.size()) - 1;
}

void SignalGraph::read(Index signal) {
  const Section& section = run_.signals[static_cast<std::size_t>(signal)];
  const auto at = static_cast<std::size_t>(signal);
  if (section.type == formula_signal) {
    Node node = nodes_[at];
    set_formula(node, signal_formula(run_, section));
    nodes_[at] = std::move(node);
    return;
  }
  const SignalType* type = find_signal_type(section.type);
  if (type == nullptr) refuse(nodes_[at], fmt::format("there is no signal type '{}'", section.type));
  nodes_[at].type = type->type;
  const BoundParameters bound = bind(type->table, *section.node, signal_context(run_, section, host_, &resolver_));
  const auto input = [&](const char* key, const Text& formula) -> Reference {
    return {Reference::Kind::node, add_formula(section.name + "." + key, section.path + "/" + key,
                                               place_of(section, key), std::string(formula.view()))};
  };
  const auto wrong = [&](const char* key, const std::string& text) {
    throw Error(ErrorKind::input, message_at(place_of(section, key), section.path + "/" + key, text));
  };
  std::vector<Reference> inputs;
  std::optional<SignalLaw> law;
  bool direct = true;
  if (section.type == "function") {
    const auto& keys = bound.as<FunctionSignal>();
    const auto order = static_cast<int>(keys.derivative);
    // Gradients need one derivative more.
    if (order + 1 > keys.function->max_order()) {
      wrong("derivative", fmt::format("must be at most {} for this function, whose derivatives are known to order {}",
                                      keys.function->max_order() - 1, keys.function->max_order()));
    }
    inputs = {keys.argument.view() == "t" ? Reference{Reference::Kind::time, 0} : input("argument", keys.argument)};
    law = FunctionBlock(keys.function, order);
  } else if (section.type == "pid") {
    const auto& keys = bound.as<PidSignal>();
    PidBlock pid{keys.kp, keys.ki, keys.kd};
    if (given(keys.minimum)) pid.minimum = keys.minimum;
    if (given(keys.maximum)) pid.maximum = keys.maximum;
    if (!(pid.minimum < pid.maximum)) wrong("maximum", "the upper limit must be above the lower one");
    if (keys.rate.given() && given(keys.filter)) wrong("filter", "give either 'rate' or 'filter', not both");
    if (pid.kd != 0 && !keys.rate.given() && !given(keys.filter)) {
      wrong("kd", "a derivative part needs the 'rate' of the error, or the time constant 'filter' of its filter");
    }
    if (given(keys.filter)) pid.filter = keys.filter;
    pid.initial_integral = keys.initial_integral;
    const bool limited = given(keys.minimum) || given(keys.maximum);
    if (limited && pid.integrates()) {
      if (!given(keys.tracking_time) && !(pid.kp != 0 && pid.ki != 0 && pid.kp / pid.ki > 0)) {
        wrong("tracking_time",
              "a limited controller with an integral part needs it: kp/ki, the default, is no positive number here");
      }
      pid.tracking = given(keys.tracking_time) ? keys.tracking_time : pid.kp / pid.ki;
    } else if (given(keys.tracking_time)) {
      wrong("tracking_time", "goes with 'minimum' or 'maximum' and an integral part");
    }
    inputs = {input("input", keys.input)};
    if (keys.rate.given() && pid.kd != 0) inputs.push_back(input("rate", keys.rate));
    direct = pid.direct(), law = pid;
  } else if (section.type == "transfer_function") {
    const auto& keys = bound.as<TransferSignal>();
    const std::int64_t n = keys.denominator.size - 1, m = keys.numerator.size - 1;
    const double last = keys.denominator[n];
    if (last == 0) wrong("denominator", "its last coefficient, that of the highest power of s, must not be 0");
    if (m > n) {
      wrong("numerator", fmt::format("is of order {}, the denominator of order {}: such a filter differentiates its "
                                     "input; raise the order of the denominator",
                                     m, n));
    }
    TransferBlock filter;
    filter.through = m == n ? keys.numerator[n] / last : 0;
    for (std::int64_t k = 0; k < n; ++k) {
      filter.a.push_back(keys.denominator[k] / last);
      filter.c.push_back((k <= m ? keys.numerator[k] / last : 0) - filter.through * filter.a.back());
    }
    filter.start.assign(filter.a.size(), 0.0);
    if (keys.initial_states.size != 0 && keys.initial_states.size != n) {
      wrong("initial_states",
            fmt::format("must have {} entries, the order of the denominator, not {}", n, keys.initial_states.size));
    }
    for (std::int64_t k = 0; k < keys.initial_states.size; ++k)
      filter.start[static_cast<std::size_t>(k)] = keys.initial_states[k];
    inputs = {input("input", keys.input)};
    direct = filter.direct(), law = filter;
  } else if (section.type == "rate_limit") {
    const auto& keys = bound.as<RateLimitSignal>();
    inputs = {input("input", keys.input)};
    direct = false, law = RateLimitBlock{keys.rising, keys.falling, keys.lag, keys.initial};
  } else if (section.type == "delay") {
    const auto& keys = bound.as<DelaySignal>();
    inputs = {input("input", keys.input)};
    before_[signal] = keys.initial.given() ? input("initial", keys.initial).index : -1;
    direct = false;
    law = DelayBlock(keys.time, static_cast<int>(keys.order));
  } else {
    const auto& keys = bound.as<HoldSignal>();
    inputs = {input("input", keys.input)};
    direct = false, law = HoldBlock{keys.period, keys.offset, keys.initial};
  }
  nodes_[at].inputs = std::move(inputs), nodes_[at].direct = direct;
  nodes_[at].law = std::move(*law);
}

void SignalGraph::sort() {
  std::vector<int> state(nodes_.size(), 0);
  std::vector<Index> chain;
  for (Index i = 0; i < static_cast<Index>(nodes_.size()); ++i) visit(i, state, chain);
}

// A node whose output does not depend on its inputs at the same time follows from nothing.
void SignalGraph::visit(Index i, std::vector<int>& state, std::vector<Index>& chain) {
  int& own = state[static_cast<std::size_t>(i)];
  if (own == 2) return;
  if (own == 1) {
    std::string names;
    const auto begin = std::find(chain.begin(), chain.end(), i);
    for (auto at = begin; at != chain.end(); ++at) {
      if (*at < signals_) names += "'" + node(*at).name + "' -> ";
    }
    const auto first = std::find_if(begin, chain.end(), [&](Index at) { return at < signals_; });
    refuse(node(*first),
           "algebraic loop: these signals follow from each other at the same time: " + names + "'" + node(*first).name +
               "'; break it by a signal with a state (transfer_function, rate_limit, sample_and_hold, delay)");
  }
  own = 1;
  chain.push_back(i);
  if (node(i).direct) {
    for (const Reference& input : node(i).inputs) {
      if (input.kind == Reference::Kind::node) visit(input.index, state, chain);
    }
  }
  chain.pop_back();
  state[static_cast<std::size_t>(i)] = 2;
  order_.push_back(i);
}

std::string SignalGraph::why_not_of_time(Index root) const {
  std::vector<Index> way = {root};
  std::string reason;
  while (reason.empty()) {
    const Node& last = node(way.back());
    const auto state = std::holds_alternative<FormulaBlock>(last.law) || std::holds_alternative<FunctionBlock>(last.law)
                           ? nullptr
                           : last.type;
    if (state != nullptr) {
      reason = fmt::format("'{}' is a {}, whose value depends on the past", last.name, state);
      break;
    }
    Index next = -1;
    for (const Reference& input : last.inputs) {
      if (input.kind == Reference::Kind::channel)
        reason = fmt::format("it depends on '{}'", channels_[static_cast<std::size_t>(input.index)]);
      if (input.kind == Reference::Kind::node && !node(input.index).time_only) next = input.index;
    }
    if (!reason.empty() || next < 0) break;
    way.push_back(next);
  }
  std::string by;
  for (std::size_t k = 1; k < way.size(); ++k) {
    if (way[k] < signals_ && reason.find("'" + node(way[k]).name + "'") == std::string::npos)
      by += (by.empty() ? " by way of '" : "', '") + node(way[k]).name;
  }
  return reason + (by.empty() ? "" : by + "'");
}

}  // namespace trammel
