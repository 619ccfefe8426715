// Articulated elimination against the dense factorization: random trees with loops, drivers, repeated rows, off |p| = 1.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "finished_run.h"
#include "loaded_model.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

std::string numbers(std::mt19937& random, int count, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(number(random));
  return text + "]";
}

std::string pair(std::mt19937& random, const std::string& a, const std::string& b) {
  return random() % 2 == 0 ? "[\"" + a + "\", \"" + b + "\"]" : "[\"" + b + "\", \"" + a + "\"]";
}

/// Every joint type, with its parent on either side; a driver beside some hinges, hinges that are there twice, and rods
/// and ball joints that close loops.
std::string random_mechanism(std::mt19937& random, bool planar) {
  static const char* const spatial_types[] = {"revolute", "spherical", "universal",    "cylindrical", "translational",
                                              "fixed",    "distance",  "planar_joint", "screw"};
  static const char* const planar_types[] = {"revolute", "translational", "fixed", "distance"};
  const int d = planar ? 2 : 3, bodies = 7;
  std::string text = std::string("\"type\": \"") + (planar ? "planar" : "spatial") +
                     "\", \"gravity\": " + numbers(random, d, 10) + ", \"bodies\": {",
              joints;
  std::uniform_real_distribution<double> positive(0.3, 2), angle(-3, 3);
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    const double J = positive(random);
    text += (i == 0 ? "" : ", ") + std::string("\"") + name + "\": { \"mass\": " + std::to_string(positive(random)) +
            ", \"position\": " + numbers(random, d, 2) + ", ";
    text += planar ? "\"inertia\": " + std::to_string(J) + ", \"angle\": " + std::to_string(angle(random)) + " }"
                   : "\"inertia\": [" + std::to_string(J) + ", " + std::to_string(1.1 * J) + ", " +
                         std::to_string(1.3 * J) +
                         ", 0.05, 0.02, -0.03], \"rotation\": { \"axis\": " + numbers(random, 3, 1) +
                         ", \"angle\": " + std::to_string(angle(random)) + " } }";
    if (i == 3) continue;  // a body that hangs on loops only, or flies
    const int parent = static_cast<int>(random() % static_cast<unsigned>(i + 1)) - 1;
    const std::string other = parent < 0 ? "ground" : "b" + std::to_string(parent);
    const std::string type = planar ? planar_types[random() % 4] : spatial_types[random() % 9];
    const std::string two = pair(random, other, name), at = numbers(random, d, 2), axis = numbers(random, d, 1);
    std::string keys = "\"bodies\": " + two;
    if (type != "distance") keys += ", \"at\": " + at;
    if (type == "distance") keys += std::string(", \"point_j\": ") + numbers(random, d, 0.5);
    const bool hinge = type == "revolute";
    if (type == "universal")
      keys += ", \"axis\": [1, 0, 0.1], \"second_axis\": [0, 1, 0]";
    else if ((!planar && hinge) || type == "cylindrical" || type == "translational" || type == "planar_joint" ||
             type == "screw")
      keys += ", \"axis\": " + axis;
    if (type == "screw") keys += ", \"pitch\": 0.3";
    const auto joint = [&](const std::string& suffix, const std::string& kind, const std::string& of) {
      joints += std::string(joints.empty() ? "" : ",\n") + "\"j" + std::to_string(i) + suffix + "\": { \"type\": \"" +
                kind + "\", " + of + " }";
    };
    joint("", type, keys);
    if (hinge && i % 2 == 0)
      joint("_motor", "angle_driver",
            "\"bodies\": " + two + (planar ? "" : ", \"axis\": " + axis) +
                ", \"function\": { \"type\": \"polynomial\", \"coefficients\": [0, 1, 2] }");
    else if (hinge)
      joint("_again", type, keys);
  }
  joints +=
      ", \"rod\": { \"type\": \"distance\", \"bodies\": [\"b1\", \"b6\"], \"point_j\": " + numbers(random, d, 0.3) +
      " }";
  joints += std::string(", \"knot\": { \"type\": \"") + (planar ? "revolute" : "spherical") +
            "\", \"bodies\": [\"b3\", \"b5\"], \"at\": " + numbers(random, d, 1) + " }";
  return text + " }, \"constraints\": { " + joints + " }";
}

