// Bounds of functions on intervals: they hold everywhere, and get close as intervals get narrow.
#include "trammel/extensions/function_bounds.h"

#include <algorithm>

#include "loaded_function.h"

namespace trammel {
namespace {

const char* const bounded[] = {
    "3",
    R"json({ "type": "polynomial", "coefficients": [1, -2, 0.5, 0.25, -0.1] })json",
    R"json({ "type": "harmonic", "amplitude": -2, "omega": -3, "phase": 0.4, "offset": 1 })json",
    R"json({ "type": "fourier", "cosines": [1, -0.5], "sines": [0.3, 0, 0.2], "omega": 2 })json",
    R"json({ "type": "chirp", "begin": 0.5, "end": 3, "begin_frequency": 0.2, "end_frequency": 2, "amplitude": -1.5 })json",
    R"json({ "type": "chirp", "begin": 0.5, "end": 3, "begin_frequency": 2, "end_frequency": 0.3, "sweep": "exponential" })json",
    R"json({ "type": "step", "begin": 1, "end": 3, "from": 0.5, "to": -2 })json",
    R"json({ "type": "bump", "begin": 1, "end": 2.5, "height": -3 })json",
    R"json({ "type": "disc_path", "centre": 2, "disc_radius": 0.5, "cylinder_radius": 0.4 })json",
    R"json({ "type": "expression", "formula": "exp(-t)*sin(4*t)" })json",
    R"json({ "type": "spline", "x": [-1, 0, 0.5, 2, 3], "y": [1, -1, 2, 0, 1], "outside": "linear" })json",
    R"json({ "type": "spline", "x": [0, 0.3, 0.7, 1.1], "y": [1, -1, 2, 1], "ends": "periodic" })json",
    R"json({ "type": "input", "name": "u", "value": 2 })json",
    R"json({ "type": "sum", "of": [{ "type": "harmonic", "omega": 5 }, { "type": "bump", "begin": 1, "end": 2, "height": 4 }],
         "weights": [-2, 0.5], "offset": 1 })json",
    R"json({ "type": "product", "of": [{ "type": "polynomial", "coefficients": [0, 1] }, { "type": "harmonic", "omega": 5 }],
         "factor": -2 })json",
    R"json({ "type": "piecewise", "breaks": [0.5, 1.5], "jumps": true, "local_argument": true,
         "pieces": [1, { "type": "harmonic", "omega": 9 }, { "type": "polynomial", "coefficients": [2, -1] }] })json",
    R"json({ "type": "piecewise", "breaks": [1], "continue_value": true, "pieces": [{ "type": "harmonic", "omega": 3 }, 7] })json",
    R"json({ "type": "integral", "of": { "type": "expression", "formula": "sin(3*t)" }, "from": -2, "until": 5 })json",
};

TEST_CASE("bounds hold at every argument and shrink with the interval") {
  for (const char* json : bounded) {
    CAPTURE(std::string(json));
    const LoadedFunction f(json);
    const FunctionBounds* bounds = find_extension<FunctionBounds>(*f);
    REQUIRE(bounds != nullptr);
    for (const double width : {4.7, 0.9, 0.1, 1e-3, 1e-6}) {
      for (double from = -1.37; from + width < 4.5; from += 0.237) {
        double range[2] = {0, 0}, least = INFINITY, most = -INFINITY;
        REQUIRE(bounds->bounds(from, from + width, range).ok());
        for (int k = 0; k <= 200; ++k) {
          const double x = from + width * k / 200, value = f(x);
          least = std::min(least, value), most = std::max(most, value);
        }
        CAPTURE(width);
        CAPTURE(from);
        CHECK(range[0] <= least + 1e-12);
        CHECK(range[1] >= most - 1e-12);
        CHECK(std::isfinite(range[1] - range[0]));
        if (width < 0.01) CHECK(range[1] - range[0] <= 3 * (most - least) + 50 * width);  // parts may cancel
      }
    }
  }
}

TEST_CASE("outside of a table nothing is known, of what is made of it neither") {
  const LoadedFunction f(
      R"json({ "type": "sum", "of": [1, { "type": "spline", "x": [0, 1, 2, 3], "y": [0, 1, 0, 1] }] })json");
  double range[2] = {0, 0};
  const FunctionBounds* bounds = find_extension<FunctionBounds>(*f);
  REQUIRE(bounds != nullptr);
  REQUIRE(bounds->bounds(-1, 1, range).ok());  // outside of the table
  CHECK(std::isinf(range[0]));
  CHECK(std::isinf(range[1]));
}

}  // namespace
}  // namespace trammel
