// Rows that hold for velocities only: rolling discs against steady circles in closed form and against the disc's own
// equations in Euler angles, under every formulation and method that carries them, with orders; and at rest on a slope.
#include "rolling_disc.h"

#include <doctest/doctest.h>

#include "reference_error.h"
#include "table.h"

using namespace trammel;

namespace {

constexpr const char* projection = R"(formulation={"type": "projection"})";
constexpr const char* partitioned = R"(formulation={"type": "coordinate_partitioning"})";
constexpr const char* baumgarte = R"(formulation={"type": "baumgarte", "alpha": 20})";
constexpr const char* direct = R"(formulation={"type": "direct"})";
constexpr const char* hybrid = R"(formulation={"type": "hybrid"})";
constexpr const char* index_3 = "formulation=null";
constexpr const char* tight = R"(integrator={"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";

constexpr const char* index_3_steps = R"(integrator={"type": "radau_iia", "control": "fixed", "step": 0.00125})";

/// The disc's inclination and rate of precession: three turns in 10 s, and stable.
constexpr double theta = 1.0, W = 2.0;

/// Largest distance of positions, velocities and orientations from the steady circle, and of the energy from its start.
struct Errors {
  double motion = 0, energy = 0, slip = 0;
};
Errors of_steady_circle(const Disc& disc, const Table& run) {
  const double spin = disc.steady_spin(theta, W), radius = disc.R * spin / W;
  const double own = spin - W * std::cos(theta);  // rotation about the axis, beside the precession
  Errors errors;
  const Column& t = run["t"];
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double phi = W * t[i], psi = own * t[i];
    const auto see = [&](const char* column, double exact) {
      errors.motion = std::max(errors.motion, std::abs(run[column][i] - exact));
    };
    // The centre's velocity is -R spin (-sin(phi), cos(phi), 0).
    see("disc.x", -radius * (std::cos(phi) - 1));
    see("disc.y", -radius * std::sin(phi));
    see("disc.z", disc.R * std::sin(theta));
    see("disc.vx", disc.R * spin * std::sin(phi));
    see("disc.vy", -disc.R * spin * std::cos(phi));
    // p of R_z(phi) R_y(theta) R_z(psi).
    const double c = std::cos(theta / 2), s = std::sin(theta / 2), sum = (phi + psi) / 2, rest = (phi - psi) / 2;
    const double p[4] = {c * std::cos(sum), -s * std::sin(rest), s * std::cos(rest), c * std::sin(sum)};
    double same = 0, turned = 0;  // p and -p are one orientation
    const char* const names[4] = {"disc.e0", "disc.e1", "disc.e2", "disc.e3"};
    for (int k = 0; k < 4; ++k) {
      same = std::max(same, std::abs(run[names[k]][i] - p[k]));
      turned = std::max(turned, std::abs(run[names[k]][i] + p[k]));
    }
    errors.motion = std::max(errors.motion, std::min(same, turned));
    errors.energy = std::max(errors.energy, std::abs(run["energy.total"][i] - run["energy.total"][0]));
    errors.slip = std::max(errors.slip, std::abs(run["constraint.velocity"][i]));
  }
  return errors;
}

std::string steady(const Disc& disc) {
  return disc.run_file(theta, -W * std::sin(theta), 0, disc.steady_spin(theta, W));
}

}  // namespace

TEST_CASE("steady circles of a rolling disc: closed form over 10 s, energy kept") {
  const Disc disc;
  const struct {
    const char *name, *formulation, *integrator;
    double energy;
  } ways[] = {{"projection", projection, tight, 1e-10}, {"partitioning", partitioned, tight, 1e-10},
              {"hybrid", hybrid, tight, 1e-8},          {"baumgarte", baumgarte, tight, 1e-8},
              {"direct", direct, tight, 1e-8},          {"radau_iia, index 3", index_3, index_3_steps, 1e-10}};
  for (const auto& way : ways) {
    CAPTURE(way.name);
    const Errors errors = of_steady_circle(disc, results_of(steady(disc), {way.formulation, way.integrator}));
    MESSAGE(std::string(way.name) << ": motion " << errors.motion << ", energy " << errors.energy << ", slip "
                                  << errors.slip);
    CHECK(errors.motion < 1e-8);
    CHECK(errors.energy < way.energy);
    CHECK(errors.slip < 1e-8);
  }
}

