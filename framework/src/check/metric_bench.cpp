// Creating metrics and feeding them.
#include "check/metric_bench.h"

#include <cmath>
#include <set>

#include "config/binder.h"
#include "config/json_source.h"
#include "config/plugin_cases.h"
#include "model/no_model.h"

namespace trammel::conformance {
namespace {

/// The keys that studies have beside the metric's own.
const std::vector<std::string>& keys_of_studies() {
  static const std::vector<std::string> keys = {"type", "cases", "on"};
  return keys;
}

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

}  // namespace

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

Component CreatedMetric::make(Subject& subject, const Node& node) {
  const LoadedComponent loaded = subject.host->find(ComponentKind::metric, Host::any, subject.component->type);
  BindContext context;
  context.path = "/metrics/it";
  context.subject = "a metric of type '" + subject.component->type + "'";
  context.other_keys = keys_of_studies();
  BoundParameters parameters = bind_component(loaded.record->parameters, loaded.info->parameters, node, context);
  return Component(loaded, std::move(parameters), no_model(), "it", node, "/metrics/it");
}

std::vector<const Node*> times_in(const Subject& subject, const MetricCase& use) {
  std::vector<const Node*> times;
  for (const ParameterInfo& p : subject.component->parameters) {
    const Node* value = p.unit == "s" && p.optional ? use.node.find(p.name.c_str()) : nullptr;
    if (value != nullptr) times.push_back(value);
  }
  return times;
}

int stretches(const Subject& subject, const MetricCase& use) {
  constexpr double most = 100;
  double last = 0;
  for (const ParameterInfo& p : subject.component->parameters) {
    const Node* value = p.unit == "s" ? use.node.find(p.name.c_str()) : nullptr;
    if (value != nullptr && value->is_number()) last = std::max(last, value->number);
  }
  return 1 + static_cast<int>(std::ceil(std::min(last, most) / 2));
}

Fed::Fed(const Metric& metric)
    : metric_(metric), curve_(find_extension<MetricCurve>(metric)), channels_(metric.channel_count()) {
  const MemorySize size = metric.memory();
  for (auto [block, count] : {std::pair{&state_, size.state}, {&scratch_, size.scratch}, {&cache_, size.cache}}) {
    require(count >= 0 && count <= most_memory_of_metric, "memory() asks for {} doubles", count);
    block->assign(static_cast<std::size_t>(count) + 2 * guard, canary);
    std::fill(block->begin() + guard, block->end() - guard, 0.0);
  }
  require(channels_ >= 1 && channels_ <= most_channels, "channel_count() is {}", channels_);
  values_.resize(static_cast<std::size_t>(channels_));
}

void Fed::feed(double t, double h, const Signal& signal) {
  for (Index i = 0; i < channels_; ++i) values_[static_cast<std::size_t>(i)] = signal.value(i, t);
  const std::vector<double> given = values_;
  std::fill(scratch_.begin() + guard, scratch_.end() - guard, 1e300);
  require_ok(metric_.accumulate({t, h, {values_.data(), channels_}}, memory()), "accumulate");
  require(values_ == given, "accumulate changes the sample");
  check_guards();
}

void Fed::feed(const Signal& signal) {
  for (std::size_t i = 0; i < signal.times.size(); ++i)
    feed(signal.times[i], i == 0 ? 0 : signal.times[i] - signal.times[i - 1], signal);
}

Eigen::VectorXd Fed::results() const {
  Eigen::VectorXd all(metric_.result_count());
  for (Index i = 0; i < all.size(); ++i) all[i] = metric_.result(i, memory());
  check_guards();
  return all;
}

Eigen::MatrixXd Fed::curve() const {
  if (curve_ == nullptr) return {};
  const Index points = curve_->points(memory()), columns = curve_->columns();
  require(points >= 0 && points <= most_memory_of_metric, "points() of its curve is {}", points);
  require(columns >= 1 && columns <= most_channels, "columns() of its curve is {}", columns);
  Eigen::MatrixXd all(points, columns);
  for (Index i = 0; i < points; ++i) {
    for (Index j = 0; j < columns; ++j) all(i, j) = curve_->value(i, j, memory());
  }
  check_guards();
  return all;
}

void Fed::check_guards() const {
  for (const auto* block : {&state_, &scratch_, &cache_}) {
    for (std::size_t i = 0; i < guard; ++i) {
      require((*block)[i] == canary && (*block)[block->size() - 1 - i] == canary,
              "it writes outside the memory that memory() declares");
    }
  }
}

}  // namespace trammel::conformance
