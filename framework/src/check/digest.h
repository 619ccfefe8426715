// Digest: many numbers and texts as one number, for fingerprints.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel::conformance {

/// FNV-1a over the bits of doubles; NaN is NaN.
class Digest {
 public:
  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x == x ? x : std::numeric_limits<double>::quiet_NaN());
    for (int k = 0; k < 64; k += 8) add_byte((bits >> k) & 0xff);
  }
  template <class Derived>
  void add(const Eigen::DenseBase<Derived>& x) {
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) add(x(i, j));
    }
  }
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  void add(const Status& status) { add(static_cast<double>(status.code)); }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(std::uint64_t byte) { value_ = (value_ ^ byte) * 1099511628211u; }

  std::uint64_t value_ = 14695981039346656037u;
};

struct Subject;
/// Of the component, an integrator.
void digest_integrators(Subject& subject, int calls, Digest& digest);
/// What linear solvers and formulations give in so many calls.
void digest_linear_solvers(Subject& subject, int calls, Digest& digest);
void digest_formulations(Subject& subject, int calls, Digest& digest);

}  // namespace trammel::conformance
