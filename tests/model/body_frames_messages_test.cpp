// Elements at bodies that deform: what messages call the place in the run file.
#include <doctest/doctest.h>

#include <string>

#include "loaded_model.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

using namespace trammel;

namespace {

std::string message(const std::string& forces) {
  const auto file = temporary_run_file(R"({"trammel": 1, "system": {"type": "acme.modal",
      "bodies": {"beam": {"type": "beam", "mass": 1, "length": 1, "bending_stiffness": 5},
        "bob": {"mass": 1, "inertia": 0.1, "position": [2, 0]}},
      "points": {"tip": {"body": "beam", "point": [1, 0]}},
      "forces": {)" + forces + R"(}},
    "analysis": {"type": "dynamics", "duration": 0.01}, "formulation": {"type": "projection"}, "integrator": {"type": "dopri5"}})",
                                       "deforming.json");
  try {
    const Simulation run(file, {{},
                                {std::string(TRAMMEL_BUILD_DIR) + "/tests/body_frames",
                                 std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins"}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("an element on one body is told at its key 'body', one between two at 'bodies'") {
  CHECK(message(R"("push": {"type": "applied_force", "body": "tip", "force": [1, 0]})") == "");
  const std::string one = message(R"("push": {"type": "applied_force", "body": "beam", "force": [1, 0]})");
  CAPTURE(one);
  CHECK(contains(one, "/system/forces/push/body: "));
  CHECK(contains(one, "which deforms"));
  const std::string two = message(R"("rope": {"type": "tsda", "bodies": ["beam", "bob"], "stiffness": 1})");
  CAPTURE(two);
  CHECK(contains(two, "/system/forces/rope/bodies: "));
}

TEST_CASE("a misspelt point of a body that deforms is suggested where a body is meant") {
  const std::string text = message(R"("push": {"type": "applied_force", "body": "tpi", "force": [1, 0]})");
  CAPTURE(text);
  CHECK(contains(text, "did you mean 'tip'?"));
}
