// Reading `sample`, and its points: quantiles of numbers of the unit cube, behind a Gaussian copula.
#include "study/sampling.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "config/binder.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

struct SampleFields {
  std::int32_t method;
  std::int64_t count, seed;
  bool indices;
};
constexpr double most_points = 1e6;
constexpr double most_seed = 9007199254740991;  // 2^53 - 1: of larger numbers JSON readers know some digits only
constexpr ParameterRecord sample_records[] = {
    {.name = "method",
     .type = ParameterType::choice,
     .offset = offsetof(SampleFields, method),
     .unit = "1",
     .description = "Random points, one point in each of `count` slices of every parameter, or Sobol's sequence.",
     .default_json = "\"latin_hypercube\"",
     .choices = "monte_carlo|latin_hypercube|sobol"},
    {.name = "count",
     .type = ParameterType::integer,
     .offset = offsetof(SampleFields, count),
     .unit = "1",
     .description = "Number of points.",
     .minimum = 2,
     .maximum = most_points},
    {.name = "seed",
     .type = ParameterType::integer,
     .offset = offsetof(SampleFields, seed),
     .unit = "1",
     .description = "Another seed is another sample.",
     .default_json = "1",
     .minimum = 0,
     .maximum = most_seed},
    {.name = "indices",
     .type = ParameterType::boolean,
     .offset = offsetof(SampleFields, indices),
     .unit = "1",
     .description = "Saltelli's design for the metric `sobol_indices`: count (parameters + 2) cases.",
     .default_json = "false"},
};

struct CorrelationFields {
  Texts between;
  double value;
};
constexpr ParameterRecord correlation_records[] = {
    {.name = "between",
     .type = ParameterType::texts,
     .offset = offsetof(CorrelationFields, between),
     .unit = "1",
     .description = "Two of the parameters.",
     .count_min = 2,
     .count_max = 2},
    {.name = "value",
     .type = ParameterType::number,
     .offset = offsetof(CorrelationFields, value),
     .unit = "1",
     .description = "Correlation of the normal variables behind them (Gaussian copula).",
     .minimum = -1,
     .maximum = 1,
     .exclusive_minimum = true,
     .exclusive_maximum = true},
};

}  // namespace

ParameterTable sample_table() {
  return {sample_records, static_cast<std::int32_t>(std::size(sample_records)), sizeof(SampleFields),
          alignof(SampleFields)};
}

ParameterTable correlation_table() {
  return {correlation_records, static_cast<std::int32_t>(std::size(correlation_records)), sizeof(CorrelationFields),
          alignof(CorrelationFields)};
}

bool is_setting_path(const std::string& path) {
  return !path.empty() && path.front() != '.' && path.back() != '.' && path.find("..") == std::string::npos;
}

Sampling::Sampling(const Node& section, Problems& problems) { read(section, problems); }

void Sampling::read(const Node& section, Problems& problems) {
  const std::size_t before = problems.size();
  BindContext context;
  context.path = "/sample";
  context.subject = "a sample";
  context.other_keys = {"distributions", "correlations"};
  const BoundParameters bound = bind(sample_table(), section, context, problems);
  read_distributions(section, problems);
  if (problems.size() == before) read_correlations(section, problems);
  if (problems.size() > before) return paths_.clear();
  const auto& fields = bound.as<SampleFields>();
  const auto method = static_cast<SampleMethod>(fields.method);
  const auto count = static_cast<std::size_t>(fields.count);
  const std::size_t d = paths_.size();
  const double points = static_cast<double>(count) * static_cast<double>(fields.indices ? d + 2 : 1);
  const auto refuse = [&](const std::string& text) {
    problems.add(section.place, "/sample", text);
    paths_.clear();
  };
  if (points > most_points)
    return refuse("makes " + number_text(points) + " cases; the most are " + number_text(most_points));
  if (fields.indices && !correlations_.empty())
    return refuse("\"indices\" need parameters without correlations: Sobol's indices share out independent causes");
  if (method == SampleMethod::sobol && d * (fields.indices ? 2 : 1) > most_sobol_dimensions)
    return refuse("Sobol's sequence has at most " + std::to_string(most_sobol_dimensions) + " dimensions");
  if (fields.indices) base_points_ = count;
  make_points(method, count, static_cast<std::uint64_t>(fields.seed));
}

void Sampling::read_distributions(const Node& section, Problems& problems) {
  const Node* map = section.find("distributions");
  const std::string path = "/sample/distributions";
  if (map == nullptr || !map->is_object() || map->members.empty()) {
    return problems.add(map == nullptr ? section.place : map->place, path,
                        "must be an object {\"parameters.k\": {\"type\": \"normal\", ...}, ...}" +
                            (map == nullptr     ? std::string()
                             : map->is_object() ? std::string("; it names no parameter")
                                                : ", not " + describe(*map)));
  }
  for (const Member& member : map->members) {
    if (!is_setting_path(member.key))
      problems.add(member.place, path + "/" + member.key, "is no dotted path such as parameters.length");
    paths_.push_back(member.key);
    places_.push_back(member.place);
    distributions_.emplace_back(member.value, path + "/" + member.key, problems);
  }
}

