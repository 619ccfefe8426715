// Index1Jacobian: the exact f_y of y = (q, v, z), y' = (v, a, z') with accelerations from the index-1 system.
//
//   [M Phi_q^T; Phi_q 0] (a, lambda) = (Q, g),   g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi                   (1)
// (Haug, Computer Aided Kinematics and Dynamics, Eqs. 7.2.1 and 7.3.8). Differentiated, with the contractions K, C,
// G_q = (Phi_q a - gamma)_q and G_v = (Phi_q a - gamma)_v = 2 (Phi_q v - nu)_q of ConstrainedLinearization,
//   M da + Phi_q^T dlambda = -K dq - C dv + Q_z dz
//   Phi_q da = -(G_q + alpha G_v + beta^2 Phi_q) dq - (G_v + 2 alpha Phi_q) dv                                     (2)
// Of rows B v = b that hold for velocities only, Phi is 0 and G_v is not twice (B v - b)_q:
//   B da = -(G_q + 2 alpha ((B v)_q - b_q)) dq - (G_v + 2 alpha B) dv                                              (3)
#pragma once

#include <algorithm>

#include "trammel/constrained_system.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/formulations/velocity_level.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// Coefficients of g in (1), 1/s.
struct LinearFeedback {
  double alpha = 0, beta = 0;
};

class Index1Jacobian {
  static constexpr Index columns = 8;  // that are solved for at once

 public:
  /// A part of memory.scratch.
  struct Work {
    Work(StateLayout& at, const ConstrainedLayout& system)
        : Work(at, system.coordinates(), system.constraints(), system.internal_states()) {}
    Work(StateLayout& at, Index n, Index m, Index nz)
        : g(at.vector(m)),
          lambda(at.vector(m)),
          product(at.vector(m)),
          more(at.vector(m)),
          a(at.vector(n)),
          unit(at.vector(n)),
          none(at.vector(n)),
          f(at.vector(n)),
          unit_z(at.vector(nz)),
          rate(at.vector(nz)),
          block(at.vectors(n + m, columns)) {}
    VectorView g, lambda, product, more, a, unit, none, f, unit_z, rate;
    StateLayout::Vectors block;
  };

  Index1Jacobian(const ConstrainedLayout& system, const Work& work)
      : n_(system.coordinates()),
        m_(system.constraints()),
        nz_(system.internal_states()),
        g_(work.g),
        lambda_(work.lambda),
        product_(work.product),
        more_(work.more),
        a_(work.a),
        unit_(work.unit),
        none_(work.none),
        f_(work.f),
        unit_z_(work.unit_z),
        rate_(work.rate),
        block_(work.block) {
    for (const VectorView& zero : {unit_, none_, unit_z_}) std::fill_n(zero.data, zero.size, 0.0);
  }

  /// g (m) of (1) at the point, for `compute`.
  VectorView g() const { return g_; }

  /// [hot] At the last evaluation point, which has had evaluate_dynamics and `factorize` with the mass; v of that point.
  /// `unsupported` for systems without the linearizations that this takes.
  Status compute(ConstrainedSystem& system, const LinearFeedback& feedback, ConstVectorView v, MatrixView f_y) const {
    ConstrainedLinearization* const linearization = system.linearization();
    InternalStateLinearization* const internal = nz_ > 0 ? system.internal_linearization() : nullptr;
    if (linearization == nullptr || (nz_ > 0 && internal == nullptr))
      return Status::failure(StatusCode::unsupported, "no linearization of the system");
    Status status = system.solve(system.Q(), g_, a_, lambda_);
    if (status) status = linearization->linearize(a_, lambda_);
    f_y.map().setZero();
    f_y.map().block(0, n_, n_, n_).setIdentity();
    for (Index first = 0; status && first < n_; first += columns / 2) {
      status =
          coordinates(system, *linearization, internal, feedback, v, first, std::min(first + columns / 2, n_), f_y);
    }
    for (Index first = 0; status && first < nz_; first += columns) {
      status = internal_states(system, *internal, first, std::min(first + columns, nz_), f_y);
    }
    return status;
  }

 private:
  VectorView column(Index k) const { return block_.view(k).segment(0, n_); }
  VectorView rows(Index k) const { return block_.view(k).segment(n_, m_); }

