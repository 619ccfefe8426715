// Error norms with masks and tolerances per component, and what the controllers propose.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "run/stepping/step_size.h"

using namespace trammel;

namespace {
StepControlOptions options(ControllerType type) {
  StepControlOptions chosen{};
  chosen.step = chosen.initial_step = chosen.min_step = chosen.max_step = left_out();
  chosen.norm = ErrorNorm::rms, chosen.controller = type;
  chosen.defect_control = DefectMode::off;
  chosen.safety = 0.9, chosen.min_factor = 0.2, chosen.max_factor = 5;
  return chosen;
}
}  // namespace

TEST_CASE("masked components do not count, in either norm") {
  const double rtol = 0, atol[] = {1e-3, 1e-2, 1e-3};
  const double error[] = {2e-3, 1e-2, 5.0}, y[] = {0, 0, 0}, mask[] = {1, 1, 0};
  ErrorMeasure rms({{&rtol, 1}, {atol, 3}, false}, 3), max({{&rtol, 1}, {atol, 3}, true}, 3);
  CHECK(rms.norm({error, 3}, {y, 3}, {y, 3}, {mask, 3}) == doctest::Approx(std::sqrt((4.0 + 1.0) / 2)));
  CHECK(max.norm({error, 3}, {y, 3}, {y, 3}, {mask, 3}) == doctest::Approx(2.0));
  CHECK(rms.dominant({error, 3}, {y, 3}, {y, 3}, {mask, 3}) == 0);
}

TEST_CASE("the weight uses the larger of both ends") {
  const double rtol = 0.1, atol = 0;
  const double error[] = {1.0}, y0[] = {-5}, y1[] = {2}, mask[] = {1};
  ErrorMeasure measure({{&rtol, 1}, {&atol, 1}, false}, 1);
  CHECK(measure.norm({error, 1}, {y0, 1}, {y1, 1}, {mask, 1}) == doctest::Approx(2.0));
}

TEST_CASE("a NaN in the error is never tolerated") {
  const double rtol = 0, atol = 1, mask[] = {1, 1}, y[] = {0, 0};
  const double error[] = {std::numeric_limits<double>::quiet_NaN(), 0};
  for (bool largest : {false, true}) {
    ErrorMeasure measure({{&rtol, 1}, {&atol, 1}, largest}, 2);
    CHECK(!(measure.norm({error, 2}, {y, 2}, {y, 2}, {mask, 2}) <= 1));
  }
}

TEST_CASE("the I controller follows safety * err^(-1/(q+1)) within its bounds, and does not grow after a rejection") {
  StepController controller(options(ControllerType::i), 4);
  CHECK(controller.accepted(1.0, 0.5) == doctest::Approx(0.9 * std::pow(0.5, -0.2)));
  CHECK(controller.accepted(1.0, 1e-30) == doctest::Approx(5));
  CHECK(controller.rejected(1.0, 32.0) == doctest::Approx(0.9 * 0.5));
  CHECK(controller.accepted(0.5, 1e-8) == doctest::Approx(0.5));
  CHECK(controller.accepted(0.5, 1e-30) == doctest::Approx(2.5));
  CHECK(controller.rejected(1.0, 1e30) == doctest::Approx(0.2));
}

TEST_CASE("the PI controller damps: a falling error lets the step grow less than the I rule does") {
  StepController pi(options(ControllerType::pi), 4), i(options(ControllerType::i), 4);
  pi.accepted(1.0, 0.9), i.accepted(1.0, 0.9);
  const double falling = pi.accepted(1.0, 0.1);
  CHECK(falling == doctest::Approx(0.9 * std::pow(0.1, -0.7 / 5) * std::pow(0.9, 0.4 / 5)));
  CHECK(falling < i.accepted(1.0, 0.1));
}
