// System `linear` against closed forms: modes, damping, gyroscopic coupling, forced motion; its derivatives; what it
// refuses.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <fstream>

#include "finished_run.h"
#include "refusal.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/system.h"

using namespace trammel;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// A run file of a linear system over `duration` seconds, integrated to rounding.
std::string run_text(const std::string& system, double duration) {
  return R"({"trammel": 1, "system": {"type": "linear", )" + system + R"(},
    "analysis": {"type": "dynamics", "duration": )" +
         std::to_string(duration) + R"(},
    "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13}})";
}

const char* const chain = R"("coordinates": ["a", "b", "c"], "mass": [1, 2, 1.5],
    "stiffness": [700, -300, 0, -300, 500, -200, 0, -200, 600],
    "position": [0.1, 0, -0.2], "velocity": [0, 1, 0])";

Matrix chain_mass() { return Eigen::Vector3d(1, 2, 1.5).asDiagonal(); }
Matrix chain_stiffness() {
  Matrix K(3, 3);
  K << 700, -300, 0, -300, 500, -200, 0, -200, 600;
  return K;
}

std::string message(const std::string& system) {
  const std::filesystem::path file = temporary_run_file(run_text(system, 1));
  const std::string text = refusal([&] {
    Simulation simulation(file, {{}, {std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
    simulation.run();
  });
  const std::size_t at = text.find("/system");
  return at == std::string::npos ? text : text.substr(at);
}

}  // namespace

TEST_CASE("undamped chain: the sum of its modes, and the energy they have") {
  const double t = 2;
  FinishedRun run(temporary_run_file(run_text(chain, t)));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(chain_stiffness(), chain_mass());
  const Matrix shapes = modes.eigenvectors();  // shapes^T M shapes = 1
  const Vector p = shapes.transpose() * chain_mass() * Eigen::Vector3d(0.1, 0, -0.2);
  const Vector p_dot = shapes.transpose() * chain_mass() * Eigen::Vector3d(0, 1, 0);
  Vector modal(3);
  double energy = 0;
  for (int k = 0; k < 3; ++k) {
    const double omega = std::sqrt(modes.eigenvalues()[k]);
    modal[k] = p[k] * std::cos(omega * t) + p_dot[k] / omega * std::sin(omega * t);
    energy += (p_dot[k] * p_dot[k] + omega * omega * p[k] * p[k]) / 2;
  }
  const Vector x = shapes * modal;
  const double tolerance = 1e-10;  // of the run's 1e-12 per step
  CHECK(std::abs(run.channel("a") - x[0]) < tolerance);
  CHECK(std::abs(run.channel("b") - x[1]) < tolerance);
  CHECK(std::abs(run.channel("c") - x[2]) < tolerance);
  CHECK(run.channel("energy.total") == doctest::Approx(energy).epsilon(1e-9));
}

TEST_CASE("damped and forced oscillator") {
  const double m = 2, c = 1.2, k = 50, F = 3, w = 4, t = 3;
  FinishedRun run(temporary_run_file(run_text(
      R"("coordinates": ["x"], "mass": 2, "damping": 1.2, "stiffness": 50,
         "load": [{"type": "harmonic", "amplitude": 3, "omega": 4}], "position": 0.1)",
      t)));
  const double omega = std::sqrt(k / m), zeta = c / (2 * m * omega), damped = omega * std::sqrt(1 - zeta * zeta);
  // Steady part Im(X e^{iwt}), X = F / (k - m w^2 + i c w); the free part carries the rest of the start.
  const std::complex<double> X = F / std::complex<double>(k - m * w * w, c * w);
  const auto steady = [&](double s) { return std::imag(X * std::polar(1.0, w * s)); };
  const auto steady_rate = [&](double s) { return w * std::real(X * std::polar(1.0, w * s)); };
  const double A = 0.1 - steady(0), B = (-steady_rate(0) + zeta * omega * A) / damped;
  const double x = steady(t) + std::exp(-zeta * omega * t) * (A * std::cos(damped * t) + B * std::sin(damped * t));
  CHECK(std::abs(run.channel("x") - x) < 1e-11);
}

TEST_CASE("gyroscopic coupling: z'' - i g z' + k z = 0") {
  const double g = 3, k = 20, t = 2;
  FinishedRun run(temporary_run_file(run_text(
      R"("coordinates": ["x", "y"], "mass": [1, 1], "damping": [0, 3, -3, 0], "stiffness": [20, 20], "position": [1, 0])",
      t)));
  const double split = std::sqrt(g * g + 4 * k), fast = (g + split) / 2, slow = (g - split) / 2;
  const std::complex<double> z = (fast * std::polar(1.0, slow * t) - slow * std::polar(1.0, fast * t)) / split;
  CHECK(std::abs(run.channel("x") - z.real()) < 1e-11);
  CHECK(std::abs(run.channel("y") - z.imag()) < 1e-11);
  CHECK(run.channel("energy.total") == doctest::Approx(10).epsilon(1e-10));  // gyroscopic forces do no work
}

TEST_CASE("derivatives, implicit solve and the bound of the frequencies") {
  const RunFile run = load_run_file(temporary_run_file(run_text(
      R"("coordinates": ["x", "y"], "mass": [2, 1, 1, 3], "damping": [0.3, 0.1, -0.2, 0.5], "stiffness": [40, -7, -7, 90],
         "load": [0, {"type": "harmonic", "amplitude": 2, "omega": 5}])",
      1)));
  PluginHost host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}});
  Model model(run, host);
  SecondOrderSystem& view = *model.system().second_order();
  Matrix M(2, 2), C(2, 2), K(2, 2);
  M << 2, 1, 1, 3;
  C << 0.3, 0.1, -0.2, 0.5;
  K << 40, -7, -7, 90;
  const double t = 0.2;
  const Vector x = Eigen::Vector2d(0.3, -0.1), v = Eigen::Vector2d(1, 2), r = Eigen::Vector2d(0.7, -0.4);
  const auto in = [](const Vector& y) { return ConstVectorView{y.data(), 2}; };
  Vector a(2), out(2);
  REQUIRE(view.acceleration(t, in(x), in(v), {a.data(), 2}).ok());
  const Vector f = Eigen::Vector2d(0, 2 * std::sin(5 * t));
  CHECK((M * a + C * v + K * x - f).norm() < 1e-13);
  REQUIRE(view.linearize(t, in(x), in(v)).ok());
  REQUIRE(view.apply_J1(in(r), {out.data(), 2}).ok());
  CHECK((out + K * r).norm() < 1e-13);
  REQUIRE(view.apply_J2(in(r), {out.data(), 2}).ok());
  CHECK((out + C * r).norm() < 1e-13);
  REQUIRE(view.time_gradient({out.data(), 2}).ok());
  CHECK((out - Eigen::Vector2d(0, 10 * std::cos(5 * t))).norm() < 1e-13);
  REQUIRE(view.prepare(0.02, 0.3).ok());
  REQUIRE(view.solve(in(r), {out.data(), 2}).ok());
  CHECK(((M + 0.3 * C + 0.02 * K) * out - r).norm() < 1e-13);

  const auto* bound = find_extension<FrequencyBound>(model.system());
  REQUIRE(bound != nullptr);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(K, M);
  CHECK(bound->highest_frequency() == doctest::Approx(std::sqrt(modes.eigenvalues()[1])).epsilon(1e-10));
}

