// Which element an evaluation failed in: that of the last evaluation, and none once one succeeds.
#include <doctest/doctest.h>

#include <string>

#include "loaded_model.h"
#include "model/element_report.h"

using namespace trammel;

TEST_CASE("an element is blamed for the last evaluation only") {
  LoadedModel loaded(
      system_file(R"("type": "planar", "bodies": { "b": { "mass": 1, "inertia": 1, "position": [1, 0] } },
      "forces": { "spring": { "type": "tsda", "bodies": ["ground", "b"], "stiffness": 2, "free_length": 0.5 } })"));
  const ModelPoint& point = loaded.numbers.point();
  loaded.q[0] = 0;
  CHECK_FALSE(loaded.evaluate(evaluate_dynamics).ok());
  CHECK(failed_element(point) == "'spring' (type 'tsda')");
  loaded.q[0] = 2;
  CHECK(loaded.evaluate(evaluate_dynamics).ok());
  CHECK(failed_element(point).empty());
}

TEST_CASE("what an element gave beside an evaluation is no reason for what later ones give") {
  LoadedModel loaded(
      system_file(R"("type": "planar", "bodies": { "b": { "mass": 1, "inertia": 1, "position": [1, 0] } },
      "forces": { "spring": { "type": "tsda", "bodies": ["ground", "b"], "stiffness": 2, "free_length": 0.5 } })"));
  ModelPoint& point = loaded.numbers.point();
  point.fail(loaded.numbers.assembly().forces[0], "accepted");
  CHECK(find_not_finite(point).find("in accepted()") != std::string::npos);
  REQUIRE(loaded.evaluate(evaluate_dynamics).ok());
  CHECK(find_not_finite(point).empty());
}
