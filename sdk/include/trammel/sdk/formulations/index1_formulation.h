// Base of the formulations that integrate all coordinates: y = (q, v, z), accelerations from the index-1 system.
//
//   [M      Phi_q^T] [a     ]   [Q]
//   [Phi_q  0      ] [lambda] = [g]            g = gamma, or gamma with stabilization terms                       (1)
//   y' = (v, a, z')                                                                                               (2)
#pragma once

#include "trammel/formulation.h"

namespace trammel::sdk {

/// Derived formulations override `acceleration_rhs` if g is not gamma, and say which parts it reads.
class Index1Formulation : public Formulation {
 public:
  /// Derived classes that need scratch of their own find it behind these 2 m entries.
  MemorySize memory(const ConstrainedSystem& system) const override { return {0, 2 * system.constraints()}; }

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

 protected:
  ~Index1Formulation() = default;

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
};

}  // namespace trammel::sdk
