// What a sample tells about a distribution: moments, quantiles, probabilities, Sobol's indices, with their confidence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trammel {

/// An estimate and the ends of its confidence interval; NaN where there is none.
struct Estimate {
  double value, low, high;
};

/// Of independent numbers; of Latin hypercubes and Sobol's sequence the intervals are too wide where each number depends
/// on the parameters nearly as a sum. `confidence`: 0.95. No number may be NaN.
/// Mean, by Student's distribution.
Estimate estimate_mean(std::span<const double> values, double confidence);
/// Standard deviation (n - 1), by the fourth moment.
Estimate estimate_deviation(std::span<const double> values, double confidence);
/// Quantile p, 0 < p < 1, linear between the ordered numbers (Hyndman and Fan (1996), type 7); the interval by the binomial
/// distribution of ranks, NaN at an end that lies beyond the sample. `ordered`: ascending.
Estimate estimate_quantile(std::span<const double> ordered, double p, double confidence);
/// Share of `hits` among `count`, by Clopper and Pearson.
Estimate estimate_share(std::size_t hits, std::size_t count, double confidence);

/// Sobol's indices by Saltelli's estimator.
struct SobolEstimates {
  std::vector<Estimate> first, total;  ///< by parameter
  std::size_t points = 0;              ///< of each sample that counted
};

/// Outputs of Saltelli's design (Sampling::base_points): y(A), y(B), y(A with parameter i of B). With f0 the mean of all
/// outputs and g = y - f0:
///   first_i = (sum g_B g_i / (N - 1) - mean(g_A) mean(g_B)) / s_A^2
///   total_i = 1 - (sum g_A g_i / (N - 1) - mean(g_A)^2) / s_A^2
/// as OpenTURNS computes them (A. Saltelli (2002)). Points whose outputs are not all numbers are left out. Intervals by
/// the jackknife over the points.
SobolEstimates sobol_indices(std::span<const double> outputs, std::size_t base_points, double confidence);

}  // namespace trammel
