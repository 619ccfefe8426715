// The section `signals` of a run file: its types, their keys, and signals in the text of other formulas.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"

namespace trammel {

/// What the keys of a signal fill, by type. Left-out numbers are NaN, left-out formulas have no text.
struct FunctionSignal {
  FunctionRef function;
  Text argument;
  std::int64_t derivative;
};
struct PidSignal {
  Text input;
  double kp, ki, kd;
  Text rate;
  double filter, minimum, maximum, tracking_time, initial_integral;
};
struct TransferSignal {
  Text input;
  Numbers numerator, denominator, initial_states;
};
struct RateLimitSignal {
  Text input;
  double rising, falling, lag, initial;
};
struct HoldSignal {
  Text input;
  double period, offset, initial;
};

struct DelaySignal {
  Text input;
  double time;
  std::int64_t order;
  Text initial;
};

/// Signals that are objects with a `type`; the others are formulas.
struct SignalType {
  const char* type;
  const char* summary;  ///< one sentence, ending in a full stop
  ParameterTable table;
};
const std::vector<SignalType>& signal_types();
/// nullptr: there is no such type.
const SignalType* find_signal_type(const std::string& type);
/// Section::type of signals that are numbers or formulas.
inline constexpr const char* formula_signal = "formula";

/// The section `signals` of the document; what is wrong that can be told without names of other parts goes to `problems`.
std::vector<Section> read_signals(const Node& document, const ParameterValues& parameters, Problems& problems);

/// Where the keys of this signal stand, for `bind` and `check`.
BindContext signal_context(const RunFile& run, const Section& signal, Host host, Resolver* resolver);
/// Its formula with the parameters' values.
std::string signal_formula(const RunFile& run, const Section& signal);

/// The formula with those signals that are formulas themselves written out, so that what they do in time and where they
/// switch shows. Signals that name each other in a circle stay as they are.
std::string expand_signals(const RunFile& run, const std::string& formula);

/// [setup] Checks all signals by their tables.
void check_signals(const RunFile& run, Host host, Resolver& resolver, Problems& problems);

}  // namespace trammel
