// Feedback chosen at each step from its length: the rule, and `baumgarte` and its parameters with it.
#include "trammel/sdk/formulations/step_feedback.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "built_component.h"
#include "dense_constrained.h"
#include "trammel/error.h"
#include "trammel/formulation.h"

using namespace trammel;

namespace {

using Vector = Eigen::VectorXd;

/// The numbers that a formulation keeps, and the rule on them.
struct Chosen {
  double memory[3] = {};
  sdk::StepFeedback feedback = sdk::StateLayout::place<sdk::StepFeedback>(memory);

  /// Steps of these lengths; alpha afterwards.
  double after(std::initializer_list<double> steps, double alpha_h) {
    for (const double h : steps) feedback.follow(feedback.time + h, alpha_h);
    return feedback.alpha;
  }
};

/// g that `formulation` brings about at y: Phi_q a.
Vector right_side(const Formulation& formulation, DenseConstrained& system, const Vector& y, const Memory& memory) {
  const Index n = system.coordinates();
  Vector f(y.size());
  REQUIRE(formulation.rhs(system, 0.4, {y.data(), 2 * n}, memory, {f.data(), 2 * n}).ok());
  return system.Phi_q * f.segment(n, n);
}

std::string refused_key(const std::map<std::string, double>& numbers, const char* type = "baumgarte") {
  try {
    const BuiltComponent<Formulation> made(ComponentKind::formulation, type, {numbers, {}, {}});
  } catch (const Error& error) {
    return error.key();
  }
  return "";
}

}  // namespace

TEST_CASE("alpha is alpha_h over the longer one of the last two steps, falls at once and rises slowly") {
  CHECK(Chosen().feedback.alpha == 0);  // the first step has none
  CHECK(Chosen().after({0.1}, 0.5) == doctest::Approx(5));
  CHECK(Chosen().after({0.1, 0.1, 0.1}, 0.5) == doctest::Approx(5));
  CHECK(Chosen().after({0.1, 0.06, 0.06}, 0.5) == doctest::Approx(5));    // within the band
  CHECK(Chosen().after({0.1, 1e-9, 0.1}, 0.5) == doctest::Approx(5));     // a shortened step does not count
  CHECK(Chosen().after({0.1, 0.2}, 0.5) == doctest::Approx(2.5));         // stability comes first
  CHECK(Chosen().after({0.1, 0.01, 0.01}, 0.5) == doctest::Approx(5.5));  // not 50
  CHECK(Chosen().after({0.1, 0.04, 0.04, 0.04}, 0.2) == doctest::Approx(2 * 1.1 * 1.1));
}

TEST_CASE("equal steps whose times are rounded keep one alpha") {
  Chosen chosen;
  int changes = 0;
  for (int i = 1; i <= 1000; ++i) changes += chosen.feedback.follow(0.01 * i, 0.5);
  CHECK(changes == 1);
}

TEST_CASE("baumgarte with alpha_h: nothing in the first step, then alpha = beta = alpha_h / h") {
  const double alpha_h = 0.3, h = 0.02;
  const BuiltComponent<Formulation> formulation(ComponentKind::formulation, "baumgarte",
                                                {{{"alpha_h", alpha_h}}, {}, {}});
  RodPendulum system;
  const Index n = system.coordinates();
  const MemorySize size = formulation->memory(system);
  std::vector<double> state(static_cast<std::size_t>(size.state)), scratch(static_cast<std::size_t>(size.scratch));
  const Memory memory{state.data(), scratch.data()};
  Vector y = Vector::LinSpaced(2 * n, 0.3, 1.7);  // off the constraints
  REQUIRE(formulation->start(system, 0, {y.data(), n}, {y.data() + n, n}, memory).ok());
  const Vector free = right_side(*formulation, system, y, memory);
  CHECK((free - system.gamma_).norm() < 1e-12);

  const Vector before = y;
  const Correction first = formulation->correct(system, h, {y.data(), 2 * n}, {}, memory);
  CHECK(first.status.ok());
  CHECK(first.changed);  // of the rates, not of y
  CHECK(y == before);
  const double alpha = alpha_h / h;
  const Vector fed = right_side(*formulation, system, y, memory);
  const Vector expected =
      system.gamma_ - 2 * alpha * (system.Phi_q * y.tail(n) - system.nu_) - alpha * alpha * system.Phi_;
  CHECK((fed - expected).norm() < 1e-13 * (1 + expected.norm()));
  CHECK_FALSE(formulation->correct(system, 2 * h, {y.data(), 2 * n}, {}, memory).changed);
}

TEST_CASE("alpha or alpha_h, and beta with alpha only") {
  CHECK(refused_key({}) == "alpha");
  CHECK(refused_key({{"alpha", 5}, {"alpha_h", 0.5}}) == "alpha");
  CHECK(refused_key({{"alpha_h", 0.5}, {"beta", 3}}) == "beta");
  CHECK(refused_key({{"alpha", 5}, {"beta", 3}}).empty());
  CHECK(refused_key({{"alpha_h", 0.5}}).empty());
}

TEST_CASE("hybrid: alpha_h excludes alpha and beta, and neither is needed") {
  CHECK(refused_key({}, "hybrid").empty());
  CHECK(refused_key({{"beta", 3}}, "hybrid").empty());
  CHECK(refused_key({{"alpha_h", 0.5}}, "hybrid").empty());
  CHECK(refused_key({{"alpha", 5}, {"alpha_h", 0.5}}, "hybrid") == "alpha");
  CHECK(refused_key({{"alpha_h", 0.5}, {"beta", 3}}, "hybrid") == "beta");
}
