// Levels 2 and 3 of metrics: created as studies create them, fed with samples in guarded memory, judged by what metric.h
// promises and by what no condensed number may depend on.
#include <Eigen/Core>
#include <cmath>
#include <set>

#include "check/cases.h"
#include "config/binder.h"
#include "config/json_source.h"
#include "config/plugin_cases.h"
#include "model/component.h"
#include "model/no_model.h"
#include "results/column_expression.h"
#include "trammel/error.h"
#include "trammel/extensions/motion_metric.h"
#include "trammel/metric.h"

namespace trammel::conformance {
namespace {

using Eigen::VectorXd;

constexpr Index most_memory_of_metric = 100'000'000, most_channels = 10'000;

/// The keys that studies have beside the metric's own.
const std::vector<std::string>& keys_of_studies() {
  static const std::vector<std::string> keys = {"type", "cases", "on"};
  return keys;
}

/// A metric as a study has it.
struct MetricCase {
  Node node;
  std::string place;  ///< for messages
};

/// For a parameter that a run file has to give: something that its table allows.
std::string some_value(const ParameterInfo& p) {
  switch (p.type) {
    case ParameterType::text: return "\"rod.x\"";
    case ParameterType::texts: return "[\"rod.x\"]";
    case ParameterType::boolean: return "true";
    case ParameterType::choice: return json_quoted(p.choices.front());
    case ParameterType::integer:
      return std::to_string(static_cast<long>(std::max(1.0, std::min(p.maximum, p.minimum + 1))));
    case ParameterType::number:
      return fmt::format("{}", std::max(p.minimum, -1e300) >= 0 ? p.minimum + 1 : std::min(p.maximum, 1.0));
    default: return "";
  }
}

/// Distinct uses in the studies; without any the metric with what has no default.
std::vector<MetricCase> metric_cases(const Subject& subject) {
  std::vector<MetricCase> cases;
  std::set<std::string> seen;
  for (const std::filesystem::path& file : subject.studies) {
    const Node document = read_json_file(file);
    const Node* metrics = document.find("metrics");
    std::vector<TypedNode> found;
    if (metrics != nullptr) find_typed(*metrics, "/metrics", subject.component->type, found);
    for (const TypedNode& typed : found) {
      if (seen.insert(to_json(*typed.node)).second)
        cases.push_back({*typed.node, typed.path + " of " + file.filename().string()});
    }
  }
  if (!cases.empty()) return cases;
  std::string text = "{ \"type\": " + json_quoted(subject.component->type);
  for (const ParameterInfo& p : subject.component->parameters) {
    if (p.default_json || p.optional) continue;
    const std::string value = some_value(p);
    if (value.empty())
      skip("no study uses it: give one with --case, or put it into a folder `cases` beside the plugin");
    text += ", " + json_quoted(p.name) + ": " + value;
  }
  const auto file = write_run_file(text + " }");
  cases.push_back({read_json_file(file), "defaults"});
  return cases;
}

class CreatedMetric {
 public:
  CreatedMetric(Subject& subject, const MetricCase& use)
      : node_(use.node), component_(make(subject, node_)), metric(component_.as<Metric>()) {}

 private:
  static Component make(Subject& subject, const Node& node) {
    const LoadedComponent loaded = subject.host->find(ComponentKind::metric, Host::any, subject.component->type);
    BindContext context;
    context.path = "/metrics/it";
    context.subject = "a metric of type '" + subject.component->type + "'";
    context.other_keys = keys_of_studies();
    BoundParameters parameters = bind_component(loaded.record->parameters, loaded.info->parameters, node, context);
    return Component(loaded, std::move(parameters), no_model(), "it", node, "/metrics/it");
  }
  Node node_;
  Component component_;