  /// (2) for dq = e_j and dv = e_j, first <= j < end, and the rates of z.
  Status coordinates(ConstrainedSolve& system, ConstrainedLinearization& linearization,
                     InternalStateLinearization* internal, const LinearFeedback& feedback, ConstVectorView v,
                     Index first, Index end, MatrixView f_y) const {
    Status status;
    const VelocityLevel* level = velocity_level(system);
    for (Index j = first, k = 0; status && j < end; ++j, k += 2) {
      unit_[j] = 1;
      status = linearization.apply_linearization(unit_, none_, column(k), rows(k));
      if (status) status = linearization.apply_linearization(none_, unit_, column(k + 1), rows(k + 1));
      if (feedback.alpha != 0 || feedback.beta != 0) {
        system.apply_jacobian(unit_, product_);
        if (status && level != nullptr)
          status = velocity_rows(linearization, *level, system.rheonomic(), feedback.alpha, v, k);
        for (Index r = 0; r < m_; ++r) {
          if (level != nullptr && level->is_velocity_row(r)) continue;
          rows(k)[r] += feedback.alpha * rows(k + 1)[r] + feedback.beta * feedback.beta * product_[r];
        }
        rows(k + 1).map() += 2 * feedback.alpha * product_.map();
      }
      for (const VectorView& x : {column(k), rows(k), column(k + 1), rows(k + 1)}) x.map() = -x.map();
      if (status && nz_ > 0) status = rates(*internal, unit_, none_, f_y.map().col(j).data());
      if (status && nz_ > 0) status = rates(*internal, none_, unit_, f_y.map().col(n_ + j).data());
      unit_[j] = 0;
    }
    if (status) status = solve(system, 2 * (end - first));
    for (Index j = first, k = 0; status && j < end; ++j, k += 2) {
      f_y.map().col(j).segment(n_, n_) = column(k).map();
      f_y.map().col(n_ + j).segment(n_, n_) = column(k + 1).map();
    }
    return status;
  }

  /// The feedback of (3) for dq = unit_, into rows(k); product_ stays.
  Status velocity_rows(ConstrainedLinearization& linearization, const VelocityLevel& level, bool rheonomic,
                       double alpha, ConstVectorView v, Index k) const {
    Status status = linearization.apply_jacobian_gradient(v, unit_, more_);
    for (Index r = 0; status && r < m_; ++r) {
      if (level.is_velocity_row(r)) rows(k)[r] += 2 * alpha * more_[r];
    }
    if (status && rheonomic) status = linearization.apply_time_jacobian(unit_, more_);
    for (Index r = 0; status && rheonomic && r < m_; ++r) {
      if (level.is_velocity_row(r)) rows(k)[r] += 2 * alpha * more_[r];
    }
    return status;
  }

  Status internal_states(ConstrainedSolve& system, InternalStateLinearization& internal, Index first, Index end,
                         MatrixView f_y) const {
    Status status;
    for (Index j = first, k = 0; status && j < end; ++j, ++k) {
      unit_z_[j] = 1;
      status = internal.apply_internal_linearization(none_, none_, unit_z_, column(k), rate_);
      unit_z_[j] = 0;
      column(k).map() = -column(k).map();
      rows(k).map().setZero();
      f_y.map().col(2 * n_ + j).segment(2 * n_, nz_) = rate_.map();
    }
    if (status) status = solve(system, end - first);
    for (Index j = first, k = 0; status && j < end; ++j, ++k) {
      f_y.map().col(2 * n_ + j).segment(n_, n_) = column(k).map();
    }
    return status;
  }

  /// The rates of z that (dq, dv) moves, into a column of f_y.
  Status rates(InternalStateLinearization& internal, ConstVectorView dq, ConstVectorView dv, double* f_y_column) const {
    return internal.apply_internal_linearization(dq, dv, unit_z_, f_, {f_y_column + 2 * n_, nz_});
  }

  Status solve(ConstrainedSolve& system, Index count) const {
    if (auto* all = find_extension<BlockSolve>(system)) {
      all->solve_block(block_.data, count);
      return Status::success();
    }
    Status status;
    for (Index k = 0; status && k < count; ++k) {
      f_.map() = column(k).map(), product_.map() = rows(k).map();
      status = system.solve(f_, product_, column(k), {});
    }
    return status;
  }

  Index n_, m_, nz_;
  VectorView g_, lambda_, product_, more_, a_, unit_, none_, f_, unit_z_, rate_;
  StateLayout::Vectors block_;
};

}  // namespace trammel::sdk
