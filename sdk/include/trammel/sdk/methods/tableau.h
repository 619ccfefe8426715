// What a tableau of an explicit Runge-Kutta method consists of: constexpr data, checked by its order conditions.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>

namespace trammel::sdk {

/// A tableau is a struct of static constexpr members:
///
///     c_1 |                           stages        number of stages s
///     c_2 | a_21                      order         order of the weights b
///     c_3 | a_31 a_32                 c             s abscissae
///      :  |  :    :                   a             s (s - 1) / 2 entries a_21, a_31, a_32, a_41, ... (row by row)
///     c_s | a_s1 ... a_s,s-1          b             s weights
///     ----+------------------
///         | b_1  ...   b_s
///
/// and optionally
///
///     b_hat, embedded_order           weights of the formula that y_1 is compared with, and their order
///     b_low, low_order                a second one of lower order, for the estimate of Hairer's DOP853, see (6) in
///                                     explicit_runge_kutta.h
///     d                               rows of weights over all stages: the continuous extension (7) in
///                                     explicit_runge_kutta.h, without them the cubic Hermite polynomial, from order 4 on (8)
///     extra_stages, c_extra, a_extra  stages that only the continuous extension needs. Stage s + 1 is then
///                                     f(t + h, y_1), and row k of a_extra has s + k entries, k = 1, 2, ...
///     interpolation_order             order of the continuous extension
///
/// Coefficients are exact fractions of the source, which the struct's comment cites.
template <class Tableau>
struct TableauTraits {
  static constexpr int s = Tableau::stages;
  static_assert(std::size(Tableau::c) == s && std::size(Tableau::b) == s, "c and b have one entry per stage");
  static_assert(std::size(Tableau::a) == s * (s - 1) / 2, "a has s (s - 1) / 2 entries: a_21, a_31, a_32, ...");

  static constexpr bool has_estimate = requires { Tableau::b_hat; };
  static constexpr bool has_low_estimate = requires { Tableau::b_low; };
  static constexpr bool has_extension = requires { Tableau::d; };
  static constexpr bool has_extra_stages = requires { Tableau::extra_stages; };

  /// a_ij, i and j from 0, j < i.
  static constexpr double a(int i, int j) { return Tableau::a[static_cast<std::size_t>(i * (i - 1) / 2 + j)]; }

  /// "First same as last": the last stage is f(t + h, y_1), so it serves the next step as its first.
  static constexpr bool first_same_as_last() {
    if (s < 2 || Tableau::c[s - 1] != 1.0 || Tableau::b[s - 1] != 0.0) return false;
    for (int j = 0; j < s - 1; ++j) {
      if (a(s - 1, j) != Tableau::b[static_cast<std::size_t>(j)]) return false;
    }
    return true;
  }

  /// Order of the lower formula of the pair, 0 without one. The estimate (6) of a pair with b_low behaves like h^order.
  static constexpr int error_order() {
    if constexpr (has_low_estimate) {
      return Tableau::order - 1;
    } else if constexpr (has_estimate) {
      return Tableau::embedded_order < Tableau::order ? Tableau::embedded_order : Tableau::order;
    } else {
      return 0;
    }
  }

  static constexpr int interpolation_order() {
    if constexpr (has_extension) {
      return Tableau::interpolation_order;
    } else {
      return Tableau::order < 4 ? Tableau::order : 4;
    }
  }
  /// Whether the continuous extension is (8) in explicit_runge_kutta.h.
  static constexpr bool bootstrapped() { return !has_extension && Tableau::order > 3; }

  static constexpr int extra_stages() {
    if constexpr (has_extra_stages) {
      return Tableau::extra_stages;
    } else {
      return 0;
    }
  }
};

}  // namespace trammel::sdk
