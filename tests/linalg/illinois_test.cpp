// The search for a zero against zeros in closed form: brackets, orders of convergence, functions that mislead secants.
#include "linalg/illinois.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace trammel;

namespace {

/// The search until the bracket is as narrow as `width`; the bracket always holds the zero.
int tries_until(double width, double low, double high, double zero, const std::function<double(double)>& f) {
  const bool rising = f(low) < 0;
  IllinoisSearch search(low, f(low), high, f(high));
  while (search.width() > width && search.tries() < 200) {
    const double t = search.trial(), value = f(t);
    CHECK(t > search.high() - search.width());
    CHECK(t < search.high());
    search.take(t, value, (value < 0) == rising && value != 0);
    CHECK(search.high() >= zero);
    CHECK(search.high() - search.width() <= zero);
  }
  CHECK(search.least() <= std::abs(f(search.high())));
  return search.tries();
}

}  // namespace

TEST_CASE("the zero stays in the bracket, and smooth functions need few tries") {
  CHECK(tries_until(1e-12, 0, 2, std::log(1.7), [](double t) { return std::exp(t) - 1.7; }) < 20);
  CHECK(tries_until(1e-12, 1, 2, std::sqrt(2), [](double t) { return 2 - t * t; }) < 20);
}

TEST_CASE("where a value is exactly zero the other end comes by bisection: no secant tells more") {
  const int tries = tries_until(1e-12, 0, 1, 0.3, [](double t) { return t - 0.3; });
  CHECK(tries > 35);
  CHECK(tries < 45);
}

TEST_CASE("jumps, flat ends and multiple zeros: never many more tries than bisection") {
  const int bisection = 40;  // 2^-40 is 1e-12
  CHECK(tries_until(1e-12, 0, 1, 0.123, [](double t) { return t < 0.123 ? -1e-9 : 1e9; }) < 4 * bisection + 4);
  CHECK(tries_until(1e-12, 0, 1, 0.9, [](double t) { return std::pow(t - 0.9, 9); }) < 4 * bisection + 4);
  CHECK(tries_until(1e-12, 0, 1, 0.01, [](double t) { return std::tanh(1e6 * (t - 0.01)); }) < 4 * bisection + 4);
}

TEST_CASE("the least magnitude is that of a value found, not of one halved") {
  IllinoisSearch search(0, -1, 1, 8);
  search.take(0.25, -0.5, true);
  search.take(0.5, -0.25, true);  // the upper end stays a second time: its value is halved for the secant
  CHECK(search.high() == 1);
  CHECK(search.width() == 0.5);
  CHECK(search.least() == 0.25);
  // The secant through (0.5, -0.25) and (1, 8 / 2).
  CHECK(search.trial() == doctest::Approx(1 - 4 * 0.5 / 4.25));
}
