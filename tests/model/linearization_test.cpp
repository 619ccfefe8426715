// The assembled contractions against central differences of the assembled equations.
#include <doctest/doctest.h>

#include "loaded_model.h"
#include "random_vector.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";

struct Residual {
  std::vector<double> f, g;
};

/// M a + Phi_q^T lambda - Q and Phi_q a - gamma at the model's current q and v.
Residual residual(LoadedModel& m, std::vector<double>& a, std::vector<double>& lambda) {
  REQUIRE(m.evaluate(evaluate_dynamics));
  Residual r{std::vector<double>(a.size()), std::vector<double>(lambda.size())};
  std::vector<double> reaction(a.size());
  m.numbers.apply_mass(LoadedModel::view(a), LoadedModel::view(r.f));
  m.numbers.apply_jacobian_transpose(LoadedModel::view(lambda), LoadedModel::view(reaction));
  m.numbers.apply_jacobian(LoadedModel::view(a), LoadedModel::view(r.g));
  for (std::size_t i = 0; i < a.size(); ++i) r.f[i] += reaction[i] - m.numbers.Q()[static_cast<Index>(i)];
  for (std::size_t i = 0; i < lambda.size(); ++i) r.g[i] -= m.numbers.gamma()[static_cast<Index>(i)];
  return r;
}

}  // namespace

TEST_CASE("apply_linearization is the derivative of the equations of motion") {
  for (const char* name :
       {"slider_crank.json", "spatial_double_pendulum.json", "planar_four_bar.json", "spring_mass.json"}) {
    CAPTURE(name);
    LoadedModel m(examples / name);
    m.disturb(3, 0.02);
    const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
               rows = static_cast<std::size_t>(m.numbers.constraints());
    std::vector<double> a = random_vector(n, 1), lambda = random_vector(rows, 2);
    const std::vector<double> dq = random_vector(n, 3), dv = random_vector(n, 4), q = m.q, v = m.v;
    REQUIRE(m.evaluate(evaluate_dynamics));
    REQUIRE(m.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
    std::vector<double> f(n), g(rows), dq_copy = dq, dv_copy = dv;
    m.numbers.derivatives().apply_linearization(LoadedModel::view(dq_copy), LoadedModel::view(dv_copy),
                                                LoadedModel::view(f), LoadedModel::view(g));
    // Fourth-order central differences: error h^4 plus rounding eps/h, both about 1e-11 relative at h = 1e-3.
    const double h = 1e-3;
    Residual sum{std::vector<double>(n, 0.0), std::vector<double>(rows, 0.0)};
    for (const auto& [step, weight] : {std::pair{h, 8.0}, {-h, -8.0}, {2 * h, -1.0}, {-2 * h, 1.0}}) {
      for (std::size_t i = 0; i < n; ++i) {
        m.q[i] = q[i] + step * dq[i];
        m.v[i] = v[i] + step * dv[i];
      }
      const Residual r = residual(m, a, lambda);
      for (std::size_t i = 0; i < n; ++i) sum.f[i] += weight * r.f[i] / (12 * h);
      for (std::size_t i = 0; i < rows; ++i) sum.g[i] += weight * r.g[i] / (12 * h);
    }
    double scale = 1;
    for (double entry : f) scale = std::max(scale, std::abs(entry));
    for (double entry : g) scale = std::max(scale, std::abs(entry));
    for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(sum.f[i] - f[i]) < 1e-8 * scale);
    for (std::size_t i = 0; i < rows; ++i) CHECK(std::abs(sum.g[i] - g[i]) < 1e-8 * scale);
  }
}

TEST_CASE("contractions take no room before somebody asks, and none after they are given back") {
  LoadedModel m(examples / "slider_crank.json");
  Linearization& contractions = m.numbers.parts().linearization;
  const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
             rows = static_cast<std::size_t>(m.numbers.constraints());
  m.disturb(3, 0.02);
  REQUIRE(m.evaluate(evaluate_dynamics));
  CHECK_FALSE(contractions.made());
  std::vector<double> a = random_vector(n, 1), lambda = random_vector(rows, 2);
  REQUIRE(m.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
  CHECK(contractions.made());
  const std::vector<double> K = contractions.K();
  CHECK(!K.empty());
  contractions.forget();
  CHECK_FALSE(contractions.made());
  REQUIRE(m.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
  CHECK(contractions.K() == K);
  contractions.forget();
  CHECK(contractions.K() == std::vector<double>(K.size(), 0.0));  // who asks before anything is computed gets zeros
  CHECK(contractions.made());
}
