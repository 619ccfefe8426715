// The index-2 form of a constrained model that keeps positions and velocities on their constraints.
//
// Gear, Leimkuhler, Gupta, Automatic integration of Euler-Lagrange equations with constraints, J. Comp. Appl. Math.
// 12/13 (1985) 77-90; Hairer, Wanner, Solving Ordinary Differential Equations II, VII.1. Y = (q, v, lambda, mu), mu = 0
// in the exact solution:
//   q' - v + Phi_q^T mu       = 0   (1)
//   M v' + Phi_q^T lambda - Q = 0   (2)
//   Phi_q v - nu              = 0   (3)
//   Phi                       = 0   (4)
// Jacobian F_Y + c F_Y', with K, C of ConstrainedLinearization at (v', lambda):
//   [ c I + (Phi_q^T mu)_q   -I       0        Phi_q^T ]
//   [ K                      c M + C  Phi_q^T  0       ]
//   [ (Phi_q v - nu)_q       Phi_q    0        0       ]   (5)
//   [ Phi_q                  0        0        0       ]
// K is linear in lambda, so K(lambda + mu) - K(lambda) = (Phi_q^T mu)_q. Phi_q a - gamma is the time derivative of (3),
// hence (Phi_q a - gamma)_v = 2 (Phi_q v - nu)_q, which saves a contraction. c is about 1 / h. Rows divided by c, c^2
// m, c, 1 and unknowns in units of 1, c, c^2 m, c, where m is the largest entry of M, make its entries independent of
// h, and so its condition as h goes to 0: the multipliers are scaled. (6) Rows that depend on others get lambda_i = 0
// and mu_i = 0 in place of (3) and (4).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "trammel/constrained_system.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel::sundials {

class StabilizedIndex2 {
 public:
  StabilizedIndex2(Index n, Index m)
      : n_(n),
        m_(m),
        unit_(static_cast<std::size_t>(n), 0.0),
        none_(unit_),
        column_(unit_),
        product_(unit_),
        rows_(static_cast<std::size_t>(m), 0.0),
        multipliers_(rows_),
        row_scale_(static_cast<std::size_t>(size()), 1.0),
        column_scale_(row_scale_) {}

  Index size() const { return 2 * n_ + 2 * m_; }
  VectorView q(double* Y) const { return {Y, n_}; }
  VectorView v(double* Y) const { return {Y + n_, n_}; }
  VectorView lambda(double* Y) const { return {Y + 2 * n_, m_}; }
  VectorView mu(double* Y) const { return {Y + 2 * n_ + m_, m_}; }

  /// [hot] (1) to (4).
  Status residual(ConstrainedEquations& system, double t, double* Y, double* Y_dot, double* F) {
    const Status status =
        system.evaluate(t, q(Y), v(Y), {}, evaluate_Phi | evaluate_nu | evaluate_jacobian | evaluate_force);
    if (!status) return status;
    const VectorView product = view(product_);
    system.apply_jacobian_transpose(mu(Y), product);
    q(F).map() = q(Y_dot).map() - v(Y).map() + product.map();  // (1)
    system.apply_mass(v(Y_dot), product);
    v(F).map() = product.map() - system.Q().map();
    system.apply_jacobian_transpose(lambda(Y), product);
    v(F).map() += product.map();  // (2)
    system.apply_jacobian(v(Y), lambda(F));
    lambda(F).map() -= system.nu().map();  // (3)
    mu(F).map() = system.Phi().map();      // (4)
    for (Index i = 0; i < m_; ++i) {
      if (left_out(system, i)) lambda(F)[i] = lambda(Y)[i], mu(F)[i] = mu(Y)[i];
    }
    return status;
  }