 public:
  const Metric& metric;
};

/// What is summed up: its channels' values at some times.
struct Signal {
  std::vector<double> times;
  std::function<double(Index channel, double t)> value;
};

/// Keys that are times of the run, as `from` and `until` are: in seconds, and left out as a rule.
std::vector<const Node*> times_in(const Subject& subject, const MetricCase& use) {
  std::vector<const Node*> times;
  for (const ParameterInfo& p : subject.component->parameters) {
    const Node* value = p.unit == "s" && p.optional ? use.node.find(p.name.c_str()) : nullptr;
    if (value != nullptr) times.push_back(value);
  }
  return times;
}

/// s; in multiples of 2 s, so that a use that looks at a part of the run, or at pieces of it, sees all of one.
int stretches(const Subject& subject, const MetricCase& use) {
  constexpr double most = 100;
  double last = 0;
  for (const ParameterInfo& p : subject.component->parameters) {
    const Node* value = p.unit == "s" ? use.node.find(p.name.c_str()) : nullptr;
    if (value != nullptr && value->is_number()) last = std::max(last, value->number);
  }
  return 1 + static_cast<int>(std::ceil(std::min(last, most) / 2));
}

/// Smooth, never constant, of no symmetry, and with an offset; channels differ.
double wave(Index channel, double t) {
  const double k = 1 + 0.3 * static_cast<double>(channel);
  return 0.7 + std::sin(2 * k * t + 0.4) + 0.25 * std::cos(5 * t + k);
}

std::vector<double> even_times(double from, double to, int steps) {
  std::vector<double> times;
  for (int i = 0; i <= steps; ++i) times.push_back(from + (to - from) * i / steps);
  return times;
}

/// A metric with memory of its own between guards. Scratch is spoilt between calls.
class Fed {
 public:
  Fed(const Metric& metric) : metric_(metric), channels_(metric.channel_count()) {
    const MemorySize size = metric.memory();
    for (auto [block, count] : {std::pair{&state_, size.state}, {&scratch_, size.scratch}, {&cache_, size.cache}}) {
      require(count >= 0 && count <= most_memory_of_metric, "memory() asks for {} doubles", count);
      block->assign(static_cast<std::size_t>(count) + 2 * guard, canary);
      std::fill(block->begin() + guard, block->end() - guard, 0.0);
    }
    require(channels_ >= 1 && channels_ <= most_channels, "channel_count() is {}", channels_);
    values_.resize(static_cast<std::size_t>(channels_));
  }
  void feed(double t, double h, const Signal& signal) {
    for (Index i = 0; i < channels_; ++i) values_[static_cast<std::size_t>(i)] = signal.value(i, t);
    const std::vector<double> given = values_;
    std::fill(scratch_.begin() + guard, scratch_.end() - guard, 1e300);
    require_ok(metric_.accumulate({t, h, {values_.data(), channels_}}, memory()), "accumulate");
    require(values_ == given, "accumulate changes the sample");
    check_guards();
  }
  void feed(const Signal& signal) {
    for (std::size_t i = 0; i < signal.times.size(); ++i)
      feed(signal.times[i], i == 0 ? 0 : signal.times[i] - signal.times[i - 1], signal);
  }
  VectorXd results() const {
    VectorXd all(metric_.result_count());
    for (Index i = 0; i < all.size(); ++i) all[i] = metric_.result(i, memory());
    check_guards();
    return all;
  }
  void check_guards() const {
    for (const auto* block : {&state_, &scratch_, &cache_}) {
      for (std::size_t i = 0; i < guard; ++i) {
        require((*block)[i] == canary && (*block)[block->size() - 1 - i] == canary,
                "it writes outside the memory that memory() declares");
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t guard = 16;
  Memory memory() const {
    const auto at = [](const std::vector<double>& block) { return const_cast<double*>(block.data()) + guard; };
    return {at(state_), at(scratch_), at(cache_)};
  }
  const Metric& metric_;
  Index channels_;
  std::vector<double> state_, scratch_, cache_, values_;
};

void each_use(Subject& subject, const std::function<void(const Metric&, const MetricCase&)>& look) {
  for (const MetricCase& use : metric_cases(subject)) {
    const CreatedMetric created(subject, use);
    try {
      look(created.metric, use);
    } catch (const Failed& failure) {
      fail("{}: {}", use.place, failure.what());
    }
  }
}

void create_metric(Subject& subject) {
  for (const MetricCase& use : metric_cases(subject)) {
    for (int i = 0; i < 2; ++i) const CreatedMetric created(subject, use);
  }
}

void declares(Subject& subject) {
  each_use(subject, [](const Metric& metric, const MetricCase&) {
    const Index channels = metric.channel_count(), results = metric.result_count();
    require(channels >= 1 && channels <= most_channels, "channel_count() is {}", channels);
    ColumnSet columns;
    for (Index i = 0; i < channels; ++i) {
      const char* text = metric.channel(i);
      require(text != nullptr && *text != 0, "channel({}) is no text", i);
      try {
        const ColumnExpression compiled(text, columns);
      } catch (const Error& error) {
        fail("channel({}) is '{}', no column and no formula of columns: {}", i, text, error.what());
      }
      require(std::string(metric.channel(i)) == text, "channel({}) changes from call to call", i);
    }
    require(results >= 1 && results <= most_channels, "result_count() is {}", results);
    std::set<std::string> names;
    for (Index i = 0; i < results; ++i) {
      const char* name = metric.result_name(i);
      require(name != nullptr, "result_name({}) is null", i);
      require((*name == 0) == (i == 0), "result_name({}) is '{}': the first is \"\", the metric itself, and no other",
              i, name);
      require(names.insert(name).second, "two results are called '{}'", name);
    }
    const MemorySize once = metric.memory(), again = metric.memory();
    require(once.state == again.state && once.scratch == again.scratch && once.cache == again.cache,
            "memory() changes from call to call");
    require(metric.extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  });
}

void feeding(Subject& subject) {
  each_use(subject, [&](const Metric& metric, const MetricCase& use) {
    const MemorySize before = metric.memory();
    Fed fed(metric);
    const VectorXd none = fed.results();
    require(std::isnan(none[0]), "without a sample the result is {}, not NaN", none[0]);
    const int n = stretches(subject, use);
    const Signal signal{even_times(0, 2 * n, 40 * n), wave};
    VectorXd last = none;
    for (std::size_t i = 0; i < signal.times.size(); ++i) {
      fed.feed(signal.times[i], i == 0 ? 0 : 0.05, signal);
      const VectorXd now = fed.results(), again = fed.results();
      // Some have no value before a period or a segment is full; what has one keeps it.
      for (Index k = 0; k < now.size(); ++k) {
        const bool known = std::isfinite(now[k]);
        require(known || (std::isnan(now[k]) && !std::isfinite(last[k])),
                "result {} is {} behind sample {}, and was {} before", k, now[k], i + 1, last[k]);
        require(now[k] == again[k] || (!known && std::isnan(again[k])), "result() changes what it is asked for");
      }
      last = now;
    }
    require(last.allFinite(), "behind {} samples over {} s a result is not finite", signal.times.size(), 2 * n);
    require(metric.memory().state == before.state, "memory() changes while it is fed");
  });
}

/// Two at once, each in memory of its own, are as each alone.
void side_by_side(Subject& subject) {
  for (const MetricCase& use : metric_cases(subject)) {
    const CreatedMetric one(subject, use), two(subject, use);
    const int n = stretches(subject, use);
    const Signal signal{even_times(0, 2 * n, 40 * n), wave},
        other{signal.times, [](Index c, double t) { return -3 * wave(c, 1.7 * t); }};
    Fed alone(one.metric), first(one.metric), second(one.metric), elsewhere(two.metric);
    alone.feed(signal), elsewhere.feed(signal);
    for (std::size_t i = 0; i < signal.times.size(); ++i) {
      first.feed(signal.times[i], i == 0 ? 0 : 0.05, signal);
      second.feed(other.times[i], i == 0 ? 0 : 0.05, other);
    }
    require(first.results() == alone.results(), "{}: fed side by side with another run it gives other numbers",
            use.place);
    require(elsewhere.results() == alone.results(), "{}: two of its kind give different numbers", use.place);
  }
}

/// The same motion later: values stay, times move along.
void later(Subject& subject) {
  bool applies = false;
  each_use(subject, [&](const Metric& metric, const MetricCase& use) {
    if (!times_in(subject, use).empty()) return;
    applies = true;
    constexpr double by = 16;  // times stay exact
    const int n = stretches(subject, use);
    Fed now(metric), then(metric);
    now.feed({even_times(0, 2 * n, 64 * n), wave});
    then.feed({even_times(by, by + 2 * n, 64 * n), [](Index c, double t) { return wave(c, t - by); }});
    const VectorXd a = now.results(), b = then.results();
    for (Index i = 0; i < a.size(); ++i) {
      const bool is_time = std::string(metric.result_name(i)).find("time") != std::string::npos;
      const double expected = a[i] + (is_time ? by : 0);
      require(std::abs(b[i] - expected) < 1e-9 * std::max(1.0, std::abs(expected)),
              "the same motion {} s later gives {}{} {} in place of {}", by, i == 0 ? "the result" : "the result ",
              metric.result_name(i), b[i], expected);
    }
  });
  if (!applies) skip("all its uses name times of the run");
}

/// Closer samples of one motion converge, and a moment that is sampled twice counts once.
void sampling(Subject& subject) {
  each_use(subject, [&](const Metric& metric, const MetricCase& use) {
    const int n = stretches(subject, use);
    if (find_extension<MotionMetric>(metric) == nullptr)
      skip("it is taken at steps and output times: how close they are is part of it (MotionMetric)");
    const auto result = [&](int steps) {
      Fed fed(metric);
      fed.feed({even_times(0, 2 * n, n * steps), wave});
      return fed.results()[0];
    };
    const double coarse = result(50), middle = result(400), fine = result(3200);
    const double scale = std::abs(fine);
    // An extreme may lie on samples of the coarse grid by chance: what is left behind the middle one has a floor.
    require(std::abs(fine - middle) < 0.3 * std::abs(middle - coarse) + 1e-4 * std::max(1.0, scale),
            "with 50, 400 and 3200 samples in 2 s of one motion it gives {}, {} and {}: it does not converge", coarse,
            middle, fine);
    // Times between samples need not be equal.
    std::vector<double> uneven;
    for (int i = 0; i <= n * 3200; ++i) {
      const double s = i / (n * 3200.0);
      uneven.push_back(2 * n * s * (0.3 + 0.7 * s));
    }
    Fed fed(metric);
    fed.feed({uneven, wave});
    require(std::abs(fed.results()[0] - fine) < 3e-3 * std::max(1.0, scale),
            "with samples at uneven distances it gives {}, with even ones {}", fed.results()[0], fine);
    Fed twice(metric);
    const Signal signal{even_times(0, 2 * n, n * 400), wave};
    for (std::size_t i = 0; i < signal.times.size(); ++i) {
      twice.feed(signal.times[i], i == 0 ? 0 : 2.0 / 400, signal);
      if (i > 0 && i % 50 == 0) twice.feed(signal.times[i], 0, signal);
    }
    require(std::abs(twice.results()[0] - middle) < 1e-12 * std::max(1.0, scale),
            "moments that are sampled twice, as before and behind an event, change it from {} to {}", middle,
            twice.results()[0]);
  });
}

}  // namespace

void add_metric_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    const Level level = std::string(id).starts_with("math.") ? Level::mathematics : Level::contract;
    checks.push_back({id, level, what, cause, run, needs});
  };
  const char* const fed = "contract.feeding";
  add("contract.create", "it can be created and ended, more than once",
      "the constructor refuses what its parameter table allows, or keeps something in a static", create_metric, "");
  add("contract.declares", "channels, names of results and memory are possible, and the same at every call",
      "a text that does not live as long as the metric, or a count left at zero", declares, "contract.create");
  add(fed, "it takes samples, stays inside its memory, and gives finite numbers, NaN before the first",
      "memory() counts too few numbers; a start value that is taken for a sample", feeding, "contract.declares");
  add("contract.side_by_side", "runs that are measured side by side do not disturb each other",
      "a mutable member or a static in place of memory.state", side_by_side, fed);
  add("math.later", "the same motion later gives the same values", "the time of the first sample taken for zero", later,
      "contract.side_by_side");
  add("math.sampling", "samples at any distance give one number",
      "a sum over samples in place of an integral over time", sampling, "contract.side_by_side");
}

}  // namespace trammel::conformance
