// Formulation: a DAE treatment; turns the index-3 view of a model into a view that integrators consume.
#pragma once

#include "trammel/constrained_system.h"
#include "trammel/memory.h"
#include "trammel/plugin.h"

namespace trammel {

struct FormulationTraits {
  /// Largest position violation (2-norm, m or rad) tolerated at an accepted step unless analysis.constraint_limit says
  /// otherwise.
  double constraint_limit = 1e-3;
  /// Whether states between steps (output, events) have to pass through `correct` as well.
  bool corrects_output = false;
};

/// Outcome of `correct`.
struct Correction {
  Status status;
  bool changed = false;  ///< y was moved: integrators drop cached derivatives
  bool restart =
      false;  ///< the meaning of y changed (new chart): integrators restart. Not for an exchange of the mask.
  bool mask_changed = false;
};

/// A formulation works on (t, y), y = its own state of `ode_size` entries. It is const; what a rollback must restore
/// (partition, chart) lives in memory.state. [hot] methods do not allocate. Formulations that also offer the
/// second-order view do so by the extension of second_order_formulation.h.
class Formulation : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.formulation/1";

  /// [setup] What the kernel has to know about the treatment; the same at every call.
  virtual FormulationTraits traits() const = 0;
  /// [setup] Doubles of state and scratch it wants from the engine for this model.
  virtual MemorySize memory(const ConstrainedLayout& system) const = 0;
  /// [setup] Length of y. Default layout: y = (q, v, z).
  virtual Index ode_size(const ConstrainedLayout& system) const {
    return 2 * system.coordinates() + system.internal_states();
  }
  /// [step] First call, and after a restart from outside: chooses chart or partition at a consistent state.
  virtual Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                       const Memory& memory) const = 0;
  /// [step] (q, v, z) -> y. Default: copies.
  virtual void embed(ConstVectorView q, ConstVectorView v, ConstVectorView z, const Memory& memory, VectorView y) const;
  /// [step] y -> (q, v, z). Default: copies. May iterate (dependent coordinates).
  virtual Status lift(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView q,
                      VectorView v, VectorView z) const;
  /// [hot] y' = f(t, y).
  virtual Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
                     VectorView f) const = 0;
  /// [hot] f_y (square, of the size of y) of `rhs`, exact. Default: `unsupported`; integrators then take differences.
  virtual Status jacobian(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
                          MatrixView f_y) const {
    (void)system, (void)t, (void)y, (void)memory, (void)f_y;
    return Status::failure(StatusCode::unsupported, "no exact Jacobian");
  }
  /// [step] Error-control weight of each component of y (see OdeSystem::mask). Default: all 1.
  virtual void mask(const ConstrainedLayout& system, const Memory& memory, VectorView weights) const;
  /// [step] After an attempted step, before its error is judged: may move y onto the constraints and the error estimate
  /// into the tangent space, exchange the mask, or ask for a restart. `error` is empty where there is no estimate.
  virtual Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                             const Memory& memory) const {
    (void)system, (void)t, (void)y, (void)error, (void)memory;
    return {};
  }
  /// [step] The step was accepted (called once for each); counters such as "every N steps" live here.
  virtual void accepted(const Memory& memory) const { (void)memory; }

 protected:
  ~Formulation() = default;
};

inline void Formulation::embed(ConstVectorView q, ConstVectorView v, ConstVectorView z, const Memory&,
                               VectorView y) const {
  y.segment(0, q.size).map() = q.map();
  y.segment(q.size, v.size).map() = v.map();
  if (z.size > 0) y.segment(q.size + v.size, z.size).map() = z.map();
}

inline Status Formulation::lift(ConstrainedSystem&, double, ConstVectorView y, const Memory&, VectorView q,
                                VectorView v, VectorView z) const {
  q.map() = y.segment(0, q.size).map();
  v.map() = y.segment(q.size, v.size).map();
  if (z.size > 0) z.map() = y.segment(q.size + v.size, z.size).map();
  return Status::success();
}

inline void Formulation::mask(const ConstrainedLayout&, const Memory&, VectorView weights) const {
  weights.map().setOnes();
}

}  // namespace trammel
