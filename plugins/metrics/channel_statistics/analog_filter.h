// Analog filters by poles and residues, exact for inputs that are linear between samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace trammel::channel_statistics {

using Complex = std::complex<double>;

/// H(s) = gain prod(s - zeros) / prod(s - poles); poles are distinct, complex ones stand beside their conjugates.
struct Shape {
  std::vector<Complex> zeros, poles;
  double gain = 1;
};

inline double radians(double hertz) { return 2 * std::numbers::pi * hertz; }

/// a s^2 + b s + c, a > 0: its roots.
inline void add_roots(std::vector<Complex>& roots, double a, double b, double c) {
  const Complex root = std::sqrt(Complex(b * b - 4 * a * c));
  roots.push_back((-b + root) / (2 * a));
  roots.push_back((-b - root) / (2 * a));
}

/// Butterworth's poles of order n, corner 1 rad/s.
inline std::vector<Complex> butterworth_poles(int order) {
  std::vector<Complex> poles;
  for (int k = 0; k < order; ++k) {
    const double angle = std::numbers::pi * (2 * k + order + 1) / (2.0 * order);
    const bool real = 2 * k + 1 == order;
    poles.push_back(real ? Complex(-1) : Complex(std::cos(angle), std::sin(angle)));
  }
  return poles;
}

/// |H| is 1 at 0, sqrt(1/2) at the corner.
inline Shape low_pass(int order, double corner) {
  Shape shape;
  const double w = radians(corner);
  for (const Complex& pole : butterworth_poles(order)) shape.poles.push_back(w * pole);
  shape.gain = std::pow(w, order);
  return shape;
}

inline Shape high_pass(int order, double corner) {
  Shape shape;
  const double w = radians(corner);
  for (const Complex& pole : butterworth_poles(order)) shape.poles.push_back(w / pole);
  shape.zeros.assign(static_cast<std::size_t>(order), 0);
  return shape;
}

/// s -> (s^2 + w1 w2) / ((w2 - w1) s) in a low-pass filter: twice as many poles.
inline Shape band_pass(int order, double low, double high) {
  Shape shape;
  const double band = radians(high - low), middle = radians(low) * radians(high);
  for (const Complex& pole : butterworth_poles(order)) {
    const Complex b = band * pole, root = std::sqrt(b * b - 4 * middle);
    shape.poles.push_back((b + root) / 2.0);
    shape.poles.push_back((b - root) / 2.0);
  }
  shape.zeros.assign(static_cast<std::size_t>(order), 0);
  shape.gain = std::pow(band, order);
  return shape;
}

/// Parameters of ISO 2631-1:1997, Table A.1; frequencies in Hz, 0: the factor is left out.
struct Weighting {
  double f1, f2, f3, f4, Q4, f5, Q5, f6, Q6;
};
inline constexpr Weighting wk{0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91};
inline constexpr Weighting wd{0.4, 100, 2, 2, 0.63, 0, 0, 0, 0};
inline constexpr Weighting wf{0.08, 0.63, 0, 0.25, 0.86, 0.0625, 0.8, 0.1, 0.8};

/// Band limits, transition from acceleration to velocity, upward step (Annex A, A.1 to A.4).
inline Shape weighting(const Weighting& w) {
  Shape shape;
  const double w1 = radians(w.f1), w2 = radians(w.f2), w4 = radians(w.f4), root2 = std::numbers::sqrt2;
  add_roots(shape.poles, 1, root2 * w1, w1 * w1);
  shape.zeros.assign(2, 0);
  add_roots(shape.poles, 1, root2 * w2, w2 * w2);
  add_roots(shape.poles, 1, w4 / w.Q4, w4 * w4);
  shape.gain = w2 * w2 * w4 * w4;
  if (w.f3 > 0) {
    shape.zeros.emplace_back(-radians(w.f3));
    shape.gain /= radians(w.f3);
  }
  if (w.f5 > 0) {
    const double w5 = radians(w.f5), w6 = radians(w.f6);
    add_roots(shape.zeros, 1, w5 / w.Q5, w5 * w5);
    add_roots(shape.poles, 1, w6 / w.Q6, w6 * w6);
  }
  return shape;
}

/// y = d u + sum c_k s_k, s_k' = p_k s_k + u; of conjugates one, which counts twice.
class AnalogFilter {
 public:
  explicit AnalogFilter(const Shape& shape) : direct_(shape.zeros.size() == shape.poles.size() ? shape.gain : 0) {
    for (std::size_t k = 0; k < shape.poles.size(); ++k) {
      const Complex pole = shape.poles[k];
      fastest_ = std::max(fastest_, std::abs(pole));
      slowest_ = k == 0 ? -pole.real() : std::min(slowest_, -pole.real());
      if (pole.imag() < 0) continue;
      Complex residue = shape.gain;
      for (const Complex& zero : shape.zeros) residue *= pole - zero;
      for (std::size_t j = 0; j < shape.poles.size(); ++j) {
        if (j != k) residue /= pole - shape.poles[j];
      }
      poles_.push_back(pole);
      residues_.push_back(pole.imag() > 0 ? 2.0 * residue : residue);
    }
  }

  /// Numbers of its memory: real and imaginary part of every s_k.
  std::size_t size() const { return 2 * poles_.size(); }
  /// 1/s
  double fastest() const { return fastest_; }
  /// 1/s: the least rate of decay.
  double slowest() const { return slowest_; }

  /// At rest under a constant input.
  void settle(double u, double* memory) const {
    for (std::size_t k = 0; k < poles_.size(); ++k) store(-u / poles_[k], k, memory);
  }
  double output(double u, const double* memory) const {
    double y = direct_ * u;
    for (std::size_t k = 0; k < poles_.size(); ++k)
      y += (residues_[k] * Complex(memory[2 * k], memory[2 * k + 1])).real();
    return y;
  }
  /// Over h, in which the input goes from u0 to u1 along a line.
  void advance(double h, double u0, double u1, double* memory) const {
    for (std::size_t k = 0; k < poles_.size(); ++k) {
      const Complex z = h * poles_[k], s(memory[2 * k], memory[2 * k + 1]);
      const Complex decay = std::exp(z);
      Complex first, second;  // (e^z - 1) / z, (e^z - 1 - z) / z^2
      if (std::abs(z) < 0.1) {
        Complex term = 1;
        first = 0, second = 0;
        for (int i = 1; i < 14; ++i) {
          first += term / static_cast<double>(i);
          second += term / static_cast<double>(i * (i + 1));
          term *= z / static_cast<double>(i);
        }
      } else {
        first = (decay - 1.0) / z, second = (first - 1.0) / z;
      }
      store(decay * s + h * (first * u0 + second * (u1 - u0)), k, memory);
    }
  }

 private:
  static void store(Complex s, std::size_t k, double* memory) {
    memory[2 * k] = s.real(), memory[2 * k + 1] = s.imag();
  }

  double direct_, fastest_ = 0, slowest_ = 0;
  std::vector<Complex> poles_, residues_;
};

}  // namespace trammel::channel_statistics
