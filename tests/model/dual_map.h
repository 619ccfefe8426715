// The map (t, w, w') -> w'' of coordinate partitioning as a whole in dual numbers: Newton, velocities, KKT.
#pragma once

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "dual_configuration.h"

// Positions from Phi(u, w, t) = 0, velocities from Phi_u u' = -Phi_t - Phi_w w', accelerations from
//   [M Phi_q^T; Phi_q 0] [q''; lambda] = [Q; gamma],   gamma = -(d^2 Phi/dt^2 at q'' = 0)                        (1)
// with, from the kinetic energy T(q, v) alone (Lagrange),
//   M = T_vv,   Q = T_q - (T_v)_q v + forces                                                                     (2)
namespace trammel::duals {

/// Dense, by rows.
struct DualMatrix {
  DualMatrix(std::size_t rows, std::size_t columns) : columns(columns), entries(rows * columns) {}
  Scalar& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
  const Scalar& operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
  std::size_t columns;
  std::vector<Scalar> entries;
};
using DualVector = std::vector<Scalar>;

/// x of A x = b by Gaussian elimination with row pivoting.
inline DualVector solved(DualMatrix A, DualVector b) {
  const std::size_t n = b.size();
  const auto size = [](const Scalar& x) { return std::fabs(base_value(x)); };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (size(A(i, k)) > size(A(pivot, k))) pivot = i;
    }
    if (size(A(pivot, k)) == 0) throw std::runtime_error("singular");
    for (std::size_t j = k; pivot != k && j < n; ++j) std::swap(A(k, j), A(pivot, j));
    std::swap(b[k], b[pivot]);
    const Scalar inverse = 1.0 / A(k, k);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Scalar factor = A(i, k) * inverse;
      bool zero = factor.v == 0;
      for (const double d : factor.d) zero = zero && d == 0;
      if (zero) continue;
      for (std::size_t j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A(k, j) * b[j];
    b[k] = b[k] / A(k, k);
  }
  return b;
}

class AccelerationMap {
 public:
  /// `kept`: rows that are solved for; `u`, `w`: dependent and independent coordinates; `q`: start values of u.
  AccelerationMap(const Equations& equations, std::vector<std::size_t> kept, std::vector<std::size_t> u,
                  std::vector<std::size_t> w, const std::vector<double>& q)
      : equations_(equations), kept_(std::move(kept)), u_(std::move(u)), w_(std::move(w)), start_(q) {}

  /// What the map meets on its way.
  struct Point {
    DualVector q, v, acceleration;
    DualMatrix M;  ///< n x n
  };

