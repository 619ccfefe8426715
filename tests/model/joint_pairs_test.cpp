// Pairs of joints between the same two bodies: freedoms against the rank of the joints' wrenches.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "dense_solvers.h"
#include "finished_run.h"
#include "loaded_model.h"

using namespace trammel;

namespace {

using Eigen::Vector3d;
using Wrench = Eigen::Matrix<double, 6, 1>;

std::mt19937 generator(16);
std::uniform_real_distribution<double> some(-1, 1);
Vector3d random_vector() { return {some(generator), some(generator), some(generator)}; }

struct Place {
  Vector3d at, axis, across;
};

constexpr double pitch = 0.3;
const char* const types[] = {"revolute", "spherical", "universal",    "cylindrical",   "translational", "fixed",
                             "in_line",  "in_plane",  "planar_joint", "parallel_axes", "dot1",          "screw"};

/// Forces and torques that a joint transmits, about the origin: what it denies is the motion that they would do work
/// on.
std::vector<Wrench> wrenches(const std::string& type, const Place& p) {
  const Vector3d u = p.axis, v = p.across, w = u.cross(v), zero = Vector3d::Zero();
  std::vector<Wrench> all;
  const auto force = [&](const Vector3d& f, const Vector3d& torque) {
    all.emplace_back((Wrench() << f, p.at.cross(f) + torque).finished());
  };
  const auto torque = [&](const Vector3d& m) { all.emplace_back((Wrench() << zero, m).finished()); };
  const bool point = type == "revolute" || type == "spherical" || type == "universal" || type == "fixed";
  const bool guide = type == "cylindrical" || type == "translational" || type == "in_line" || type == "screw";
  if (point || type == "in_plane" || type == "planar_joint") force(u, zero);
  if (point || guide) force(v, zero), force(w, zero);
  if (type == "screw") force(u, -pitch / (2 * M_PI) * u);
  if (type == "translational" || type == "fixed") torque(u);
  if (type == "universal" || type == "dot1") torque(w);
  if (type != "spherical" && type != "universal" && type != "in_line" && type != "in_plane" && type != "dot1")
    torque(v), torque(w);
  return all;
}

std::string element(const std::string& type, const char* first, const Place& p) {
  const auto vector = [](const Vector3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); };
  std::string text = fmt::format(R"({{"type": "{}", "bodies": ["{}", "b"])", type, first);
  if (type != "parallel_axes" && type != "dot1") text += ", \"at\": " + vector(p.at);
  if (type != "spherical" && type != "fixed") text += ", \"axis\": " + vector(p.axis);
  if (type == "universal" || type == "dot1") text += ", \"second_axis\": " + vector(p.across);
  if (type == "screw") text += fmt::format(R"(, "pitch": {})", pitch);
  return text + "}";
}

std::string two_bodies(const std::string& constraints) {
  return R"({"trammel": 1, "system": {"type": "spatial", "bodies": {
    "a": {"mass": 5, "inertia": [1, 1.1, 1.2], "position": [0.3, -0.2, 0.6], "rotation": {"axis": [1, 2, 3], "angle": 0.8}},
    "b": {"mass": 1, "inertia": [0.2, 0.3, 0.4], "position": [-0.5, 0.1, 0.4], "rotation": {"axis": [2, -1, 1], "angle": 2.1}}},
    "constraints": {)" +
         constraints + R"(}}, "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"}, "integrator": {"type": "dopri5"}})";
}

/// Places of two joints: on one axis line, with parallel axes, or anyhow.
std::pair<Place, Place> two_places(int kind) {
  Place one{random_vector(), random_vector().normalized(), Vector3d::Zero()}, other = one;
  if (kind == 0) other.at += 0.8 * one.axis;
  if (kind > 0) other.at = random_vector();
  if (kind > 1) other.axis = random_vector().normalized();
  for (Place* p : {&one, &other}) p->across = p->axis.unitOrthogonal();
  return {one, other};
}

}  // namespace

