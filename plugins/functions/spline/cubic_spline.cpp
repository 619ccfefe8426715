// The second derivatives m_k at the knots from a tridiagonal system, cyclic for periodic ends.
//
//   h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (D_k - D_{k-1}),  D_k = (y_{k+1} - y_k) / h_k       (1)
//   natural   m_0 = m_n = 0
//   clamped   2 h_0 m_0 + h_0 m_1 = 6 (D_0 - s'_0),  h_{n-1} m_{n-1} + 2 h_{n-1} m_n = 6 (s'_n - D_{n-1})          (2)
//   periodic  m_0 = m_n, (1) at k = 0 with k - 1 = n - 1                                                          (3)
//
// de Boor, A Practical Guide to Splines (1978), chapter IV. The cyclic system is solved by Sherman and Morrison's
// formula: without its corners it is tridiagonal, and stays diagonally dominant.
#include "cubic_spline.h"

namespace trammel::spline {
namespace {

/// Rows a_k m_{k-1} + b_k m_k + c_k m_{k+1} = r_k, diagonally dominant: no pivoting needed.
struct Tridiagonal {
  std::vector<double> a, b, c;

  explicit Tridiagonal(std::size_t size) : a(size, 0.0), b(size, 1.0), c(size, 0.0) {}

  std::vector<double> solve(std::vector<double> r) const {
    std::vector<double> diagonal = b;
    for (std::size_t k = 1; k < r.size(); ++k) {
      const double w = a[k] / diagonal[k - 1];
      diagonal[k] -= w * c[k - 1], r[k] -= w * r[k - 1];
    }
    r.back() /= diagonal.back();
    for (std::size_t k = r.size() - 1; k-- > 0;) r[k] = (r[k] - c[k] * r[k + 1]) / diagonal[k];
    return r;
  }
};

std::vector<double> open_ends(const std::vector<double>& h, const std::vector<double>& D, Ends ends, double begin_slope,
                              double end_slope) {
  const std::size_t n = h.size();
  Tridiagonal matrix(n + 1);
  std::vector<double> r(n + 1, 0.0);
  for (std::size_t k = 1; k < n; ++k) {  // (1)
    matrix.a[k] = h[k - 1], matrix.b[k] = 2 * (h[k - 1] + h[k]), matrix.c[k] = h[k];
    r[k] = 6 * (D[k] - D[k - 1]);
  }
  if (ends == Ends::clamped) {  // (2)
    matrix.b[0] = 2 * h[0], matrix.c[0] = h[0], r[0] = 6 * (D[0] - begin_slope);
    matrix.a[n] = h[n - 1], matrix.b[n] = 2 * h[n - 1], r[n] = 6 * (end_slope - D[n - 1]);
  }
  return matrix.solve(r);
}

std::vector<double> periodic_ends(const std::vector<double>& h, const std::vector<double>& D) {
  const std::size_t n = h.size();
  Tridiagonal matrix(n);
  std::vector<double> r(n, 0.0), corner(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {  // (1), (3)
    const std::size_t before = k == 0 ? n - 1 : k - 1;
    matrix.a[k] = h[before], matrix.b[k] = 2 * (h[before] + h[k]), matrix.c[k] = h[k];
    r[k] = 6 * (D[k] - D[before]);
  }
  // Matrix + e u u^T with u = (1, 0, ..., 0, 1) and e = h_{n-1}: both corners hold e, and so do two diagonal entries.
  const double e = h[n - 1];
  matrix.b[0] -= e, matrix.b[n - 1] -= e;
  corner[0] = corner[n - 1] = 1;
  std::vector<double> m = matrix.solve(r);
  const std::vector<double> w = matrix.solve(corner);
  const double scale = e * (m[0] + m[n - 1]) / (1 + e * (w[0] + w[n - 1]));
  for (std::size_t k = 0; k < n; ++k) m[k] -= scale * w[k];
  m.push_back(m[0]);
  return m;
}

}  // namespace

std::vector<Segment> interpolate(const std::vector<double>& x, const std::vector<double>& y, Ends ends,
                                 double begin_slope, double end_slope) {
  const std::size_t n = x.size() - 1;
  std::vector<double> h(n), D(n);
  for (std::size_t k = 0; k < n; ++k) h[k] = x[k + 1] - x[k], D[k] = (y[k + 1] - y[k]) / h[k];
  const std::vector<double> m =
      ends == Ends::periodic ? periodic_ends(h, D) : open_ends(h, D, ends, begin_slope, end_slope);
  std::vector<Segment> segments(n);
  double area = 0;
  for (std::size_t k = 0; k < n; ++k) {
    Segment& s = segments[k];
    s = {x[k], {y[k], D[k] - h[k] * (2 * m[k] + m[k + 1]) / 6, m[k] / 2, (m[k + 1] - m[k]) / (6 * h[k])}, area};
    area += h[k] * (s.c[0] + h[k] * (s.c[1] / 2 + h[k] * (s.c[2] / 3 + h[k] * s.c[3] / 4)));
  }
  return segments;
}

}  // namespace trammel::spline
