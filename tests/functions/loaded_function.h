// A function of a run file, read, checked and created as in a run.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "loaded_model.h"
#include "trammel/error.h"
#include "trammel/function.h"

namespace trammel {

struct LoadedFunction {
  explicit LoadedFunction(const std::string& json) : LoadedFunction(json, "run.json") {}
  LoadedFunction(const std::string& json, const std::string& file)
      : loaded(temporary_run_file(R"({ "trammel": 1, "parameters": { "a": 0.5 }, "system": { "type": "planar",
  "bodies": { "b": { "mass": 1, "inertia": 1 } },
  "forces": { "f": { "type": "applied_force", "body": "b", "force": [1, 0],
    "function": )" + json + R"( } } },
  "analysis": { "type": "dynamics", "duration": 1 },
  "formulation": { "type": "direct" }, "integrator": { "type": "rk4", "step": 0.1 } })",
                                  file)) {}

  /// The outermost function: the functions inside it are created before.
  const Function& operator*() const { return *loaded.model.functions_of_time().back(); }
  const Function* operator->() const { return loaded.model.functions_of_time().back(); }
  double operator()(double x, int derivative = 0) const {
    double value[4] = {NAN, NAN, NAN, NAN};
    REQUIRE((*this)->evaluate(x, derivative, value).ok());
    return value[derivative];
  }
  std::vector<double> break_points() const {
    std::vector<double> points(static_cast<std::size_t>((*this)->break_points(nullptr, 0)));
    (*this)->break_points(points.data(), static_cast<Index>(points.size()));
    return points;
  }

  LoadedModel loaded;
};

using Complex = std::complex<double>;

/// f^(k)(x) = k! / (2 pi i) times the integral of f(z) / (z - x)^{k+1} over a circle around x; the trapezoidal rule
/// with 64 points converges geometrically where f is analytic beyond the circle.
template <class F>
void check_derivatives(const Function& function, const F& f, double x, double radius = 0.25) {
  constexpr int points = 64;
  double value[4] = {NAN, NAN, NAN, NAN}, expected[4] = {0, 0, 0, 0}, scale = 1;
  for (int k = 0; k < 4; ++k) {
    Complex sum = 0;
    for (int j = 0; j < points; ++j) {
      const double angle = 2 * 3.14159265358979323846 * j / points;
      sum += f(x + std::polar(radius, angle)) * std::polar(1.0, -k * angle);
    }
    expected[k] = std::tgamma(k + 1) * sum.real() / points / std::pow(radius, k);
    scale = std::max(scale, std::abs(expected[k]));
  }
  CAPTURE(x);
  REQUIRE(function.evaluate(x, 3, value).ok());
  for (int k = 0; k < 4; ++k) {
    CAPTURE(k);
    // Rounding of the oracle, amplified by k! / radius^3 = 384.
    CHECK(std::abs(value[k] - expected[k]) < 4e-13 * scale);
  }
  // Lower orders write no more than they are asked for.
  double low[4] = {NAN, NAN, NAN, NAN};
  REQUIRE(function.evaluate(x, 1, low).ok());
  CHECK(low[0] == value[0]);
  CHECK(low[1] == value[1]);
  CHECK(std::isnan(low[2]));
}

/// Integral over [a, b] by Boole's rule on 400 panels between break points: error far below 1e-12 for these functions.
inline double quadrature(const LoadedFunction& f, double a, double b) {
  std::vector<double> ends{a};
  for (const double x : f.break_points()) {
    if (x > a && x < b) ends.push_back(x);
  }
  ends.push_back(b);
  double sum = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double h = (ends[k + 1] - ends[k]) / 1600;
    const double weights[5] = {7, 32, 12, 32, 7};
    for (int panel = 0; panel < 400; ++panel) {
      for (int j = 0; j < 5; ++j) {
        // Inside by a hair, so that a jump's own side is taken.
        const double x = std::min(std::max(ends[k] + (4 * panel + j) * h, ends[k] + 1e-13), ends[k + 1] - 1e-13);
        sum += weights[j] * 2 * h / 45 * f(x);
      }
    }
  }
  return sum;
}

inline void check_integral(const LoadedFunction& f, double a, double b) {
  const FunctionIntegral* integral = find_extension<FunctionIntegral>(*f);
  REQUIRE(integral != nullptr);
  double begin = 0, end = 0;
  REQUIRE(integral->antiderivative(a, &begin).ok());
  REQUIRE(integral->antiderivative(b, &end).ok());
  const double expected = quadrature(f, a, b);
  CHECK(std::abs(end - begin - expected) < 1e-11 * (1 + std::abs(expected)));
}

}  // namespace trammel
