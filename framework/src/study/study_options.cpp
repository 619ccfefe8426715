// Reading the small parts of a study.
#include "study/study_options.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "config/binder.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

struct BestFields {
  Text metric;
  std::int32_t goal;
};
constexpr ParameterRecord best_records[] = {
    {.name = "metric",
     .type = ParameterType::text,
     .offset = offsetof(BestFields, metric),
     .unit = "1",
     .description = "The metric that decides, or one of its further numbers."},
    {.name = "goal",
     .type = ParameterType::choice,
     .offset = offsetof(BestFields, goal),
     .unit = "1",
     .description = "Which value is best.",
     .default_json = "\"least\"",
     .choices = "least|largest"},
};

constexpr ParameterRecord limits_records[] = {
    {.name = "time",
     .type = ParameterType::number,
     .offset = offsetof(CaseLimits, time),
     .unit = "s",
     .description = "A case that takes longer on the clock is ended and is a row with that reason.",
     .default_json = "0",
     .minimum = 0},
    {.name = "memory",
     .type = ParameterType::number,
     .offset = offsetof(CaseLimits, memory),
     .unit = "bytes",
     .description = "A case whose process needs more address space fails and is a row with that reason.",
     .default_json = "0",
     .minimum = 0},
};

struct RangeFields {
  double from, to, step;
  std::int64_t count;
  std::int32_t scale;
};
constexpr double most_values = 1e6;
constexpr ParameterRecord range_records[] = {
    {.name = "from",
     .type = ParameterType::number,
     .offset = offsetof(RangeFields, from),
     .unit = "as the parameter",
     .description = "First value."},
    {.name = "to",
     .type = ParameterType::number,
     .offset = offsetof(RangeFields, to),
     .unit = "as the parameter",
     .description = "Last value; with `step` the end that no value passes."},
    {.name = "count",
     .type = ParameterType::integer,
     .offset = offsetof(RangeFields, count),
     .unit = "1",
     .description = "Number of values, both ends among them.",
     .default_json = "0",
     .minimum = 0,
     .maximum = most_values},
    {.name = "step",
     .type = ParameterType::number,
     .offset = offsetof(RangeFields, step),
     .unit = "as the parameter",
     .description = "Distance of the values, in place of `count`.",
     .optional = true},
    {.name = "scale",
     .type = ParameterType::choice,
     .offset = offsetof(RangeFields, scale),
     .unit = "1",
     .description = "Equal differences, or with `count` equal ratios.",
     .default_json = "\"linear\"",
     .choices = "linear|log"},
};

template <class Fields, std::size_t n>
ParameterTable options_table(const ParameterRecord (&records)[n]) {
  return {records, static_cast<std::int32_t>(n), sizeof(Fields), alignof(Fields)};
}

BindContext context_of(const std::string& path, const char* subject) {
  BindContext context;
  context.path = path;
  context.subject = subject;
  context.other_keys.clear();
  return context;
}

}  // namespace

ParameterTable best_table() { return options_table<BestFields>(best_records); }
ParameterTable limits_table() { return options_table<CaseLimits>(limits_records); }
ParameterTable range_table() { return options_table<RangeFields>(range_records); }

BestOptions read_best(const Node& document, Problems& problems) {
  const Node* best = document.find("best");
  const std::size_t before = problems.size();
  if (best == nullptr) return {};
  if (best->is_text()) {
    problems.add(best->place, "/best",
                 "must be an object, for example {\"metric\": \"" + best->text + "\"}, not " + describe(*best));
    return {};
  }
  const BoundParameters bound = bind(best_table(), *best, context_of("/best", "the best case"), problems);
  if (problems.size() > before) return {};
  const auto& fields = bound.as<BestFields>();
  return {static_cast<BestOptions::Goal>(fields.goal), std::string(fields.metric.view())};
}

CaseLimits read_limits(const Node& document, Problems& problems) {
  const Node* limits = document.find("limits");
  const std::size_t before = problems.size();
  if (limits == nullptr) return {};
  const BoundParameters bound = bind(limits_table(), *limits, context_of("/limits", "limits of cases"), problems);
  return problems.size() > before ? CaseLimits() : bound.as<CaseLimits>();
}

Keep read_keep(const Node& document, Keep otherwise, Problems& problems) {
  const Node* keep = document.find("keep");
  if (keep == nullptr) return otherwise;
  if (keep->is_text() && keep->text == "files") return Keep::files;
  if (keep->is_text() && keep->text == "numbers") return Keep::numbers;
  problems.add(
      keep->place, "/keep",
      "must be 'files' or 'numbers', not " + describe(*keep) +
          (keep->is_text() ? did_you_mean(keep->text, std::vector<std::string>{"files", "numbers"}) : std::string()));
  return otherwise;
}

bool is_range(const Node& value) { return value.is_object(); }

std::vector<Node> range_values(const Node& range, const std::string& path, Problems& problems) {
  const std::size_t before = problems.size();
  const BoundParameters bound = bind(range_table(), range, context_of(path, "a range"), problems);
  if (problems.size() > before) return {};
  RangeFields r = bound.as<RangeFields>();
  const bool log = r.scale == 1, by_step = given(r.step);
  const auto refuse = [&](const std::string& text) {
    problems.add(range.place, path, text);
    return std::vector<Node>();
  };
  if (const Node* count = range.find("count"); count != nullptr && r.count == 0) {
    problems.add(count->place, path + "/count", "must be at least 1, not 0");
    return {};
  }
  if (by_step == (r.count != 0)) return refuse("a range needs either \"count\" or \"step\"");
  if (by_step && log) return refuse("equal ratios need \"count\", not \"step\"");
  if (log && !(r.from * r.to > 0)) return refuse("equal ratios need two ends of the same sign, neither of them 0");
  if (by_step) {
    // An end that rounding alone keeps from being a value is one.
    constexpr double rounding = 1e-9;
    const double steps = (r.to - r.from) / r.step;
    if (!(r.step != 0 && steps >= 0)) return refuse("\"step\" does not lead from \"from\" to \"to\"");
    if (steps > most_values) return refuse("makes more than " + number_text(most_values) + " values");
    r.count = static_cast<std::int64_t>(std::floor(steps + rounding)) + 1;
  } else if (r.count == 1 && r.from != r.to) {
    return refuse("one value cannot be both ends");
  }
  std::vector<Node> values;
  for (std::int64_t i = 0; i < r.count; ++i) {
    const double share = r.count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(r.count - 1);
    double value = by_step ? r.from + static_cast<double>(i) * r.step
                   : log   ? r.from * std::pow(r.to / r.from, share)
                           : r.from + share * (r.to - r.from);
    if (i == 0) value = r.from;
    if (i > 0 && i + 1 == r.count && (!by_step || std::abs(value - r.to) <= 1e-9 * std::abs(r.step))) value = r.to;
    values.push_back(Node::make_number(value, range.place));
  }
  return values;
}

}  // namespace trammel
