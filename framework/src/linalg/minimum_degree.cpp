// Order of elimination by approximate minimum degree (Eigen's AMDOrdering).
#include "linalg/minimum_degree.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace trammel {

std::vector<Index> minimum_degree_order(const std::vector<std::vector<Index>>& neighbours) {
  const auto size = static_cast<Index>(neighbours.size());
  if (size == 0) return {};
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 1.0);
    for (const Index j : neighbours[static_cast<std::size_t>(i)]) entries.emplace_back(i, j, 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> graph(size, size);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> order;
  Eigen::AMDOrdering<Index>()(graph, order);
  return {order.indices().data(), order.indices().data() + size};
}

}  // namespace trammel
