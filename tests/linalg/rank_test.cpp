// Redundant and singular mechanisms: rank, names, multipliers of the least squares, passages, the mobility report.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "dense_kkt.h"
#include "dense_solvers.h"
#include "finished_run.h"
#include "generated_model.h"
#include "linalg/sparse_kkt.h"
#include "linalg/sparse_rank.h"
#include "model/consistency.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

const std::filesystem::path source = TRAMMEL_SOURCE_DIR, examples = source / "configs/examples";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("overconstrained linkages move with one freedom and keep their energy over 10 s") {
  struct Case {
    const char* file;
    Index redundant;
  };
  for (const Case& c : {Case{"spatial_four_bar.json", 3},
                        {"bennett_linkage.json", 3},
                        {"scott_russell.json", 1},
                        {"sarrus_linkage.json", 1}}) {
    CAPTURE(c.file);
    FinishedRun run(examples / c.file, {});
    const std::string summary = run.simulation.summary_json();
    CHECK(contains(summary, "\"redundant\": " + std::to_string(c.redundant)));
    CHECK(contains(summary, "\"degrees_of_freedom\": 1"));
    CHECK(contains(summary, "\"reactions_unique\": false"));
    CHECK(run.energy_drift() < 1e-6);
  }
}

TEST_CASE("a four-bar of spatial revolutes moves as the planar one") {
  const std::vector<std::string> sets = {R"(integrator={"type":"dopri853","rtol":1e-12,"atol":1e-13})",
                                         "analysis.duration=10"};
  FinishedRun planar(examples / "planar_four_bar.json", sets), spatial(examples / "spatial_four_bar.json", sets);
  // 16 turns of the crank; both runs have errors of some 1e-10.
  for (const char* channel : {"crank.x", "crank.y", "coupler.x", "coupler.y", "rocker.vx", "rocker.vy"}) {
    CHECK(std::abs(planar.channel(channel) - spatial.channel(channel)) < 1e-8);
  }
}

TEST_CASE(
    "ladders of four-bars: planar, spatial and redundant ones agree up to the first singular configuration and "
    "beyond") {
  // At 1e-12 the rounding of the passages decides between 1e-9 and 3e-8; at 1e-13 all three agree to some 1e-10.
  const std::vector<std::string> sets = {R"(integrator={"type":"dopri853","rtol":1e-13,"atol":1e-13})",
                                         "analysis.duration=3"};
  FinishedRun planar(generated("planar_ladder", 3), sets), spatial(generated("four_bar_ladder", 3), sets),
      redundant(generated("four_bar_ladder_redundant", 3), sets);
  for (const char* channel : {"crank0.x", "crank0.y", "coupler2.x", "coupler2.vy", "crank3.vx"}) {
    CHECK(std::abs(planar.channel(channel) - spatial.channel(channel)) < 1e-8);
    CHECK(std::abs(planar.channel(channel) - redundant.channel(channel)) < 1e-8);
  }
  CHECK(contains(redundant.simulation.summary_json(), "\"redundant\": 9"));
  // Closed form of problem A02, I psi'' = W sin psi from upright at 1 rad/s: the cranks are horizontal at psi = pi/2.
  const double I = 4 / 3.0 + 3, W = 9.81 * (2 + 3), steps = 1e5;
  double t = 0;
  for (double k = 0.5; k < steps; ++k) {
    const double psi = k / steps * M_PI / 2;
    t += M_PI / 2 / steps / std::sqrt(1 + 2 * W / I * (1 - std::cos(psi)));
  }
  const std::vector<std::string>& warnings = planar.simulation.warnings();
  REQUIRE(!warnings.empty());
  CHECK(contains(warnings[0], "singular configuration near t = "));
  // The parabola through three steps finds the passage to a fraction of a step.
  CHECK(std::strtod(warnings[0].c_str() + warnings[0].find("t = ") + 4, nullptr) == doctest::Approx(t).epsilon(0.01));
}

