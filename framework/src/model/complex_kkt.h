// ComplexKkt: a KKT matrix of implicit steps with a complex shift, factorized and solved with by KLU.
#pragma once

#include <complex>
#include <vector>

#include "linalg/sparse_lu.h"
#include "model/state_elimination.h"
#include "trammel/kkt_solver.h"
#include "trammel/shift.h"

namespace trammel {

/// As ImplicitKkt, with complex c0 and c1.
class ComplexKkt {
 public:
  /// [setup]
  ComplexKkt(const Linearization& linearization, const InternalLinearization& internal)
      : linearization_(linearization), elimination_(linearization, internal) {}
  /// [step] The structure of `kkt` is the same at every call.
  Status prepare(const KktMatrix& kkt, std::complex<double> c0, std::complex<double> c1);
  /// [hot] One right-hand side.
  void solve(const KktMatrix& kkt, ConstComplexView f, ConstComplexView g, ComplexView x, ComplexView lambda);

  const StateElimination<std::complex<double>>& elimination() const { return elimination_; }

 private:
  void analyse(const KktMatrix& kkt);

  const Linearization& linearization_;
  StateElimination<std::complex<double>> elimination_;
  ComplexSparseLu lu_;
  std::vector<std::complex<double>> unknowns_;
};

}  // namespace trammel
