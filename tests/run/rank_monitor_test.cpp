// The watch over the rank along motions through singular configurations that are known in closed form.
#include "run/plant/rank_monitor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "dense_kkt.h"
#include "dense_solvers.h"
#include "loaded_model.h"

using namespace trammel;

namespace {

/// A parallelogram of cranks of 0.2 m, 0.5 m apart: singular where all its links are in line.
struct FourBar {
  FourBar()
      : loaded(system_file(R"json("type": "planar",
          "bodies": { "crank": { "mass": 1, "inertia": 0.1, "position": [0.1, 0] },
            "coupler": { "mass": 1, "inertia": 0.1, "position": [0.45, 0] },
            "rocker": { "mass": 1, "inertia": 0.1, "position": [0.6, 0] } },
          "constraints": {
            "A": { "type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0], "point_j": [-0.1, 0] },
            "B": { "type": "revolute", "bodies": ["crank", "coupler"], "point_i": [0.1, 0], "point_j": [-0.25, 0] },
            "C": { "type": "revolute", "bodies": ["coupler", "rocker"], "point_i": [0.25, 0], "point_j": [0.1, 0] },
            "D": { "type": "revolute", "bodies": ["ground", "rocker"], "point_i": [0.5, 0], "point_j": [-0.1, 0] } })json")),
        monitor(loaded.numbers) {}

  /// The parallelogram with its cranks at this angle.
  void move(double angle) {
    const double x = 0.1 * std::cos(angle), y = 0.1 * std::sin(angle);
    loaded.q = {x, y, angle, 2 * x + 0.25, 2 * y, 0, 0.5 + x, y, angle};
    REQUIRE(loaded.evaluate(evaluate_Phi | evaluate_dynamics));
    CHECK(loaded.numbers.Phi().map().norm() < 1e-15);
    REQUIRE(loaded.numbers.factorize(ProjectionWeights::mass));
  }
  Eigen::Index rank() {
    Eigen::MatrixXd kkt(17, 17);
    assemble_dense(loaded.numbers.parts().kkt.matrix(), kkt);
    const Eigen::MatrixXd Phi_q = kkt.bottomLeftCorner(8, 9);
    Eigen::FullPivLU<Eigen::MatrixXd> lu(Phi_q);
    lu.setThreshold(1e-9);
    return lu.rank();
  }
  /// One step of the run: true if the choice of rows changed.
  bool step(double angle, double t) {
    move(angle);
    return monitor.step(t, 0);
  }

  LoadedModel loaded;
  RankMonitor monitor;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double time_in(const std::string& message) {
  const std::size_t at = message.find("t = ");
  REQUIRE(at != std::string::npos);
  return std::strtod(message.c_str() + at + 4, nullptr);
}

}  // namespace

TEST_CASE("a motion that stays away from singular configurations has nothing to tell") {
  FourBar bar;
  for (int i = 0; i <= 40; ++i) {
    CHECK_FALSE(bar.step(0.5 + 0.05 * i, i));
    CHECK(bar.rank() == 8);
  }
  CHECK(bar.monitor.messages().empty());
}

TEST_CASE("a singular configuration between two steps is told once, with its time, wherever it lies between them") {
  for (const double offset : {1e-4, 0.011, 0.025, 0.04, 0.0499}) {
    CAPTURE(offset);
    FourBar bar;
    // The links are in line at the angle pi, where t = 2 (pi - 2.6).
    for (double angle = M_PI - 0.5 + offset; angle < 3.6; angle += 0.05) {
      CHECK_FALSE(bar.step(angle, 2 * (angle - 2.6)));
    }
    const std::vector<std::string> messages = bar.monitor.messages();
    REQUIRE(messages.size() == 1);
    CHECK(contains(messages[0], "singular configuration near"));
    // The squared sine is even about the passage to third order: the parabola is off by a fraction of a step.
    CHECK(std::abs(time_in(messages[0]) - 2 * (M_PI - 2.6)) < 0.01);
  }
}

TEST_CASE("a step that ends in the singular configuration leaves a row out, the next ones take it back") {
  FourBar bar;
  for (int i = -10; i < 0; ++i) CHECK_FALSE(bar.step(M_PI + 0.05 * i, 1 + 0.1 * i));
  CHECK(bar.loaded.numbers.rank().redundant() == 0);
  CHECK(bar.step(M_PI, 1));
  CHECK(bar.rank() == 7);
  CHECK(bar.loaded.numbers.rank().redundant() == 1);
  int changes = 0;
  for (int i = 1; i < 10; ++i) changes += bar.step(M_PI + 0.05 * i, 1 + 0.1 * i) ? 1 : 0;
  CHECK(changes == 1);
  CHECK(bar.rank() == 8);
  CHECK(bar.loaded.numbers.rank().redundant() == 0);
  bool lost = false, regained = false, near = false;
  for (const std::string& message : bar.monitor.messages()) {
    CAPTURE(message);
    lost = lost || contains(message, "at t = 1 the number of dependent constraint rows changes from 0 to 1");
    regained = regained || contains(message, "changes from 1 to 0");
    near = near || contains(message, "singular configuration near t = 1,");
  }
  CHECK(lost);
  CHECK(regained);
  CHECK(near);
}

TEST_CASE("where drivers determine the motion, rows of the results in a singular position are told") {
  FourBar bar;
  bar.monitor.expect_determined_motion();
  bar.move(2);
  bar.monitor.row(0.5);
  CHECK(bar.monitor.messages().empty());
  bar.move(M_PI);
  bar.monitor.row(0.75);
  REQUIRE(bar.monitor.messages().size() == 1);
  CHECK(contains(bar.monitor.messages()[0], "the position at t = 0.75 is singular"));
}

TEST_CASE("a passage located elsewhere is told with that time; checkpoints keep what was told") {
  FourBar bar;
  bar.step(2, 1);
  bar.monitor.locate(1.0625, 3);
  bar.step(2.05, 1.1);
  bar.step(2.1, 1.2);
  REQUIRE(bar.monitor.messages().size() == 1);
  CHECK(time_in(bar.monitor.messages()[0]) == 1.0625);
  CHECK(contains(bar.monitor.messages()[0], bar.loaded.numbers.row_name(3)));
  Archive archive;
  bar.monitor.remember(archive);
  FourBar other;
  archive.restore_from_here();
  other.monitor.remember(archive);
  CHECK(other.monitor.messages() == bar.monitor.messages());
}

TEST_CASE("many passages are counted, not all told") {
  FourBar bar;
  for (int i = 0; i < 12 * 63; ++i) bar.step(0.5 + 0.05 * i, i);  // 12 times through the angles k pi
  const std::vector<std::string> messages = bar.monitor.messages();
  REQUIRE(!messages.empty());
  CHECK(messages.size() <= 9);
  CHECK(contains(messages.back(), "more passages near singular configurations"));
  CHECK(std::atoi(messages.back().c_str()) + static_cast<int>(messages.size()) - 1 == 12);
}

TEST_CASE(
    "a step that would end next to a singular position is to be taken shorter, and one that ends clear of it is not") {
  FourBar bar;
  bar.step(2, 0);
  CHECK_FALSE(bar.monitor.nears());
  bar.step(M_PI - 0.05, 1);
  REQUIRE(bar.monitor.nears());
  for (const double beyond : {-1e-3, -1e-5, -1e-9, 0.0, 1e-9, 1e-5, 1e-3}) {
    CAPTURE(beyond);
    bar.move(M_PI + beyond);
    const double share = bar.monitor.share_of_step();
    REQUIRE(share < 1);
    // Where that shorter step ends is clear of it, and so is the end of the next one of full length.
    bar.move(M_PI - 0.05 + share * (0.05 + beyond));
    CHECK(bar.monitor.share_of_step() == 1);
  }
  for (const double clear : {-0.03, 0.03}) {
    bar.move(M_PI + clear);
    CHECK(bar.monitor.share_of_step() == 1);
  }
}

TEST_CASE("a motion that is at a singular position already is not asked for shorter steps") {
  FourBar bar;
  bar.step(M_PI, 1);
  bar.move(M_PI);
  CHECK(bar.monitor.share_of_step() == 1);
}

TEST_CASE("steps that shrink without end next to a singular position are noticed, short ones elsewhere are not") {
  FourBar bar;
  const double mean = 1e-3;
  bar.step(2, 0);
  for (int i = 0; i < 5000; ++i) CHECK_FALSE(bar.monitor.sticks(1e-12, mean));
  bar.step(M_PI - 1e-6, 1);
  for (int i = 0; i < 5000; ++i) CHECK_FALSE(bar.monitor.sticks(1e-4, mean));  // short, but no collapse
  int tried = 0;
  while (!bar.monitor.sticks(1e-12, mean) && tried < 5000) ++tried;
  CHECK(tried == 1000);
  CHECK(contains(bar.monitor.about_nearness(), "what the other rows demand"));
  bar.step(2, 2);  // the row counts again
  bar.step(2.1, 3);
  CHECK_FALSE(bar.monitor.sticks(1e-12, mean));
}

TEST_CASE("where rows were left out the position stays near until they count again") {
  FourBar bar;
  bar.step(2, 0);
  bar.step(M_PI, 1);
  CHECK(bar.monitor.is_near());
  bar.step(M_PI + 2e-6, 1.1);  // too near for the row to count again
  REQUIRE(bar.loaded.numbers.rank().redundant() == 1);
  CHECK(bar.monitor.is_near());
  bar.step(M_PI + 0.1, 1.2);
  bar.step(M_PI + 0.2, 1.3);
  CHECK_FALSE(bar.monitor.is_near());
}
