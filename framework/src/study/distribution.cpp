// Quantile functions, by Boost.Math where they have no closed form, and the tables of the distributions' keys.
#include "study/distribution.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "config/binder.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

struct Fields {
  double first, second, least, middle, largest;
  Numbers values, weights;
};

constexpr ParameterRecord number_key(const char* name, std::size_t offset, const char* description,
                                     double above = -no_bound) {
  return {.name = name,
          .type = ParameterType::number,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "as the parameter",
          .description = description,
          .minimum = above,
          .exclusive_minimum = above > -no_bound};
}
constexpr ParameterRecord pure_number(ParameterRecord record) {
  record.unit = "1";
  return record;
}
constexpr ParameterRecord min_key = number_key("min", offsetof(Fields, least), "Lower end of the range.");
constexpr ParameterRecord max_key = number_key("max", offsetof(Fields, largest), "Upper end of the range.");
constexpr ParameterRecord mean_key = number_key("mean", offsetof(Fields, first), "Mean.");
constexpr ParameterRecord deviation_key = number_key("deviation", offsetof(Fields, second), "Standard deviation.", 0);
constexpr ParameterRecord shape_key = pure_number(number_key("shape", offsetof(Fields, first), "Shape.", 0));
constexpr ParameterRecord scale_key = number_key("scale", offsetof(Fields, second), "Scale.", 0);

constexpr ParameterRecord ends_records[] = {min_key, max_key};
constexpr ParameterRecord log_ends_records[] = {
    number_key("min", offsetof(Fields, least), "Lower end of the range.", 0),
    number_key("max", offsetof(Fields, largest), "Upper end of the range.", 0)};
constexpr ParameterRecord normal_records[] = {mean_key, deviation_key};
constexpr ParameterRecord truncated_records[] = {
    number_key("mean", offsetof(Fields, first), "Mean before the ends are cut off."),
    number_key("deviation", offsetof(Fields, second), "Standard deviation before the ends are cut off.", 0), min_key,
    max_key};
constexpr ParameterRecord lognormal_records[] = {
    pure_number(number_key("log_mean", offsetof(Fields, first), "Mean of the natural logarithm.")),
    pure_number(
        number_key("log_deviation", offsetof(Fields, second), "Standard deviation of the natural logarithm.", 0))};
constexpr ParameterRecord triangular_records[] = {
    min_key, number_key("mode", offsetof(Fields, middle), "Where the density is largest."), max_key};
constexpr ParameterRecord exponential_records[] = {
    number_key("mean", offsetof(Fields, first), "Mean, the deviation as well.", 0)};
constexpr ParameterRecord shape_records[] = {shape_key, scale_key};
constexpr ParameterRecord beta_records[] = {
    pure_number(number_key("alpha", offsetof(Fields, first), "First exponent plus 1.", 0)),
    pure_number(number_key("beta", offsetof(Fields, second), "Second exponent plus 1.", 0)), min_key, max_key};
constexpr ParameterRecord discrete_records[] = {
    {.name = "values",
     .type = ParameterType::numbers,
     .offset = offsetof(Fields, values),
     .unit = "as the parameter",
     .description = "The values.",
     .count_min = 1},
    {.name = "weights",
     .type = ParameterType::numbers,
     .offset = offsetof(Fields, weights),
     .unit = "1",
     .description = "How often each value occurs, relative to the others; equally often if left out.",
     .minimum = 0,
     .optional = true},
};

template <std::size_t n>
constexpr ParameterTable distribution_table(const ParameterRecord (&records)[n]) {
  return {records, static_cast<std::int32_t>(n), sizeof(Fields), alignof(Fields)};
}

using Kind = Distribution::Kind;
/// The policies of Boost's functions: what has no value is no exception but the value's limit.
using Quiet = boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

}  // namespace

const std::vector<DistributionType>& distribution_types() {
  static const std::vector<DistributionType> types = {
      {Kind::uniform, "uniform", "Equally likely between two ends.", distribution_table(ends_records)},
      {Kind::log_uniform, "log_uniform", "The logarithm is equally likely between two ends.",
       distribution_table(log_ends_records)},
      {Kind::normal, "normal", "Gauss' distribution.", distribution_table(normal_records)},
      {Kind::lognormal, "lognormal", "The logarithm is normal.", distribution_table(lognormal_records)},
      {Kind::truncated_normal, "truncated_normal", "A normal distribution without what lies outside of two ends.",
       distribution_table(truncated_records)},
      {Kind::triangular, "triangular", "Density rises to the mode and falls behind it.",
       distribution_table(triangular_records)},
      {Kind::exponential, "exponential", "Distances of random events.", distribution_table(exponential_records)},
      {Kind::weibull, "weibull", "Weibull's distribution.", distribution_table(shape_records)},
      {Kind::gamma, "gamma", "The gamma distribution; its mean is shape times scale.",
       distribution_table(shape_records)},
      {Kind::beta, "beta", "The beta distribution between two ends.", distribution_table(beta_records)},
      {Kind::discrete, "discrete", "One of a few values.", distribution_table(discrete_records)},
  };
  return types;
}

double normal_quantile(double u) { return boost::math::quantile(boost::math::normal_distribution<double, Quiet>(), u); }
double normal_probability(double z) { return boost::math::cdf(boost::math::normal_distribution<double, Quiet>(), z); }

