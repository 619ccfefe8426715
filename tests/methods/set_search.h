// Search for parameter sets of the conditionally explicit family by the rules of docs/better_sets.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "family.h"

namespace trammel {

struct SetSearch {
  using Weights = std::vector<double>;

  int degree;
  double demanded;                ///< limit of h omega
  std::vector<double> low, high;  ///< of each weight

  static SetSearch of_degree(int degree) {
    if (degree == 4) return {4, 1.0, {-3, 1e-3, 1e-3}, {3, 2, 2}};
    return {5, 0.6, {-4, 1e-3, 1e-3, 1e-3}, {4, 3, 3, 3}};
  }

  conditionally_explicit::Family family(const Weights& w) const { return {w.data(), degree}; }

  /// E = |lambda - e^(iO)| / O^4 at O = 0.1.
  double error_constant(const Weights& w) const {
    constexpr double O = 0.1;
    const std::complex<double> exact = std::polar(1.0, O);
    double nearest = 10;
    for (const std::complex<double>& lambda : family(w).eigenvalues(O))
      nearest = std::min(nearest, std::abs(lambda - exact));
    return nearest / (O * O * O * O);
  }

  /// Sum of what the spectral radius exceeds 1 by, over `points` of (0, demanded]; 0: the demand is met.
  double instability(const Weights& w, int points = 60) const {
    constexpr double rounding = 1e-9;
    double sum = 0;
    for (int i = 1; i <= points; ++i) {
      sum += std::max(0.0, std::min(family(w).spectral_radius(demanded * i / points) - 1 - rounding, 1e3));
    }
    return sum;
  }

  bool inside(const Weights& w) const {
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (!(w[i] >= low[i] && w[i] <= high[i])) return false;
    }
    return true;
  }

  /// What is minimised: log10 E where the demand is met, else more than any of these.
  double cost(const Weights& w) const {
    constexpr double worst = 1e6, penalty = 10;
    if (!inside(w)) return worst;
    constexpr int few = 8;
    double excess = instability(w, few);
    if (excess == 0) excess = instability(w);
    return excess > 0 ? penalty + std::log10(1 + excess) + 0.1 * std::log10(excess) : std::log10(error_constant(w));
  }

  struct Found {
    double cost;
    Weights weights;
    bool operator<(const Found& other) const { return cost < other.cost; }
  };

  /// The best `keep` of a grid with `points` values of each weight.
  std::vector<Found> grid(int points, std::size_t keep) const {
    std::vector<Found> best;
    const auto dimensions = low.size();
    std::vector<int> k(dimensions, 0);
    for (;;) {
      Weights w(dimensions);
      for (std::size_t i = 0; i < dimensions; ++i) w[i] = low[i] + (high[i] - low[i]) * k[i] / (points - 1);
      best.push_back({cost(w), w});
      if (best.size() > 4 * keep) prune(best, keep);
      std::size_t i = 0;
      while (i < dimensions && ++k[i] == points) k[i++] = 0;
      if (i == dimensions) break;
    }
    prune(best, keep);
    return best;
  }

  /// Nelder, Mead, Computer J. 7 (1965) 308-313.
  Found descend(const Weights& from, double size, int iterations) const {
    std::vector<Found> simplex = {{cost(from), from}};
    for (std::size_t i = 0; i < from.size(); ++i) {
      Weights w = from;
      w[i] += w[i] + size > high[i] ? -size : size;
      simplex.push_back({cost(w), w});
    }
    const std::size_t n = from.size();
    for (int iteration = 0; iteration < iterations; ++iteration) {
      std::sort(simplex.begin(), simplex.end());
      Weights centre(n, 0.0);
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) centre[i] += simplex[k].weights[i] / static_cast<double>(n);
      }
      const auto along = [&](double s) {
        Weights w(n);
        for (std::size_t i = 0; i < n; ++i) w[i] = centre[i] + s * (simplex[n].weights[i] - centre[i]);
        return Found{cost(w), w};
      };
      const Found reflected = along(-1);
      if (reflected < simplex[0]) {
        simplex[n] = std::min(reflected, along(-2));
      } else if (reflected < simplex[n - 1]) {
        simplex[n] = reflected;
      } else {
        const Found contracted = along(reflected < simplex[n] ? -0.5 : 0.5);
        if (contracted < simplex[n]) {
          simplex[n] = contracted;
          continue;
        }
        for (std::size_t k = 1; k <= n; ++k) {
          for (std::size_t i = 0; i < n; ++i) {
            simplex[k].weights[i] = 0.5 * (simplex[k].weights[i] + simplex[0].weights[i]);
          }
          simplex[k].cost = cost(simplex[k].weights);
        }
      }
    }
    return *std::min_element(simplex.begin(), simplex.end());
  }

 private:
  static void prune(std::vector<Found>& best, std::size_t keep) {
    std::sort(best.begin(), best.end());
    best.resize(std::min(best.size(), keep));
  }
};

}  // namespace trammel
