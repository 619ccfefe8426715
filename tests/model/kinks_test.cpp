// Windows between the points where laws switch: depths inside, signs outside, directions, arguments that rest on a point.
#include "model/kinks.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "loaded_model.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

/// A body on the x axis, held by a spring from the origin: the length is x.
struct OnSpring {
  explicit OnSpring(const std::string& law, const std::vector<std::string>& changing = {})
      : loaded(system_file(R"("type": "planar",
          "bodies": { "m": { "mass": 1, "inertia": 1, "position": [1.4, 0] } },
          "forces": { "law": { "type": "tsda", "bodies": ["ground", "m"], )" +
                           law + R"( } })")),
        kinks(*loaded.model.assembly(), changing),
        values(kinks.count()),
        notes(Kinks::notes_each * kinks.count()) {}

  /// The kink of that name.
  std::size_t find(const char* name) const {
    for (std::size_t i = 0; i < kinks.count(); ++i) {
      if (std::strcmp(kinks.name(i), name) == 0) return i;
    }
    FAIL("no such kink");
    return 0;
  }
  void look(double x) {
    loaded.q[0] = x;
    REQUIRE(loaded.evaluate(0u));
    kinks.evaluate(loaded.numbers, values.data(), notes.data());
  }
  double at(double x, const char* name = "break_point") {
    look(x);
    return values[find(name)];
  }
  void begin_step(double x) {
    look(x);
    kinks.begin_step(values.data(), notes.data());
  }

  LoadedModel loaded;
  Kinks kinks;
  std::vector<double> values, notes;
};

const char* const steps = R"("spring": { "type": "piecewise", "breaks": [1, 2, 3], "jumps": true,
    "pieces": [1, 2, 5, 3] })";
constexpr double within = 1e-10;

}  // namespace

TEST_CASE("inside a window the function is the distance to the nearer point, outside it is negative") {
  OnSpring spring(steps);
  const std::size_t i = spring.find("break_point");
  CHECK(spring.kinks.element(i) == "law");
  spring.begin_step(1.4);
  CHECK(std::abs(spring.values[i] - 0.4) < within);
  CHECK(std::abs(spring.at(1.2) - 0.2) < within);
  CHECK(std::abs(spring.at(1.9) - 0.1) < within);
  struct Outside {
    double x, depth;
    int direction;
  };
  // However many points were passed.
  for (const Outside& o : {Outside{2.5, 0.5, 1}, {3.7, 1.7, 1}, {0.9, 0.1, -1}, {0.3, 0.7, -1}}) {
    CAPTURE(o.x);
    CHECK(std::abs(spring.at(o.x) + o.depth) < within);
    CHECK(spring.kinks.direction(i) == o.direction);
  }
}

TEST_CASE("a step that begins beyond a point has the window there; the last windows end nowhere") {
  OnSpring spring(steps);
  const std::size_t i = spring.find("break_point");
  spring.begin_step(1.4);
  spring.begin_step(2.3);
  CHECK(std::abs(spring.values[i] - 0.3) < within);
  CHECK(std::abs(spring.at(2.9) - 0.1) < within);
  CHECK(spring.at(1.9) < 0);
  CHECK(spring.kinks.direction(i) == -1);
  spring.begin_step(3.5);
  CHECK(std::abs(spring.values[i] - 0.5) < within);
  CHECK(spring.at(1e6) > 0);
  spring.begin_step(0.6);
  CHECK(std::abs(spring.values[i] - 0.4) < within);
  CHECK(spring.at(0.01) > 0);
}

TEST_CASE("arguments that reach a point by rounding only have not passed it") {
  OnSpring spring(steps);
  const std::size_t i = spring.find("break_point");
  spring.begin_step(1.4);
  for (const double x : {2 - 1e-13, 2.0, 2 + 1e-13}) {
    CAPTURE(x);
    CHECK(spring.at(x) > 0);
    spring.begin_step(x);
    CHECK(spring.values[i] > 0);
    CHECK(spring.at(2.1) < 0);  // the window is still the one below 2
    CHECK(spring.at(1.9) > 0);
  }
  CHECK(spring.at(2 + 1e-10) < 0);
}

TEST_CASE("before the first step nothing can be passed") {
  OnSpring spring(steps);
  for (const double x : {0.5, 1.5, 2.5}) CHECK(spring.at(x) > 0);
}

TEST_CASE("knots at which only the third derivative jumps lie inside windows, two on either side") {
  OnSpring spring(R"("spring": { "type": "spline", "x": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      "y": [0, 1, 0, 2, 0, 3, 1, 4, 1, 5, 9, 2] })");
  // Natural or not, the knots 3 to 8 have such a jump. From 5.5 the third one down is 3, the third one up is 8.
  std::size_t smooth = spring.kinks.count();
  spring.begin_step(5.5);
  for (std::size_t i = 0; i < spring.kinks.count(); ++i) {
    if (std::abs(spring.values[i] - 2.5) < within) smooth = i;
  }
  REQUIRE(smooth < spring.kinks.count());
  CHECK(std::strcmp(spring.kinks.name(smooth), "break_point") == 0);
  spring.at(7.9);
  CHECK(std::abs(spring.values[smooth] - 0.1) < within);
  spring.at(8.2);
  CHECK(std::abs(spring.values[smooth] + 0.2) < within);
  spring.begin_step(6.25);  // from here 4 and 9, whether the window was left or not
  CHECK(std::abs(spring.values[smooth] - 2.25) < within);
}

TEST_CASE("a spring that only pushes switches at its free length, in the direction in which its force passes zero") {
  OnSpring spring(R"("stiffness": 50, "free_length": 1.2, "one_sided": "compression")");
  const std::size_t i = spring.find("one_sided");
  spring.begin_step(1.1);
  CHECK(spring.values[i] > 0);
  CHECK(spring.at(1.19, "one_sided") > 0);
  CHECK(spring.at(1.21, "one_sided") < 0);
  const int lost = spring.kinks.direction(i);
  spring.begin_step(1.3);
  CHECK(spring.at(1.21, "one_sided") > 0);
  CHECK(spring.at(1.19, "one_sided") < 0);
  CHECK(spring.kinks.direction(i) == -lost);
}

TEST_CASE("forces that may change have room for other switches, and are refused where that does not suffice") {
  const std::size_t own = OnSpring(steps).kinks.count();
  OnSpring spring(steps, {"law"});
  CHECK(spring.kinks.count() > own);
  spring.begin_step(1.4);
  const std::size_t i = spring.find("break_point");
  for (std::size_t k = own; k < spring.kinks.count(); ++k) CHECK(spring.values[k] > 0);
  spring.kinks.rebuild();
  CHECK(spring.at(2.5) > 0);  // no step has begun since
  spring.begin_step(2.5);
  CHECK(spring.at(1.5) < 0);
  CHECK(spring.kinks.direction(i) == -1);
}