TEST_CASE("multipliers of redundant constraints are those of the least squares") {
  LoadedModel loaded(examples / "spatial_four_bar.json");
  REQUIRE(loaded.evaluate(evaluate_dynamics));
  REQUIRE(loaded.numbers.rank().choose_rows(1e-6) == 3);
  REQUIRE(loaded.numbers.factorize(ProjectionWeights::mass));
  const Index n = loaded.numbers.coordinates(), m = loaded.numbers.constraints(), elements = m - 3;  // 3 bodies
  std::vector<double> a(static_cast<std::size_t>(n)), lambda(static_cast<std::size_t>(m));
  REQUIRE(loaded.numbers.solve(loaded.numbers.Q(), loaded.numbers.gamma(), LoadedModel::view(a),
                               LoadedModel::view(lambda)));
  REQUIRE(loaded.numbers.rank().minimize_multipliers(LoadedModel::view(lambda)));
  // Reference: all multipliers of the same balance by a dense decomposition, the normalisation rows eliminated first.
  Eigen::MatrixXd J(m, n);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m), row(n);
  for (Index r = 0; r < m; ++r) {
    unit.setZero();
    unit[r] = 1;
    loaded.numbers.apply_jacobian_transpose({unit.data(), m}, {row.data(), n});
    J.row(r) = row;
  }
  const Eigen::MatrixXd N = Eigen::FullPivLU<Eigen::MatrixXd>(J.transpose()).setThreshold(1e-9).kernel();
  REQUIRE(N.cols() == 3);
  const Eigen::MatrixXd free = N.topRows(elements);
  const Eigen::VectorXd found = Eigen::Map<Eigen::VectorXd>(lambda.data(), elements);
  CHECK((free.transpose() * found).norm() < 1e-10 * found.norm());  // least squares: orthogonal to all free changes
  Eigen::VectorXd Ma(n), reaction(n);
  loaded.numbers.apply_mass(LoadedModel::view(a), {Ma.data(), n});
  loaded.numbers.apply_jacobian_transpose(LoadedModel::view(lambda), {reaction.data(), n});
  CHECK((Ma + reaction - loaded.numbers.Q().map()).norm() < 1e-9);
}

TEST_CASE("hostile models are refused or reported with the right names") {
  const std::string replaced =
      R"(system.constraints.hinge_d={"type":"revolute","bodies":["ground","rocker"],"at":[0.45,0,0],)";
  SUBCASE("one axis off by 1e-3: the linkage is a structure, and the rows that lock it are named") {
    Simulation simulation(examples / "spatial_four_bar.json",
                          with_sets({replaced + R"("axis":[0.001,0,1]})", "analysis.correction_limit=100"}));
    CHECK(contains(simulation.summary_json(), "\"degrees_of_freedom\": 0"));
    REQUIRE(!simulation.warnings().empty());
    bool named = false;
    for (const std::string& warning : simulation.warnings()) {
      named = named || (contains(warning, "slightly off") && contains(warning, "'hinge_"));
    }
    CHECK(named);
    CHECK(std::any_of(simulation.warnings().begin(), simulation.warnings().end(),
                      [](const std::string& warning) { return contains(warning, "cannot move"); }));
  }
  SUBCASE("two joints in conflict: the model is refused, and each joint whose removal would help is named") {
    // The rocker's pin is half a metre further away than crank and coupler reach.
    const std::filesystem::path file = examples / "spatial_four_bar.json";
    try {
      Simulation simulation(
          file, with_sets({R"(system.constraints.hinge_d={"type":"revolute","bodies":["ground","rocker"],)"
                           R"("point_i":[1.2,0,0],"point_j":[-0.15,0,0],"axis_i":[0,0,1],"axis_j":[0,0,1]})",
                           "analysis.correction_limit=100"}));
      FAIL("accepted");
    } catch (const Error& error) {
      const std::string text = error.what();
      CHECK(error.kind() == ErrorKind::input);
      CHECK(contains(text, "'hinge_d"));
      CHECK(contains(text, "it can be assembled without 'hinge_"));
    }
  }
  SUBCASE("a body held twice: accepted, the second hold is redundant") {
    const std::filesystem::path file = temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "bodies": {
        "plate": {"mass": 1, "inertia": 1}}, "constraints": {"weld": {"type": "fixed", "bodies": ["ground", "plate"]},
        "again": {"type": "fixed", "bodies": ["ground", "plate"]}}}, "analysis": {"type": "dynamics", "duration": 1},
        "formulation": {"type": "projection"}, "integrator": {"type": "dopri5", "max_step": 0.1}})");
    Simulation simulation(file, with_sets({}));
    REQUIRE(simulation.warnings().size() == 2);  // and that it cannot move
    CHECK(contains(simulation.warnings()[0], "3 of 6 constraint rows are redundant"));
    CHECK(contains(simulation.warnings()[0], "'weld', 'again'"));
    CHECK(simulation.run() == RunStatus::completed);
    CHECK(contains(simulation.mobility(), "0 degrees of freedom"));
  }
}

