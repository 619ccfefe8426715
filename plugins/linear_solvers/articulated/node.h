// Node: numbers of one body of the tree, and its elimination. Featherstone, Rigid Body Dynamics Algorithms (Springer, 2008),
// 7.2 and 9.3, in the bodies' own coordinates.
#pragma once

#include <cmath>
#include <cstdint>

#include "trammel/status.h"
#include "twists.h"

// A body's twist t, its parent's t_p, X the rigid shift (or what its rows make of it), J its rows:
//   t = X t_p + B c + H theta,   J [B H] = [I 0],   c = g - Phi_q n (of both bodies) g_intrinsic                   (1)
// with its articulated inertia I and bias p, so that I t + p is the wrench of the joint and H^T (I t + p) = 0. With free
// directions G that are orthogonal in I, V = I G, d = G^T I G:
//   u = p + I B c,  s = G^T u / d,  t = X t_p + B c - G (s + V^T X t_p / d)                                        (2)
//   parent:  I_p += X^T (I - V V^T / d) X,   p_p += X^T (u - V s)                                                  (3)
namespace trammel::articulated {

template <class S>
struct Node {
  using Twist = typename S::Twist;

  Twist inertia[S::size];   ///< I, column by column
  Twist basis[S::size];     ///< B, then G
  Twist moved[S::size];     ///< V
  double inverse[S::size];  ///< 1/d
  double rate[S::size];     ///< s
  Twist diagonal;           ///< bound of the diagonal of I before the children's free directions were taken off
  Twist bias;               ///< p, with what the children add
  Twist offset;             ///< B c
  Twist twist;              ///< t
  Fours<1> shift;           ///< e
};

/// X of (1) where it is no shift, column by column.
template <class S>
struct General {
  typename S::Twist columns[S::size];
};

/// X t
template <class S>
TRAMMEL_INLINE typename S::Twist moved_along(const Four& shift, const General<S>* general, const typename S::Twist& t) {
  return general == nullptr ? S::shift(t, shift) : product<S>(general->columns, t);
}

/// X^T f
template <class S>
TRAMMEL_INLINE typename S::Twist moved_back(const Four& shift, const General<S>* general, const typename S::Twist& f) {
  if (general == nullptr) return S::shift_back(f, shift);
  typename S::Twist back{};
  for (int k = 0; k < S::size; ++k) back.part[S::place(k) / 4][S::place(k) % 4] = dot(general->columns[k], f);
  return back;
}

template <class S>
TRAMMEL_INLINE typename S::Twist diagonal_of(const typename S::Twist* I) {
  typename S::Twist d{};
  for (int c = 0; c < S::size; ++c) d.part[S::place(c) / 4][S::place(c) % 4] = entry<S>(I[c], c);
  return d;
}

/// A share of a sum whose first share overwrites what is there.
template <int n>
TRAMMEL_INLINE void give(Fours<n>& sum, bool first, const Fours<n>& share) {
  if (first)
    sum = share;
  else
    add(sum, share);
}

/// Makes the free directions orthogonal, and (3) for the inertia; `parent` may be null. `first`: nobody gave the parent
/// anything yet. False: a direction without inertia but rounding, or a number that is not finite.
template <class S, int free>
TRAMMEL_INLINE bool eliminate(Node<S>& n, const General<S>* general, Node<S>* parent, bool first) {
  using Twist = typename S::Twist;
  constexpr double rounding = 1e-13;
  Twist* const G = n.basis + (S::size - free);
  for (int k = 0; k < free; ++k) {
    Twist h = G[k], u = product<S>(n.inertia, h);
    const double least = rounding * weighted(n.diagonal, h);
    for (int j = 0; j < k; ++j) {
      const double q = -dot(n.moved[j], h) * n.inverse[j];
      add(h, q, G[j]), add(u, q, n.moved[j]);
    }
    const double d = dot(h, u);
    if (!(d > least) || !(d < INFINITY)) return false;
    G[k] = h, n.moved[k] = u, n.inverse[k] = 1 / d;
  }
  if (parent == nullptr) return true;
  if (free == S::size) {
    if (first) {
      for (Twist& column : parent->inertia) column = {};
      parent->diagonal = {};
    }
    return true;
  }
  Twist I[S::size];
  for (int c = 0; c < S::size; ++c) {
    I[c] = n.inertia[c];
    for (int k = 0; k < free; ++k) add(I[c], -n.inverse[k] * entry<S>(n.moved[k], c), n.moved[k]);
  }
  if (general == nullptr) {
    S::shift_columns(I, n.shift.part[0]);
    for (int c = 0; c < S::size; ++c) give(parent->inertia[c], first, S::shift_back(I[c], n.shift.part[0]));
    give(parent->diagonal, first, S::shift_diagonal(diagonal_of<S>(n.inertia), n.shift.part[0]));
    return true;
  }
  for (int c = 0; c < S::size; ++c)
    give(parent->inertia[c], first, moved_back<S>(n.shift.part[0], general, product<S>(I, general->columns[c])));
  const Twist diagonal = diagonal_of<S>(n.inertia);
  if (first) parent->diagonal = {};
  for (int c = 0; c < S::size; ++c)
    parent->diagonal.part[S::place(c) / 4][S::place(c) % 4] += weighted(diagonal, general->columns[c]) * S::size;
  return true;
}

/// s of (2), and (3) for the bias; `parent` may be null. `first`: as above.
template <class S, int free>
TRAMMEL_INLINE void gather(Node<S>& n, bool moved, const General<S>* general, Node<S>* parent, bool first) {
  using Twist = typename S::Twist;
  const Twist* const G = n.basis + (S::size - free);
  Twist u = n.bias;
  if (moved) add(u, product<S>(n.inertia, n.offset));
  for (int k = 0; k < free; ++k) n.rate[k] = dot(G[k], u) * n.inverse[k];
  if (parent == nullptr) return;
  for (int k = 0; k < free; ++k) add(u, -n.rate[k], n.moved[k]);
  give(parent->bias, first, moved_back<S>(n.shift.part[0], general, u));
}

/// t of (2).
template <class S, int free>
TRAMMEL_INLINE void spread(Node<S>& n, const General<S>* general, const Node<S>* parent) {
  using Twist = typename S::Twist;
  const Twist* const G = n.basis + (S::size - free);
  Twist t = n.offset;
  double rate[S::size];
  for (int k = 0; k < free; ++k) rate[k] = n.rate[k];
  if (parent != nullptr) {
    const Twist z = moved_along<S>(n.shift.part[0], general, parent->twist);
    for (int k = 0; k < free; ++k) rate[k] += dot(n.moved[k], z) * n.inverse[k];
    add(t, z);
  }
  for (int k = 0; k < free; ++k) add(t, -rate[k], G[k]);
  n.twist = t;
}

/// Calls action(number of free directions as a constant).
template <class S, class Action>
TRAMMEL_INLINE auto with_free(int free, const Action& action) {
  switch (free) {
    case 0: return action(std::integral_constant<int, 0>());
    case 1: return action(std::integral_constant<int, 1>());
    case 2: return action(std::integral_constant<int, 2>());
    default: break;
  }
  if constexpr (S::size > 3) {
    switch (free) {
      case 3: return action(std::integral_constant<int, 3>());
      case 4: return action(std::integral_constant<int, 4>());
      case 5: return action(std::integral_constant<int, 5>());
      default: break;
    }
  }
  return action(std::integral_constant<int, S::size>());
}

}  // namespace trammel::articulated
