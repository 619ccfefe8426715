// All linear solvers on every shipped model: the same accelerations, and multipliers where they are unique. Prints a table.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "loaded_model.h"
#include "shipped_models.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

constexpr double gravity = 10;  // m/s^2 or rad/s^2, the least that errors of accelerations are measured by

constexpr const char* solvers[] = {"dense", "sparse", "range_space", "articulated"};

struct Answer {
  bool refused = false;
  Status status;
  std::vector<double> a, lambda;
  double force = 0;        ///< largest, the least that errors of multipliers are measured by
  bool redundant = false;  ///< then multipliers, and accelerations off the constraints, depend on the rows left out
};

/// One step of refinement: the answer of the solver for what the first answer leaves.
Status refine(LoadedModel& m, std::vector<double>& a, std::vector<double>& lambda) {
  std::vector<double> f(a.size()), g(lambda.size()), more_a(a.size()), more(lambda.size());
  m.numbers.apply_mass(LoadedModel::view(a), LoadedModel::view(more_a));
  m.numbers.apply_jacobian_transpose(LoadedModel::view(lambda), LoadedModel::view(f));
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = m.numbers.Q()[static_cast<Index>(i)] - more_a[i] - f[i];
  m.numbers.apply_jacobian(LoadedModel::view(a), LoadedModel::view(g));
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = m.numbers.gamma()[static_cast<Index>(i)] - g[i];
  const Status status =
      m.numbers.solve(LoadedModel::view(f), LoadedModel::view(g), LoadedModel::view(more_a), LoadedModel::view(more));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += more_a[i];
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] += more[i];
  return status;
}

/// At the consistent start, or at a state beside it; every model has another one.
Answer answer(const std::filesystem::path& file, const char* solver, double disturbance) {
  Answer found;
  try {
    LoadedModel m(file, {std::string("analysis.solver=") + solver});
    found.a.resize(static_cast<std::size_t>(m.numbers.coordinates()));
    found.lambda.resize(static_cast<std::size_t>(m.numbers.constraints()));
    if (disturbance > 0) m.disturb(static_cast<unsigned>(found.a.size()), disturbance);
    ProjectionReport report;
    if (disturbance == 0)
      found.status = m.numbers.project_velocities(0.3, LoadedModel::view(m.q), LoadedModel::view(m.v),
                                                  ProjectionWeights::mass, report);
    if (found.status) found.status = m.evaluate(evaluate_dynamics);
    if (found.status) found.status = m.numbers.factorize(ProjectionWeights::mass);
    if (found.status)
      found.status = m.numbers.solve(m.numbers.Q(), m.numbers.gamma(), LoadedModel::view(found.a),
                                     LoadedModel::view(found.lambda));
    found.redundant = m.numbers.parts().rank.redundant() > 0 || m.numbers.parts().kkt.closest().weak > 0;
    if (found.status && std::string(solver) == "dense") found.status = refine(m, found.a, found.lambda);
    for (Index i = 0; i < m.numbers.coordinates(); ++i) found.force = std::max(found.force, std::abs(m.numbers.Q()[i]));
  } catch (const Error&) {
    found.refused = true;
  }
  return found;
}

double distance(const std::vector<double>& a, const std::vector<double>& b, double least) {
  double largest = 0, scale = least;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return largest / scale;
}

}  // namespace

TEST_CASE("solvers agree on every shipped model") {
  int compared = 0;
  fmt::print("{:<60} {:>11} {:>11} {:>11}\n", "largest difference from dense, relative", "sparse", "range_space",
             "articulated");
  for (const std::filesystem::path& file : shipped_models()) {
    for (const double disturbance : {0.0, 1e-3}) {
      const Answer expected = answer(file, solvers[0], disturbance);
      if (expected.refused || !expected.status || (expected.redundant && disturbance > 0)) continue;
      std::string line = fmt::format("{:<60}", file.filename().string() + (disturbance > 0 ? " (beside)" : ""));
      for (int s = 1; s < 4; ++s) {
        const Answer found = answer(file, solvers[s], disturbance);
        if (found.refused) {
          line += fmt::format(" {:>11}", "-");
          continue;
        }
        CAPTURE(file.string());
        const std::string solver = solvers[s];
        CAPTURE(solver);
        CAPTURE(disturbance);
        CHECK(found.status);
        const bool unique = !found.redundant && !expected.redundant;
        const double error = std::max(distance(found.a, expected.a, gravity),
                                      unique ? distance(found.lambda, expected.lambda, expected.force) : 0);
        CHECK(error < 1e-10);
        line += fmt::format(" {:>11.1e}", error);
        ++compared;
      }
      fmt::print("{}\n", line);
    }
  }
  CHECK(compared > 300);
}
