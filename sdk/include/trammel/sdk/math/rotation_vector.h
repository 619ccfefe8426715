// The rotation vector of a relative attitude given by Euler parameters, over any scalar, with its derivative.
#pragma once

#include <cmath>

#include "trammel/sdk/math/dual.h"
#include "trammel/sdk/math/euler_parameters.h"

//   psi(pi) = 2 g(pi0, |e|^2) e,  g = atan2(|e|, pi0) / |e|,  pi = (pi0, e), pi0 > 0: |psi| < pi                   (1)
//   psi_pi = [-2 e / (pi.pi), 2 g I + 2 h e e^T],  h = (pi0 / (pi.pi) - g) / |e|^2                                (2)
//   g = (1 - z/3 + z^2/5 - ...) / pi0,  h = (-2/3 + 4/5 z - 6/7 z^2 + ...) / pi0^3,  z = |e|^2 / pi0^2, small z   (3)
// psi does not depend on the length of pi: it is the rotation vector off |p| = 1 too.
namespace trammel::sdk {

/// Product of quaternions, e0 first.
template <class T, class U>
Vec4<Product<T, U>> quaternion_product(const Vec4<T>& a, const Vec4<U>& b) {
  return {a.e0 * b.e0 - dot(a.e, b.e), a.e0 * b.e + b.e0 * a.e + cross(a.e, b.e)};
}

template <class T>
class RotationVector {
 public:
  /// pi0 > 0.
  explicit RotationVector(const Vec4<T>& pi) : e_(pi.e), inverse_(1.0 / dot(pi, pi)) {
    using std::atan2;
    using std::sqrt;
    const T square = dot(pi.e, pi.e), inverse0 = 1.0 / pi.e0;
    const T z = square * inverse0 * inverse0;
    if (z < 0.01) {  // (3): 9 terms leave 1e-18
      g_ = T(0.0), h_ = T(0.0);
      for (int n = 9; n >= 1; --n) {
        const double sign = n % 2 == 0 ? 1 : -1;
        h_ = h_ * z + T(sign * 2 * n / (2 * n + 1));
        g_ = g_ * z + T(-sign / (2 * n - 1));
      }
      g_ = g_ * inverse0, h_ = h_ * (inverse0 * inverse0 * inverse0);
    } else {
      const T length = sqrt(square);
      g_ = atan2(length, pi.e0) / length;
      h_ = (pi.e0 * inverse_ - g_) / square;
    }
  }

  Vec3<T> value() const { return 2.0 * g_ * e_; }
  /// psi_pi x
  Vec3<T> along(const Vec4<T>& x) const { return 2.0 * (g_ * x.e + (h_ * dot(e_, x.e) - x.e0 * inverse_) * e_); }
  /// psi_pi^T m
  Vec4<T> transpose(const Vec3<T>& m) const {
    const T along = dot(e_, m);
    return {-2.0 * inverse_ * along, 2.0 * (g_ * m + h_ * along * e_)};
  }

 private:
  Vec3<T> e_;
  T inverse_, g_, h_;
};

}  // namespace trammel::sdk