Distribution::Distribution(const Node& node, const std::string& path, Problems& problems) {
  read(node, path, problems);
}

void Distribution::read(const Node& node, const std::string& path, Problems& problems) {
  const std::size_t before = problems.size();
  const Node* type = node.find("type");
  std::vector<std::string> names;
  for (const DistributionType& known : distribution_types()) {
    names.emplace_back(known.type);
    if (type == nullptr || !type->is_text() || type->text != known.type) continue;
    kind_ = known.kind;
    BindContext context;
    context.path = path;
    context.subject = "a distribution of type '" + type->text + "'";
    const BoundParameters bound = bind(known.table, node, context, problems);
    if (problems.size() > before) return;
    const auto& fields = bound.as<Fields>();
    first_ = fields.first, second_ = fields.second, least_ = fields.least, largest_ = fields.largest;
    if (kind_ == Kind::triangular) first_ = fields.middle;
    for (std::int64_t i = 0; kind_ == Kind::discrete && i < fields.values.size; ++i) {
      values_.push_back(fields.values[i]);
      until_.push_back(fields.weights.size == 0 ? 1 : i < fields.weights.size ? fields.weights[i] : 0);
    }
    if (kind_ == Kind::discrete && fields.weights.size != 0 && fields.weights.size != fields.values.size) {
      problems.add(node.place, path,
                   "has " + std::to_string(fields.values.size) + " values and " + std::to_string(fields.weights.size) +
                       " weights");
    }
    return check(node, path, problems);
  }
  if (type == nullptr || !type->is_text()) {
    return problems.add(node.place, path, "needs a \"type\": {\"type\": \"normal\", \"mean\": 1, \"deviation\": 0.1}");
  }
  problems.add(type->place, path + "/type",
               "there is no distribution '" + type->text + "'" + did_you_mean(type->text, names));
}

void Distribution::check(const Node& node, const std::string& path, Problems& problems) {
  const bool range = node.find("min") != nullptr;
  if (range && !(least_ < largest_)) {
    return problems.add(node.place, path,
                        "\"min\" " + number_text(least_) + " must be less than \"max\" " + number_text(largest_));
  }
  if (kind_ == Kind::triangular && !(first_ >= least_ && first_ <= largest_))
    problems.add(node.place, path, "\"mode\" " + number_text(first_) + " must lie between \"min\" and \"max\"");
  if (kind_ == Kind::truncated_normal) {
    const double share =
        normal_probability((largest_ - first_) / second_) - normal_probability((least_ - first_) / second_);
    const double other =
        normal_probability((first_ - least_) / second_) - normal_probability((first_ - largest_) / second_);
    if (!(std::max(share, other) > 1e-300))
      problems.add(node.place, path, "nothing of the normal distribution lies between \"min\" and \"max\"");
  }
  if (kind_ != Kind::discrete) return;
  double sum = 0;
  for (const double weight : until_) sum += weight;
  if (!(sum > 0)) return problems.add(node.place, path, "one of the weights must be greater than 0");
  double until = 0;
  for (double& share : until_) share = (until += share) / sum;
  // Values without weight are never taken, nor is the end missed by rounding.
  std::size_t last = until_.size() - 1;
  while (last > 0 && until_[last - 1] >= until_[last]) --last;
  until_.resize(last + 1), values_.resize(last + 1);
  until_.back() = 1;
}

double Distribution::truncated_normal(double u) const {
  const double a = (least_ - first_) / second_, b = (largest_ - first_) / second_;
  // In the tail that has the digits.
  const double z = a < 0 ? normal_quantile(normal_probability(a) * (1 - u) + normal_probability(b) * u)
                         : -normal_quantile(normal_probability(-a) * (1 - u) + normal_probability(-b) * u);
  return std::clamp(first_ + second_ * z, least_, largest_);
}

double Distribution::quantile(double u) const {
  namespace math = boost::math;
  switch (kind_) {
    case Kind::uniform: return least_ + u * (largest_ - least_);
    case Kind::log_uniform: return std::clamp(least_ * std::pow(largest_ / least_, u), least_, largest_);
    case Kind::normal: return first_ + second_ * normal_quantile(u);
    case Kind::lognormal: return std::exp(first_ + second_ * normal_quantile(u));
    case Kind::truncated_normal: return truncated_normal(u);
    case Kind::triangular: {
      const double width = largest_ - least_, rise = first_ - least_, fall = largest_ - first_;
      return u * width <= rise ? least_ + std::sqrt(u * width * rise) : largest_ - std::sqrt((1 - u) * width * fall);
    }
    case Kind::exponential: return -first_ * std::log1p(-u);
    case Kind::weibull: return second_ * std::pow(-std::log1p(-u), 1 / first_);
    case Kind::gamma: return math::quantile(math::gamma_distribution<double, Quiet>(first_, second_), u);
    case Kind::beta:
      return least_ + (largest_ - least_) * math::quantile(math::beta_distribution<double, Quiet>(first_, second_), u);
    case Kind::discrete: break;
  }
  return values_[static_cast<std::size_t>(std::lower_bound(until_.begin(), until_.end(), u) - until_.begin())];
}

}  // namespace trammel
