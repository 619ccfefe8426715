// Metrics through their loaded plugins.
#include "trammel/metric.h"

#include <doctest/doctest.h>

#include <cmath>

#include "built_component.h"

using namespace trammel;

TEST_CASE("final_value keeps the last sample of its channel") {
  const BuiltComponent<Metric> metric(ComponentKind::metric, "final_value", {{}, {{"channel", "rod.x"}}, {}});
  REQUIRE(metric->channel_count() == 1);
  CHECK(std::string(metric->channel(0)) == "rod.x");
  CHECK(metric->result_count() == 1);
  REQUIRE(metric->memory().state == 2);
  double state[2] = {0, 0};
  CHECK(std::isnan(metric->result(0, {state, nullptr})));  // nothing was accumulated
  for (const double value : {1.0, -2.0, 3.5}) {
    MetricSample sample;
    sample.values = {&value, 1};
    REQUIRE(metric->accumulate(sample, {state, nullptr}).ok());
    CHECK(metric->result(0, {state, nullptr}) == value);
  }
}
