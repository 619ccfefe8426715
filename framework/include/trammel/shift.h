// Shifts of the implicit matrices that views factorize, and complex vectors as two real ones.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

/// Coefficients of M^ - c1 M^J2 - c0 M^J1, or of M + c1 C + c0 K with the constraints as a border:
/// c0 = c0_real + i c0_imag, c1 = c1_real + i c1_imag. A method with matrix A of coefficients needs those of
/// c1 = h / mu, c0 = c1^2 for the eigenvalues mu of A^-1, one of each conjugate pair (Hairer, Wanner, Solving ODEs II,
/// IV.8).
struct Shift {
  double c0 = 0, c1 = 0;
  double c0_imag = 0, c1_imag = 0;

  /// Whether `solve` is for it; all others are for `solve_complex`.
  constexpr bool real() const { return c0_imag == 0 && c1_imag == 0; }
};

/// Two vectors of equal length; the callee writes every entry.
struct ComplexView {
  VectorView re, im;
};

/// The same, read only.
struct ConstComplexView {
  ConstVectorView re, im;

  ConstComplexView() = default;
  ConstComplexView(ConstVectorView real, ConstVectorView imaginary) : re(real), im(imaginary) {}
  ConstComplexView(const ComplexView& z) : re(z.re), im(z.im) {}
};

}  // namespace trammel
