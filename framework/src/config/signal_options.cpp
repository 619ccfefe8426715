// Types of signals and their keys.
#include "config/signal_options.h"

#include <algorithm>
#include <cstddef>

#include "config/formula_names.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

constexpr ParameterRecord formula_key(const char* name, std::size_t offset, const char* description) {
  return {.name = name,
          .type = ParameterType::expression,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description};
}
constexpr ParameterRecord number_key(const char* name, std::size_t offset, const char* unit, const char* description,
                                     const char* default_json) {
  return {.name = name,
          .type = ParameterType::number,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = unit,
          .description = description,
          .default_json = default_json};
}
constexpr ParameterRecord numbers_key(const char* name, std::size_t offset, const char* description, int least) {
  return {.name = name,
          .type = ParameterType::numbers,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description,
          .count_min = least};
}
constexpr ParameterRecord may_be_left_out(ParameterRecord record) {
  record.optional = true;
  return record;
}
constexpr ParameterRecord positive(ParameterRecord record) {
  record.minimum = 0, record.exclusive_minimum = true;
  return record;
}
constexpr const char* required = nullptr;

constexpr ParameterRecord function_keys[] = {
    {.name = "function",
     .type = ParameterType::function,
     .offset = offsetof(FunctionSignal, function),
     .unit = "1",
     .description = "The function."},
    {.name = "argument",
     .type = ParameterType::expression,
     .offset = offsetof(FunctionSignal, argument),
     .unit = "1",
     .description = "Its argument, a formula of channels, signals and t.",
     .default_json = "\"t\""},
    {.name = "derivative",
     .type = ParameterType::integer,
     .offset = offsetof(FunctionSignal, derivative),
     .unit = "1",
     .description = "Which derivative with respect to the argument; 0 is the function itself.",
     .default_json = "0",
     .minimum = 0,
     .maximum = 2}};
constexpr ParameterRecord pid_keys[] = {
    formula_key("input", offsetof(PidSignal, input), "The control error e, a formula."),
    number_key("kp", offsetof(PidSignal, kp), "1", "Proportional gain.", "0"),
    number_key("ki", offsetof(PidSignal, ki), "1/s", "Integral gain.", "0"),
    number_key("kd", offsetof(PidSignal, kd), "s", "Derivative gain.", "0"),
    may_be_left_out(
        formula_key("rate", offsetof(PidSignal, rate), "The rate e', a formula; the derivative part is then exact.")),
    positive(
        may_be_left_out(number_key("filter", offsetof(PidSignal, filter), "s",
                                   "Time constant of the filter of the derivative part, without 'rate'.", required))),
    may_be_left_out(number_key("minimum", offsetof(PidSignal, minimum), "1",
                               "Lower limit of the output, none if left out.", required)),
    may_be_left_out(number_key("maximum", offsetof(PidSignal, maximum), "1",
                               "Upper limit of the output, none if left out.", required)),
    positive(may_be_left_out(number_key("tracking_time", offsetof(PidSignal, tracking_time), "s",
                                        "Time constant with which the integral follows a limit; kp/ki if left out.",
                                        required))),
    number_key("initial_integral", offsetof(PidSignal, initial_integral), "1", "Integral part at the start.", "0")};
constexpr ParameterRecord transfer_keys[] = {
    formula_key("input", offsetof(TransferSignal, input), "The input, a formula."),
    numbers_key("numerator", offsetof(TransferSignal, numerator),
                "Coefficients of the numerator by rising powers of s.", 1),
    numbers_key("denominator", offsetof(TransferSignal, denominator),
                "Coefficients of the denominator by rising powers of s; the last one is not 0.", 2),
    may_be_left_out(numbers_key("initial_states", offsetof(TransferSignal, initial_states),
                                "States at the start, as many as the order of the denominator; 0 if left out.", 0))};
constexpr ParameterRecord rate_limit_keys[] = {
    formula_key("input", offsetof(RateLimitSignal, input), "The input, a formula."),
    positive(number_key("rising", offsetof(RateLimitSignal, rising), "1/s", "Largest rate upward.", required)),
    positive(number_key("falling", offsetof(RateLimitSignal, falling), "1/s",
                        "Largest rate downward, a positive number.", "\"=rising\"")),
    positive(number_key("lag", offsetof(RateLimitSignal, lag), "s",
                        "Time constant with which the output follows the input below these rates.", required)),
    number_key("initial", offsetof(RateLimitSignal, initial), "1", "Output at the start.", "0")};
constexpr ParameterRecord hold_keys[] = {
    formula_key("input", offsetof(HoldSignal, input), "The input, a formula."),
    positive(number_key("period", offsetof(HoldSignal, period), "s", "Time between two samples.", required)),
    {.name = "offset",
     .type = ParameterType::number,
     .offset = offsetof(HoldSignal, offset),
     .unit = "s",
     .description = "Time of the first sample.",
     .default_json = "0",
     .minimum = 0},
    number_key("initial", offsetof(HoldSignal, initial), "1", "Output before the first sample.", "0")};
