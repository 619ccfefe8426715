// Elimination of implicit matrices along a tree. Included once per instruction set by twist_kernels*.cpp; uses nothing of
// the standard library, whose inline functions all sets would share.
#pragma once

#include "linalg/twist_numbers.h"

namespace trammel::TRAMMEL_KERNEL_SET {

/// (3) and the matrix of (4).
template <class S, int free>
TRAMMEL_KERNEL void carry_rows(const TwistTreeView<S>& tree, const TwistLink& link, const TwistNode<S>& node,
                               const double* general, const Twist<S>* V, const Twist<S>* taken, const Index* places) {
  const Double4 e = four(node.shift);
  const Index up = link.parent >= 0 ? tree.links[link.parent].first_carried : -1;
  for (Index i = 0; i < link.carried; ++i) {
    const Index own = link.first_carried + i;
    Twist<S> C;
    C.load(tree.columns + own * S::stride);
    double* answer = tree.answers + own * S::size;
    for (int k = 0; k < free; ++k) answer[k] = V[k].dot(C);
    if (up < 0) continue;
    Twist<S> column = moved_back(C, e, general);
    for (int k = 0; k < free; ++k) column.add(taken[k], -answer[k]);
    double* to = tree.columns + (up + tree.above[own]) * S::stride;
    column.add(to);
    column.store(to);
  }
  for (Index i = 0; i < link.carried; ++i) {
    const Index own = link.first_carried + i;
    Twist<S> R;
    R.load(tree.rows + own * S::stride);
    double moved[free > 0 ? free : 1];
    for (int k = 0; k < free; ++k) moved[k] = R.dot(node.basis[S::size - free + k]);
    for (Index j = 0; j < link.carried; ++j) {
      const double* answer = tree.answers + (link.first_carried + j) * S::size;
      double sum = 0;
      for (int k = 0; k < free; ++k) sum += moved[k] * answer[k];
      tree.loops[places[i * link.carried + j]] -= sum;
    }
    if (up < 0) continue;
    Twist<S> row = moved_back(R, e, general);
    for (int k = 0; k < free; ++k) row.add(node.reply[k], -moved[k]);
    double* to = tree.rows + (up + tree.above[own]) * S::stride;
    row.add(to);
    row.store(to);
  }
}

/// (1) and (2) for the matrix; `free` directions.
template <class S, int free>
TRAMMEL_KERNEL bool eliminate_link(const TwistTreeView<S>& tree, const TwistLink& link, TwistNode<S>& node,
                                   const Index* places) {
  const double* A = tree.diagonal + link.body * S::block;
  const double* A_cp = link.coupling >= 0 ? tree.couplings + 2 * link.coupling * S::block : nullptr;
  const double* A_pc = A_cp != nullptr ? A_cp + S::block : nullptr;
  const double* general = link.general >= 0 ? tree.generals + link.general * S::size * S::stride : nullptr;
  const Double4 e = four(node.shift);
  Twist<S> F[free > 0 ? free : 1], AF[free > 0 ? free : 1];
  for (int k = 0; k < free; ++k) {
    const double* f = node.basis[S::size - free + k];
    F[k].load(f);
    AF[k] = product_of<S>(A, f);
    AF[k].store(node.moved[k]);
  }
  Twist<S> V[free > 0 ? free : 1];
  if constexpr (free > 0) {
    double pivots[free * free], inverse[free * free], size[free];
    for (int k = 0; k < free; ++k) {
      for (int i = 0; i < free; ++i) pivots[i + k * free] = F[i].dot(AF[k]);
      size[k] = weighted_square(node.diagonal, F[k]);
    }
    if (!invert_pivots<free>(pivots, inverse, size)) return false;
    for (int k = 0; k < free; ++k) {
      V[k].clear();
      for (int i = 0; i < free; ++i) V[k].add(F[i], inverse[k + i * free]);
      V[k].store(node.dual[k]);
    }
  }
  if (link.parent < 0) {
    if (link.carried > 0) carry_rows<S, free>(tree, link, node, general, V, nullptr, places);
    return true;
  }
  const TwistLink& parent = tree.links[link.parent];
  TwistNode<S>& above = tree.nodes[link.parent];
  double* A_pp = tree.diagonal + parent.body * S::block;
  Twist<S> B[S::size];
  for (int c = 0; c < S::size; ++c) B[c].load(A + c * S::stride);
  times_motion(B, e, general);
  if (A_cp != nullptr) {
    for (int c = 0; c < S::size; ++c) B[c].add(A_cp + c * S::stride);
  }
  Twist<S> taken[free > 0 ? free : 1];  // (A_pc + X^T A) F
  for (int k = 0; k < free; ++k) {
    taken[k] = moved_back(AF[k], e, general);
    if (A_pc != nullptr) taken[k].add(product_of<S>(A_pc, node.basis[S::size - free + k]));
  }
  Twist<S> sums[S::size];
  for (int c = 0; c < S::size; ++c) sums[c].clear();
  if (A_pc != nullptr) {
    for (int c = 0; c < S::size; ++c) sums[c].load(A_pc + c * S::stride);
    times_motion(sums, e, general);
  }
  for (int c = 0; c < S::size; ++c) {
    Twist<S> column = moved_back(B[c], e, general);
    column.add(sums[c]);
    const int at = place_of<S>(c);
    above.diagonal[at] += __builtin_fabs(column.part[at / 4][at % 4]);
    for (int k = 0; k < free; ++k) {
      const double reply = V[k].dot(B[c]);
      node.reply[k][at] = reply;
      column.add(taken[k], -reply);
    }
    column.add(A_pp + c * S::stride);
    column.store(A_pp + c * S::stride);
  }
  if (link.carried > 0) carry_rows<S, free>(tree, link, node, general, V, taken, places);
  return true;
}

/// Calls action(number of free directions as a constant).
template <class S, class Action>
TRAMMEL_KERNEL auto with_directions(Index free, const Action& action) {
  switch (free) {
    case 0: return action(Constant<0>());
    case 1: return action(Constant<1>());
    case 2: return action(Constant<2>());
    default: break;
  }
  if constexpr (S::size > 3) {
    switch (free) {
      case 3: return action(Constant<3>());
      case 4: return action(Constant<4>());
      case 5: return action(Constant<5>());
      default: break;
    }
  }
  return action(Constant<S::size>());
}

template <class S>
TRAMMEL_KERNEL Index eliminate_links(const TwistTreeView<S>& given) {
  const TwistTreeView<S> tree = given;
  for (Index l = 0; l < tree.count; ++l) {
    const double* A = tree.diagonal + tree.links[l].body * S::block;
    for (int c = 0; c < S::size; ++c)
      tree.nodes[l].diagonal[place_of<S>(c)] = __builtin_fabs(A[c * S::stride + place_of<S>(c)]);
  }
  const Index* places = tree.places;
  for (Index l = tree.count - 1; l >= 0; --l) {
    const TwistLink& link = tree.links[l];
    const bool done = with_directions<S>(S::size - link.rows, [&](auto free) {
      return eliminate_link<S, decltype(free)::value>(tree, link, tree.nodes[l], places);
    });
    if (!done) return l;
    places += link.carried * link.carried;
  }
  return -1;
}

template <class S>
TRAMMEL_KERNEL void gather_links(const TwistTreeView<S>& given, const double* g, double* loops) {
  const TwistTreeView<S> tree = given;
  for (Index l = tree.count - 1; l >= 0; --l) {
    const TwistLink& link = tree.links[l];
    TwistNode<S>& n = tree.nodes[l];
    const double* A = tree.diagonal + link.body * S::block;
    const Index free = S::size - link.rows;
    Twist<S> held, left;
    held.clear();
    bool moved = false;
    for (Index r = 0; r < link.rows; ++r) {
      const double off = g[link.first_row + r];
      moved = moved || off != 0;
      held.add(n.basis[r], off);
    }
    left.load(n.force);
    if (moved) {
      held.store(n.held);
      left.add(product_of<S>(A, n.held), -1);
    }
    double rate[S::size];
    for (Index k = 0; k < free; ++k) rate[k] = left.dot(n.dual[k]);
    for (Index k = 0; k < free; ++k) {
      held.add(n.basis[link.rows + k], rate[k]);
      left.add(n.moved[k], -rate[k]);
    }
    held.store(n.held);
    for (Index i = link.first_carried; i < link.first_carried + link.carried; ++i)
      loops[tree.cut[i]] -= held.dot(tree.rows + i * S::stride);
    if (link.parent < 0) continue;
    const double* general = link.general >= 0 ? tree.generals + link.general * S::size * S::stride : nullptr;
    TwistNode<S>& above = tree.nodes[link.parent];
    Twist<S> sum = moved_back(left, four(n.shift), general);
    if (link.coupling >= 0) sum.add(product_of<S>(tree.couplings + (2 * link.coupling + 1) * S::block, n.held), -1);
    sum.add(above.force);
    sum.store(above.force);
  }
}

template <class S>
TRAMMEL_KERNEL void spread_links(const TwistTreeView<S>& given, const double* loops, double* lambda) {
  const TwistTreeView<S> tree = given;
  for (Index l = 0; l < tree.count; ++l) {
    const TwistLink& link = tree.links[l];
    TwistNode<S>& n = tree.nodes[l];
    Twist<S> t, left;
    t.load(n.held);
    left.load(n.force);
    const Index free = S::size - link.rows;
    if (link.parent >= 0) {
      const double* above = tree.nodes[link.parent].twist;
      Twist<S> t_p;
      t_p.load(above);
      if (link.general < 0) {
        t.add(shifted(t_p, four(n.shift)));
      } else {
        t.add(product_of<S>(tree.generals + link.general * S::size * S::stride, above));
      }
      for (Index k = 0; k < free; ++k) t.add(n.basis[link.rows + k], -t_p.dot(n.reply[k]));
      if (link.coupling >= 0) left.add(product_of<S>(tree.couplings + 2 * link.coupling * S::block, above), -1);
    }
    for (Index i = link.first_carried; i < link.first_carried + link.carried; ++i) {
      const double l_i = loops[tree.cut[i]];
      left.add(tree.columns + i * S::stride, -l_i);
      for (Index k = 0; k < free; ++k) t.add(n.basis[link.rows + k], -tree.answers[i * S::size + k] * l_i);
    }
    t.store(n.twist);
    if (link.rows == 0) continue;
    left.add(product_of<S>(tree.diagonal + link.body * S::block, n.twist), -1);
    for (Index r = 0; r < link.rows; ++r) lambda[link.first_row + r] = left.dot(n.basis[r]);
  }
}

// Of a spatial block (trammel/extensions/implicit_twists.h).
constexpr int along_column = 48, along_row = 56;

void take_known(const TwistTreeView<SpatialSize>& given, const TwistKnown& known) {
  using S = SpatialSize;
  const TwistTreeView<S> tree = given;
  const double* sigma = known.sigma;
  for (Index l = 0; l < tree.count; ++l) {
    const TwistLink& link = tree.links[l];
    Twist<S> force;
    force.load(tree.nodes[l].force);
    force.add(tree.diagonal + link.body * S::block + along_column, -sigma[link.body]);
    if (link.coupling >= 0) {
      const double* pair = tree.couplings + 2 * link.coupling * S::block;
      force.add(pair + along_column, -sigma[tree.links[link.parent].body]);
      Twist<S> above;
      above.load(tree.nodes[link.parent].force);
      above.add(pair + S::block + along_column, -sigma[link.body]);
      above.store(tree.nodes[link.parent].force);
    }
    force.store(tree.nodes[l].force);
  }
}

TRAMMEL_KERNEL double along_of(const double* block, const Twist<SpatialSize>& t, double sigma) {
  const double* row = block + along_row;
  return t.dot(row) + row[3] * sigma;
}

void take_multipliers(const TwistTreeView<SpatialSize>& given, const TwistKnown& known, const double* lambda,
                      double* mu) {
  using S = SpatialSize;
  const TwistTreeView<S> tree = given;
  const double* sigma = known.sigma;
  for (Index l = 0; l < tree.count; ++l) {
    const TwistLink& link = tree.links[l];
    Twist<S> t;
    t.load(tree.nodes[l].twist);
    double own = along_of(tree.diagonal + link.body * S::block, t, sigma[link.body]), above = 0;
    for (Index r = link.first_row; r < link.first_row + link.rows; ++r) {
      own += known.along_child[r] * lambda[r];
      above += known.along_parent[r] * lambda[r];
    }
    if (link.coupling >= 0) {
      const double* pair = tree.couplings + 2 * link.coupling * S::block;
      Twist<S> t_p;
      t_p.load(tree.nodes[link.parent].twist);
      own += along_of(pair, t_p, sigma[tree.links[link.parent].body]);
      above += along_of(pair + S::block, t, sigma[link.body]);
    }
    mu[link.body] -= own;
    if (link.parent >= 0) mu[tree.links[link.parent].body] -= above;
  }
}

Index eliminate_spatial(const TwistTreeView<SpatialSize>& tree) { return eliminate_links(tree); }
Index eliminate_planar(const TwistTreeView<PlanarSize>& tree) { return eliminate_links(tree); }
void gather_spatial(const TwistTreeView<SpatialSize>& tree, const double* g, double* loops) {
  gather_links(tree, g, loops);
}
void gather_planar(const TwistTreeView<PlanarSize>& tree, const double* g, double* loops) {
  gather_links(tree, g, loops);
}
void spread_spatial(const TwistTreeView<SpatialSize>& tree, const double* loops, double* lambda) {
  spread_links(tree, loops, lambda);
}
void spread_planar(const TwistTreeView<PlanarSize>& tree, const double* loops, double* lambda) {
  spread_links(tree, loops, lambda);
}

constexpr TwistKernels twist_set() {
  return {&eliminate_spatial, &eliminate_planar, &gather_spatial, &gather_planar,
          &spread_spatial,    &spread_planar,    &take_known,     &take_multipliers};
}

}  // namespace trammel::TRAMMEL_KERNEL_SET
