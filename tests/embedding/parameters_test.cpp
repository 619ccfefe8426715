// Numbers of a run file set through the host, and derivatives with respect to them.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "embedded.h"
#include "loaded_model.h"
#include "refusal.h"
#include "shipped_models.h"
#include "trammel/host/mechanics.h"

using namespace trammel;

namespace {

using Vector = Eigen::VectorXd;

Vector vector(ConstVectorView x) { return x.map(); }

/// A double pendulum with a spring-damper across it.
std::string sprung_pendulum() {
  return temporary_run_file(R"({"trammel": 1, "parameters": {"length": 0.5},
    "system": {"type": "planar", "gravity": [0, -9.81],
      "bodies": {"upper": {"mass": 1.5, "inertia": 0.03, "position": ["=length/2", 0]},
                 "lower": {"mass": 0.8, "inertia": 0.02, "position": ["=length + 0.2", 0]}},
      "points": {"tip": {"body": "lower", "point": [0.2, 0]}},
      "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "upper"], "at": [0, 0]},
                      "elbow": {"type": "revolute", "bodies": ["upper", "lower"],
                                "point_i": ["=length/2", 0], "point_j": [-0.2, 0]}},
      "forces": {"spring": {"type": "tsda", "bodies": ["ground", "lower"], "point_i": [0.3, 0.6], "point_j": "tip",
                            "stiffness": 40, "damping": 1.5, "free_length": 0.5}}},
    "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"}})",
                            "sprung_pendulum.json")
      .string();
}

std::string setting(const std::string& path, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return path + "=" + text;
}

}  // namespace

TEST_CASE("a number that is set is the number of a model made with it, at the state at hand") {
  Mechanics changed(sprung_pendulum(), options());
  CHECK(changed.parameter("system.forces.spring.stiffness") == 40);
  CHECK(changed.parameter("system.constraints.elbow.point_i.0") == 0.25);  // an expression
  Vector q = vector(changed.positions()), v = Vector::LinSpaced(6, -1, 1);
  q.array() += 0.01;
  const auto move = [&](Mechanics& model) {
    model.set_state(0.3, {q.data(), 6}, {v.data(), 6});
    return vector(model.accelerations());
  };
  for (const auto& [path, value] : {std::pair{"system.forces.spring.stiffness", 55.0},
                                    {"system.bodies.lower.mass", 1.1},
                                    {"system.gravity.1", -1.62},
                                    {"system.points.tip.point.0", 0.15},
                                    {"system.constraints.elbow.point_j.0", -0.18},
                                    {"parameters.length", 0.6}}) {
    CAPTURE(path);
    const Vector before = move(changed);
    changed.set_parameter(path, value);
    CHECK(changed.parameter(path) == value);
    CHECK(vector(changed.positions()) == q);
    const Vector now = vector(changed.accelerations());
    CHECK((now - before).norm() > 1e-3);
    std::vector<std::string> set;
    for (const char* name : {"system.forces.spring.stiffness", "system.bodies.lower.mass", "system.gravity.1",
                             "system.points.tip.point.0", "system.constraints.elbow.point_j.0", "parameters.length"}) {
      set.push_back(setting(name, changed.parameter(name)));
    }
    Mechanics fresh(sprung_pendulum(), options(set));
    CHECK((move(fresh) - now).norm() < 1e-9 * (1 + now.norm()));
  }
}

