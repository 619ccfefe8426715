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
//   u = p + I B c,  s = G^T u / d,  t = X t_p + B c - G (s + P^T t_p / d),  P = X^T V                              (2)
//   parent:  I_p += X^T I X - P P^T / d,   p_p += X^T u - P s                                                      (3)
// What one body waits for is the one before it: (2) and (3) are arranged so that as little as possible does.
namespace trammel::articulated {

template <class S>
struct Node {
  using Twist = typename S::Twist;

  Twist inertia[S::size];   ///< I, column by column
  Twist basis[S::size];     ///< B, then G
  Twist moved[S::size];     ///< P
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

/// Makes the free directions orthogonal in I, by G^T I G = L D L^T. `V`: I G.
template <class S, int free>
TRAMMEL_INLINE bool make_orthogonal(Node<S>& n, typename S::Twist* V) {
  constexpr double rounding = 1e-13;
  auto* const G = n.basis + (S::size - free);
  double D[free > 0 ? free : 1][free > 0 ? free : 1];
  for (int k = 0; k < free; ++k) V[k] = product<S>(n.inertia, G[k]);
  for (int k = 0; k < free; ++k) {
    for (int j = 0; j <= k; ++j) D[k][j] = dot(G[j], V[k]);
  }
  bool good = true;
  for (int k = 0; k < free; ++k) {
    double d = D[k][k], L[free > 0 ? free : 1];
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < j; ++i) D[k][j] -= D[k][i] * D[j][i] * n.inverse[i];
      L[j] = D[k][j] * n.inverse[j];
      d -= D[k][j] * L[j];
    }
    good = good && d > rounding * weighted(n.diagonal, G[k]) && d < INFINITY;
    n.inverse[k] = 1 / d;
    for (int j = 0; j < k; ++j) add(G[k], -L[j], G[j]), add(V[k], -L[j], V[j]);
  }
  return good;
}

/// Makes the free directions orthogonal, and (3) for the inertia; `parent` may be null. `first`: nobody gave the parent
/// anything yet. False: a direction without inertia but rounding, or a number that is not finite.
template <class S, int free>
TRAMMEL_INLINE bool eliminate(Node<S>& n, const General<S>* general, Node<S>* parent, bool first) {
  using Twist = typename S::Twist;
  Twist V[free > 0 ? free : 1];
  if (!make_orthogonal<S, free>(n, V)) return false;
  if (parent == nullptr) return true;
  for (int k = 0; k < free; ++k) n.moved[k] = moved_back<S>(n.shift.part[0], general, V[k]);
  const auto take_off = [&](Twist column, int c) TRAMMEL_INLINE_LAMBDA {
    for (int k = 0; k < free; ++k) add(column, -n.inverse[k] * entry<S>(n.moved[k], c), n.moved[k]);
    give(parent->inertia[c], first, column);
  };
  const Twist diagonal = diagonal_of<S>(n.inertia);
  if (general == nullptr) {
    Twist I[S::size];
    for (int c = 0; c < S::size; ++c) I[c] = n.inertia[c];
    S::shift_columns(I, n.shift.part[0]);
    for (int c = 0; c < S::size; ++c) take_off(S::shift_back(I[c], n.shift.part[0]), c);
    give(parent->diagonal, first, S::shift_diagonal(diagonal, n.shift.part[0]));
    return true;
  }
  for (int c = 0; c < S::size; ++c)
    take_off(moved_back<S>(n.shift.part[0], general, product<S>(n.inertia, general->columns[c])), c);
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
  Twist given = moved_back<S>(n.shift.part[0], general, u);
  for (int k = 0; k < free; ++k) add(given, -n.rate[k], n.moved[k]);
  give(parent->bias, first, given);
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
    for (int k = 0; k < free; ++k) rate[k] += dot(n.moved[k], parent->twist) * n.inverse[k];
    add(t, moved_along<S>(n.shift.part[0], general, parent->twist));
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
