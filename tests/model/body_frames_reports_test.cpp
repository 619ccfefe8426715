// Elements beside and on bodies that deform (acme.modal): what they offer beyond their forces and rows is not lost.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "loaded_model.h"
#include "model/model_drawing.h"
#include "model/start_rows.h"
#include "model/static_energy.h"
#include "trammel/extensions/static_potential.h"
#include "trammel/extensions/unbounded_laws.h"

namespace trammel {
namespace {

/// A free beam with points, two rigid bodies, and these elements.
struct Beside {
  Beside(const std::string& constraints, const std::string& forces)
      : run(load_run_file(system_file(R"("type": "acme.modal", "gravity": [0, 0], "bodies": {
      "beam": { "type": "beam", "ends": "free", "mass": 1, "length": 1.2, "bending_stiffness": 3, "angle": 0.4,
                "deflection": 0.05 },
      "left": { "mass": 0.5, "inertia": 0.01, "position": [-0.8, -0.5] },
      "right": { "mass": 0.3, "inertia": 0.02, "position": [0.7, 0.6] } },
    "points": { "a": { "body": "beam", "point": [-0.6, 0] }, "b": { "body": "beam", "point": [0.6, 0] } },
    "constraints": {)" + constraints + R"(}, "forces": {)" +
                                      forces + "}"))),
        host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"},
              {std::string(TRAMMEL_BUILD_DIR) + "/tests/body_frames", "test"}}),
        model(run, host),
        numbers(model),
        q(model.q0()),
        v(q.size(), 0.0) {
    at(0);
  }
  /// The start, moved by `amount` in all coordinates.
  void at(double amount, std::size_t column = static_cast<std::size_t>(-1)) {
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = model.q0()[i] + 0.02 * std::sin(3.0 * static_cast<double>(i)) + (i == column ? amount : 0.0);
    REQUIRE(numbers.evaluate(0, LoadedModel::view(q), LoadedModel::view(v), {}, evaluate_Phi | evaluate_dynamics));
  }
  const ForceSlot& force() const { return numbers.assembly().forces.front(); }
  template <class Extension>
  const Extension* offered() const {
    return find_extension<Extension>(*force().force);
  }

  RunFile run;
  PluginHost host;
  Model model;
  ConstrainedModel numbers;
  std::vector<double> q, v;
};

}  // namespace

TEST_CASE("dry friction is known beside and on bodies that deform") {
  for (const char* bodies : {R"(["left", "right"])", R"(["a", "right"])"}) {
    CAPTURE(bodies);
    const Beside x("", R"("f": { "type": "tsda", "bodies": )" + std::string(bodies) + R"(, "friction": 2 })");
    REQUIRE(x.offered<DryFriction>() != nullptr);
    CHECK(x.offered<DryFriction>()->dry_friction());
    const std::vector<std::string> rubbing = dry_friction_forces(x.numbers);
    REQUIRE(rubbing.size() == 1);
    CHECK(rubbing[0] == "force 'f' (type 'tsda')");
  }
}

TEST_CASE("laws without bounds are known beside bodies that deform") {
  const Beside x("", R"("f": { "type": "point_gravity", "bodies": ["left", "right"] })");
  CHECK(x.offered<UnboundedLaws>() != nullptr);
}

TEST_CASE("the potential of a constant force on a frame follows the frame") {
  Beside x("", R"("f": { "type": "applied_force", "body": "b", "force": [1, 2] })");
  REQUIRE(x.offered<StaticPotential>() != nullptr);
  const auto potential = [&] {
    double value = 0;
    REQUIRE(x.offered<StaticPotential>()->static_potential(x.numbers.point().element_state(x.force()), value));
    return value;
  };
  // The force itself: Q holds the beam's own as well.
  std::vector<double> force(static_cast<std::size_t>(x.numbers.assembly().body_coordinates()), 0.0);
  const VectorView local = LoadedModel::view(force);
  REQUIRE(x.force().force->force(x.numbers.point().element_state(x.force()), &local));
  for (std::size_t column = 0; column < force.size(); ++column) {
    CAPTURE(column);
    const double h = 1e-4;
    x.at(h, column);
    const double ahead = potential();
    x.at(-h, column);
    const double behind = potential();
    CHECK(-(ahead - behind) / (2 * h) == doctest::Approx(force[column]).epsilon(1e-6));
  }
  x.at(0);
  CHECK(nonconservative_forces(x.numbers, 0, LoadedModel::view(x.q)).empty());
}

TEST_CASE("coordinates of joints at frames have names and gradients") {
  Beside x(R"("pin": { "type": "revolute", "bodies": ["b", "right"], "at": [0.6, 0.3] })", "");
  StartRow row(x.numbers, "pin.angle");
  double value = 0;
  std::vector<RowEntry> gradient, ignored;
  REQUIRE(row.evaluate(x.numbers, value, gradient));
  std::vector<double> dense(x.q.size(), 0.0);
  for (const RowEntry& entry : gradient) dense[static_cast<std::size_t>(entry.column)] += entry.value;
  for (std::size_t column = 0; column < x.q.size(); ++column) {
    CAPTURE(column);
    const double h = 1e-4;
    double ahead = 0, behind = 0;
    x.at(h, column);
    REQUIRE(row.evaluate(x.numbers, ahead, ignored));
    x.at(-h, column);
    REQUIRE(row.evaluate(x.numbers, behind, ignored));
    CHECK(std::abs((ahead - behind) / (2 * h) - dense[column]) < 1e-7);
  }
  CHECK(dense[9] == doctest::Approx(-dense[2]));  // turning all bodies together leaves the angle as it is
}

TEST_CASE("elements on frames are drawn where the frame is fixed in its body") {
  const Beside x("", R"("f": { "type": "tsda", "bodies": ["b", "right"], "point_i": [0.02, 0.01], "stiffness": 1 })");
  const ModelDrawing drawing = drawing_of(x.model);
  REQUIRE(drawing.forces.size() == 1);
  CHECK(drawing.forces[0].symbol == Symbol::spring);
  REQUIRE(drawing.forces[0].points[0].has_value());
  CHECK((*drawing.forces[0].points[0])[0] == doctest::Approx(0.62));
  CHECK((*drawing.forces[0].points[0])[1] == doctest::Approx(0.01));
}

}  // namespace trammel
