// The layout of a component's memory: what it declares is what it uses.
#include "trammel/sdk/state_layout.h"

#include <doctest/doctest.h>

#include <vector>

#include "trammel/sdk/methods/sdirk.h"
#include "trammel/sdk/methods/step_history.h"
#include "trammel/sdk/methods/tableaus/sdirk.h"

using namespace trammel;
using sdk::MemoryLayout;
using sdk::StateLayout;

namespace {

struct Counts {
  constexpr explicit Counts(StateLayout& at) : known(at.number()), step(at.number()) {}
  double &known, &step;
};
struct Inner {
  Inner(StateLayout& at, Index n) : number(at.number()), x(at.vector(n)) {}
  double& number;
  StateLayout::Map x;
};
struct Kept : Counts {
  Kept(StateLayout& at, Index n, Index k)
      : Counts(at), a(at.vector(n)), inner(at, 2), stages(at.vectors(n, k)), J(at.matrix(n, k)), own(at.numbers(3)) {}
  VectorView a;
  Inner inner;
  StateLayout::Vectors stages;
  StateLayout::Matrix J;
  double* own;
};
struct Parts {
  Parts(MemoryLayout& at, Index n, const MemorySize& other)
      : numbers(at.state),
        of_other(at.memory(other)),
        kept(at.state.vector(n)),
        work(at.scratch.vector(2 * n)),
        factors(at.cache.matrix(n, n)) {}
  Counts numbers;
  Memory of_other;
  VectorView kept, work;
  StateLayout::Matrix factors;
};

}  // namespace

TEST_CASE("parts stand one behind another, as many doubles as are declared") {
  constexpr Index n = 5, k = 3;
  const Index size = StateLayout::size<Kept>(n, k);
  CHECK(size == 2 + n + (1 + 2) + n * k + n * k + 3);
  std::vector<double> block(static_cast<std::size_t>(size) + 1, 7.0);
  Kept kept = StateLayout::place<Kept>(block.data(), n, k);

  double next = 1;
  kept.known = next++, kept.step = next++;
  for (Index i = 0; i < n; ++i) kept.a[i] = next++;
  kept.inner.number = next++;
  for (Index i = 0; i < 2; ++i) kept.inner.x[i] = next++;
  for (Index j = 0; j < k; ++j) {
    for (Index i = 0; i < n; ++i) kept.stages[j][i] = next++;
  }
  for (Index j = 0; j < k; ++j) {
    for (Index i = 0; i < n; ++i) kept.J(i, j) = next++;
  }
  for (Index i = 0; i < 3; ++i) kept.own[i] = next++;
  for (Index i = 0; i < size; ++i) CHECK(block[static_cast<std::size_t>(i)] == i + 1);
  CHECK(block.back() == 7);
  CHECK(kept.stages.view(1).data == kept.stages[1].data());
  CHECK(kept.stages.all().size == n * k);
}

TEST_CASE("parts know their sizes") {
  std::vector<double> block(static_cast<std::size_t>(StateLayout::size<Kept>(4, 2)));
  const Kept kept = StateLayout::place<Kept>(block.data(), 4, 2);
  CHECK(kept.a.size == 4);
  CHECK(kept.stages.n == 4);
  CHECK(kept.stages.count == 2);
  CHECK(kept.J.rows() == 4);
  CHECK(kept.J.cols() == 2);
}

TEST_CASE("parts in front are where they are without those behind them") {
  static_assert(StateLayout::size<Counts>() == 2);
  std::vector<double> block(static_cast<std::size_t>(StateLayout::size<Kept>(3, 1)));
  StateLayout::place<Kept>(block.data(), 3, 1).step = 4;
  CHECK(StateLayout::place<Counts>(block.data()).step == 4);
}

TEST_CASE("nothing is nowhere: empty parts take no place") {
  CHECK(StateLayout::size<Kept>(0, 3) == 2 + 3 + 3);
  std::vector<double> block(8, 0.0);
  const Kept kept = StateLayout::place<Kept>(block.data(), 0, 3);
  CHECK(kept.a.size == 0);
  CHECK(kept.own == block.data() + 5);
}

TEST_CASE("a component has three blocks, and room for another one in each") {
  const MemorySize other{2, 3, 4}, size = MemoryLayout::size<Parts>(5, other);
  CHECK(size.state == 2 + 2 + 5);
  CHECK(size.scratch == 3 + 10);
  CHECK(size.cache == 4 + 25);
  std::vector<double> state(9), scratch(13), cache(29);
  const Parts parts = MemoryLayout::place<Parts>({state.data(), scratch.data(), cache.data()}, 5, other);
  CHECK(parts.of_other.state == state.data() + 2);
  CHECK(parts.of_other.scratch == scratch.data());
  CHECK(parts.of_other.cache == cache.data());
  CHECK(parts.kept.data == state.data() + 4);
  CHECK(parts.work.data == scratch.data() + 3);
  CHECK(parts.factors.data() == cache.data() + 4);
}

TEST_CASE("the sizes of a method are the sums of its parts") {
  const sdk::Sdirk<sdk::tableaus::Sdirk4> method({.error_filter = true, .newton_tolerance = 1e-3});
  constexpr Index n = 3, stages = sdk::tableaus::Sdirk4::stages;
  const MemorySize size = method.memory({n, 0, ViewKind::second_order});
  CHECK(size.state == 5 + 1 + n * (1 + 2 * stages));  // Newton's numbers, a flag, k_0, k_i, V_i
  CHECK(size.scratch == 2 * n + 6 * n);
  CHECK(size.cache == 0);
}

TEST_CASE("a history promotes what was tried when it was accepted, and not before") {
  struct History {
    History(StateLayout& at, Index n) : flag(at), vectors(at, 2, n) {}
    sdk::StepFlags flag;
    sdk::StepVectors vectors;
  };
  CHECK(StateLayout::size<History>(3) == 2 + 2 * 2 * 3);
  std::vector<double> block(14, 0.0);
  const History history = StateLayout::place<History>(block.data(), 3);
  history.vectors.vector(1, true).setConstant(2);
  history.vectors.shift(history.flag);
  CHECK(history.vectors.vector(1).isZero());
  history.flag.accepted();
  history.vectors.shift(history.flag);
  CHECK(history.vectors.vector(1).isConstant(2));
  CHECK(history.vectors.vector(0).isZero());
  CHECK(history.flag.promote == 0);
}
