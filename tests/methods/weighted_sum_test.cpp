// Weighted sums of vectors against long double, for lengths with and without a rest.
#include "trammel/sdk/math/weighted_sum.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace trammel;

TEST_CASE("weighted sums are those of the numbers one by one") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Index n : {0, 1, 3, 15, 16, 17, 47, 64, 1001}) {
    for (const int count : {0, 1, 4, 12}) {
      std::vector<std::vector<double>> x(12, std::vector<double>(static_cast<std::size_t>(n) + 1));
      for (auto& row : x) {
        for (double& v : row) v = number(random);
      }
      std::vector<double> y = x.back(), w(12), out(static_cast<std::size_t>(n) + 1, 7);
      for (double& v : w) v = number(random);
      w[1] = 0, x[1].assign(x[1].size(), NAN);  // is not read
      for (const double* from : {static_cast<const double*>(nullptr), static_cast<const double*>(y.data() + 1)}) {
        sdk::weighted_sum(
            from, 0.3, w.data(), count, [&](int i) { return x[static_cast<std::size_t>(i)].data() + 1; }, n,
            out.data());
        for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
          long double sum = 0;
          for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            if (i != 1) sum += static_cast<long double>(w[i]) * x[i][j + 1];
          }
          const long double expected = (from != nullptr ? from[j] : 0) + 0.3L * sum;
          CHECK(std::abs(out[j] - static_cast<double>(expected)) < 1e-14);
        }
        CHECK(out.back() == 7);
      }
    }
  }
}
