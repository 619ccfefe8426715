// The linear test equation with eigenvalues lambda and its conjugate, in each view that integrators consume.
//
//   first order    y' = [re -im; im re] y                                                                          (1)
//   second order   x'' = 2 re x' - (re^2 + im^2) x, in one coordinate                                              (2)
//   constrained    (2) as M a = Q with M = 1 and no constraints                                                     (3)
#pragma once

#include <complex>
#include <memory>

#include "trammel/integrator.h"

namespace trammel {

class TestEquation {
 public:
  /// [setup] `lambda` in 1/s.
  TestEquation(ViewKind view, std::complex<double> lambda);
  ~TestEquation();
  TestEquation(const TestEquation&) = delete;
  TestEquation& operator=(const TestEquation&) = delete;

  ProblemSize size() const;
  /// The view; tolerances are left to the caller.
  Problem problem();

 private:
  class Matrices;
  class FirstOrder;
  class SecondOrder;
  class Unconstrained;
  ViewKind view_;
  std::unique_ptr<FirstOrder> first_order_;
  std::unique_ptr<SecondOrder> second_order_;
  std::unique_ptr<Unconstrained> unconstrained_;
};

}  // namespace trammel
