// Several simulations alive in one thread do not change each other's bits.
#include <doctest/doctest.h>

#include <memory>

#include "embedded.h"

using namespace trammel;

namespace {

/// A run file under a method, for a few hundred steps.
struct Case {
  const char* file;
  const char* method;
};

const Case cases[] = {
    {"slider_crank", R"(integrator={"type":"dopri5","rtol":1e-8,"atol":1e-10})"},
    {"slider_crank", R"(integrator={"type":"dopri5","rtol":1e-8,"atol":1e-10})"},  // the same plugins twice
    {"heavy_top", R"(integrator={"type":"adams","order":3,"step":0.001})"},
    {"spatial_four_bar", R"(formulation={"type":"coordinate_partitioning"})"},
    {"bouncing_ball", R"(title=impacts)"},
    {"chain_64", R"(analysis.solver=range_space)"},
    {"planar_double_pendulum", R"(integrator={"type":"ddeabm","rtol":1e-8,"atol":1e-10})"},
};
constexpr int steps = 60;

std::unique_ptr<Simulation> begin(const Case& c) {
  return std::make_unique<Simulation>(std::filesystem::path(example(c.file)), options({c.method}));
}

}  // namespace

TEST_CASE("stepped in turn or one after the other: the same bits") {
  std::vector<std::vector<double>> alone;
  for (const Case& c : cases) {
    const std::unique_ptr<Simulation> simulation = begin(c);
    std::vector<double> history;
    for (int i = 0; i < steps; ++i) {
      simulation->step();
      const std::vector<double> now = whole_state(*simulation);
      history.insert(history.end(), now.begin(), now.end());
    }
    alone.push_back(history);
  }
  std::vector<std::unique_ptr<Simulation>> all;
  std::vector<std::vector<double>> together(std::size(cases));
  for (const Case& c : cases) all.push_back(begin(c));
  for (int i = 0; i < steps; ++i) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k]->step();
      const std::vector<double> now = whole_state(*all[k]);
      together[k].insert(together[k].end(), now.begin(), now.end());
    }
    if (i == steps / 2) all.push_back(begin(cases[0])), all.pop_back();  // one that comes and goes
  }
  for (std::size_t k = 0; k < std::size(cases); ++k) {
    CAPTURE(cases[k].file);
    CHECK(alone[k].size() > 100);
    CHECK(same_bits(alone[k], together[k]));
  }
}