TEST_CASE("the mobility report counts freedoms, loose bodies, motions without stiffness, and knows singular states") {
  SUBCASE("a free body, a hanging pair and a pendulum") {
    const std::filesystem::path file =
        temporary_run_file(R"({"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81],
        "bodies": {"loose": {"mass": 1, "inertia": 1}, "left": {"mass": 1, "inertia": 1}, "right": {"mass": 1, "inertia": 1,
        "position": [1, 0]}, "bob": {"mass": 1, "inertia": 1, "position": [0, -1]}}, "constraints": {
        "pair": {"type": "revolute", "bodies": ["left", "right"], "at": [0.5, 0]},
        "pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
        "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
        "integrator": {"type": "dopri5"}})");
    Simulation simulation(file, with_sets({}));
    const std::string text = simulation.mobility();
    CHECK(contains(text, "8 degrees of freedom"));
    CHECK(contains(text, "no joint connects 'left', 'right' to ground"));
    CHECK(contains(text, "acts on 'loose'"));
    CHECK(contains(text, "7 motions without stiffness"));  // all but the pendulum's
  }
  SUBCASE("a parallelogram laid flat is singular there only") {
    const std::filesystem::path file = generated("planar_ladder", 1);
    Simulation flat(file,
                    with_sets({"system.bodies.crank0.position=[0.5,0]", "system.bodies.crank0.angle=0",
                               "system.bodies.coupler1.position=[1.5,0]", "system.bodies.crank1.position=[1.5,0]",
                               "system.bodies.crank1.angle=0", "system.constraints.near1.at=[1,0]",
                               "system.constraints.far1.at=[2,0]", "system.bodies.crank0.velocity=[0,0]",
                               "system.bodies.crank0.angular_velocity=0", "system.bodies.crank1.velocity=[0,0]",
                               "system.bodies.crank1.angular_velocity=0", "system.bodies.coupler1.velocity=[0,0]"}));
    const std::string text = flat.mobility();
    CHECK(contains(text, "2 degrees of freedom"));
    CHECK(contains(text, "singular configuration: after a small motion, the model has 0 redundant rows"));
  }
}

TEST_CASE("the sparse watch measures angles of rows as dense algebra does") {
  LoadedModel loaded(examples / "spatial_four_bar.json");
  REQUIRE(loaded.evaluate(evaluate_dynamics));
  REQUIRE(loaded.numbers.rank().choose_rows(1e-6) == 3);
  KktMatrix k = loaded.numbers.parts().kkt.matrix();
  k.weight = nullptr;
  std::vector<unsigned char> dropped(static_cast<std::size_t>(k.rows + k.intrinsic_rows));
  for (Index r = 0; r < k.rows; ++r)
    dropped[static_cast<std::size_t>(r)] = loaded.numbers.rank().is_redundant(r) ? 1 : 0;
  const Index n = loaded.numbers.coordinates(), m = loaded.numbers.constraints();
  Eigen::MatrixXd J(m, n);
  for (Index r = 0; r < m; ++r) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(m, r);
    Eigen::VectorXd row(n);
    loaded.numbers.apply_jacobian_transpose({const_cast<double*>(unit.data()), m}, {row.data(), n});
    J.row(r) = row;
  }
  const auto squared_sine = [&](Index row, const std::vector<unsigned char>& without) {
    std::vector<Index> others;
    for (Index r = 0; r < m; ++r) {
      if (r != row && without[static_cast<std::size_t>(r)] == 0) others.push_back(r);
    }
    Eigen::MatrixXd span(n, static_cast<Eigen::Index>(others.size()));
    for (std::size_t i = 0; i < others.size(); ++i)
      span.col(static_cast<Eigen::Index>(i)) = J.row(others[i]).transpose();
    const Eigen::VectorXd v = J.row(row).transpose();
    const Eigen::VectorXd x = span.colPivHouseholderQr().solve(v);
    return (v - span * x).squaredNorm() / v.squaredNorm();
  };
  const auto look = [&](int times) {
    k.dropped = dropped.data();
    SparseKkt solver;
    solver.analyse(k);
    REQUIRE(solver.factorize(k));
    SparseRankWatch watch;
    watch.analyse(k);
    for (int i = 1; i < times; ++i) watch.look(k, solver);
    return watch.look(k, solver);
  };
  const RankWatch now = look(30);
  double smallest = 1;
  for (Index r = 0; r < k.rows; ++r) {
    if (dropped[static_cast<std::size_t>(r)] == 0) smallest = std::min(smallest, squared_sine(r, dropped));
  }
  REQUIRE(now.smallest_kept_row >= 0);
  CHECK(now.smallest_kept == doctest::Approx(squared_sine(now.smallest_kept_row, dropped)).epsilon(1e-9));
  // Inverse iteration finds the row with the largest share in the smallest singular vector, nearly the smallest angle.
  CHECK(now.smallest_kept < 10 * smallest);
  CHECK(now.largest_dropped < 1e-12);
  // A row that was left out wrongly shows at once.
  const Index wrong = now.smallest_kept_row;
  dropped[static_cast<std::size_t>(wrong)] = 1;
  const RankWatch regained = look(1);
  CHECK(regained.largest_dropped_row == wrong);
  CHECK(regained.largest_dropped == doctest::Approx(now.smallest_kept).epsilon(1e-9));
}

