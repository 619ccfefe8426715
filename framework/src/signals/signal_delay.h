// DelayBlock: the past of a signal as states along the delay.
#pragma once

#include <vector>

#include "trammel/linalg.h"

// The past of u over the delay T is w(x, t) = u(t - x T), 0 <= x <= 1, with
//   w_t = -w_x/T,  w(0, t) = u(t),  delayed value w(1, t).                                                          (1)
// w is a polynomial of order n in x through w(0) = u and its values z_i at the n points of Radau, the zeros c_i of
// P_n(2x - 1) - P_(n-1)(2x - 1), of which c_n = 1; (1) holds at these points:
//   z_i' = -(1/T) (D_i0 u + sum_j D_ij z_j),  y = z_n.                                                              (2)
// Collocation at these points is the method of Radau IIA, whose stability function is Pade's approximation, so that
//   Y/U = [n-1/n] Pade approximant of e^(-sT),  |Y/U - e^(-i w T)| ~ 2 (n!/(2n)!)^2 (w T)^(2n) for small w T.       (3)
// With the last coefficient a_n of w in Legendre polynomials, a_n ~ n!/(2n)! (w T)^n times the amplitude, (3) is 2 a_n^2.
// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), sections IV.3 and IV.5; D. Breda, S. Maset,
// R. Vermiglio, Pseudospectral differencing methods for characteristic roots of delay differential equations, SIAM J.
// Sci. Comput. 27 (2005) 482-495.
namespace trammel {

/// (2)
struct DelayBlock {
  static constexpr int most_order = 30;

  /// [setup] `before(x)`: the value that the input had x seconds before the start.
  template <class Before>
  DelayBlock(double delay, int order, const Before& before) : DelayBlock(delay, order) {
    for (const double c : points) start.push_back(before(c * time));
  }
  DelayBlock(double delay, int order);

  Index states() const { return static_cast<Index>(points.size()); }
  static constexpr bool direct() { return false; }
  void initial(double* z) const {
    for (const double x : start) *z++ = x;
  }
  template <class T, template <class> class In>
  T output(const In<T>& in) const {
    return in.z[points.size() - 1];
  }
  template <class T, template <class> class In>
  void rates(const In<T>& in, T* rate) const {
    const std::size_t n = points.size();
    const double* row = derivative.data();
    for (std::size_t i = 0; i < n; ++i, row += n + 1) {
      T sum = T(row[0]) * in.u[0];
      for (std::size_t j = 0; j < n; ++j) sum = sum + T(row[j + 1]) * in.z[j];
      rate[i] = sum;
    }
  }
  /// [step] How well the polynomial follows the past: |a_n|, and half of the range of u and z.
  void resolution(double u, const double* z, double& last, double& half_range) const;

  double time = 0;
  std::vector<double> points;      ///< c_i
  std::vector<double> derivative;  ///< n rows of n + 1: -D/T
  std::vector<double> top;         ///< n + 1: a_n of u and z
  std::vector<double> start;
};

}  // namespace trammel