TEST_CASE("derivatives: by the components themselves as by differences, of everything that a number moves") {
  Mechanics model(sprung_pendulum(), options());
  const Vector v = Vector::LinSpaced(6, -1, 1), q = vector(model.positions()) + 0.02 * v;
  model.set_state(0, {q.data(), 6}, {v.data(), 6});
  struct Number {
    const char* path;
    bool exact;
  };
  for (const Number& p : {Number{"system.forces.spring.stiffness", true}, Number{"system.forces.spring.damping", true},
                          Number{"system.forces.spring.free_length", true},
                          Number{"system.forces.spring.point_i.1", true}, Number{"system.bodies.upper.mass", true},
                          Number{"system.bodies.lower.inertia", true}, Number{"system.constraints.pin.at.0", true},
                          Number{"system.constraints.elbow.point_j.1", true}, Number{"system.gravity.1", false},
                          Number{"system.points.tip.point.1", false}, Number{"parameters.length", false}}) {
    CAPTURE(p.path);
    const ParameterDerivative found = model.derivative(p.path);
    CHECK(found.exact == p.exact);
    const double value = model.parameter(p.path), h = 1e-4 * (value != 0 ? std::abs(value) : 1);
    Vector side[2];
    for (int k = 0; k < 2; ++k) {
      model.set_parameter(p.path, value + (k == 0 ? h : -h));
      side[k].resize(6 + 4 + 4);
      side[k] << vector(model.accelerations()), vector(model.violation()), vector(model.velocity_violation());
    }
    model.set_parameter(p.path, value);
    const Vector differences = (side[0] - side[1]) / (2 * h);
    Vector all(6 + 4 + 4);
    REQUIRE(found.rate.size() == 12);
    all << Eigen::Map<const Vector>(found.rate.data() + 6, 6), Eigen::Map<const Vector>(found.violation.data(), 4),
        Eigen::Map<const Vector>(found.velocity_violation.data(), 4);
    CHECK((all - differences).norm() < 1e-6 * (1 + differences.norm()));
    CHECK(differences.norm() > 1e-6);
    CHECK(Eigen::Map<const Vector>(found.rate.data(), 6).norm() == 0);
  }
}

TEST_CASE("spatial masses and directions, whose length in the file does not count") {
  Mechanics model(example("spatial_four_bar"), options());
  int looked = 0;
  const auto judge = [&](const std::string& path) {
    CAPTURE(path);
    double value = 0;
    try {
      value = model.parameter(path);
    } catch (const Error&) {
      return;
    }
    const ParameterDerivative found = model.derivative(path);
    CHECK(found.exact);
    const double h = 1e-4 * value;
    model.set_parameter(path, value + h);
    const Vector up = vector(model.accelerations());
    model.set_parameter(path, value - h);
    const Vector differences = (up - vector(model.accelerations())) / (2 * h);
    model.set_parameter(path, value);
    const Index n = model.coordinates();
    const Vector a_p = Eigen::Map<const Vector>(found.rate.data() + n, n);
    CHECK((a_p - differences).norm() < 1e-5 * (1 + differences.norm()));
    ++looked;
  };
  for (const char* body : {"crank", "coupler", "rocker"}) {
    for (const char* key : {"mass", "inertia.0", "inertia.2"}) judge(std::string("system.bodies.") + body + "." + key);
  }
  CHECK(looked >= 3);
}

