// What must stay the same: energy, the motion between planar and spatial models, momentum, the time's direction.
#include <doctest/doctest.h>

#include "table.h"

using namespace trammel;

namespace {

std::string method(const char* type, const char* rtol) {
  return std::string(R"(integrator={"type": ")") + type + R"(", "rtol": )" + rtol + R"(, "atol": )" + rtol + "}";
}

double energy_change(const Table& run) { return largest(shifted(run["energy.total"], -run["energy.total"].front())); }

}  // namespace

TEST_CASE("conservative examples keep their energy, the better the tighter the tolerance") {
  // Energies exchanged are between 0.3 J (slider-crank) and 170 kJ (heavy top).
  const struct {
    const char* name;
    double energy;
  } runs[] = {{"slider_crank", 3},    {"slider_crank_planar", 3},      {"planar_double_pendulum", 20},
              {"planar_four_bar", 5}, {"spatial_double_pendulum", 30}, {"heavy_top", 170e3}};
  for (const auto& run : runs) {
    CAPTURE(run.name);
    const double coarse = energy_change(results(example(run.name), {method("dopri5", "1e-5")}));
    const double fine = energy_change(results(example(run.name), {method("dopri853", "1e-12")}));
    CHECK(fine < 1e-9 * run.energy);
    CHECK(fine < coarse / 100);
  }
}

TEST_CASE("the same mechanism planar and spatial moves the same way") {
  const std::string tight = method("dopri853", "1e-12");
  SUBCASE("slider-crank") {
    const Table planar = results(example("slider_crank_planar"), {tight}),
                spatial = results(example("slider_crank"), {tight});
    // 10 s of motion at 1e-12 per step; nothing amplifies errors here.
    CHECK(difference(planar["crank.phi"], turn_about_z(spatial, "crank")) < 1e-9);
    CHECK(difference(planar["rod.phi"], turn_about_z(spatial, "rod")) < 1e-9);
    for (const char* name : {"rod.x", "rod.y", "rod.vx", "rod.vy", "slider.x", "slider.vx"}) {
      CAPTURE(name);
      CHECK(difference(planar[name], spatial[name]) < 1e-9);
    }
    // The planar angle is phi_j - phi_i as given, the spatial one counts from the initial configuration.
    CHECK(difference(planar["pin.angle"], shifted(spatial["pin.angle"], std::asin(5.0 / 6))) < 1e-9);
    CHECK(difference(planar["pin.force.x"], spatial["pin.force.x"]) < 1e-7);
    CHECK(difference(planar["pin.force.y"], spatial["pin.force.y"]) < 1e-7);
    CHECK(largest(spatial["rod.z"]) < 1e-12);
  }
  SUBCASE("slide and pendulum") {
    const Table planar = results(plugin_case("constraints/translational", "translational_planar"), {tight});
    const Table spatial = results(plugin_case("constraints/translational", "translational"), {tight});
    // The spatial model lies in the x-z plane; its hinge about y turns the other way round.
    CHECK(difference(planar["slide.x"], spatial["slide.x"]) < 1e-9);
    CHECK(difference(planar["bob.x"], spatial["bob.x"]) < 1e-9);
    CHECK(difference(planar["bob.y"], spatial["bob.z"]) < 1e-9);
    CHECK(difference(planar["guide.displacement"], spatial["guide.displacement"]) < 1e-9);
    Column turned = spatial["hinge.angle"];
    for (double& angle : turned) angle = -angle;
    CHECK(difference(planar["hinge.angle"], turned) < 1e-9);
  }
}

TEST_CASE("formulations agree with each other") {
  const std::string tight = method("dopri853", "1e-12");
  const Table projected = results(example("spatial_double_pendulum"), {tight, "analysis.duration=2"});
  for (const char* formulation :
       {R"(formulation={"type": "direct"})", R"(formulation={"type": "baumgarte", "alpha": 5})"}) {
    CAPTURE(formulation);
    const Table run = results(example("spatial_double_pendulum"), {tight, "analysis.duration=2", formulation});
    for (const char* name : {"tip.x", "tip.y", "tip.z", "tip.vx", "elbow.angle"}) {
      CAPTURE(name);
      CHECK(difference(run[name], projected[name]) < 1e-8);
    }
  }
}

TEST_CASE("linear solvers agree with each other") {
  const Table range_space = results(example("spatial_double_pendulum"), {"analysis.solver=range_space"});
  const Table dense = results(example("spatial_double_pendulum"), {"analysis.solver=dense"});
  for (const std::string& name : range_space.names()) {
    if (name == "step" || name.rfind("constraint", 0) == 0) continue;
    CAPTURE(name);
    // Rounding only, but both take their own steps of tolerance 1e-8; reactions in N reach some tens.
    CHECK(difference(range_space[name], dense[name]) < 1e-5);
  }
}

TEST_CASE("a free body keeps its momentum, angular momentum and energy") {
  const Table run = results(plugin_case("systems/spatial", "spatial"), {method("dopri853", "1e-12")});
  CHECK(energy_change(run) < 1e-9);
  CHECK(difference(run, "racket.z", [](double t) { return t; }) < 1e-10);
  const double J[3][3] = {{0.0012, 0.0002, 0}, {0.0002, 0.0155, 0}, {0, 0, 0.0167}};
  double first[3] = {}, worst = 0, middle_least = 10;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double e0 = run["racket.e0"][i], e[3] = {run["racket.e1"][i], run["racket.e2"][i], run["racket.e3"][i]};
    const double w[3] = {run["racket.wx"][i], run["racket.wy"][i], run["racket.wz"][i]};
    // A = (e0^2 - e.e) I + 2 e e^T + 2 e0 e~
    const double diagonal = e0 * e0 - e[0] * e[0] - e[1] * e[1] - e[2] * e[2];
    const double tilde[3][3] = {{0, -e[2], e[1]}, {e[2], 0, -e[0]}, {-e[1], e[0], 0}};
    double A[3][3], body[3] = {}, momentum[3] = {}, H[3] = {};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) A[r][c] = (r == c ? diagonal : 0) + 2 * e[r] * e[c] + 2 * e0 * tilde[r][c];
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) body[r] += A[c][r] * w[c];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) momentum[r] += J[r][c] * body[c];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) H[r] += A[r][c] * momentum[c];
    for (int r = 0; r < 3; ++r) {
      if (i == 0) first[r] = H[r];
      worst = std::max(worst, std::abs(H[r] - first[r]));
    }
    middle_least = std::min(middle_least, body[1]);
  }
  CHECK(worst < 1e-11);
  CHECK(middle_least < -9);  // it has flipped over: the test has seen a rotation worth the name
}