long Sampling::position(const Node& name, const std::string& path, Problems& problems) const {
  const auto found = std::find(paths_.begin(), paths_.end(), name.text);
  if (found != paths_.end()) return found - paths_.begin();
  problems.add(name.place, path, "no distribution is given for '" + name.text + "'" + did_you_mean(name.text, paths_));
  return -1;
}

void Sampling::read_correlations(const Node& section, Problems& problems) {
  const Node* list = section.find("correlations");
  if (list == nullptr) return;
  if (!list->is_array()) {
    return problems.add(list->place, "/sample/correlations",
                        "must be an array [{\"between\": [\"parameters.k\", \"parameters.c\"], \"value\": 0.5}], not " +
                            describe(*list));
  }
  const std::size_t d = paths_.size(), before = problems.size();
  correlations_.assign(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) correlations_[i * d + i] = 1;
  for (std::size_t i = 0; i < list->items.size(); ++i)
    read_correlation(list->items[i], "/sample/correlations/" + std::to_string(i), problems);
  if (problems.size() > before) return;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(d);
  const Eigen::LLT<Matrix> cholesky(Eigen::Map<const Matrix>(correlations_.data(), n, n));
  const Matrix lower = cholesky.matrixL();
  constexpr double nearly_dependent = 1e-8;
  if (cholesky.info() != Eigen::Success || lower.diagonal().minCoeff() < nearly_dependent) {
    return problems.add(list->place, "/sample/correlations",
                        "contradict each other: the matrix of the correlations is not positive definite");
  }
  factor_.assign(lower.data(), lower.data() + d * d);
}

void Sampling::read_correlation(const Node& node, const std::string& path, Problems& problems) {
  BindContext context;
  context.path = path;
  context.subject = "a correlation";
  context.other_keys.clear();
  const std::size_t before = problems.size(), d = paths_.size();
  const BoundParameters bound = bind(correlation_table(), node, context, problems);
  if (problems.size() > before) return;
  const Node& between = *node.find("between");
  const long i = position(between.items[0], path + "/between/0", problems);
  const long j = position(between.items[1], path + "/between/1", problems);
  if (i < 0 || j < 0) return;
  if (i == j) return problems.add(node.place, path + "/between", "names the same parameter twice");
  for (const long k : {i, j}) {
    if (distributions_[static_cast<std::size_t>(k)].kind() == Distribution::Kind::discrete)
      problems.add(node.place, path, "'" + paths_[static_cast<std::size_t>(k)] + "' is discrete, which has no copula");
  }
  double& entry = correlations_[static_cast<std::size_t>(i) * d + static_cast<std::size_t>(j)];
  if (entry != 0) problems.add(node.place, path, "a second correlation of these parameters");
  entry = correlations_[static_cast<std::size_t>(j) * d + static_cast<std::size_t>(i)] =
      bound.as<CorrelationFields>().value;
}

void Sampling::make_points(SampleMethod method, std::size_t count, std::uint64_t seed) {
  const std::size_t d = paths_.size(), width = base_points_ == 0 ? d : 2 * d;
  const std::vector<double> points = unit_points(method, count, width, seed);
  std::vector<double> point(d);
  const auto add = [&](std::size_t k, std::size_t from_b) {  // from_b: the parameter out of B, d: none, d + 1: all
    for (std::size_t i = 0; i < d; ++i) {
      const bool second = from_b > d || i == from_b;
      point[i] = points[k * width + i + (second ? d : 0)];
    }
    to_values(point);
    values_.insert(values_.end(), point.begin(), point.end());
  };
  for (std::size_t k = 0; k < count; ++k) add(k, d);
  if (base_points_ == 0) return;
  for (std::size_t k = 0; k < count; ++k) add(k, d + 1);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < count; ++k) add(k, i);
  }
}

void Sampling::to_values(std::vector<double>& point) const {
  const std::size_t d = point.size();
  if (!factor_.empty()) {
    std::vector<double> normal(d);
    for (std::size_t i = 0; i < d; ++i) normal[i] = normal_quantile(point[i]);
    for (std::size_t i = 0; i < d; ++i) {
      double z = 0;
      bool others = false;
      for (std::size_t j = 0; j <= i; ++j) {
        z += factor_[i * d + j] * normal[j];
        others = others || (j < i && factor_[i * d + j] != 0);
      }
      // Below 1 also where the normal variable is beyond eight deviations.
      if (others) point[i] = std::clamp(normal_probability(z), 1e-300, 1 - std::ldexp(1.0, -53));
    }
  }
  for (std::size_t i = 0; i < d; ++i) point[i] = distributions_[i].quantile(point[i]);
}

}  // namespace trammel
