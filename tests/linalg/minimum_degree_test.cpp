// Orders of elimination against what elimination on the graph does: new couplings of chains, stars, trees and nets.
#include "linalg/minimum_degree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace trammel;

namespace {

using Graph = std::vector<std::vector<Index>>;

void couple(Graph& graph, Index i, Index j) {
  graph[static_cast<std::size_t>(i)].push_back(j);
  graph[static_cast<std::size_t>(j)].push_back(i);
}

/// New couplings that elimination in this order makes.
std::size_t fill_in(const Graph& graph, const std::vector<Index>& order) {
  std::vector<std::set<Index>> left(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) left[i].insert(graph[i].begin(), graph[i].end());
  std::size_t added = 0;
  for (const Index i : order) {
    const std::set<Index> neighbours = left[static_cast<std::size_t>(i)];
    for (const Index j : neighbours) {
      left[static_cast<std::size_t>(j)].erase(i);
      for (const Index k : neighbours) {
        if (k != j) added += left[static_cast<std::size_t>(j)].insert(k).second ? 1 : 0;
      }
    }
  }
  return added / 2;
}

bool is_permutation(std::vector<Index> order, std::size_t size) {
  std::sort(order.begin(), order.end());
  std::vector<Index> all(size);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

}  // namespace

TEST_CASE("nothing, one unknown, unknowns without neighbours") {
  CHECK(minimum_degree_order({}).empty());
  CHECK(minimum_degree_order({{}}) == std::vector<Index>{0});
  CHECK(is_permutation(minimum_degree_order(Graph(5)), 5));
}

TEST_CASE("chains and stars are eliminated without fill-in, a binary tree with little: the degrees are approximate") {
  Graph chain(30), star(30), tree(31);
  for (Index i = 1; i < 30; ++i) {
    couple(chain, i - 1, i);
    couple(star, 0, i);
  }
  for (Index i = 1; i < 31; ++i) couple(tree, (i - 1) / 2, i);
  const auto fill = [](const Graph& graph) {
    const std::vector<Index> order = minimum_degree_order(graph);
    REQUIRE(is_permutation(order, graph.size()));
    return fill_in(graph, order);
  };
  CHECK(fill(chain) == 0);
  CHECK(fill(star) == 0);
  CHECK(fill(tree) < tree.size() / 3);
  std::vector<Index> hub_first(30);
  std::iota(hub_first.begin(), hub_first.end(), 0);
  CHECK(fill_in(star, hub_first) == 29 * 28 / 2);  // what the order spares
}

TEST_CASE("a square net fills in less than row by row") {
  constexpr Index side = 16;
  Graph net(side * side);
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      if (j + 1 < side) couple(net, side * i + j, side * i + j + 1);
      if (i + 1 < side) couple(net, side * i + j, side * (i + 1) + j);
    }
  }
  const std::vector<Index> order = minimum_degree_order(net);
  REQUIRE(is_permutation(order, net.size()));
  std::vector<Index> as_given(net.size());
  std::iota(as_given.begin(), as_given.end(), 0);
  CHECK(fill_in(net, order) < fill_in(net, as_given) * 2 / 3);
}