TEST_CASE("a step beyond the limit for the highest of many frequencies is warned of") {
  // 40 unit masses in a row, each tied to the ground by a spring of another stiffness: frequencies 1, 2 ... 40 rad/s.
  std::string names, masses, springs;
  for (int i = 1; i <= 40; ++i) {
    const std::string comma = i > 1 ? ", " : "";
    names += comma + "\"x" + std::to_string(i) + "\"", masses += comma + "1", springs += comma + std::to_string(i * i);
  }
  const auto warnings = [&](const char* step) {
    FinishedRun run(temporary_run_file(R"({"trammel": 1, "system": {"type": "linear", "coordinates": [)" + names +
                                       R"(], "mass": [)" + masses + R"(], "stiffness": [)" + springs + R"(]},
        "analysis": {"type": "dynamics", "duration": 0.2}, "integrator": {"type": "velocity_verlet", "step": )" +
                                       step + "}}"));
    const std::string summary = run.simulation.summary_json();
    return summary.substr(summary.find("\"warnings\""));
  };
  CHECK(warnings("0.0495").find("limit") == std::string::npos);  // 1.98 of 2
  const std::string beyond = warnings("0.0505");
  CHECK(beyond.find("h omega = 2.02") != std::string::npos);
  CHECK(beyond.find("about 40 rad/s") != std::string::npos);
}

TEST_CASE("matrices from CSV files give the same motion") {
  const std::filesystem::path folder = temporary_run_file("").parent_path();
  std::ofstream(folder / "K.csv") << "# N/m\n700,-300,0\n\n-300, 500 ,-200\n0,-200,+6e2\n";
  FinishedRun from_list(temporary_run_file(run_text(chain, 0.5)));
  std::string text = chain;
  const std::size_t at = text.find("\"stiffness\""), end = text.find(']', at) + 1;
  FinishedRun from_file(temporary_run_file(run_text(text.replace(at, end - at, R"("stiffness_file": "K.csv")"), 0.5)));
  CHECK(from_list.channel("b") == from_file.channel("b"));

  const auto with_file = [&](const char* content) {
    std::ofstream(folder / "bad.csv") << content;
    const std::string refused = message(R"("coordinates": ["x", "y"], "mass_file": "bad.csv")");
    const std::size_t name = refused.find("bad.csv");
    return refused.substr(name == std::string::npos ? 0 : name);
  };
  CHECK(with_file("1,0\n0,x\n") == "bad.csv:2: 'x' is not a number");
  CHECK(with_file("1,0\n0\n") == "bad.csv:2: row 2 of 1 numbers; 2 coordinates need as many rows and columns");
  CHECK(with_file("1,0\n") == "bad.csv: has 1 rows; 2 coordinates need as many");
}

TEST_CASE("wrong matrices are refused with key and reason") {
  const std::string two = R"("coordinates": ["x", "y"], )";
  CHECK(message(two + R"("mass": [1, 2, 3])") ==
        "/system/mass: has 3 numbers; 2 coordinates need 2 (a diagonal) or 4 (row after row)");
  CHECK(message(two + R"("mass": [1, 2, 0.5, 3])") ==
        "/system/mass: is not symmetric: entry (1, 2) is 2, entry (2, 1) is 0.5");
  CHECK(message(two + R"("mass": [1, -2])") ==
        "/system/mass: is not positive definite: its smallest eigenvalue is -2.000000, mostly of coordinate 'y'");
  CHECK(message(two + R"("stiffness": [1, 1])").find("\"mass\" or \"mass_file\" is required") != std::string::npos);
  CHECK(message(two + R"("mass": [1, 1], "load": [1])") == "/system/load: has 1 entries; there are 2 coordinates");
  CHECK(message(R"("coordinates": ["x", "x_dot"], "mass": [1, 1])") ==
        "/system/coordinates: 'x' and 'x_dot' make the same column");
  CHECK(message(R"("coordinates": ["2x"], "mass": [1])") ==
        "/system/coordinates: '2x' is not a name: letters, digits and _, no digit first");
}
