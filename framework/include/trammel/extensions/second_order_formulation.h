// Extension of formulations that reduce the index-3 system to M^ w'' = Q^ in independent coordinates w.
#pragma once

#include "trammel/formulation.h"
#include "trammel/second_order_system.h"

namespace trammel {

/// Owned by the formulation object, one per run. It is the one place where a formulation may keep numbers of its own:
/// what follows from the state that `embed_second_order` or `correct_second_order` saw last, and can be computed again,
/// for neither rollback nor checkpoint restores it. All else is in `memory`.
class SecondOrderFormulation {
 public:
  static constexpr const char* id = "trammel.second_order_formulation/1";

  /// [setup] The view, bound to the system and memory for the rest of the run. Never null.
  virtual SecondOrderSystem* bind(ConstrainedSystem& system, const Memory& memory) const = 0;
  /// [step] The coordinate, 0 <= result < n, that is w_k at present. For messages.
  virtual Index coordinate(const ConstrainedLayout& system, Index k, const Memory& memory) const = 0;
  /// [step] (q, v) -> (w, w'): picks the independent ones.
  virtual Status embed_second_order(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                                    const Memory& memory, VectorView w, VectorView w_dot) const = 0;
  /// [step] (w, w') -> (q, v): solves for the dependent positions and velocities; not_converged if it cannot.
  virtual Status lift_second_order(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot,
                                   const Memory& memory, VectorView q, VectorView v) const = 0;
  /// [step] As Formulation::correct, on the lifted state: checks the partition, may ask for a restart.
  virtual Correction correct_second_order(ConstrainedSystem& system, double t, VectorView w, VectorView w_dot,
                                          const Memory& memory) const = 0;

 protected:
  ~SecondOrderFormulation() = default;
};

}  // namespace trammel
