// Mode shapes of uniform beams. L. Meirovitch, Analytical Methods in Vibrations (1967), 5.10.
#include "beam.h"

#include <cmath>

namespace acme::modal {

Beam::Beam(Mode which, double m, double length, double bending) : mode(which), mass(m) {
  const bool clamped = mode == Mode::clamped;
  begin = clamped ? 0 : -length / 2, end = clamped ? length : length / 2;
  // cos beta + a / cosh beta = 0 by Newton from the known digits.
  const double a = clamped ? 1 : -1;
  double beta = clamped ? 1.8751 : 4.7300;
  for (int i = 0; i < 20; ++i) {
    const double ch = std::cosh(beta);
    beta -= (std::cos(beta) + a / ch) / (-std::sin(beta) - a * std::sinh(beta) / (ch * ch));
  }
  beta_by_length = beta / length;
  sigma = clamped ? (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta))
                  : (std::cosh(beta) - std::cos(beta)) / (std::sinh(beta) - std::sin(beta));
  scale = 1;
  scale = 1 / shape(end).value;

  // Gauss-Legendre with 5 points on 40 parts: exact to rounding for these functions.
  constexpr double node[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  constexpr int parts = 40;
  const double half = length / parts / 2, density = mass / length;
  for (int part = 0; part < parts; ++part) {
    const double middle = begin + (2 * part + 1) * half;
    for (int i = -2; i <= 2; ++i) {
      const double s = middle + (i < 0 ? -half : half) * node[i < 0 ? -i : i];
      const double dm = density * half * weight[i < 0 ? -i : i], psi = shape(s).value;
      S += s * dm, I += s * s * dm, c1 += psi * dm, d1 += s * psi * dm, c2 += psi * psi * dm;
    }
  }
  const double omega = beta_by_length * beta_by_length * std::sqrt(bending / density);
  k = omega * omega * c2;
}

Shape Beam::shape(double s) const {
  const double x = beta_by_length * (s - begin);
  const double ch = std::cosh(x), sh = std::sinh(x), c = std::cos(x), n = std::sin(x);
  if (mode == Mode::clamped)
    return {scale * (ch - c - sigma * (sh - n)), scale * beta_by_length * (sh + n - sigma * (ch - c))};
  return {scale * (ch + c - sigma * (sh + n)), scale * beta_by_length * (sh - n - sigma * (ch + c))};
}

}  // namespace acme::modal
