// Newmark, HHT, generalized-alpha, Wilson and the Verlet family on an oscillator: damping, limits of stability,
// conservation, rejected attempts, error control.
#include <doctest/doctest.h>

#include <cstdio>

#include "built_component.h"
#include "finished_run.h"
#include "second_order_run.h"

using namespace trammel;

namespace {

/// x'' = -x for each of two masses.
class Pair final : public SecondOrderSystem {
 public:
  Index size() const override { return 2; }
  ConstVectorView mask() const override { return {ones_, 4}; }
  Status acceleration(double, ConstVectorView x, ConstVectorView, VectorView a) override {
    a.map() = -x.map();
    return Status::success();
  }
  Status linearize(double, ConstVectorView, ConstVectorView) override { return Status::success(); }
  Status apply_mass(ConstVectorView y, VectorView out) override { return out.map() = y.map(), Status::success(); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return out.map() = -y.map(), Status::success(); }
  Status apply_J2(ConstVectorView, VectorView out) override { return out.map().setZero(), Status::success(); }
  Status time_gradient(VectorView out) override { return out.map().setZero(), Status::success(); }
  Status prepare(Index, const Shift* shifts, Index) override { return pivot_ = 1 + shifts->c0, Status::success(); }
  Status solve(Index, ConstVectorView r, VectorView z) override {
    return z.map() = r.map() / pivot_, Status::success();
  }

 private:
  double pivot_ = 1;
  double ones_[4] = {1, 1, 1, 1};
};

/// Growth per step of the norm of (x, x') over the second half of many steps of size Omega: the spectral radius. The
/// norm of an orbit that neither grows nor shrinks still swings between 1 and Omega (or its inverse), so that
/// log(Omega) / 1000 of the result is uncertain: 5e-3 at Omega = 100.
double growth(const char* type, const Arguments& arguments, double Omega, int steps = 2000) {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, type, arguments);
  Pair system;
  Problem problem;
  problem.second_order = &system;
  const MemorySize size = method->memory({2, 0});
  std::vector<double> state(static_cast<std::size_t>(size.state)), scratch(static_cast<std::size_t>(size.scratch));
  std::vector<double> now{1, 0.5, 0, 0.2}, next(4);
  const Memory memory{state.data(), scratch.data()};
  StateView from = SecondOrderRun::view(0, now), to = SecondOrderRun::view(0, next);
  CHECK(method->start(problem, from, memory).ok());
  double logarithm = 0, sum_first = 0;
  for (int i = 0; i < steps; ++i) {
    to.t = from.t + Omega;
    const StepResult result = method->attempt(problem, from, Omega, to, {}, memory);
    REQUIRE(result.status.ok());
    now = next;
    from.t = to.t;
    method->accept(problem, from, false, memory);
    const double norm = Eigen::Map<const Eigen::Vector4d>(now.data()).norm();
    if (norm > 1e100) return INFINITY;
    if (norm < 1e-100) return 0;
    logarithm = std::log(norm);
    if (i == steps / 2 - 1) sum_first = logarithm;
  }
  return std::exp((logarithm - sum_first) / (steps - steps / 2));
}

}  // namespace

TEST_CASE("unconditionally stable methods are, and damp as their parameters say") {
  const Arguments none{};
  for (const double Omega : {0.1, 1.0, 10.0, 100.0}) {
    CAPTURE(Omega);
    const double swing = 1e-4 + std::abs(std::log(Omega)) / 1000;
    CHECK(std::abs(growth("newmark", none, Omega) - 1) < swing);
    CHECK(growth("hht", {{{"alpha", -0.2}}, {}, {}}, Omega) < 1);
    CHECK(growth("generalized_alpha", {{{"rho_infinity", 0.5}}, {}, {}}, Omega) < 1);
    CHECK(growth("wilson_theta", none, Omega) < 1);
  }
  for (const double rho : {0.3, 0.8}) {
    CHECK(growth("generalized_alpha", {{{"rho_infinity", rho}}, {}, {}}, 1e3, 150) ==
          doctest::Approx(rho).epsilon(0.02));
  }
  CHECK(growth("wilson_theta", {{{"theta", 1.2}}, {}, {}}, 100) > 1.05);  // below 1.366 it is not
}