TEST_CASE("a disc that wobbles: its equations in Euler angles") {
  const Disc disc;
  const double lean = 0.6;  // beside the steady circle
  const Disc::State start{theta, 0, 0, 0, 0, -W * std::sin(theta), lean, disc.steady_spin(theta, W)};
  constexpr double duration = 5;
  const Disc::State end = disc.integrate(start, duration, 40000);
  CHECK(std::abs(disc.energy(end) - disc.energy(start)) < 1e-11);
  const double slowest = std::abs(end[0] - theta);
  CHECK(slowest > 1e-3);  // it does wobble
  for (const char* formulation : {projection, partitioned, hybrid, baumgarte, index_3}) {
    CAPTURE(formulation);
    const bool bare = formulation == index_3;
    const Table run =
        results_of(disc.run_file(theta, start[5], lean, start[7]),
                   {formulation, bare ? index_3_steps : tight, R"(analysis={"type": "dynamics", "duration": 5})"});
    const std::size_t last = run.rows() - 1;
    double error = 0;
    error = std::max(error, std::abs(run["disc.x"][last] - end[3]));
    error = std::max(error, std::abs(run["disc.y"][last] - end[4]));
    error = std::max(error, std::abs(run["disc.z"][last] - disc.R * std::sin(end[0])));
    error = std::max(error, std::abs(run["floor.inclination"][last] - end[0]));
    // w = a d + b h + s u in global axes
    const double st = std::sin(end[0]), ct = std::cos(end[0]), c = std::cos(end[1]), n = std::sin(end[1]);
    const double across = end[5] * ct + end[7] * st;
    error = std::max(error, std::abs(run["disc.wx"][last] - (across * c - end[6] * n)) * disc.R);
    error = std::max(error, std::abs(run["disc.wy"][last] - (across * n + end[6] * c)) * disc.R);
    error = std::max(error, std::abs(run["disc.wz"][last] - (-end[5] * st + end[7] * ct)) * disc.R);
    MESSAGE(std::string(formulation) << ": " << error);
    CHECK(noted("spatial rolling_disc", "wobbling coin, in Euler angles", error) < 1e-7);
  }
}

TEST_CASE("fixed steps: methods that impose the rows at the end of a step keep their order") {
  const Disc disc;
  const struct {
    const char *name, *keys;
    double order, step;
  } methods[] = {{"newmark", R"("type": "newmark")", 2, 0.002},
                 {"hht", R"("type": "hht", "alpha": -0.1)", 2, 0.002},
                 {"generalized_alpha", R"("type": "generalized_alpha")", 2, 0.002},
                 {"radau_iia", R"("type": "radau_iia", "control": "fixed")", 5, 0.01}};
  for (const auto& method : methods) {
    CAPTURE(method.name);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      char integrator[200];
      std::snprintf(integrator, sizeof integrator, "integrator={%s, \"step\": %.9g}", method.keys,
                    method.step / (1 << k));
      const Errors errors = of_steady_circle(
          disc, results_of(steady(disc), {index_3, integrator, R"(analysis={"type": "dynamics", "duration": 2})",
                                          "output.step=0.1"}));
      error[k] = errors.motion;
    }
    const double order = std::log2(error[0] / error[1]);
    MESSAGE(std::string(method.name) << ": " << error[0] << ", order " << order);
    CHECK(order > method.order - 0.2);
    CHECK(error[0] < 0.01);
  }
}
