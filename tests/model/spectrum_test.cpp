// Spectra over many decades: every mode by its own rounding, zero modes from the kernel.
#include "model/spectrum.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "dense_solvers.h"
#include "finished_run.h"
#include "model/modes.h"

using namespace trammel;

namespace {

std::mt19937 generator(5);
double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }

/// x'' + 2 D omega x' + omega^2 x = 0 in masses of 1, uncoupled, in random order; omega 0 with probability 1/5.
struct Oscillators {
  explicit Oscillators(Eigen::Index n, bool damped) {
    LinearModel& m = linear;
    m.M = m.T = Eigen::MatrixXd::Identity(n, n);
    m.K = m.C = m.terms = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double w = between(0, 1) < 0.2 ? 0 : std::pow(10, between(-3, 9));
      const double c = damped && between(0, 1) < 0.5 ? w * between(0.01, 0.9) : 0;
      m.M(i, i) = std::pow(10, between(-3, 3));
      m.K(i, i) = m.terms(i, i) = m.M(i, i) * w * w, m.C(i, i) = m.M(i, i) * 2 * c;
      expected.emplace_back(w > 0 ? -c : 0, std::sqrt(w * w - c * c));
    }
    m.motion.J1 = -m.M.inverse() * m.K, m.motion.J2 = -m.M.inverse() * m.C;
    std::sort(expected.begin(), expected.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  }
  LinearModel linear;
  std::vector<std::complex<double>> expected;
};

}  // namespace

TEST_CASE("oscillators of 1e-3 to 1e9 rad/s beside free bodies all keep their modes") {
  for (int k = 0; k < 100; ++k) {
    const Oscillators some(2 + k % 7, k % 2 == 1);
    std::vector<Mode> modes = find_modes(some.linear);
    REQUIRE(modes.size() == some.expected.size());
    std::sort(modes.begin(), modes.end(),
              [](const Mode& a, const Mode& b) { return std::abs(a.lambda) < std::abs(b.lambda); });
    for (std::size_t i = 0; i < modes.size(); ++i) {
      CHECK(std::abs(modes[i].lambda - some.expected[i]) <= 1e-9 * std::abs(some.expected[i]));
    }
    const Stability stability = judge_stability(some.linear);
    CHECK(stability.unstable == 0);
  }
}

TEST_CASE("soft springs in series with stiff ones keep their frequency") {
  // Two masses of 1 joined by k, the first held by 1: s = (k + 1/2) -+ sqrt(k^2 + 1/4), the soft one 1/2 - 1/(8 k) +
  // ...
  for (const double k : {1e3, 1e6, 1e9}) {
    const Eigen::Matrix2d K = (Eigen::Matrix2d() << k + 1, -k, -k, k).finished();
    CHECK(graded_spectrum(K, Eigen::Matrix2d::Identity()).s[0] ==
          doctest::Approx(0.5 - 1 / (8 * k)).epsilon(1e-15 * k + 1e-9));
  }
}

TEST_CASE("a stiff damper and a free body hide no mode, a stiff spring no fall") {
  const char* const bodies = R"({"trammel": 1, "system": {"type": "planar", "bodies": {
    "a": {"mass": 0.1, "inertia": 0.1, "position": [0, 0]}, "b": {"mass": 1, "inertia": 0.1, "position": [5, 0]},
    "c": {"mass": 100, "inertia": 1, "position": [10, 0]}}, "constraints": {
    "t1": {"type": "translational", "bodies": ["ground", "a"], "at": [0, 0], "axis": [1, 0]},
    "t2": {"type": "translational", "bodies": ["ground", "b"], "at": [5, 0], "axis": [1, 0]},
    "t3": {"type": "translational", "bodies": ["ground", "c"], "at": [10, 0], "axis": [1, 0]}}, "forces": {
    "k": {"type": "tsda", "bodies": ["ground", "a"], "point_i": [-1, 0], "stiffness": 1e8, "damping": 2e5, "free_length": 1},
    "l": {"type": "tsda", "bodies": ["ground", "c"], "point_i": [9, 0], "stiffness": 100, "free_length": 1}}},
    "analysis": {"type": "modes"}})";
  LoadedModel loaded(temporary_run_file(bodies));
  REQUIRE(loaded.evaluate(evaluate_dynamics));
  loaded.numbers.rank().choose_rows(1e-6);
  LinearModel linear;
  REQUIRE(linearize_model(loaded.numbers, 0, LoadedModel::view(loaded.q), LoadedModel::view(loaded.v), linear).ok());
  const std::vector<Mode> modes = find_modes(linear);
  REQUIRE(modes.size() == 4);
  CHECK(modes[0].lambda == 0.0);
  CHECK(std::abs(modes[1].lambda - std::complex<double>(0, 1)) < 1e-9);
  const double root = std::sqrt(1e12 - 1e9);  // s^2 + 2e6 s + 1e9 = 0
  CHECK(modes[2].lambda.real() == doctest::Approx(-1e9 / (1e6 + root)).epsilon(1e-9));
  CHECK(modes[3].lambda.real() == doctest::Approx(-1e6 - root).epsilon(1e-9));

  for (const char* stiffness : {"1e6", "1e9", "1e12"}) {
    CAPTURE(stiffness);
    FinishedRun run(
        temporary_run_file(std::string(R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81], "bodies": {
      "p": {"mass": 1, "inertia": 0.1, "position": [0, 1]}, "q": {"mass": 1, "inertia": 0.1, "position": [5, 0]}},
      "constraints": {"r": {"type": "revolute", "bodies": ["ground", "p"], "at": [0, 0]},
        "g": {"type": "translational", "bodies": ["ground", "q"], "at": [5, 0], "axis": [1, 0]}},
      "forces": {"k": {"type": "tsda", "bodies": ["ground", "q"], "point_i": [4, 0], "free_length": 1, "stiffness": )") +
                           stiffness + R"(}}}, "analysis": {"type": "equilibrium"}})"));
    CHECK(run.channel("p.y") == doctest::Approx(-1));
  }
}
