// Base of the formulations that integrate all coordinates: y = (q, v, z), accelerations from the index-1 system.
//
//   [M      Phi_q^T] [a     ]   [Q]
//   [Phi_q  0      ] [lambda] = [g]            g = gamma, or gamma with stabilization terms                       (1)
//   y' = (v, a, z')                                                                                               (2)
//
// Where g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi, f_y follows by differentiating (1), with the contractions K, C,
// G_q = (Phi_q a - gamma)_q and G_v = (Phi_q a - gamma)_v = 2 (Phi_q v - nu)_q of ConstrainedSystem::linearize:
//   M da + Phi_q^T dlambda = -K dq - C dv + Q_z dz
//   Phi_q da = -(G_q + alpha G_v + beta^2 Phi_q) dq - (G_v + 2 alpha Phi_q) dv                                     (3)
#pragma once

#include <algorithm>

#include "trammel/extensions/system_extensions.h"
#include "trammel/formulation.h"

namespace trammel::sdk {

/// Derived formulations override `acceleration_rhs` if g is not gamma, and say which parts it reads; those that say what
/// their feedback is have an exact Jacobian.
class Index1Formulation : public Formulation {
 public:
  /// Derived classes that need scratch of their own find it behind this.
  MemorySize memory(const ConstrainedSystem& system) const override {
    return {0, std::max(2 * system.constraints(), JacobianScratch::size(system))};
  }

  Status start(ConstrainedSystem&, double, ConstVectorView, ConstVectorView, const Memory&) const override {
    return Status::success();
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView f) const final {
    const Index n = system.coordinates(), m = system.constraints(), nz = system.internal_states();
    const ConstVectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, nz);
    const VectorView g{memory.scratch + m, m};

    Status status = system.evaluate(t, q, v, z, evaluate_dynamics | extra_parts());
    if (status) status = system.factorize(ProjectionWeights::mass);
    if (!status) return status;
    acceleration_rhs(system, v, memory, g);
    status = system.solve(system.Q(), g, f.segment(n, n), {});  // (1); nobody asks for lambda here
    if (!status) return status;
    f.segment(0, n).map() = v.map();  // (2)
    if (nz > 0) f.segment(2 * n, nz).map() = system.z_rate().map();
    return Status::success();
  }

