// Rooted trees and the order conditions of Runge-Kutta methods (Hairer, Norsett, Wanner, Solving ODEs I, II.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace trammel {

/// A tree by its root's subtrees, as indices into the list of all trees, ascending.
struct RootedTree {
  int order = 1;
  double density = 1;  ///< gamma(t) = order * product of the children's densities
  std::vector<std::size_t> children;
};

/// All rooted trees of orders 1 to `order`, by rising order: 1, 1, 2, 4, 9, 20, 48, 115, ... of each.
inline std::vector<RootedTree> rooted_trees(int order) {
  std::vector<RootedTree> trees{RootedTree{}};
  for (int n = 2; n <= order; ++n) {
    const std::size_t smaller = trees.size();
    std::vector<RootedTree> found;
    std::vector<std::size_t> children;
    // Multisets of smaller trees with n - 1 nodes together.
    const auto extend = [&](const auto& self, std::size_t first, int left) -> void {
      if (left == 0) {
        RootedTree tree{n, static_cast<double>(n), children};
        for (const std::size_t c : children) tree.density *= trees[c].density;
        found.push_back(tree);
        return;
      }
      for (std::size_t c = first; c < smaller; ++c) {
        if (trees[c].order > left) break;
        children.push_back(c);
        self(self, c, left - trees[c].order);
        children.pop_back();
      }
    };
    extend(extend, 0, n - 1);
    trees.insert(trees.end(), found.begin(), found.end());
  }
  return trees;
}

/// Largest |sum_i b_i Phi_i(t) - theta^order / density| over all trees of exactly `order`. A is s x s by rows.
/// `scale` receives the largest sum of absolute values behind it, the measure for its rounding error.
inline double order_defect(const std::vector<RootedTree>& trees, int order, const std::vector<double>& A,
                           const std::vector<double>& b, double theta = 1, double* scale = nullptr) {
  const std::size_t s = b.size();
  // weights[t][i] = product over children u of sum_j a_ij weights[u][j]
  std::vector<std::vector<double>> weights, absolute;
  double worst = 0, largest = 1;
  for (const RootedTree& tree : trees) {
    if (tree.order > order) break;
    std::vector<double> w(s, 1), wa(s, 1);
    for (const std::size_t child : tree.children) {
      for (std::size_t i = 0; i < s; ++i) {
        double sum = 0, sum_a = 0;
        for (std::size_t j = 0; j < s; ++j) {
          sum += A[i * s + j] * weights[child][j];
          sum_a += std::abs(A[i * s + j]) * absolute[child][j];
        }
        w[i] *= sum, wa[i] *= sum_a;
      }
    }
    weights.push_back(w), absolute.push_back(wa);
    if (tree.order != order) continue;
    double sum = 0, sum_a = 0, power = 1;
    for (std::size_t i = 0; i < s; ++i) sum += b[i] * w[i], sum_a += std::abs(b[i]) * wa[i];
    for (int k = 0; k < order; ++k) power *= theta;
    worst = std::max(worst, std::abs(sum - power / tree.density));
    largest = std::max(largest, sum_a);
  }
  if (scale != nullptr) *scale = largest;
  return worst;
}

}  // namespace trammel