TEST_CASE("limits of the explicit methods: Verlet, leapfrog, Beeman and central differences 2, Yoshida 1.573") {
  for (const char* type : {"velocity_verlet", "leapfrog", "beeman", "central_differences"}) {
    CAPTURE(type);
    CHECK(std::abs(growth(type, {}, 1.99) - 1) < 5e-3);
    CHECK(growth(type, {}, 2.02) > 1.1);
  }
  CHECK(std::abs(growth("yoshida4", {}, 1.56) - 1) < 5e-3);
  CHECK(growth("yoshida4", {}, 1.60) > 1.05);
}

TEST_CASE("a rejected attempt leaves no trace") {
  for (const char* type : {"newmark", "hht", "generalized_alpha", "wilson_theta", "velocity_verlet", "leapfrog",
                           "yoshida4", "park_underwood"}) {
    CAPTURE(type);
    const BuiltComponent<Integrator> method(ComponentKind::integrator, type);
    Oscillators system, other;
    SecondOrderRun rejected(*method, system), straight(*method, other);
    for (SecondOrderRun* run : {&rejected, &straight}) run->attempt(0.1), run->accept();
    rejected.attempt(0.2);
    method->reject(rejected.memory());
    rejected.attempt(0.05);
    straight.attempt(0.05);
    for (std::size_t i = 0; i < 4; ++i) CHECK(rejected.next[i] == straight.next[i]);
  }
}

namespace {

/// x'' = -x - x^3: the stiffness 1 + 3 x^2 grows by a factor of 300 on the way out.
class Hardening final : public SecondOrderSystem {
 public:
  Index size() const override { return 1; }
  ConstVectorView mask() const override { return {ones_, 2}; }
  Status acceleration(double, ConstVectorView x, ConstVectorView, VectorView a) override {
    a[0] = -x[0] * (1 + x[0] * x[0]);
    return Status::success();
  }
  Status linearize(double, ConstVectorView, ConstVectorView) override { return Status::success(); }
  Status apply_mass(ConstVectorView, VectorView) override { return Status::success(); }
  Status apply_J1(ConstVectorView, VectorView) override { return Status::success(); }
  Status apply_J2(ConstVectorView, VectorView) override { return Status::success(); }
  Status time_gradient(VectorView) override { return Status::success(); }
  Status prepare(Index, const Shift*, Index) override { return Status::success(); }
  Status solve(Index, ConstVectorView, VectorView) override { return Status::success(); }

 private:
  double ones_[2] = {1, 1};
};

}  // namespace

TEST_CASE("Park-Underwood: the step follows the stiffness of a hardening spring and stays below the limit") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "park_underwood");
  REQUIRE(method->traits().self_controlled);
  Hardening system;
  Problem problem;
  problem.second_order = &system;
  const MemorySize size = method->memory({1, 0});
  std::vector<double> state(static_cast<std::size_t>(size.state)), scratch(static_cast<std::size_t>(size.scratch));
  const Memory memory{state.data(), scratch.data()};
  double x = 10, v = 0, x_1 = 0, v_1 = 0;
  StateView from, to;
  from.x = {&x, 1}, from.v = {&v, 1}, to.x = {&x_1, 1}, to.v = {&v_1, 1};
  REQUIRE(method->start(problem, from, memory).ok());
  const double energy = x * x / 2 + x * x * x * x / 4;
  double h = 0.2, largest = 0, smallest = 1,
         drift = 0;  // 0.2 is 3.5 times the inverse of the frequency there: unstable
  int rejected = 0;
  while (from.t < 20) {
    to.t = from.t + h;
    const StepResult result = method->attempt(problem, from, h, to, {}, memory);
    REQUIRE(result.status.ok());
    REQUIRE(result.h_next > 0);
    if (result.rejected) {
      method->reject(memory);
      CHECK(result.h_next < h);
      h = result.h_next;
      ++rejected;
      continue;
    }
    const double frequency = std::sqrt(1 + 3 * std::max(x * x, x_1 * x_1));  // the tangent's, above any secant's
    CHECK(h * frequency <
          1.6);  // 2 is the limit; the largest secant may be 0.5 * 1.25, which is left behind by one step
    largest = std::max(largest, h), smallest = std::min(smallest, h);
    x = x_1, v = v_1, from.t = to.t;
    method->accept(problem, from, false, memory);
    drift = std::max(drift, std::abs(v * v / 2 + x * x / 2 + x * x * x * x / 4 - energy));
    h = result.h_next;
  }
  CHECK(rejected > 0);            // the first step was too long
  CHECK(largest > 3 * smallest);  // long where the spring is soft
  CHECK(drift < energy);  // over 28 periods; changes of the step cost energy, instability would multiply it by 1e10
}

