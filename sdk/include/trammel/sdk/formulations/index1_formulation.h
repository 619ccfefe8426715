// Base of the formulations that integrate all coordinates: y = (q, v, z), accelerations from the index-1 system.
//
//   [M      Phi_q^T] [a     ]   [Q]
//   [Phi_q  0      ] [lambda] = [g]            g = gamma, or gamma with stabilization terms                       (1)
//   y' = (v, a, z')                                                                                               (2)
#pragma once

#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/formulation.h"
#include "trammel/sdk/formulations/index1_jacobian.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

/// What a formulation offers that carries rows for velocities only in its first-order view.
class CarriedInFirstOrder final : public CarriesVelocityRows {
 public:
  bool carries_velocity_rows(ViewKind view) const override { return view == ViewKind::ode; }
};
inline const CarriedInFirstOrder carried_in_first_order;

/// [hot] g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi (Haug, Eq. 7.3.8).
inline void stabilize(const ConstrainedEquations& system, ConstVectorView v, double alpha, double beta, VectorView g) {
  system.apply_jacobian(v, g);
  g.map() = system.gamma().map() - 2 * alpha * (g.map() - system.nu().map()) - beta * beta * system.Phi().map();
}

/// Rows that hold for velocities only are rows of (1) like all others; their Phi is 0, and stabilization feeds B v - b back.
/// Derived formulations that offer extensions of their own go on to `Index1Formulation::extension`, and those to which such
/// rows are strange do not.
/// Derived formulations override `acceleration_rhs` if g is not gamma, and say which parts it reads; those that say what
/// their feedback is have an exact Jacobian.
class Index1Formulation : public Formulation {
 public:
  const void* extension(const char* id) const override {
    return offer_extensions<CarriesVelocityRows>(id, &carried_in_first_order);
  }

  /// Of one call, in front in memory.scratch.
  struct Work {
    Work(StateLayout& at, const ConstrainedLayout& system)
        : rows(at.vector(system.constraints())), jacobian(at, system) {}
    VectorView rows;  ///< of derived classes, also in `acceleration_rhs`
    Index1Jacobian::Work jacobian;
  };
  MemorySize memory(const ConstrainedLayout& system) const override { return {0, StateLayout::size<Work>(system)}; }

  Status start(ConstrainedSystem&, double, ConstVectorView, ConstVectorView, const Memory&) const override {
    return Status::success();
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView f) const final {
    const Index n = system.coordinates(), nz = system.internal_states();
    const ConstVectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, nz);
    const VectorView g = StateLayout::place<Work>(memory.scratch, system).jacobian.g;

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
    LinearFeedback feedback;
    if (!exact_feedback(memory, feedback)) return Formulation::jacobian(system, t, y, memory, f_y);
    const Index1Jacobian J(system, StateLayout::place<Work>(memory.scratch, system).jacobian);
    Status status = system.evaluate(t, q, v, z, evaluate_dynamics | extra_parts());
    if (status) status = system.factorize(ProjectionWeights::mass);
    if (!status) return status;
    acceleration_rhs(system, v, memory, J.g());
    return J.compute(system, feedback, v, f_y);
  }

 protected:
  ~Index1Formulation() = default;

  /// [hot] Whether g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi, and with which coefficients at present. Default: it
  /// may be another one, and there is no exact Jacobian (index1_jacobian.h).
  virtual bool exact_feedback(const Memory& memory, LinearFeedback& feedback) const {
    (void)memory, (void)feedback;
    return false;
  }

  /// [hot] EvaluationParts that `acceleration_rhs` reads in addition to gamma.
  virtual unsigned extra_parts() const { return 0; }
  /// [hot] Writes g (m) at the point just evaluated.
  virtual void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory& memory,
                                VectorView g) const {
    (void)v, (void)memory;
    g.map() = system.gamma().map();
  }
};

}  // namespace trammel::sdk
