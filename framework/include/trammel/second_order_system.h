// View of a problem as M^(t, x) x'' = Q^(t, x, x'), with the implicit solve that Rosenbrock-Nystrom and SDIRK need.
#pragma once

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel {

/// J1 = d(x'')/dx, J2 = d(x'')/dx' (Sandu et al. 2001, Eq. 26). The owner decides whether the implicit matrix is a
/// dense reduced or a sparse augmented one.
class SecondOrderSystem : public Extensible {
 public:
  /// [setup] Length of x.
  virtual Index size() const = 0;
  /// [hot] a = M^-1 Q^.
  virtual Status acceleration(double t, ConstVectorView x, ConstVectorView x_dot, VectorView a) = 0;
  /// [hot] out = M^ y at the point of the last `linearize`.
  virtual Status apply_mass(ConstVectorView y, VectorView out) = 0;

  /// [step] M^, M^ J1, M^ J2 and M^ d(x'')/dt at a point; `unsupported` if derivatives are missing.
  virtual Status linearize(double t, ConstVectorView x, ConstVectorView x_dot) = 0;
  /// [hot] out = M^ J1 y at the linearization point.
  virtual Status apply_J1(ConstVectorView y, VectorView out) = 0;
  /// [hot] out = M^ J2 y at the linearization point.
  virtual Status apply_J2(ConstVectorView y, VectorView out) = 0;
  /// [hot] out = M^ d(x'')/dt, explicit time dependence only, at the linearization point.
  virtual Status time_gradient(VectorView out) = 0;
  /// [step] Factorizes M^ - c1 M^ J2 - c0 M^ J1 with the linearization at hand, once for each of `count` shifts. The
  /// factorizations get the handles `first`, `first` + 1, ..., small numbers that the caller chooses; each serves until
  /// its handle is prepared again or the next `linearize`. May allocate at the first use of a handle. `unsupported`:
  /// complex shifts. After a failure no handle of this call serves.
  virtual Status prepare(Index first, const Shift* shifts, Index count) = 0;
  /// [hot] Solves (M^ - c1 M^ J2 - c0 M^ J1) z = r, c0 and c1 those of a real shift.
  virtual Status solve(Index handle, ConstVectorView r, VectorView z) = 0;
  /// [hot] The same for a complex shift.
  virtual Status solve_complex(Index handle, ConstComplexView r, ComplexView z) {
    (void)handle, (void)r, (void)z;
    return Status::failure(StatusCode::unsupported, "no implicit steps with complex coefficients");
  }

  /// For methods with one real matrix: its handle is 0.
  Status prepare(double c0, double c1) {
    const Shift shift{c0, c1};
    return prepare(0, &shift, 1);
  }
  Status solve(ConstVectorView r, VectorView z) { return solve(0, r, z); }

  /// [step] Weight of each component of x and, behind them, of x' in error norms, as in OdeSystem: 2 size() entries.
  virtual ConstVectorView mask() const = 0;

 protected:
  ~SecondOrderSystem() = default;
};

}  // namespace trammel
