// The formulation `recursive`: joints that place their bodies, and the exact derivatives of its second-order view.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "model_in_motion.h"
#include "trammel/extensions/formulation_extensions.h"

using namespace trammel;

namespace {

/// Central differences of order 6.
template <class F>
Vector derivative(const F& f, double step) {
  return (45 * (f(step) - f(-step)) - 9 * (f(2 * step) - f(-2 * step)) + (f(3 * step) - f(-3 * step))) / (60 * step);
}

/// Two bodies in space, the second one on a joint of the first, in either order of the joint's bodies.
std::filesystem::path pair_in_space(const std::string& joint, bool reversed) {
  const std::string bodies = reversed ? R"json(["arm", "base"])json" : R"json(["base", "arm"])json";
  return system_file(R"json("type": "spatial", "gravity": [0, 0, -9.81], "bodies": {
      "base": {"mass": 3, "inertia": [0.3, 0.2, 0.4], "position": [0.2, 0.1, -0.3], "rotation": {"zxz": [0.3, -0.2, 0.5]}},
      "arm": {"mass": 1, "inertia": [0.1, 0.2, 0.15], "position": [1, 0.4, 0.5], "rotation": {"zxz": [-0.4, 0.7, 0.1]}} },
    "constraints": { "hinge": {"type": "revolute", "bodies": ["ground", "base"], "at": [0, 0, 0], "axis": [0.2, 1, 0.4]},
                     "joint": {"bodies": )json" +
                     bodies + ", " + joint + "} }");
}

/// The same in a plane.
std::filesystem::path pair_in_plane(const std::string& joint, bool reversed) {
  const std::string bodies = reversed ? R"json(["arm", "base"])json" : R"json(["base", "arm"])json";
  return system_file(R"json("type": "planar", "gravity": [0, -9.81], "bodies": {
      "base": {"mass": 3, "inertia": 0.3, "position": [0.2, 0.1], "angle": 0.7},
      "arm": {"mass": 1, "inertia": 0.2, "position": [1, 0.4], "angle": -7.5} },
    "constraints": { "hinge": {"type": "revolute", "bodies": ["ground", "base"], "at": [0, 0]},
                     "joint": {"bodies": )json" +
                     bodies + ", " + joint + "} }");
}

/// First-order view of a model.
struct InJoints {
  explicit InJoints(const std::filesystem::path& file)
      : loaded(file), built(ComponentKind::formulation, "recursive"), formulation(*built) {
    const MemorySize size = formulation.memory(loaded.numbers);
    state.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    y.resize(formulation.ode_size(loaded.numbers));
    const VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
    REQUIRE(formulation.start(loaded.numbers, 0, q, v, memory()));
    REQUIRE(embed_state(formulation, loaded.numbers, 0, q, v, {}, memory(), view(y)));
  }
  Memory memory() { return {state.data(), scratch.data(), nullptr}; }
  double count(const char* name) {
    const auto* counters = find_extension<FormulationCounters>(formulation);
    for (Index i = 0; i < counters->counter_count(); ++i) {
      if (std::string(counters->counter_name(i)) == name) return counters->counter(i, memory());
    }
    return -1;
  }
  /// Bodies of y.
  void lift() {
    REQUIRE(formulation.lift(loaded.numbers, 0, view(y), memory(), LoadedModel::view(loaded.q),
                             LoadedModel::view(loaded.v), {}));
  }
  Vector rhs() {
    Vector f(y.size());
    REQUIRE(formulation.rhs(loaded.numbers, 0, view(y), memory(), view(f)));
    return f;
  }

  LoadedModel loaded;
  BuiltComponent<Formulation> built;
  const Formulation& formulation;
  std::vector<double> state, scratch;
  Vector y;
};

}  // namespace

