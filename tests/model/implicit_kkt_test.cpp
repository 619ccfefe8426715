// The implicit solve and its transpose, put into their equations by the model's products, on every shipped model of up to 100
// bodies.
#include "model/implicit_kkt.h"

#include <doctest/doctest.h>
#include <malloc.h>

#include <cmath>
#include <map>
#include <numeric>

#include "generated_model.h"
#include "loaded_model.h"
#include "random_vector.h"
#include "run/plant/whole_model.h"
#include "shipped_models.h"

using namespace trammel;

namespace {

double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }  // NaN is the worst

double scale_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 1.0,
                         [](double largest, double entry) { return worse(largest, std::abs(entry)); });
}

/// What is left of [M + c1 C + c0 K, Phi_q^T; Phi_q, 0] (x, mu) - (r, s), by the model's products, over what cancels in
/// it. Of models with internal states, seen as velocities.
double implicit_residual(LoadedModel& m, ConstrainedSystem& system, double c0, double c1, std::vector<double>& x,
                         std::vector<double>& mu, const std::vector<double>& r, const std::vector<double>& s) {
  const std::size_t n = x.size(), rows = mu.size();
  std::vector<double> c0x(n), c1x(n), f(n), g(rows), Mx(n), reaction(n), Phi_q_x(rows);
  for (std::size_t i = 0; i < n; ++i) c0x[i] = c0 * x[i], c1x[i] = c1 * x[i];
  system.linearization()->apply_linearization(LoadedModel::view(c0x), LoadedModel::view(c1x), LoadedModel::view(f),
                                              LoadedModel::view(g));
  system.apply_mass(LoadedModel::view(x), LoadedModel::view(Mx));
  system.apply_jacobian_transpose(LoadedModel::view(mu), LoadedModel::view(reaction));
  system.apply_jacobian(LoadedModel::view(x), LoadedModel::view(Phi_q_x));
  const double terms = std::max({scale_of(f), scale_of(Mx), scale_of(reaction), scale_of(x)});
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = worse(largest, std::abs(Mx[i] + f[i] + reaction[i] - r[i]));
  for (std::size_t i = 0; i < rows; ++i) {
    if (!m.numbers.rank().is_redundant(static_cast<Index>(i))) largest = worse(largest, std::abs(Phi_q_x[i] - s[i]));
  }
  return largest / terms;
}

}  // namespace

TEST_CASE(
    "the implicit solve and its transpose satisfy their equations on every shipped model of up to 100 bodies, off |p| "
    "= 1 too") {
  std::map<std::string, int> solvers;
  for (const std::filesystem::path& file : shipped_models()) {
    CAPTURE(file.string());
    LoadedModel m(file);
    ImplicitKkt kkt(m.numbers.parts().linearization, m.numbers.parts().internal_linearization);
    WholeModel whole(m.numbers, true);
    ConstrainedSystem& system = whole.system();
    const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
               all = static_cast<std::size_t>(system.coordinates()),
               rows = static_cast<std::size_t>(m.numbers.constraints());
    REQUIRE(m.evaluate(evaluate_jacobian));
    m.numbers.rank().choose_rows(1e-6);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      m.disturb(seed, 0.02);
      std::vector<double> a = random_vector(all, seed), lambda = random_vector(rows, seed + 10);
      REQUIRE(m.evaluate(evaluate_dynamics));
      REQUIRE(system.linearization()->linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
      for (const auto& given : {std::pair{1e-2, 1e-1}, {1e-6, 1e-3}, {0.0, 0.0}}) {
        const auto& [c0, c1] = given;
        CAPTURE(given.first);
        REQUIRE(system.implicit_solve()->prepare(c0, c1));
        std::vector<double> r = random_vector(all, seed + 20), s = random_vector(rows, seed + 30), x(all), mu(rows);
        REQUIRE(system.implicit_solve()->solve_implicit(LoadedModel::view(r), LoadedModel::view(s),
                                                        LoadedModel::view(x), LoadedModel::view(mu)));
        // Diagonal pivots stay unless another is 30 times as large, which may cost two or three digits of sixteen; where
        // several such pivots follow one another, solutions are refined.
        CHECK(implicit_residual(m, system, c0, c1, x, mu, r, s) < 1e-11);
        ++solvers[m.numbers.parts().implicit_factors.real(0).solver()];
        // By the coordinates, too: y^T (A^-1 r) = (A^-T y)^T r
        REQUIRE(kkt.prepare(m.numbers.parts().kkt.with_all_numbers(), c0, c1));
        std::vector<double> y = random_vector(n + rows, seed + 40), both = random_vector(n, seed + 20);
        both.insert(both.end(), s.begin(), s.end());
        for (std::size_t i = 0; i < rows; ++i) {
          if (m.numbers.rank().is_redundant(static_cast<Index>(i))) y[n + i] = both[n + i] = 0;
        }
        std::vector<double> forward = both, backward = y;
        const KktMatrix& matrix = m.numbers.parts().kkt.matrix_of_all_rows();
        kkt.solve(matrix, forward.data(), 1, false);
        kkt.solve(matrix, backward.data(), 1, true);
        const double left = std::inner_product(y.begin(), y.end(), forward.begin(), 0.0);
        const double right = std::inner_product(both.begin(), both.end(), backward.begin(), 0.0);
        CHECK(std::abs(left - right) < 1e-10 * scale_of(forward) * static_cast<double>(n + rows));
        if (all == n) {  // no internal states: the same solution
          std::vector<double> R = random_vector(all, seed + 20), S = random_vector(rows, seed + 30), x2(all), mu2(rows);
          kkt.solve(matrix, LoadedModel::view(R), LoadedModel::view(S), LoadedModel::view(x2), LoadedModel::view(mu2));
          CHECK(implicit_residual(m, system, c0, c1, x2, mu2, r, s) < 1e-11);
        }
        ++solvers[std::string(kkt.solver()) + " of coordinates"];
      }
    }
  }
  for (const auto& [name, count] : solvers) MESSAGE(name << ": " << count);
  CHECK(solvers["fronts of coordinates"] > 20 * solvers["sparse of coordinates"]);
  CHECK(solvers["twists"] > 100);
}

// KLU's pattern of such a chain, analysed only to be compared, takes 46 kB per link; the fronts take 15.
TEST_CASE("a long chain is factorized by fronts, in their memory") {
  constexpr int links = 300;
  LoadedModel m(generated("revolute_chain", links));
  REQUIRE(m.evaluate(evaluate_dynamics | evaluate_jacobian));
  const std::vector<double> a = random_vector(static_cast<std::size_t>(m.numbers.coordinates()), 1),
                            lambda = random_vector(static_cast<std::size_t>(m.numbers.constraints()), 2);
  ModelParts& parts = m.numbers.parts();
  REQUIRE(m.numbers.linearization()->linearize({a.data(), m.numbers.coordinates()},
                                               {lambda.data(), m.numbers.constraints()}));
  const auto held = [] {
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
  };
  const double before = held();
  ImplicitKkt kkt(parts.linearization, parts.internal_linearization);
  REQUIRE(kkt.prepare(parts.kkt.matrix(), 1e-6, 1e-3));
  CHECK(kkt.solver() == std::string("fronts"));
  CHECK((held() - before) / links < 25e3);
}
