// Families and stiffness of methods, as they declare them.
#include "verify/second_way.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "loaded_model.h"

namespace trammel {
namespace {

struct Asked {
  explicit Asked(const std::string& integrator)
      : run(load_run_file(temporary_run_file(R"json({ "trammel": 1,
          "system": { "type": "planar", "bodies": { "b": { "mass": 1, "inertia": 1 } } },
          "analysis": { "type": "dynamics", "duration": 1 }, "formulation": { "type": "projection" },
          "integrator": )json" + integrator + " }"))),
        host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}}),
        own(own_way(run, host)) {}

  RunFile run;
  PluginHost host;
  Way own;
};

TEST_CASE("methods of two plugins are of one family, if they say so") {
  CHECK(Asked(R"({"type": "adams", "order": 4, "step": 0.01})").own.family ==
        Asked(R"({"type": "ddeabm", "rtol": 1e-6, "atol": 1e-8})").own.family);
  const Way bdf = Asked(R"({"type": "bdf", "rtol": 1e-6, "atol": 1e-8})").own;
  CHECK(bdf.family == "backward differentiation");
  CHECK(bdf.implicit);
  const Way dopri5 = Asked(R"({"type": "dopri5", "rtol": 1e-6, "atol": 1e-8})").own;
  CHECK(dopri5.family == "Runge-Kutta");
  CHECK_FALSE(dopri5.implicit);
}

TEST_CASE("a method that declares no family is of its plugin's, and still says whether it is implicit") {
  const Way rosenbrock = Asked(R"({"type": "rodas43", "rtol": 1e-6, "atol": 1e-8})").own;
  CHECK(rosenbrock.family == "rosenbrock_nystrom");
  CHECK(rosenbrock.implicit);
}

TEST_CASE("a method that is not installed is a family of its own") {
  const Way way = Asked(R"({"type": "vendor.unheard_of", "rtol": 1e-6, "atol": 1e-8})").own;
  CHECK(way.family == "vendor.unheard_of");
  CHECK_FALSE(way.implicit);
}

TEST_CASE("the second way is of another family and as implicit as the run's own") {
  for (const char* type : {"dopri5", "ddeabm", "bdf", "rodas43"}) {
    CAPTURE(type);
    Asked asked("{\"type\": \"" + std::string(type) + R"(", "rtol": 1e-6, "atol": 1e-8})");
    const std::vector<Way> ways = other_ways(asked.run, asked.own, true, asked.host);
    REQUIRE_FALSE(ways.empty());
    CHECK(ways[0].family != asked.own.family);
    CHECK(ways[0].treatment != asked.own.treatment);
    CHECK(ways[0].implicit == asked.own.implicit);
  }
}

}  // namespace
}  // namespace trammel
