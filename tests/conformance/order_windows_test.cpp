// What counts as the order of a method: two successive windows that agree, judged from both sides.
#include "check/order_windows.h"

#include <doctest/doctest.h>

using trammel::conformance::measure_order;
using trammel::conformance::MeasuredOrder;
using trammel::conformance::OrderRange;

namespace {

constexpr OrderRange range{8, 8192, 1e-12};

/// Errors c h^p + d h^q + floor.
MeasuredOrder of(double c, int p, double d, int q, double floor = 0) {
  return measure_order(range, [=](int steps) {
    const double h = 1.0 / steps;
    return c * std::pow(h, p) + d * std::pow(h, q) + floor;
  });
}

}  // namespace

TEST_CASE("a method of order 3 whose long steps show 4 is of order 3") {
  const MeasuredOrder measured = of(0.01, 3, 2, 4);
  CHECK(measured.confirms(3));
  CHECK(measured.below(4));
}

TEST_CASE("a claim that is too low is as wrong as one that is too high") {
  const MeasuredOrder measured = of(1, 4, 1, 5);
  CHECK(measured.confirms(4));
  CHECK(measured.above(3));
  CHECK_FALSE(measured.confirms(3));
  CHECK_FALSE(measured.confirms(5));
}

TEST_CASE("what an iteration leaves is order 0, not a reason to look at longer steps") {
  const MeasuredOrder measured = of(1e-1, 4, 0, 5, 1e-8);
  CHECK(measured.agree);
  CHECK(measured.below(4));
}

TEST_CASE("a small part of low order, which only the finest steps show, is a finding") {
  const MeasuredOrder measured = measure_order({8, 512, 1e-12}, [](int steps) {
    const double h = 1.0 / steps;
    return 1e-6 * h + 100 * std::pow(h, 4);
  });
  CHECK(measured.agree);
  CHECK(measured.fine > 3.7);
  CHECK(measured.below(4));
  CHECK_FALSE(measured.confirms(4));
}

TEST_CASE("what is near rounding is no finding") {
  const MeasuredOrder measured = of(1, 4, 0, 5, 0.9e-12);
  CHECK(measured.confirms(4));
}

TEST_CASE("windows that do not agree confirm nothing, whatever they show on average") {
  int k = 0;
  const double slopes[] = {4.4, 3.6};
  double error = 1e-3;
  const MeasuredOrder measured = measure_order(range, [&](int) { return error *= std::exp2(-slopes[k++ % 2]); });
  CHECK_FALSE(measured.agree);
  CHECK_FALSE(measured.confirms(4));
}

TEST_CASE("rounding, divergence and failures are no windows") {
  const MeasuredOrder exact = measure_order(range, [](int) { return 1e-16; });
  CHECK(exact.windows == 0);
  CHECK_FALSE(exact.confirms(4));
  const MeasuredOrder late =
      measure_order(range, [](int steps) { return steps < 64 ? NAN : std::pow(1.0 / steps, 2); });
  CHECK(late.confirms(2));
  CHECK(late.windows == 7);
  CHECK_FALSE(measure_order(range, [](int) { return 1.0; }).confirms(0));
}

TEST_CASE("above order 6 one window is left of the errors") {
  const OrderRange short_range{4, 8, 1e-14};
  const auto error = [](int steps) { return std::pow(1.0 / steps, 8); };
  CHECK(measure_order(short_range, error).confirms(8));
  CHECK_FALSE(measure_order(short_range, error).confirms(9));
  CHECK_FALSE(measure_order({4, 8, 1e-14}, [](int steps) { return std::pow(1.0 / steps, 4); }).confirms(4));
}
