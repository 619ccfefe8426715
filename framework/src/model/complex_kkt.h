// ComplexKkt: a KKT matrix of implicit steps with a complex shift, factorized and solved with by KLU.
#pragma once

#include <complex>
#include <vector>

#include "linalg/sparse_lu.h"
#include "model/linearization.h"
#include "trammel/kkt_solver.h"
#include "trammel/shift.h"

namespace trammel {

/// As ImplicitKkt, with complex c0 and c1.
class ComplexKkt {
 public:
  /// [setup]
  explicit ComplexKkt(const Linearization& linearization) : linearization_(linearization) {}
  /// [step] The structure of `kkt` is the same at every call.
  Status prepare(const KktMatrix& kkt, std::complex<double> c0, std::complex<double> c1);
  /// [hot] One right-hand side.
  void solve(const KktMatrix& kkt, ConstComplexView f, ConstComplexView g, ComplexView x, ComplexView lambda);

 private:
  void analyse(const KktMatrix& kkt);

  const Linearization& linearization_;
  ComplexSparseLu lu_;
  std::vector<std::complex<double>> unknowns_;
};

}  // namespace trammel
