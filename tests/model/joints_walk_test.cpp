// The walk of the example acme.joints along a long chain: its reduced mass matrix, what it allocates, and NaN.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "allocation_counter.h"
#include "loaded_model.h"
#include "walk.h"

using namespace trammel;

namespace {

/// A straight chain of links of 1 m that hangs on ground.
std::filesystem::path chain(int links) {
  std::string bodies, joints;
  for (int i = 0; i < links; ++i) {
    const std::string name = "b" + std::to_string(i), before = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    const std::string comma = i == 0 ? "" : ", ";
    bodies += comma + "\"" + name + R"(": {"mass": 1, "inertia": 0.1, "position": [)" + std::to_string(i) + ".5, 0]}";
    joints += comma + "\"j" + std::to_string(i) + R"(": {"type": "revolute", "bodies": [")" + before + "\", \"" + name +
              R"("], "at": [)" + std::to_string(i) + ", 0]}";
  }
  return system_file(R"("type": "planar", "gravity": [0, -9.81], "bodies": {)" + bodies + R"(}, "constraints": {)" +
                     joints + "}");
}

struct Walked {
  explicit Walked(int links)
      : loaded(chain(links)), tree(loaded.numbers), size(acme::joints::Layout::size<acme::joints::Walk>(tree)) {
    state.assign(static_cast<std::size_t>(size.state), 0.0),
        scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    theta.assign(static_cast<std::size_t>(tree.thetas), 0.0);
  }
  acme::joints::Walk walk() {
    auto placed = acme::joints::Layout::place<acme::joints::Walk>({state.data(), scratch.data(), nullptr}, tree);
    placed.state_q = LoadedModel::view(loaded.q).map();
    return placed;
  }

  LoadedModel loaded;
  acme::joints::Tree tree;
  MemorySize size;
  std::vector<double> state, scratch, theta;
};

}  // namespace

TEST_CASE("a chain of 150 links is reduced without allocations: B^T M B of links about a common line") {
  constexpr int links = 150;
  Walked at(links);
  auto walk = at.walk();
  ConstrainedModel& model = at.loaded.numbers;
  REQUIRE(walk.place(model, 0, LoadedModel::view(at.theta), evaluate_dynamics));
  const long before = allocation_count;
  walk.reduce(model);
  const long after = allocation_count;
  if (allocations_are_counted) CHECK(after == before);
  // Joint angle i turns all links from i on about x = i: sum of (k + 1/2 - i)(k + 1/2 - j) + 0.1.
  double worst = 0;
  for (int i = 0; i < links; ++i) {
    for (int j = 0; j < links; ++j) {
      double sum = 0;
      for (int k = std::max(i, j); k < links; ++k) sum += (k + 0.5 - i) * (k + 0.5 - j) + 0.1;
      worst = std::max(worst, std::abs(walk.hat_M(i, j) - sum) / sum);
    }
  }
  CHECK(worst < 1e-11);
}

TEST_CASE("joint coordinates that are not finite are named as that") {
  Walked at(3);
  auto walk = at.walk();
  at.theta[1] = std::nan("");
  CHECK(walk.place(at.loaded.numbers, 0, LoadedModel::view(at.theta), 0).code == StatusCode::not_finite);
}