TEST_CASE("a loop that passes a singular position beside a hub with many arms is told of") {
  // Gravity along the axes of the loop's revolutes: it turns with the speed 1 and is flat at t = pi / 2, between two
  // steps.
  FinishedRun run(generated("hub_and_loop", 150),
                  {R"(integrator={"type":"rk4","step":0.05})", R"(formulation={"type":"projection"})",
                   "analysis.duration=2", R"(output={"step":1,"channels":["energy"]})"});
  const std::string summary = run.simulation.summary_json();
  CHECK(contains(summary, R"("linear_solver": "articulated)"));
  CHECK(contains(summary, "singular configuration near t = 1.57"));
}

TEST_CASE("large trees, nets and hubs run, each with the solver that fits it") {
  struct Case {
    const char* family;
    int size;
    Index freedoms;
    const char* solver;
  };
  // Freedoms by counting: a ball joint leaves 3; a net of free knots (6 each) has 2 n (n - 1) rods and one ball joint.
  for (const Case& c : {Case{"binary_tree", 1023, 3 * 1023, "articulated"},
                        {"net", 30, 900 * 6 - 2 * 30 * 29 - 3, "sparse"},
                        {"hub", 200, 6 + 200, "articulated"},
                        {"four_bar_ladder_redundant", 256, 1, "range_space"}}) {
    CAPTURE(c.family);
    FinishedRun run(generated(c.family, c.size), {R"(integrator={"type":"rk4","step":0.001})",
                                                  "analysis.duration=0.005", R"(output.channels=["energy"])"});
    const std::string summary = run.simulation.summary_json();
    CHECK(contains(summary, "\"degrees_of_freedom\": " + std::to_string(c.freedoms)));
    CHECK(contains(summary, std::string("\"linear_solver\": \"") + c.solver));
    CHECK(run.energy_drift() < 1e-6);
  }
}

TEST_CASE("mobility says where motions without stiffness are not known") {
  const std::filesystem::path file = temporary_run_file(R"json({ "trammel": 1, "system": { "type": "planar",
    "bodies": { "rod": { "mass": 1e-30, "inertia": 1e-20, "position": [1, 0] },
                "bob": { "mass": 1, "inertia": 1e-20, "position": [3, 0] } },
    "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0] },
                     "joint": { "type": "revolute", "bodies": ["rod", "bob"], "at": [2, 0] } } },
    "analysis": { "type": "modes" } })json");
  Simulation simulation(file, with_sets({}));
  CHECK(contains(simulation.mobility(), "2 degrees of freedom"));
  CHECK(contains(simulation.mobility(), "not computed, because bodies have next to no mass or inertia"));
  Simulation heavy(file, with_sets({"system.bodies.bob.inertia=0.1"}));
  CHECK(contains(heavy.mobility(), "2 motions without stiffness"));
}