TEST_CASE(
    "joints place their bodies: rows of both levels hold for any numbers of the joints, whichever body is the child") {
  const char* const in_space[] = {
      R"("type": "revolute", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "cylindrical", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "translational", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "screw", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2], "pitch": 0.7)",
      R"("type": "planar_joint", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "parallel_axes", "axis": [1, 0.3, -0.2])",
      R"("type": "universal", "at": [0.6, 0.3, 0.2], "axis": [1, 0, 0], "second_axis": [0, 1, 0])",
      R"("type": "spherical", "at": [0.6, 0.3, 0.2])",
      R"("type": "in_line", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "in_plane", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
      R"("type": "fixed", "at": [0.6, 0.3, 0.2])"};
  const char* const in_plane[] = {
      R"("type": "revolute", "at": [0.6, 0.3])", R"("type": "translational", "at": [0.6, 0.3], "axis": [1, 0.3])",
      R"("type": "point_on_line", "at": [0.6, 0.3], "axis": [1, 0.3])", R"("type": "fixed", "at": [0.6, 0.3])"};
  std::vector<std::filesystem::path> files;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> amount(-1.5, 1.5);
  for (const bool reversed : {false, true}) {
    for (const bool spatial : {true, false}) {
      const auto all = [&](const auto& joints) {
        for (const char* joint : joints) {
          CAPTURE(joint);
          CAPTURE(reversed);
          InJoints s(spatial ? pair_in_space(joint, reversed) : pair_in_plane(joint, reversed));
          const std::vector<double> q = s.loaded.q, v = s.loaded.v;
          CHECK(s.count("cut_rows") == 0);
          s.lift();
          for (std::size_t i = 0; i < q.size(); ++i) {
            CHECK(s.loaded.q[i] == doctest::Approx(q[i]).epsilon(1e-14));
            CHECK(s.loaded.v[i] == doctest::Approx(v[i]).epsilon(1e-14));
          }
          for (int trial = 0; trial < 5; ++trial) {
            for (double& x : s.y) x += amount(generator);
            s.lift();
            ConstrainedModel& m = s.loaded.numbers;
            const VectorView at = LoadedModel::view(s.loaded.q), rates = LoadedModel::view(s.loaded.v);
            REQUIRE(m.evaluate(0, at, rates, {}, evaluate_Phi | evaluate_jacobian));
            // A screw counts the turns of accepted states, which there are none of here.
            Vector Phi = m.Phi().map(), of_rates(m.constraints());
            if (std::string(joint).find("screw") != std::string::npos) {
              for (double& r : Phi) r = std::remainder(r, 0.7);
            }
            CHECK(Phi.norm() < 1e-13);
            m.apply_jacobian(rates, view(of_rates));
            CHECK(of_rates.norm() < 1e-12);
            // And back: theta and theta' of these bodies are those that placed them, up to the length of balls.
            Vector again(s.y.size());
            const Vector y = s.y;
            REQUIRE(embed_state(s.formulation, m, 0, at, rates, {}, s.memory(), view(again)));
            const std::vector<double> placed = s.loaded.q, moving = s.loaded.v;
            s.y = again;
            s.lift();
            double moved = 0;
            for (std::size_t i = 0; i < placed.size(); ++i) {
              moved += std::abs(s.loaded.q[i] - placed[i]) + std::abs(s.loaded.v[i] - moving[i]);
            }
            CHECK(moved < 1e-11);
            s.y = y;
          }
        }
      };
      if (spatial)
        all(in_space);
      else
        all(in_plane);
    }
  }
}

TEST_CASE("angles of hinges count turns, in space too") {
  InJoints s(pair_in_space(R"("type": "revolute", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])", false));
  REQUIRE(s.y.size() == 4);
  s.y[0] = 31 * M_PI;  // a step that turned farther than anybody could count from the bodies
  s.y[1] = 0.3 - 200 * M_PI;
  const Vector y = s.y;
  const Correction correction = s.formulation.correct(s.loaded.numbers, 0, view(s.y), {}, s.memory());
  REQUIRE(correction.status);
  CHECK_FALSE(correction.changed);
  s.lift();
  Vector again(4);
  REQUIRE(embed_state(s.formulation, s.loaded.numbers, 0, LoadedModel::view(s.loaded.q), LoadedModel::view(s.loaded.v),
                      {}, s.memory(), view(again)));
  CHECK((again - y).norm() < 1e-11);
}