  Point operator()(const Scalar& t, const DualVector& w, const DualVector& w_dot) const {
    const std::size_t n = start_.size(), m = kept_.size();
    Point at{DualVector(start_.begin(), start_.end()), DualVector(n), {}, DualMatrix(n, n)};
    for (std::size_t k = 0; k < w_.size(); ++k) at.q[w_[k]] = w[k], at.v[w_[k]] = w_dot[k];
    // The start values have converged already: the first step differentiates them there, the second where it led.
    for (int step = 0; m > 0 && step < 2; ++step) {
      const DualVector Phi = rows(t, at.q, at.v, Part::value);
      const DualVector change = solved(dependent(jacobian(t, at.q)), Phi);
      for (std::size_t k = 0; k < m; ++k) at.q[u_[k]] -= change[k];
    }
    const DualMatrix Phi_q = jacobian(t, at.q);
    if (m > 0) {
      DualVector nu = rows(t, at.q, at.v, Part::rate);  // Phi_t
      for (std::size_t r = 0; r < m; ++r) {
        for (std::size_t i : w_) nu[r] += Phi_q(r, i) * at.v[i];
      }
      const DualVector u_dot = solved(dependent(Phi_q), nu);
      for (std::size_t k = 0; k < m; ++k) at.v[u_[k]] = -u_dot[k];
    }
    const DualVector psi = rows(t, at.q, at.v, Part::second);
    DualVector Q(n);
    add_loads(t, at.q, at.v, Q);
    add_inertia(at.q, at.v, at.M, Q);
    DualMatrix A(n + m, n + m);  // (1)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) A(i, j) = at.M(i, j);
      for (std::size_t r = 0; r < m; ++r) A(i, n + r) = A(n + r, i) = Phi_q(r, i);
    }
    Q.resize(n + m);
    for (std::size_t r = 0; r < m; ++r) Q[n + r] = -psi[r];
    const DualVector x = solved(std::move(A), std::move(Q));
    for (const std::size_t i : w_) at.acceleration.push_back(x[i]);
    return at;
  }

 private:
  enum class Part { value, rate, second };

  Configuration configuration(const Scalar& t, const DualVector& q) const {
    Configuration c{equations_.width, &equations_.bodies, constant(t), {}};
    for (const Scalar& x : q) c.q.push_back(constant(x));
    return c;
  }
  const Body& body_of(BodyRef body) const { return equations_.bodies[static_cast<std::size_t>(body.index)]; }

  /// Phi, Phi_t, or the second derivative along (1, v), of the rows kept.
  DualVector rows(const Scalar& t, const DualVector& q, const DualVector& v, Part part) const {
    Configuration c = configuration(t, q);
    if (part != Part::value) c.t.d[0].v = c.t.v.d[0] = Scalar(1);
    for (std::size_t i = 0; part == Part::second && i < q.size(); ++i) c.q[i].d[0].v = c.q[i].v.d[0] = v[i];
    Numbers Phi;
    for (const Rows& element : equations_.rows) element.phi(c, Phi);
    DualVector out;
    for (const std::size_t r : kept_) {
      out.push_back(part == Part::value ? value(Phi[r]) : part == Part::rate ? by_outer(Phi[r]) : by_both(Phi[r]));
    }
    return out;
  }

  DualMatrix jacobian(const Scalar& t, const DualVector& q) const {
    Configuration c = configuration(t, q);
    std::vector<std::size_t> place;  // of a row among those kept
    DualMatrix out(kept_.size(), q.size());
    std::size_t next = 0, row = 0;
    for (const Rows& element : equations_.rows) {
      Numbers Phi;
      element.phi(c, Phi);
      const std::size_t count = Phi.size();
      for (const BodyRef body : element.bodies) {
        for (std::size_t k = 0; !body.is_ground() && k < body_of(body).width; ++k) {
          const std::size_t i = body_of(body).first + k;
          c.q[i].d[0].v = Scalar(1);
          Phi.clear();
          element.phi(c, Phi);
          c.q[i].d[0].v = Scalar(0);
          for (std::size_t r = next; r < kept_.size() && kept_[r] < row + count; ++r)
            out(r, i) = by_outer(Phi[kept_[r] - row]);
        }
      }
      row += count;
      while (next < kept_.size() && kept_[next] < row) ++next;
    }
    return out;
  }
  DualMatrix dependent(const DualMatrix& Phi_q) const {
    DualMatrix out(kept_.size(), kept_.size());
    for (std::size_t r = 0; r < kept_.size(); ++r) {
      for (std::size_t k = 0; k < u_.size(); ++k) out(r, k) = Phi_q(r, u_[k]);
    }
    return out;
  }

  /// Q -= F(y, y', t) x_q
  void add_loads(const Scalar& t, const DualVector& q, const DualVector& v, DualVector& Q) const {
    Configuration c = configuration(t, q);
    for (std::size_t i = 0; i < q.size(); ++i) c.q[i].v.d[0] = v[i];
    std::vector<Load::Term> terms;
    for (const Load& load : equations_.loads) {
      for (const BodyRef body : load.bodies) {
        for (std::size_t k = 0; !body.is_ground() && k < body_of(body).width; ++k) {
          const std::size_t i = body_of(body).first + k;
          c.q[i].d[0].v = Scalar(1);
          terms.clear();
          load.terms(c, terms);
          c.q[i].d[0].v = Scalar(0);
          for (const Load::Term& term : terms)
            Q[i] -= load.law(value(term.y), along_motion(term.y), t) * by_outer(term.x);
        }
      }
    }
  }

  /// T of one body, from omega' = (u3.u2', u1.u3', u2.u1') of its axes u.
  Number kinetic_energy(const Body& body, const Number* q, const Number* v) const {
    if (body.point) {
      Number sum = v[0] * v[0] + v[1] * v[1];
      if (body.width == 3) sum += v[2] * v[2];
      return 0.5 * body.mass * sum;
    }
    if (equations_.width == 3) return 0.5 * (body.mass * (v[0] * v[0] + v[1] * v[1]) + body.J[2] * (v[2] * v[2]));
    // A(p) s is a quadratic form in p: half of its bilinear form at (p, p), and (A s)' is that at (p, p').
    const auto form = [](const Number* a, const Number* b, const Vec3<>& s) {
      const Vec3<Number> x{a[1], a[2], a[3]}, y{b[1], b[2], b[3]};
      return (2.0 * (a[0] * b[0] - dot(x, y))) * s + 2.0 * (dot(y, s) * x + dot(x, s) * y) +
             2.0 * (a[0] * cross(y, s) + b[0] * cross(x, s));
    };
    const Vec3<> e1{1, 0, 0}, e2{0, 1, 0}, e3{0, 0, 1};
    const Number *p = q + 3, *p_dot = v + 3;
    const Number x = 0.5 * dot(form(p, p, e3), form(p, p_dot, e2)), y = 0.5 * dot(form(p, p, e1), form(p, p_dot, e3)),
                 z = 0.5 * dot(form(p, p, e2), form(p, p_dot, e1));
    const double* J = body.J;
    return 0.5 * (body.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + J[0] * (x * x) + J[1] * (y * y) +
                  J[2] * (z * z)) +
           J[3] * (x * y) + J[4] * (x * z) + J[5] * (y * z);
  }

  /// (2)
  void add_inertia(const DualVector& q, const DualVector& v, DualMatrix& M, DualVector& Q) const {
    for (std::size_t b = 0; b < equations_.bodies.size(); ++b) {
      const std::size_t at = equations_.bodies[b].first, c = equations_.bodies[b].width;
      Numbers x(c), y(c);
      for (std::size_t k = 0; k < c; ++k) x[k] = constant(q[at + k]), y[k] = constant(v[at + k]);
      const auto energy = [&] { return kinetic_energy(equations_.bodies[b], x.data(), y.data()); };
      for (std::size_t k = 0; k < c; ++k) {
        x[k].d[0].v = Scalar(1);
        Q[at + k] += by_outer(energy());
        x[k].d[0].v = Scalar(0);
        y[k].d[0].v = Scalar(1);
        for (std::size_t l = 0; l <= k; ++l) {
          y[l].v.d[0] = Scalar(1);
          M(at + k, at + l) = M(at + l, at + k) = by_both(energy());
          y[l].v.d[0] = Scalar(0);
        }
        for (std::size_t l = 0; l < c; ++l) x[l].v.d[0] = v[at + l];
        Q[at + k] -= by_both(energy());
        for (std::size_t l = 0; l < c; ++l) x[l].v.d[0] = Scalar(0);
        y[k].d[0].v = Scalar(0);
      }
    }
  }

  const Equations& equations_;
  std::vector<std::size_t> kept_, u_, w_;
  std::vector<double> start_;
};

}  // namespace trammel::duals