  /// [step] (5) into J (size x size), and the scales (6).
  Status jacobian(ConstrainedSystem& system, double t, double c, double* Y, double* Y_dot, MatrixView J) {
    constexpr unsigned all = evaluate_dynamics | evaluate_jacobian | evaluate_Phi | evaluate_nu;
    Status status = system.evaluate(t, q(Y), v(Y), {}, all);
    J.map().setZero();
    const VectorView both = view(multipliers_);
    both.map() = lambda(Y).map() + mu(Y).map();
    ConstrainedLinearization& linearization = *system.linearization();
    if (status) status = linearization.linearize(v(Y_dot), both);
    for (Index j = 0; status && j < n_; ++j) status = add_stiffness(linearization, j, 1, J);
    if (status) status = linearization.linearize(v(Y_dot), lambda(Y));
    for (Index j = 0; status && j < n_; ++j) status = add_stiffness(linearization, j, -1, J);  // leaves (Phi_q^T mu)_q
    double largest_mass = 0;
    for (Index j = 0; status && j < n_; ++j) status = fill_columns(system, linearization, c, j, J, largest_mass);
    for (Index i = 0; i < m_; ++i) {
      if (!left_out(system, i)) continue;
      J.map().row(2 * n_ + i).setZero();
      J.map().row(2 * n_ + m_ + i).setZero();
      J(2 * n_ + i, 2 * n_ + i) = J(2 * n_ + m_ + i, 2 * n_ + m_ + i) = 1;
    }
    set_scales(c, largest_mass);
    return status;
  }

  /// By the last `jacobian`: rows are multiplied by the first, unknowns are the second times those of the scaled
  /// system.
  ConstVectorView row_scale() const { return {row_scale_.data(), size()}; }
  ConstVectorView column_scale() const { return {column_scale_.data(), size()}; }

 private:
  static VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  static bool left_out(const ConstrainedLayout& system, Index row) {
    const RowChoice* choice = find_extension<RowChoice>(system);
    return choice != nullptr && choice->is_redundant(row);
  }

  /// Adds sign times the last linearization's K e_j to the first rows of q_j's column.
  Status add_stiffness(ConstrainedLinearization& linearization, Index j, double sign, MatrixView J) {
    const VectorView e = view(unit_), column = view(column_);
    e.map().setZero();
    e[j] = 1;
    const Status status = linearization.apply_linearization(e, view(none_), column, view(rows_));
    J.map().col(j).head(n_) += sign * column.map();
    return status;
  }

  /// What belongs to q_j and v_j: their columns, and the rows of Phi_q^T.
  Status fill_columns(const ConstrainedEquations& system, ConstrainedLinearization& linearization, double c, Index j,
                      MatrixView J, double& largest_mass) {
    const VectorView e = view(unit_), zero = view(none_), column = view(column_), product = view(product_),
                     rows = view(rows_);
    const Index first_lambda = 2 * n_, first_mu = 2 * n_ + m_;
    const auto block = [&](Index row, Index col, ConstVectorView x) {
      J.map().col(col).segment(row, x.size) += x.map();
    };
    e.map().setZero();
    e[j] = 1;
    J(j, j) += c;
    J(j, n_ + j) = -1;
    system.apply_jacobian(e, rows);
    block(first_lambda, n_ + j, rows);
    block(first_mu, j, rows);
    J.map().row(n_ + j).segment(first_lambda, m_) = rows.map().transpose();
    J.map().row(j).segment(first_mu, m_) = rows.map().transpose();
    system.apply_mass(e, product);
    largest_mass = n_ > 0 ? std::max(largest_mass, product.map().lpNorm<Eigen::Infinity>()) : 0;
    product.map() *= c;
    block(n_, n_ + j, product);
    Status status = linearization.apply_linearization(zero, e, column, rows);
    if (!status) return status;
    block(n_, n_ + j, column);  // C
    rows.map() /= 2;
    block(first_lambda, j, rows);  // (Phi_q v - nu)_q
    status = linearization.apply_linearization(e, zero, column, rows);
    if (status) block(n_, j, column);  // K
    return status;
  }

  void set_scales(double c, double largest_mass) {
    const double mass = largest_mass > 0 ? largest_mass : 1, rate = std::abs(c);
    const auto set = [&](std::vector<double>& scale, double q, double v, double lambda, double mu) {
      const auto at = scale.begin();
      std::fill(at, at + n_, q);
      std::fill(at + n_, at + 2 * n_, v);
      std::fill(at + 2 * n_, at + 2 * n_ + m_, lambda);
      std::fill(at + 2 * n_ + m_, scale.end(), mu);
    };
    set(row_scale_, 1 / rate, 1 / (rate * rate * mass), 1 / rate, 1);
    set(column_scale_, 1, rate, rate * rate * mass, rate);
  }

  Index n_, m_;
  std::vector<double> unit_, none_, column_, product_, rows_, multipliers_, row_scale_, column_scale_;
};

}  // namespace trammel::sundials
