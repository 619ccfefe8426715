// Levels 2 and 3 of metrics: created as studies create them, fed with samples in guarded memory, judged by what metric.h
// promises and by what no condensed number may depend on.
#include <cmath>
#include <set>

#include "check/metric_bench.h"
#include "results/column_expression.h"
#include "trammel/error.h"
#include "trammel/extensions/motion_metric.h"

namespace trammel::conformance {
namespace {

using Eigen::VectorXd;

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

/// Of metrics that have a curve.
void curve(Subject& subject) {
  bool any = false;
  each_use(subject, [&](const Metric& metric, const MetricCase& use) {
    const auto* extension = find_extension<MetricCurve>(metric);
    if (extension == nullptr) return;
    any = true;
    Fed fed(metric), other(metric);
    require(fed.curve().rows() == 0, "its curve has points before the first sample");
    std::set<std::string> names;
    for (Index j = 0; j < extension->columns(); ++j) {
      const char* name = extension->column(j);
      require(name != nullptr && *name != 0, "column({}) of its curve is no text", j);
      require(names.insert(name).second, "two columns of its curve are called '{}'", name);
    }
    const int n = stretches(subject, use);
    const Signal signal{even_times(0, 2 * n, 40 * n), wave};
    fed.feed(signal);
    const Eigen::MatrixXd all = fed.curve();
    require(all.rows() > 0, "behind {} samples over {} s its curve has no point", signal.times.size(), 2 * n);
    require(all.allFinite(), "a point of its curve is not finite");
    for (std::size_t i = 0; i < signal.times.size(); ++i) {
      other.feed(signal.times[i], i == 0 ? 0 : 0.05, signal);
      if (i % 7 == 0) other.curve();
    }
    require(other.curve() == all && fed.curve() == all, "its curve depends on who looks at it, and when");
  });
  if (!any) skip("it has no curve");
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
  add("contract.curve", "its curve has named columns and finite points, and looking at it changes nothing",
      "room for points that are not kept yet, or a column without a name", curve, fed);
  add("math.later", "the same motion later gives the same values", "the time of the first sample taken for zero", later,
      "contract.side_by_side");
  add("math.sampling", "samples at any distance give one number",
      "a sum over samples in place of an integral over time", sampling, "contract.side_by_side");
}

}  // namespace trammel::conformance