TEST_CASE(
    "masses that elements read, joints that others build on: derivatives take that along, in every shipped model of up "
    "to 100 bodies") {
  int exact = 0, shared = 0;
  for (const std::filesystem::path& file : shipped_models()) {
    CAPTURE(file.string());
    // A build without SUNDIALS has no plugin for these.
    const bool of_sundials = file.string().find("/sundials/") != std::string::npos;
    if (of_sundials && !std::filesystem::exists(TRAMMEL_BUILD_DIR "/lib/trammel/plugins/sundials.so")) continue;
    const RunFile run = load_run_file(file);
    if (run.bodies.size() > 6 || run.system.node->find("bodies") == nullptr) continue;
    Mechanics model(file, options());
    const Index n = model.coordinates(), m = model.constraints();
    const Vector v = Vector::LinSpaced(n, -1, 1);
    const Vector q = vector(model.positions());
    const std::vector<double> z(model.states().data, model.states().data + model.states().size);
    std::vector<std::string> paths;
    for (const Section& body : run.bodies) paths.push_back("system.bodies." + body.name + ".mass");
    for (const Section& joint : run.constraints) {
      for (const char* key : {".length", ".at.0", ".point_i.1", ".axis.0"})
        paths.push_back("system.constraints." + joint.name + key);
    }
    for (const std::string& path : paths) {
      CAPTURE(path);
      double value = 0;
      ParameterDerivative found;
      const auto at = [&](double p) {
        model.set_parameter(path, p);
        model.set_state(0.1, {q.data(), n}, {v.data(), n}, {z.data(), model.internal_states()});
        Vector all(n + 2 * m);
        all << vector(model.accelerations()), vector(model.violation()), vector(model.velocity_violation());
        return all;
      };
      try {
        value = model.parameter(path);
        at(value);
        found = model.derivative(path);
      } catch (const Error&) {  // no number there, or a state that this model does not have
        continue;
      }
      const double h = 1e-4 * (value != 0 ? std::abs(value) : 1);
      Vector differences;
      try {
        differences = (8 * (at(value + h) - at(value - h)) - (at(value + 2 * h) - at(value - 2 * h))) / (12 * h);
      } catch (const Error&) {
        continue;
      }
      at(value);
      Vector all(n + 2 * m);
      all << Eigen::Map<const Vector>(found.rate.data() + n, n), Eigen::Map<const Vector>(found.violation.data(), m),
          Eigen::Map<const Vector>(found.velocity_violation.data(), m);
      // Differences of fourth order: their truncation, and the rounding of accelerations over the step.
      CHECK((all - differences).norm() < 1e-6 * (1 + differences.norm()) + 1e-10 * at(value).norm() / h);
      ++(found.exact ? exact : shared);
    }
  }
  MESSAGE(exact << " exact, " << shared << " by differences");
  CHECK(exact > 100);
  CHECK(shared > 10);
}

TEST_CASE("a number is set before a run, too, and the run is the one of a file that says so") {
  const auto end_of = [](Simulation& run) {
    run.run();
    return vector(run.positions());
  };
  Simulation changed(sprung_pendulum(), options());
  changed.set_parameter("system.forces.spring.stiffness", 80);
  CHECK(changed.parameter("system.forces.spring.stiffness") == 80);
  Simulation fresh(sprung_pendulum(), options({"system.forces.spring.stiffness=80"}));
  CHECK(end_of(changed) == end_of(fresh));
  CHECK(refusal([&] { changed.set_parameter("system.forces.spring.stiffness", 90); }, ErrorKind::usage) ==
        "set_parameter comes before the first step");
}

TEST_CASE("what cannot be set is refused, and nothing has changed") {
  Mechanics model(sprung_pendulum(), options());
  const Vector a = vector(model.accelerations());
  const auto told = [](const auto& call, const std::string& words) {
    const std::string message = refusal(call);
    CAPTURE(message);
    CHECK(message.find(words) != std::string::npos);
  };
  told([&] { model.parameter("system.forces.spring.stifness"); }, "did you mean 'stiffness'?");
  told([&] { model.parameter("system.forces.spring.type"); }, "no number");
  told([&] { model.set_parameter("system.forces.spring.stifness", 1); }, "stiffness");
  told([&] { model.set_parameter("system.bodies.upper.mass", -1); }, "mass");
  told([&] { model.set_parameter("system.bodies.upper.mass", NAN); }, "finite");
  told([&] { model.derivative("system.forces.sprung.stiffness"); }, "did you mean 'spring'?");
  CHECK(vector(model.accelerations()) == a);
  CHECK(model.parameter("system.bodies.upper.mass") == 1.5);
}