  Status jacobian(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
                  MatrixView f_y) const final {
    const Index n = system.coordinates(), nz = system.internal_states();
    const ConstVectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, nz);
    Feedback feedback;
    if (!exact_feedback(memory, feedback)) return Formulation::jacobian(system, t, y, memory, f_y);
    const JacobianScratch s(system, memory.scratch);
    Status status = system.evaluate(t, q, v, z, evaluate_dynamics | extra_parts());
    if (status) status = system.factorize(ProjectionWeights::mass);
    if (!status) return status;
    acceleration_rhs(system, v, memory, s.g);
    status = system.solve(system.Q(), s.g, s.a, s.lambda);
    if (status) status = system.linearize(s.a, s.lambda);
    f_y.map().setZero();
    f_y.map().block(0, n, n, n).setIdentity();
    for (Index first = 0; status && first < n; first += columns / 2) {
      status = coordinate_columns(system, feedback, s, first, std::min(first + columns / 2, n), f_y);
    }
    for (Index first = 0; status && first < nz; first += columns) {
      status = internal_columns(system, s, first, std::min(first + columns, nz), f_y);
    }
    return status;
  }

 protected:
  ~Index1Formulation() = default;

  /// Coefficients of g in (3), 1/s.
  struct Feedback {
    double alpha = 0, beta = 0;
  };
  /// [hot] Whether g is that of (3), and with which coefficients at present. Default: it may be another one, and there
  /// is no exact Jacobian.
  virtual bool exact_feedback(const Memory& memory, Feedback& feedback) const {
    (void)memory, (void)feedback;
    return false;
  }

  /// [hot] EvaluationParts that `acceleration_rhs` reads in addition to gamma.
  virtual unsigned extra_parts() const { return 0; }
  /// [hot] Writes g (m) at the point just evaluated.
  virtual void acceleration_rhs(const ConstrainedSystem& system, ConstVectorView v, const Memory& memory,
                                VectorView g) const {
    (void)v, (void)memory;
    g.map() = system.gamma().map();
  }
  /// [hot] g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi (Haug, Eq. 7.3.8).
  static void stabilize(const ConstrainedSystem& system, ConstVectorView v, double alpha, double beta, VectorView g) {
    system.apply_jacobian(v, g);
    g.map() = system.gamma().map() - 2 * alpha * (g.map() - system.nu().map()) - beta * beta * system.Phi().map();
  }

 private:
  static constexpr Index columns = 8;  // that are solved for at once

  struct JacobianScratch {
    static Index size(const ConstrainedSystem& system) {
      const Index n = system.coordinates(), m = system.constraints(), nz = system.internal_states();
      return 4 * n + 5 * m + 2 * nz + columns * (n + m);
    }
    JacobianScratch(const ConstrainedSystem& system, double* at)
        : n(system.coordinates()), m(system.constraints()), nz(system.internal_states()) {
      const auto take = [&at](Index size) {
        at += size;
        return VectorView{at - size, size};
      };
      before_g = take(m), g = take(m);  // as `rhs` has it
      a = take(n), unit = take(n), none = take(n), f = take(n);
      lambda = take(m), G_v = take(m), product = take(m);
      unit_z = take(nz), rate = take(nz);
      block = at;
      for (const VectorView& zero : {unit, none, unit_z}) std::fill_n(zero.data, zero.size, 0.0);
    }
    VectorView column(Index k) const { return {block + k * (n + m), n}; }
    VectorView rows(Index k) const { return {block + k * (n + m) + n, m}; }

    Index n, m, nz;
    VectorView before_g, g, a, unit, none, f, lambda, G_v, product, unit_z, rate;
    double* block = nullptr;
  };

  /// (3) for dq = e_j and dv = e_j, first <= j < end, and the rates of z.
  static Status coordinate_columns(ConstrainedSystem& system, const Feedback& feedback, const JacobianScratch& s,
                                   Index first, Index end, MatrixView f_y) {
    const Index n = s.n;
    Status status;
    for (Index j = first, k = 0; status && j < end; ++j, k += 2) {
      s.unit[j] = 1;
      status = system.apply_linearization(s.unit, s.none, s.column(k), s.rows(k));
      if (status) status = system.apply_linearization(s.none, s.unit, s.column(k + 1), s.rows(k + 1));
      if (feedback.alpha != 0 || feedback.beta != 0) {
        system.apply_jacobian(s.unit, s.product);
        s.rows(k).map() += feedback.alpha * s.rows(k + 1).map() + feedback.beta * feedback.beta * s.product.map();
        s.rows(k + 1).map() += 2 * feedback.alpha * s.product.map();
      }
      for (const VectorView& x : {s.column(k), s.rows(k), s.column(k + 1), s.rows(k + 1)}) x.map() = -x.map();
      if (status && s.nz > 0) status = rates(system, s, {s.unit, s.none}, j, f_y);
      if (status && s.nz > 0) status = rates(system, s, {s.none, s.unit}, n + j, f_y);
      s.unit[j] = 0;
    }
    if (status) status = solve(system, s, 2 * (end - first));
    for (Index j = first, k = 0; status && j < end; ++j, k += 2) {
      f_y.map().col(j).segment(n, n) = s.column(k).map();
      f_y.map().col(n + j).segment(n, n) = s.column(k + 1).map();
    }
    return status;
  }

  static Status internal_columns(ConstrainedSystem& system, const JacobianScratch& s, Index first, Index end,
                                 MatrixView f_y) {
    const Index n = s.n;
    Status status;
    for (Index j = first, k = 0; status && j < end; ++j, ++k) {
      s.unit_z[j] = 1;
      status = system.apply_internal_linearization(s.none, s.none, s.unit_z, s.column(k), s.rate);
      s.unit_z[j] = 0;
      s.column(k).map() = -s.column(k).map();
      s.rows(k).map().setZero();
      f_y.map().col(2 * n + j).segment(2 * n, s.nz) = s.rate.map();
    }
    if (status) status = solve(system, s, end - first);
    for (Index j = first, k = 0; status && j < end; ++j, ++k)
      f_y.map().col(2 * n + j).segment(n, n) = s.column(k).map();
    return status;
  }

  struct Change {
    ConstVectorView dq, dv;
  };
  static Status rates(ConstrainedSystem& system, const JacobianScratch& s, const Change& change, Index column,
                      MatrixView f_y) {
    const Status status = system.apply_internal_linearization(change.dq, change.dv, s.unit_z, s.f, s.rate);
    f_y.map().col(column).segment(2 * s.n, s.nz) = s.rate.map();
    return status;
  }

  static Status solve(ConstrainedSystem& system, const JacobianScratch& s, Index count) {
    if (auto* all = find_extension<BlockSolve>(system)) {
      all->solve_block(s.block, count);
      return Status::success();
    }
    Status status;
    for (Index k = 0; status && k < count; ++k) {
      s.f.map() = s.column(k).map(), s.product.map() = s.rows(k).map();
      status = system.solve(s.f, s.product, s.column(k), {});
    }
    return status;
  }
};

}  // namespace trammel::sdk
