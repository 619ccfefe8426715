// Elimination of implicit matrices along a tree. Included once per instruction set by twist_kernels*.cpp; uses nothing of
// the standard library, whose inline functions all sets would share.
#pragma once

#include "linalg/block_rows.h"
#include "linalg/twist_program.h"

namespace trammel::TRAMMEL_KERNEL_SET {

TRAMMEL_KERNEL Double4 four(const double* x) { return *reinterpret_cast<const Double4*>(x); }
TRAMMEL_KERNEL void keep_four(double* x, Double4 value) { *reinterpret_cast<Double4*>(x) = value; }
TRAMMEL_KERNEL double sum_of(Double4 a) { return (a[0] + a[2]) + (a[1] + a[3]); }
TRAMMEL_KERNEL Double4 yzx(Double4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
TRAMMEL_KERNEL Double4 cross_of(Double4 a, Double4 b) { return yzx(a * yzx(b) - yzx(a) * b); }

/// A twist or a wrench.
template <class S>
struct Twist {
  static constexpr int fours = S::stride / 4;
  Double4 part[fours];

  TRAMMEL_KERNEL void load(const double* x) {
    for (int i = 0; i < fours; ++i) part[i] = four(x + 4 * i);
  }
  TRAMMEL_KERNEL void store(double* x) const {
    for (int i = 0; i < fours; ++i) keep_four(x + 4 * i, part[i]);
  }
  TRAMMEL_KERNEL void clear() {
    for (int i = 0; i < fours; ++i) part[i] = Double4{0, 0, 0, 0};
  }
  TRAMMEL_KERNEL void add(const double* x, double factor) {
    for (int i = 0; i < fours; ++i) part[i] += four(x + 4 * i) * factor;
  }
  TRAMMEL_KERNEL void add(const double* x) {
    for (int i = 0; i < fours; ++i) part[i] += four(x + 4 * i);
  }
  TRAMMEL_KERNEL void add(const Twist& x) {
    for (int i = 0; i < fours; ++i) part[i] += x.part[i];
  }
  TRAMMEL_KERNEL void add(const Twist& x, double factor) {
    for (int i = 0; i < fours; ++i) part[i] += x.part[i] * factor;
  }
  TRAMMEL_KERNEL double dot(const double* x) const {
    Double4 products = part[0] * four(x);
    for (int i = 1; i < fours; ++i) products += part[i] * four(x + 4 * i);
    return sum_of(products);
  }
  TRAMMEL_KERNEL double dot(const Twist& x) const {
    Double4 products = part[0] * x.part[0];
    for (int i = 1; i < fours; ++i) products += part[i] * x.part[i];
    return sum_of(products);
  }
};

/// Place of entry k of a twist.
template <class S>
constexpr int place_of(int k) {
  return S::size == 6 && k >= 3 ? k + 1 : k;
}

/// A x, A column by column.
template <class S>
TRAMMEL_KERNEL Twist<S> product_of(const double* A, const double* x) {
  Twist<S> y;
  y.clear();
  unrolled<S::size>([&](auto k) { y.add(A + k.value * S::stride, x[place_of<S>(k.value)]); });
  return y;
}

/// X t where X is the rigid shift by e, X^T f, and the columns of A X.
TRAMMEL_KERNEL Twist<SpatialSize> shifted(const Twist<SpatialSize>& t, Double4 e) {
  return {{t.part[0] + cross_of(t.part[1], e), t.part[1]}};
}
TRAMMEL_KERNEL Twist<PlanarSize> shifted(const Twist<PlanarSize>& t, Double4 e) {
  return {{t.part[0] + t.part[0][2] * Double4{-e[1], e[0], 0, 0}}};
}
TRAMMEL_KERNEL Twist<SpatialSize> shifted_back(const Twist<SpatialSize>& f, Double4 e) {
  return {{f.part[0], f.part[1] + cross_of(e, f.part[0])}};
}
TRAMMEL_KERNEL Twist<PlanarSize> shifted_back(const Twist<PlanarSize>& f, Double4 e) {
  return {{f.part[0] + Double4{0, 0, e[0] * f.part[0][1] - e[1] * f.part[0][0], 0}}};
}
TRAMMEL_KERNEL void shift_columns(Twist<SpatialSize>* A, Double4 e) {
  const Twist<SpatialSize> x = A[0], y = A[1], z = A[2];
  A[3].add(z, e[1]), A[3].add(y, -e[2]);
  A[4].add(x, e[2]), A[4].add(z, -e[0]);
  A[5].add(y, e[0]), A[5].add(x, -e[1]);
}
TRAMMEL_KERNEL void shift_columns(Twist<PlanarSize>* A, Double4 e) {
  A[2].add(Twist<PlanarSize>(A[1]), e[0]), A[2].add(Twist<PlanarSize>(A[0]), -e[1]);
}

/// X^T f
template <class S>
TRAMMEL_KERNEL Twist<S> moved_back(const Twist<S>& f, Double4 e, const double* general) {
  if (general == nullptr) return shifted_back(f, e);
  Twist<S> back;
  back.clear();
  unrolled<S::size>([&](auto k) {
    constexpr int place = place_of<S>(decltype(k)::value);
    back.part[place / 4][place % 4] = f.dot(general + k.value * S::stride);
  });
  return back;
}

/// Replaces A by A X.
template <class S>
TRAMMEL_KERNEL void times_motion(Twist<S>* A, Double4 e, const double* general) {
  if (general == nullptr) return shift_columns(A, e);
  double columns[S::size * S::stride];
  for (int k = 0; k < S::size; ++k) A[k].store(columns + k * S::stride);
  for (int k = 0; k < S::size; ++k) A[k] = product_of<S>(columns, general + k * S::stride);
}

/// Pivots below this fraction of what they are made of have lost digits that other eliminations keep.
constexpr double least_pivot_of_tree = 1e-6;

/// Inverts a matrix of n rows, column by column, with row pivots; `size`: of what its diagonal is made of. False where a
/// pivot is too small.
template <int n>
TRAMMEL_KERNEL bool invert_pivots(double* a, double* inverse, double* size) {
  if constexpr (n == 1) {
    inverse[0] = 1 / a[0];
    return __builtin_fabs(a[0]) > least_pivot_of_tree * size[0];
  } else {
    for (int i = 0; i < n * n; ++i) inverse[i] = i % (n + 1) == 0 ? 1 : 0;
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i) {
        const double x = a[i + k * n], y = a[best + k * n];
        if (x * x * size[best] > y * y * size[i]) best = i;
      }
      const double pivot = a[best + k * n];
      if (!(pivot * pivot > least_pivot_of_tree * least_pivot_of_tree * size[best] * size[k])) return false;
      size[best] = size[k];
      for (int j = 0; j < n; ++j) {
        const double x = a[k + j * n], y = inverse[k + j * n];
        a[k + j * n] = a[best + j * n], a[best + j * n] = x;
        inverse[k + j * n] = inverse[best + j * n], inverse[best + j * n] = y;
      }
      const double scale = 1 / pivot;
      for (int j = 0; j < n; ++j) a[k + j * n] *= scale, inverse[k + j * n] *= scale;
      for (int i = 0; i < n; ++i) {
        if (i == k) continue;
        const double factor = a[i + k * n];
        for (int j = 0; j < n; ++j) {
          a[i + j * n] -= factor * a[k + j * n];
          inverse[i + j * n] -= factor * inverse[k + j * n];
        }
      }
    }
    return true;
  }
}

/// sum of d_k t_k^2
template <class S>
TRAMMEL_KERNEL double weighted_square(const double* d, const Twist<S>& t) {
  Twist<S> products;
  for (int i = 0; i < Twist<S>::fours; ++i) products.part[i] = t.part[i] * four(d + 4 * i);
  return products.dot(t);
}

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