TEST_CASE("every pair of joints leaves the freedoms that their wrenches leave, also off |p| = 1") {
  for (int kind = 0; kind < 3; ++kind) {
    for (const char* const* first = std::begin(types); first != std::end(types); ++first) {
      for (const char* const* second = first; second != std::end(types); ++second) {
        CAPTURE(kind);
        CAPTURE(*first);
        CAPTURE(*second);
        const char* ground_or_body = some(generator) > 0 ? "ground" : "a";
        const auto [one, other] = two_places(kind);
        const std::string text = two_bodies("\"j\": " + element(*first, ground_or_body, one) +
                                            ", \"k\": " + element(*second, ground_or_body, other));
        std::vector<Wrench> all = wrenches(*first, one), more = wrenches(*second, other);
        all.insert(all.end(), more.begin(), more.end());
        Eigen::MatrixXd columns(6, static_cast<Eigen::Index>(all.size()));
        for (std::size_t i = 0; i < all.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = all[i];
        const auto rank = static_cast<Index>(Eigen::FullPivLU<Eigen::MatrixXd>(columns).setThreshold(1e-9).rank());
        LoadedModel loaded(temporary_run_file(text));
        const auto freedoms = [&] {
          REQUIRE(loaded.evaluate(evaluate_Phi | evaluate_jacobian));
          const Index left_out = loaded.numbers.rank().choose_rows(1e-6);
          for (Index r = loaded.numbers.constraints() - 2; r < loaded.numbers.constraints(); ++r)
            CHECK(!loaded.numbers.rank().is_redundant(r));
          return loaded.numbers.coordinates() - loaded.numbers.constraints() + left_out;
        };
        CHECK(freedoms() == 12 - rank);
        if (kind > 0 || ground_or_body[0] != 'g') continue;
        for (std::size_t i = 3; i < loaded.q.size(); ++i) loaded.q[i] *= i % 7 < 3 ? 1 : 1.01;
        CHECK(freedoms() == 12 - rank);
      }
    }
  }
}

TEST_CASE("a door on two hinges, two ball joints or two welds and a ball moves as on one hinge") {
  const auto door = [](const char* constraints, const char* method) {
    return std::string(
               R"({"trammel": 1, "system": {"type": "spatial", "gravity": [1, -2, -9.81], "bodies": {"door": {"mass": 2,
      "inertia": [0.2, 0.3, 0.4], "position": [0.5, 0.1, 0.2]}}, "constraints": {)") +
           constraints + R"(}}, "analysis": {"type": "dynamics", "duration": 0.5}, )" + method + "}";
  };
  const char* const exact =
      R"("formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13})";
  const char* const hinge =
      R"("h": {"type": "revolute", "bodies": ["ground", "door"], "at": [0, 0, 0], "axis": [0, 1, 0]})";
  const std::string second =
      R"(, "k": {"type": "revolute", "bodies": ["ground", "door"], "at": [0, 1, 0], "axis": [0, 1, 0]})";
  const char* const balls = R"("h": {"type": "spherical", "bodies": ["ground", "door"], "at": [0, 0, 0]},
    "k": {"type": "spherical", "bodies": ["ground", "door"], "at": [0, 1, 0]}, "l": {"type": "spherical", "bodies": ["ground", "door"], "at": [0, -0.4, 0]})";
  FinishedRun one(temporary_run_file(door(hinge, exact)), {});
  struct Method {
    const char* text;
    double allowed;
  };
  for (
      const Method& m :
      {Method{R"("formulation": {"type": "direct"}, "integrator": {"type": "dopri5", "rtol": 1e-9})", 1e-7},
       Method{
           R"("formulation": {"type": "baumgarte", "alpha": 20, "beta": 20}, "integrator": {"type": "dopri5", "rtol": 1e-9})",
           1e-7},
       Method{R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "dopri5", "rtol": 1e-9})",
              1e-7},
       Method{R"("formulation": {"type": "hybrid"}, "integrator": {"type": "dopri5", "rtol": 1e-9})", 1e-6},
       Method{R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "rodas43", "rtol": 1e-8})",
              1e-6},
       Method{R"("formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "bdf", "rtol": 1e-8})",
              1e-5},
       Method{R"("integrator": {"type": "hht", "step": 1e-3})", 1e-4},
       Method{R"("integrator": {"type": "rattle", "step": 1e-3})", 1e-4}}) {
    CAPTURE(m.text);
    for (const std::string& joints : {hinge + second, std::string(balls)}) {
      FinishedRun two(temporary_run_file(door(joints.c_str(), m.text)), {});
      CHECK(two.simulation.warnings().size() == 1);  // the redundant rows
      for (const char* channel : {"door.x", "door.z", "door.vx", "door.vz"}) {
        CHECK(std::abs(two.channel(channel) - one.channel(channel)) < m.allowed);
      }
    }
  }
}
