// A straight beam with one mode of bending: its shape, and the integrals over its mass that its motion needs.
#pragma once

namespace acme::modal {

enum class Mode { clamped, free };

/// psi(s) and psi'(s); psi is 1 at the end of the beam that is not clamped, or at both ends of a free one.
struct Shape {
  double value, slope;
};

/// The beam lies along the x axis of its frame, from `begin` to `end`: [0, l] clamped at 0, or [-l/2, l/2] free. Its
/// first mode solves psi'''' = (beta / l)^4 psi with
///   clamped: cos beta cosh beta = -1, beta = 1.8751;   free: cos beta cosh beta = 1, beta = 4.7300;
/// omega = (beta / l)^2 sqrt(E I l / m). L. Meirovitch, Analytical Methods in Vibrations (1967), 5.10.
struct Beam {
  Beam() = default;
  /// `bending`: E I, N m^2.
  Beam(Mode mode, double mass, double length, double bending);

  Shape shape(double s) const;

  Mode mode = Mode::clamped;
  double begin = 0, end = 0, beta_by_length = 0, sigma = 0, scale = 1;
  double mass = 0;
  double S = 0;   ///< integral of s dm, kg m
  double I = 0;   ///< of s^2 dm, kg m^2
  double c1 = 0;  ///< of psi dm, kg
  double d1 = 0;  ///< of s psi dm, kg m
  double c2 = 0;  ///< of psi^2 dm, kg
  double k = 0;   ///< omega^2 c2, N/m
};

}  // namespace acme::modal
