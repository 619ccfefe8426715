// Services of the host, by id: what components ask their ModelInfo for with find_extension<...>(model).
#pragma once

#include <cstdint>

#include "trammel/extension.h"
#include "trammel/function.h"
#include "trammel/linalg.h"
#include "trammel/refusal.h"

// A service that a Trammel does not have is nullptr: a component does without it, or refuses to be created. Services live
// as long as the run, and so does what they return. They are there for every kind of component; the sources say what
// they do outside of a run, in `trammel check` for instance.
namespace trammel {

/// Words for the reader of a run. Both copy the text, UTF-8, of which 1000 bytes count; the same text counts once, and a
/// run keeps 100 of each.
class RunLog {
 public:
  static constexpr const char* id = "trammel.run_log/1";

  /// [setup] or [step]: among the warnings of summary.json and on the terminal. For what makes a result doubtful.
  virtual void warn(const char* text) const = 0;
  /// [setup] or [step]: to the notes of summary.json.
  virtual void note(const char* text) const = 0;

 protected:
  ~RunLog() = default;
};

/// Where the run is. For words and for work that is done once in a while; a force that depends on it depends on the steps.
class RunClock {
 public:
  static constexpr const char* id = "trammel.run_clock/1";

  /// [step] s, of the last accepted state, the length of the step that led there (0 at the start), and steps so far.
  virtual double time() const = 0;
  virtual double step() const = 0;
  virtual std::int64_t steps() const = 0;

 protected:
  ~RunClock() = default;
};

/// Columns of the run's rows at the last accepted state, by name, whether they are written or not. For monitors and
/// sampled logic; as for RunClock, forces that depend on them depend on the steps.
class ChannelValues {
 public:
  static constexpr const char* id = "trammel.channel_values/1";

  /// [step] From the first accepted state on: number of a column ("crank.x", "pin.force.x"), -1: there is none.
  virtual Index find_channel(const char* name) const = 0;
  /// [step] Of a number that was found; NaN before the start, and until the next accepted state after it was found.
  virtual double channel_value(Index channel) const = 0;

 protected:
  ~ChannelValues() = default;
};

/// Functions as in run files, for components that make their own.
class FunctionMaker {
 public:
  static constexpr const char* id = "trammel.function_maker/1";

  /// [setup] While the component is created: of the JSON text of a function, {"type": "harmonic", ...} or a number;
  /// nullptr and why. Names of other plugins' types are allowed.
  virtual const Function* make_function(const char* json, Refusal* refusal) const = 0;

 protected:
  ~FunctionMaker() = default;
};

/// Threads that the program around the run lets components use.
class Workers {
 public:
  static constexpr const char* id = "trammel.workers/1";

  /// [setup] At least 1: the calling one.
  virtual Index worker_count() const = 0;
  /// [hot] Calls job(data, i) for 0 <= i < jobs, in any order and on any of the threads, and returns when all are done.
  /// Jobs call nothing of Trammel and throw nothing. Results may not depend on the number of threads: add up in a fixed
  /// order.
  virtual void run(Index jobs, void (*job)(void* data, Index i), void* data) const = 0;

 protected:
  ~Workers() = default;
};

}  // namespace trammel