constexpr ParameterRecord delay_keys[] = {
    formula_key("input", offsetof(DelaySignal, input), "The input, a formula."),
    positive(number_key("time", offsetof(DelaySignal, time), "s", "How long ago the value was the input's.", required)),
    {.name = "order",
     .type = ParameterType::integer,
     .offset = offsetof(DelaySignal, order),
     .unit = "1",
     .description = "Number of states along the delay, of inputs that depend on the motion.",
     .default_json = "10",
     .minimum = 1,
     .maximum = 30},
    may_be_left_out(
        formula_key("initial", offsetof(DelaySignal, initial),
                    "What the input was before the start, a number or a formula of t; required if the input "
                    "depends on the motion."))};

template <class Keys, std::size_t n>
ParameterTable keys_of(const ParameterRecord (&records)[n]) {
  return {records, static_cast<std::int32_t>(n), sizeof(Keys), alignof(Keys)};
}

const Section* find_signal(const RunFile& run, const std::string& name) {
  const auto found =
      std::find_if(run.signals.begin(), run.signals.end(), [&](const Section& signal) { return signal.name == name; });
  return found != run.signals.end() ? &*found : nullptr;
}

std::string expanded(const RunFile& run, const std::string& formula, std::vector<std::string>& inside) {
  return replace_names(formula, [&](const std::string& name) -> std::optional<std::string> {
    const Section* signal = find_signal(run, name);
    const bool circle = std::find(inside.begin(), inside.end(), name) != inside.end();
    if (signal == nullptr || signal->type != formula_signal || circle) return std::nullopt;
    inside.push_back(name);
    std::string text = "(" + expanded(run, signal_formula(run, *signal), inside) + ")";
    inside.pop_back();
    return text;
  });
}

}  // namespace

const std::vector<SignalType>& signal_types() {
  static const std::vector<SignalType> types = {
      {"function", "A function of the run file over any argument, or a derivative of it.",
       keys_of<FunctionSignal>(function_keys)},
      {"pid", "PID controller with limits and tracking of the integral part.", keys_of<PidSignal>(pid_keys)},
      {"transfer_function", "Linear filter, a ratio of polynomials in s.", keys_of<TransferSignal>(transfer_keys)},
      {"rate_limit", "First-order lag whose rate is limited.", keys_of<RateLimitSignal>(rate_limit_keys)},
      {"sample_and_hold", "Value of the input at the last sample time.", keys_of<HoldSignal>(hold_keys)},
      {"delay", "Value of the input some time ago.", keys_of<DelaySignal>(delay_keys)}};
  return types;
}

const SignalType* find_signal_type(const std::string& type) {
  for (const SignalType& candidate : signal_types()) {
    if (candidate.type == type) return &candidate;
  }
  return nullptr;
}

std::vector<Section> read_signals(const Node& document, const ParameterValues& parameters, Problems& problems) {
  std::vector<Section> signals;
  const Node* map = document.find("signals");
  if (map == nullptr || map->is_wrong_expression()) return signals;
  if (!map->is_object()) {
    problems.add(map->place, "/signals", "must be an object of signals by name, not " + describe(*map));
    return signals;
  }
  for (const Member& member : map->members) {
    const Node& value = member.value;
    Section section;
    section.name = member.key;
    section.path = "/signals/" + member.key;
    section.place = member.place;
    if (std::find(parameters.names.begin(), parameters.names.end(), member.key) != parameters.names.end())
      problems.add(member.place, section.path, "the name '" + member.key + "' is that of a parameter; choose another");
    if (value.is_wrong_expression()) continue;
    section.node = &value;
    const Node* type = value.find("type");
    if (value.is_number() || value.is_text()) {
      section.type = formula_signal;
    } else if (type != nullptr && type->is_text()) {
      section.type = type->text;
    } else if (value.is_object()) {
      problems.add(value.place, section.path, "missing key 'type': the type of the signal");
    } else {
      problems.add(value.place, section.path,
                   "a signal is a number, a formula such as \"target - slider.x\", or an object with a \"type\", not " +
                       describe(value));
      continue;
    }
    signals.push_back(section);
  }
  return signals;
}

BindContext signal_context(const RunFile& run, const Section& signal, Host host, Resolver* resolver) {
  BindContext context = bind_context(run, signal, host, resolver);
  context.subject = "a signal of type '" + signal.type + "'";
  context.other_keys = {"type"};
  return context;
}

std::string signal_formula(const RunFile& run, const Section& signal) {
  return substitute_parameters(signal.node->text, run.parameters);
}

std::string expand_signals(const RunFile& run, const std::string& formula) {
  std::vector<std::string> inside;
  return expanded(run, formula, inside);
}

void check_signals(const RunFile& run, Host host, Resolver& resolver, Problems& problems) {
  for (const Section& signal : run.signals) {
    if (signal.type == formula_signal || signal.type.empty()) continue;
    const SignalType* type = find_signal_type(signal.type);
    if (type == nullptr) {
      std::vector<std::string> known;
      for (const SignalType& candidate : signal_types()) known.emplace_back(candidate.type);
      const Node* place = signal.node->find("type");
      problems.add(place != nullptr ? place->place : signal.place, signal.type_path(),
                   "there is no signal type '" + signal.type + "'" + did_you_mean(signal.type, known));
      continue;
    }
    check(parameter_infos(type->table), *signal.node, signal_context(run, signal, host, &resolver), problems);
  }
}

}  // namespace trammel
