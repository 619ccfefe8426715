// The determinant of a square constraint Jacobian, with its sign: where it passes zero, solutions branch.
#pragma once

#include <memory>

#include "trammel/kkt_solver.h"

namespace trammel {

/// Of [Phi_q; intrinsic rows] without the rows left out.
class SignedDeterminant {
 public:
  SignedDeterminant();
  ~SignedDeterminant();

  /// `logarithm`: of the absolute value. `sign` is 0 where the matrix is singular or not square.
  struct Value {
    int sign = 0;
    double logarithm = 0;
  };
  /// [step]
  Value of(const KktMatrix& matrix);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace trammel