TEST_CASE("accelerations of joints are those of the bodies: differences of lifted motion") {
  for (const char* joint :
       {R"("type": "spherical", "at": [0.6, 0.3, 0.2])",
        R"("type": "in_plane", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2])",
        R"("type": "universal", "at": [0.6, 0.3, 0.2], "axis": [1, 0, 0], "second_axis": [0, 1, 0])",
        R"("type": "screw", "at": [0.6, 0.3, 0.2], "axis": [1, 0.3, -0.2], "pitch": 0.7)"}) {
    for (const bool reversed : {false, true}) {
      CAPTURE(joint);
      CAPTURE(reversed);
      InJoints s(pair_in_space(joint, reversed));
      const Index d = static_cast<Index>(s.y.size()) / 2;
      for (Eigen::Index i = 0; i < s.y.size(); ++i) s.y[i] += 0.3 + 0.1 * static_cast<double>(i);
      const Vector y = s.y, f = s.rhs();
      ConstrainedModel& m = s.loaded.numbers;
      const auto n = static_cast<Eigen::Index>(s.loaded.q.size());
      // theta(e) = theta + e theta' + e^2/2 theta'': its bodies' rates, differenced, are the accelerations.
      const auto rates = [&](double e) {
        s.y.head(d) = y.head(d) + e * y.tail(d) + e * e / 2 * f.tail(d);
        s.y.tail(d) = y.tail(d) + e * f.tail(d);
        s.lift();
        return Vector(Eigen::Map<const Vector>(s.loaded.v.data(), n));
      };
      const Vector differenced = derivative(rates, 1e-3);
      s.y = y;
      s.lift();
      REQUIRE(m.evaluate(0, LoadedModel::view(s.loaded.q), LoadedModel::view(s.loaded.v), {}, evaluate_dynamics));
      REQUIRE(m.factorize(ProjectionWeights::mass));
      Vector a(n);
      REQUIRE(m.solve(m.Q(), m.gamma(), view(a), {}));
      CHECK((differenced - a).norm() < 1e-9 * (1 + a.norm()));
    }
  }
}

TEST_CASE("second-order view in joint coordinates: matrices are the derivatives of the accelerations, on all models") {
  int tried = 0, with_loops = 0, with_balls = 0;
  for (const auto& file : mechanisms(24)) {
    CAPTURE(file.string());
    InMotion s(file, "recursive");
    if (!s.moves) continue;
    ++tried;
    REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
    const auto M = s.columns([&](auto y, auto out) { return s.system->apply_mass(y, out); });
    const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
    const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
    Vector MJt(s.d);
    REQUIRE(s.system->time_gradient(view(MJt)));
    CHECK((M - M.transpose()).norm() < 1e-12 * M.norm());
    const Index n = s.whole.system().coordinates();
    with_loops += s.d < n - 6;
    with_balls += s.d > n - (s.model.constraints() - s.model.rank().redundant());
    const double step = 2e-4, scale = 1 + s.acceleration(s.t, s.w, s.w_dot).norm();
    Matrix J1(s.d, s.d), J2(s.d, s.d);
    for (Index k = 0; k < s.d; ++k) {
      const Vector unit = Vector::Unit(s.d, k);
      J1.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w + e * unit, s.w_dot); }, step);
      J2.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w, s.w_dot + e * unit); }, step);
    }
    const Vector Jt = derivative([&](double e) { return s.acceleration(s.t + e, s.w, s.w_dot); }, step);
    const auto error = [&](const Matrix& exact, const Matrix& differenced) {
      return (M.ldlt().solve(exact) - differenced).norm() / (scale + differenced.norm());
    };
    CHECK(error(MJ1, J1) < 1e-7);
    CHECK(error(MJ2, J2) < 1e-7);
    CHECK(error(MJt, Jt) < 1e-7);
  }
  CHECK(tried > 80);
  CHECK(with_loops > 10);
  CHECK(with_balls > 5);
}

TEST_CASE("a guide across a chain that moves in a plane: its row without meaning is not taken for one of the loop's") {
  InMotion s(system_file(R"json("type": "spatial", "gravity": [0, 0, -9.81], "bodies": {
      "one": {"mass": 1, "inertia": [0.1, 0.2, 0.1], "position": [0.3, 0, 0.1]},
      "two": {"mass": 1, "inertia": [0.2, 0.1, 0.2], "position": [0.95, 0, 0.4], "rotation": {"axis": [0, 0, 1], "angle": -0.184}},
      "end": {"mass": 2, "inertia": [0.1, 0.12, 0.03], "position": [2.2, 0, 0.5], "rotation": {"axis": [-0.04, -0.95, -0.55], "angle": -1.3}} },
    "constraints": {
      "a": {"type": "revolute", "bodies": ["ground", "one"], "at": [0, 0, 0], "axis": [0, 1, 0]},
      "b": {"type": "revolute", "bodies": ["one", "two"], "at": [0.56, 0, 0.21], "axis": [0, 1, 0]},
      "c": {"type": "revolute", "bodies": ["two", "end"], "at": [1.35, 0, 0.54], "axis": [0, 1, 0]},
      "guide": {"type": "in_line", "bodies": ["ground", "end"], "at": [2.62, 0, 0.7], "axis": [1, 0, 0]} })json"),
             "recursive");
  REQUIRE(s.moves);
  REQUIRE(s.d == 2);
  for (const double e : {1e-3, 1e-2, 3e-2}) s.acceleration(s.t, s.w + Vector::Constant(2, e), s.w_dot);
}