struct Solved {
  std::vector<double> a, lambda;
  Index redundant;
};

Solved solved(const std::string& system, const std::string& solver, unsigned seed) {
  LoadedModel m(system_file(system), {"analysis.solver=" + solver});
  const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
             rows = static_cast<std::size_t>(m.numbers.constraints());
  REQUIRE(m.evaluate(evaluate_jacobian));
  Solved result{std::vector<double>(n), std::vector<double>(rows), m.numbers.rank().choose_rows(1e-6)};
  m.disturb(seed, 0.02);
  // Not the right-hand side of a motion: solvers have to take any.
  REQUIRE(m.evaluate(evaluate_dynamics));
  REQUIRE(m.numbers.factorize(ProjectionWeights::mass));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> g(rows);
  for (std::size_t r = 0; r < rows; ++r) g[r] = m.numbers.gamma()[static_cast<Index>(r)] + number(random);
  REQUIRE(m.numbers.solve(m.numbers.Q(), LoadedModel::view(g), LoadedModel::view(result.a),
                          LoadedModel::view(result.lambda)));
  return result;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return largest / scale;
}

}  // namespace

TEST_CASE("random mechanisms have the dense solver's accelerations and multipliers") {
  std::mt19937 random(5);
  for (int i = 0; i < 40; ++i) {
    const bool planar = i % 3 == 0;
    const std::string system = random_mechanism(random, planar);
    CAPTURE(system);
    const Solved expected = solved(system, "dense", static_cast<unsigned>(i)),
                 found = solved(system, "articulated", static_cast<unsigned>(i));
    CHECK(found.redundant == expected.redundant);
    CHECK(distance(found.a, expected.a) < 1e-10);
    CHECK(distance(found.lambda, expected.lambda) < 1e-10);
  }
}

TEST_CASE("rows are there wherever somebody asks for them, and are those of the point that asked for accelerations") {
  const std::string system = R"json("type": "spatial", "gravity": [0, 0, -9.81],
    "bodies": { "arm": { "mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [0.5, 0, 0] },
                "fore": { "mass": 1, "inertia": [0.1, 0.2, 0.2], "position": [1.5, 0, 0] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0] },
                     "elbow": { "type": "revolute", "bodies": ["arm", "fore"], "at": [1, 0, 0], "axis": [0, 1, 1] } })json";
  LoadedModel lazy(system_file(system), {"analysis.solver=articulated"}),
      all(system_file(system), {"analysis.solver=dense"});
  const auto n = static_cast<std::size_t>(lazy.numbers.coordinates()),
             m = static_cast<std::size_t>(lazy.numbers.constraints());
  const auto product = [&](LoadedModel& model) {
    std::vector<double> out(m), ones(n, 1.0);
    model.numbers.apply_jacobian(LoadedModel::view(ones), LoadedModel::view(out));
    return out;
  };
  for (LoadedModel* model : {&lazy, &all}) {
    model->disturb(1, 0.1);
    REQUIRE(model->evaluate(evaluate_dynamics));
  }
  CHECK(product(lazy) == product(all));
  for (LoadedModel* model : {&lazy, &all}) {
    model->disturb(2, 0.1);
    REQUIRE(model->evaluate(evaluate_dynamics));
    model->disturb(3, 0.1);
    REQUIRE(model->evaluate(evaluate_Phi));  // elsewhere: Phi_q stays that of the point before
  }
  CHECK(product(lazy) == product(all));
  for (LoadedModel* model : {&lazy, &all}) {
    model->disturb(4, 0.1);
    REQUIRE(model->evaluate(evaluate_dynamics));
    REQUIRE(model->numbers.factorize(ProjectionWeights::mass));
    REQUIRE(model->numbers.factorize(ProjectionWeights::identity));
  }
  std::vector<double> x(n), y(n), lambda(m), f(n, 0.0), g(m, 1.0);
  REQUIRE(
      lazy.numbers.solve(LoadedModel::view(f), LoadedModel::view(g), LoadedModel::view(x), LoadedModel::view(lambda)));
  REQUIRE(
      all.numbers.solve(LoadedModel::view(f), LoadedModel::view(g), LoadedModel::view(y), LoadedModel::view(lambda)));
  CHECK(x == y);
}

