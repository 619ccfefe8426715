// Distributions of sampled parameters, as `sample.distributions` of a study describes them.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "trammel/parameters.h"

namespace trammel {

/// One distribution, by its quantile function: values follow it where the argument is uniform.
class Distribution {
 public:
  enum class Kind {
    uniform,
    log_uniform,
    normal,
    lognormal,
    truncated_normal,
    triangular,
    exponential,
    weibull,
    gamma,
    beta,
    discrete
  };

  /// Reads an object with "type". What is wrong is added to `problems`, and nothing may be asked of the result.
  Distribution(const Node& node, const std::string& path, Problems& problems);

  /// The value below which a share 0 < u < 1 lies; discrete ones: the first value up to which at least u lies.
  double quantile(double u) const;
  Kind kind() const { return kind_; }

 private:
  void read(const Node& node, const std::string& path, Problems& problems);
  /// What single keys do not tell.
  void check(const Node& node, const std::string& path, Problems& problems);
  double truncated_normal(double u) const;

  Kind kind_ = Kind::uniform;
  double first_ = 0, second_ = 1;       ///< mean and deviation, shape and scale, alpha and beta
  double least_ = 0, largest_ = 1;      ///< ends of the range
  std::vector<double> values_, until_;  ///< discrete: values, and the shares up to each
};

/// The types with their keys; also the source of their JSON Schema.
struct DistributionType {
  Distribution::Kind kind;
  const char* type;
  const char* summary;
  ParameterTable table;
};
const std::vector<DistributionType>& distribution_types();

/// Of the standard normal distribution.
double normal_quantile(double u);
double normal_probability(double z);

}  // namespace trammel
