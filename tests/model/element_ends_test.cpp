// Element ends by the names of points: the same model as with coordinates, and clear refusals.
#include <doctest/doctest.h>

#include "loaded_model.h"
#include "refusal.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

const SimulationOptions built{{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}};

std::filesystem::path pendulum(const std::string& end_i, const std::string& end_j) {
  return temporary_run_file(R"({"trammel": 1, "system": {"type": "spatial", "gravity": [0, 0, -9.81],
    "bodies": {"bob": {"mass": 1, "inertia": [0.1, 0.2, 0.25], "position": [1, 0.5, 0.25]}},
    "points": {"hook": {"body": "ground", "point": [0, 0.25, 0.5]}, "eye": {"body": "bob", "point": [-0.2, 0.1, 0]}},
    "constraints": {"rod": {"type": "distance", "bodies": ["ground", "bob"], "point_i": )" +
                            end_i + R"(, "point_j": )" + end_j + R"(}}},
    "analysis": {"type": "dynamics", "duration": 0.2}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"}})");
}

std::string refusal_of(const std::filesystem::path& file) {
  return refusal([&] { Simulation simulation(file, built); });
}

}  // namespace

TEST_CASE("a named point is the same end as its coordinates") {
  Simulation numbers(pendulum("[0, 0.25, 0.5]", "[-0.2, 0.1, 0]"), built);
  numbers.run();
  Simulation names(pendulum(R"("hook")", R"("eye")"), built);
  names.run();
  for (Index i = 0; i < numbers.positions().size; ++i) CHECK(names.positions()[i] == numbers.positions()[i]);
}

TEST_CASE("a point of another body, or none at all, is refused at its key") {
  const std::string swapped = refusal_of(pendulum(R"("eye")", "[-0.2, 0.1, 0]"));
  CHECK(swapped.find("/system/constraints/rod/point_i: the point 'eye' is not on 'ground', to which 'point_i' belongs "
                     "here") != std::string::npos);
  const std::string unknown = refusal_of(pendulum(R"("hock")", "[-0.2, 0.1, 0]"));
  CHECK(unknown.find("there is no point 'hock'; did you mean 'hook'?") != std::string::npos);
}