TEST_CASE("formulations run on it as on range_space") {
  const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";
  for (const std::string model : {"slider_crank.json", "spatial_four_bar.json", "planar_four_bar.json"}) {
    for (const std::string formulation : {R"({"type": "direct"})", R"({"type": "baumgarte", "alpha": 10})",
                                          R"({"type": "projection", "weights": "mass"})",
                                          R"({"type": "coordinate_partitioning"})", R"({"type": "hybrid"})"}) {
      CAPTURE(model);
      CAPTURE(formulation);
      const auto end = [&](const char* solver) {
        FinishedRun run(
            examples / model,
            {"formulation=" + formulation, std::string("analysis.solver=") + solver, "analysis.duration=0.3",
             R"(integrator={"type":"dopri5","rtol":1e-9,"atol":1e-11})", "output={\"step\":0.1}"});
        std::vector<double> values = run.simulation.channel_values();
        const std::vector<std::string>& names = run.simulation.channels();
        for (std::size_t i = 0; i < names.size(); ++i) values[i] = names[i] == "step" ? 0 : values[i];
        return values;
      };
      const std::vector<double> expected = end("range_space"), found = end("articulated");
      CHECK(distance(found, expected) < 1e-6);
    }
  }
}

TEST_CASE("a body without inertia beside what hangs on it ends no run: another solver goes on, and the run says so") {
  // Rod and bob in one line: what the bob leaves of its mass across that line is its own small inertia.
  const std::string system = R"json("type": "planar", "gravity": [0, -9.81],
    "bodies": { "rod": { "mass": 1e-25, "inertia": 1e-25, "position": [1, 0] },
                "bob": { "mass": 1, "inertia": 1e-25, "position": [3, 0] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0] },
                     "joint": { "type": "revolute", "bodies": ["rod", "bob"], "at": [2, 0] } })json";
  LoadedModel m(system_file(system), {"analysis.solver=articulated"});
  CHECK(m.numbers.parts().kkt.mass_solver().type() == "articulated");
  REQUIRE(m.evaluate(evaluate_dynamics));
  REQUIRE(m.numbers.factorize(ProjectionWeights::mass));
  const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
             rows = static_cast<std::size_t>(m.numbers.constraints());
  std::vector<double> x(n), lambda(rows), residual(rows);
  REQUIRE(m.numbers.solve(m.numbers.Q(), m.numbers.gamma(), LoadedModel::view(x), LoadedModel::view(lambda)));
  CHECK(m.numbers.parts().kkt.mass_solver().type() != "articulated");
  m.numbers.apply_jacobian(LoadedModel::view(x), LoadedModel::view(residual));
  for (const double r : residual) CHECK(std::abs(r) < 1e-9);
  CHECK(x[1] < -4);  // it falls
  REQUIRE(m.model.services().warnings().size() == 1);
  CHECK(m.model.services().warnings().front().find("'articulated' stops at body 'rod'") != std::string::npos);
}

TEST_CASE("bodies that are no rigid ones of regular inertia are refused by name, and nets") {
  const auto refused = [](const std::string& system) {
    try {
      LoadedModel m(system_file(system), {"analysis.solver=articulated"});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused(R"json("type": "planar", "bodies": { "rod": { "mass": 1, "inertia": 0 } })json")
            .find("regular inertia") != std::string::npos);
  CHECK(refused(R"json("type": "planar", "bodies": { "a": { "mass": 1, "type": "point_mass" } })json")
            .find("rigid bodies only") != std::string::npos);
  std::string bodies, joints;
  for (int i = 0; i < 64; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += (i == 0 ? "" : ", ") + ("\"" + name) + "\": { \"mass\": 1, \"inertia\": 1, \"position\": [" +
              std::to_string(i % 8) + ", " + std::to_string(i / 8) + "] }";
    for (const int to : {i % 8 < 7 ? i + 1 : 64, i + 8}) {
      if (to >= 64) continue;
      joints += std::string(joints.empty() ? "" : ", ") + "\"" + name + "_" + std::to_string(to) +
                "\": { \"type\": \"distance\", \"bodies\": [\"" + name + "\", \"b" + std::to_string(to) + "\"] }";
    }
  }
  CHECK(refused("\"type\": \"planar\", \"bodies\": { " + bodies + " }, \"constraints\": { " + joints + " }")
            .find("loops lead over too many bodies") != std::string::npos);
}