TEST_CASE("Park-Underwood: a kernel's short step does not shorten those after it; order 2 under a small largest step") {
  const std::string spring =
      R"({"trammel": 1, "system": {"type": "linear", "coordinates": ["x"], "mass": 1, "stiffness": 4,
    "position": 1}, "analysis": {"type": "dynamics", "duration": 3},)";
  double error[2];
  for (const int k : {0, 1}) {
    const std::string step = std::to_string(0.02 / (1 << k));
    FinishedRun run(temporary_run_file(spring + R"("integrator": {"type": "park_underwood", "max_step": )" + step +
                                       R"(, "initial_step": )" + step + "}}"));
    error[k] = std::abs(run.channel("x") - std::cos(6));
  }
  CHECK(std::log2(error[0] / error[1]) == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("Park-Underwood refuses tolerances by name: its steps follow another rule") {
  const std::string file = std::string(TRAMMEL_SOURCE_DIR) + "/plugins/integrators/verlet/cases/park_underwood.json";
  for (const std::string key : {"rtol", "atol"}) {
    std::string text;
    try {
      FinishedRun run(file, {"integrator." + key + "=1e-6"});
    } catch (const Error& error) {
      text = error.what();
    }
    CHECK(text.find("/integrator/" + key) != std::string::npos);
    CHECK(text.find("has no use for tolerances") != std::string::npos);
  }
}

TEST_CASE("RATTLE keeps positions, velocities and, over long times, the energy") {
  const std::string file = std::string(TRAMMEL_SOURCE_DIR) + "/plugins/integrators/verlet/cases/rattle.json";
  FinishedRun brief(file, {"analysis.duration=5"}), lengthy(file, {"analysis.duration=50"});
  CHECK(lengthy.energy_drift() < 1.1 * brief.energy_drift());
  CHECK(brief.energy_drift() < 1e-4);
}

TEST_CASE("HHT at index 3: errors follow the tolerance") {
  const std::string file = std::string(TRAMMEL_SOURCE_DIR) + "/plugins/integrators/generalized_alpha/cases/hht.json";
  FinishedRun exact(file, {"formulation={\"type\": \"projection\"}",
                           "integrator={\"type\": \"dopri853\", \"rtol\": 1e-12, \"atol\": 1e-12}"});
  double before = 1;
  for (const char* tolerance : {"1e-4", "1e-5", "1e-6", "1e-7"}) {
    FinishedRun run(file, {std::string("integrator.rtol=") + tolerance, std::string("integrator.atol=") + tolerance});
    const double error = std::abs(run.channel("lower.x") - exact.channel("lower.x"));
    CHECK(error < 0.2 * before);  // in proportion; below 1e-7 the rounding of multipliers in short steps counts
    before = error;
  }
  CHECK(before < 1e-6);
}

TEST_CASE("methods of second order: the error of a run is in proportion to its tolerance") {
  // A body that spins freely: no formulation amplifies anything.
  const std::string text =
      R"({"trammel": 1, "system": {"type": "spatial", "bodies": {"b": {"mass": 2, "inertia": [0.1, 0.2, 0.3],
    "velocity": [1, 0.5, 0.2], "angular_velocity": [3, 1, 2]}}}, "analysis": {"type": "dynamics", "duration": 5},
    "formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13}})";
  const std::string file = temporary_run_file(text);
  FinishedRun exact(file);
  for (const char* method : {"newmark", "trapezoidal", "generalized_alpha", "hht"}) {
    CAPTURE(method);
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7}) {
      CAPTURE(tolerance);
      char keys[120];
      std::snprintf(keys, sizeof keys, R"(integrator={"type": "%s", "rtol": %g, "atol": %g})", method, tolerance,
                    1e-2 * tolerance);
      FinishedRun run(file, {keys});
      // Without the proportion 34 tolerances at 1e-4 and 830 at 1e-8. HHT damps, at small steps more than its estimate
      // says.
      CHECK(std::abs(run.channel("b.wx") - exact.channel("b.wx")) <
            (std::string(method) == "hht" ? 400 : 100) * tolerance);
    }
  }
}