TEST_CASE("a number by which the model jumps or has a kink has no derivative, and one beside that has") {
  // Expressions take the parameter p into a mass and a length.
  const auto file = [](const char* mass) {
    return temporary_run_file(std::string(R"({"trammel": 1, "parameters": {"p": 0.25},
      "system": {"type": "planar", "gravity": [0, -9.81],
        "bodies": {"bob": {"mass": ")") +
                                  mass + R"(", "inertia": 0.1, "position": [0.7, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
      "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
      "integrator": {"type": "dopri5"}})",
                              "bob.json");
  };
  for (const char* mass : {"=1 + abs(p - 0.25)", "=if(p > 0.25, 1.1, 1)", "=1 + 20*p + 0.5*abs(p - 0.25)"}) {
    CAPTURE(mass);
    Mechanics model(file(mass), options());
    const Vector a = vector(model.accelerations());
    CHECK(refusal([&] { model.derivative("parameters.p"); }, ErrorKind::compute) ==
          "there is no derivative by 'parameters.p' at 0.25: within 0.0005 of it the model jumps or has a kink");
    CHECK(vector(model.accelerations()) == a);
  }
  // A jump beside p, within the first steps that are tried.
  Mechanics beside(file("=if(p < 0.2501, 1, 1.1)"), options());
  CHECK(vector({beside.derivative("parameters.p").rate.data(), 6}).norm() == 0);
  // A function that turns over in far less than p.
  Mechanics narrow(file("=1 + 0.1*sin((p - 0.25)/0.00002)"), options());
  CHECK(narrow.derivative("parameters.p").rate[5] ==
        doctest::Approx(9.81 * 0.7 * 0.1 / std::pow(0.1 + 0.49, 2) * -0.1 / 0.00002).epsilon(1e-6));
  Mechanics model(file("=1 + abs(p - 0.3)"), options());
  const ParameterDerivative found = model.derivative("parameters.p");
  // (I + m l^2) phi'' = -m g l, so that d phi''/dm = -g l I / (I + m l^2)^2, and m' = -1.
  const double l = 0.7, I = 0.1, m = 1.05;
  CHECK(found.rate[5] == doctest::Approx(9.81 * l * I / std::pow(I + m * l * l, 2)).epsilon(1e-8));
}

TEST_CASE("with rows that depend on others, derivatives are those of the rows kept, and the mobility stays") {
  // Three parallel hinges and a prescribed one: a planar four-bar in space, with three rows too many.
  const auto file = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples/spatial_four_bar.json";
  Mechanics model(file, options());
  std::vector<std::string> hinges;
  const RunFile run = load_run_file(file);
  for (const Section& joint : run.constraints) {
    if (joint.type == "revolute") hinges.push_back(joint.name);
  }
  REQUIRE(!hinges.empty());
  for (const std::string& hinge : hinges) {
    const std::string path = "system.constraints." + hinge + ".axis.0";
    CAPTURE(path);
    const ParameterDerivative found = model.derivative(path);
    CHECK(Eigen::Map<const Vector>(found.rate.data(), static_cast<Index>(found.rate.size())).norm() < 1e3);
    CHECK(refusal([&] { model.set_parameter(path, 0.05); }).find("mobility") != std::string::npos);
  }
}

namespace {

/// A mass of 2 kg that slides along x at 3 m/s against a damper of the joint, pushed by 9.81 N/kg: x'' = 9.81 - c 3 / 2.
std::filesystem::path damped_slider(double c) {
  char damping[32];
  std::snprintf(damping, sizeof damping, "%.17g", c);
  return temporary_run_file(std::string(R"({"trammel": 1, "system": {"type": "planar", "gravity": [9.81, 0],
      "bodies": {"mass": {"mass": 2, "inertia": 1, "velocity": [3, 0]}},
      "constraints": {"rail": {"type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0]}},
      "forces": {"damper": {"type": "joint_friction", "joint": "rail", "damping": [)") +
                                damping + R"(]}}},
      "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
      "integrator": {"type": "dopri5"}})",
                            "slider.json");
}

}  // namespace

TEST_CASE("derivatives by differences: effects far below the rest, none at all, and numbers at their bound") {
  for (const double c : {0.0, 1e-12, 1e-9, 1e-5, 0.3, 1e4}) {
    CAPTURE(c);
    Mechanics model(damped_slider(c), options());
    const ParameterDerivative found = model.derivative("system.forces.damper.damping.0");
    CHECK(!found.exact);
    CHECK(found.rate[3] == doctest::Approx(-1.5).epsilon(1e-8));
    CHECK(std::abs(found.rate[4]) < 1e-8);
    CHECK(model.parameter("system.forces.damper.damping.0") == c);
    // Across the rail gravity moves nothing.
    CHECK(vector({model.derivative("system.gravity.1").rate.data(), 6}).norm() == 0);
    CHECK(model.derivative("system.gravity.0").rate[3] == doctest::Approx(1).epsilon(1e-9));
  }
}

TEST_CASE("a number that is lost beside another one a billion times its size has no derivative, and says so") {
  const auto file = [](const char* mass) {
    return temporary_run_file(std::string(R"({"trammel": 1, "parameters": {"p": 1e-6},
      "system": {"type": "planar", "gravity": [0, -9.81],
        "bodies": {"bob": {"mass": ")") +
                                  mass + R"(", "inertia": 0.1, "position": [0.7, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
      "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
      "integrator": {"type": "dopri5"}})",
                              "lost.json");
  };
  // phi'' = -m g l / (I + m l^2) as in the test of kinks.
  const double l = 0.7, I = 0.1, m = 1.00001, by_mass = -9.81 * l * I / std::pow(I + m * l * l, 2);
  Mechanics lost(file("=1 + (1e9 + 10*p) - 1e9"), options());
  const std::string message = refusal([&] { lost.derivative("parameters.p"); }, ErrorKind::compute);
  CAPTURE(message);
  CHECK(message.find("no derivative by 'parameters.p' at 1e-06 is found: over the best of the steps") == 0);
  Mechanics plain(file("=1 + 10*p"), options());
  CHECK(plain.derivative("parameters.p").rate[5] == doctest::Approx(10 * by_mass).epsilon(1e-8));
}

TEST_CASE("where an element switches, its own derivatives are one-sided: differences tell, and refuse kinks") {
  const auto file = [](double free_length, const char* keys) {
    char text[700];
    std::snprintf(text, sizeof text, R"({"trammel": 1, "system": {"type": "planar",
      "bodies": {"mass": {"mass": 2, "inertia": 1, "position": [1, 0]}},
      "forces": {"cord": {"type": "tsda", "bodies": ["ground", "mass"], "free_length": %.17g, %s}}},
      "analysis": {"type": "dynamics", "duration": 1}})",
                  free_length, keys);
    return temporary_run_file(text, "cord.json");
  };
  const char* const tension = R"("stiffness": 100, "one_sided": "tension")";
  const std::string l_0 = "system.forces.cord.free_length", k = "system.forces.cord.stiffness";
  for (const auto& [free_length, expected] : {std::pair{0.999, 50.0}, {1.001, 0.0}}) {
    Mechanics beside(file(free_length, tension), options());
    const ParameterDerivative found = beside.derivative(l_0);
    CHECK(found.exact);
    CHECK(found.rate[3] == doctest::Approx(expected));
  }
  Mechanics at(file(1, tension), options());
  CHECK(refusal([&] { at.derivative(l_0); }, ErrorKind::compute).find("the model jumps or has a kink") !=
        std::string::npos);
  // The stretch is 0, whatever the stiffness: that is no kink.
  const ParameterDerivative by_stiffness = at.derivative(k);
  CHECK(vector({by_stiffness.rate.data(), 6}).norm() == 0);
  // A spring whose force is a function of the stretch, with a corner at 0.
  Mechanics corner(file(1, R"json("spring": {"type": "expression", "formula": "max(10*x, 40*x)"})json"), options());
  CHECK(refusal([&] { corner.derivative(l_0); }, ErrorKind::compute).find("kink") != std::string::npos);
}

TEST_CASE("equations of a run file without an integrator; a run chooses one") {
  Mechanics model(damped_slider(0.3), options({"integrator=null", "formulation=null"}));
  CHECK(model.accelerations()[0] == doctest::Approx(9.81 - 0.45));
  model.set_parameter("system.forces.damper.damping.0", 0.6);
  CHECK(model.accelerations()[0] == doctest::Approx(9.81 - 0.9));
  Simulation run(damped_slider(0.3), options({"integrator=null", "formulation=null"}));
  CHECK(run.summary_json().find("\"method_choice\": {") != std::string::npos);
}
