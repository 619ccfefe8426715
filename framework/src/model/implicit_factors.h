// ImplicitFactors: a model's factorized implicit KKT matrices by handle, several at once, real and complex.
#pragma once

#include <memory>
#include <vector>

#include "model/complex_kkt.h"
#include "model/implicit_kkt.h"

namespace trammel {

/// A client of the linearization, which outlives it. One use of a handle for a real shift and one for a complex shift
/// keep their structure and memory.
class ImplicitFactors {
 public:
  /// [setup]
  explicit ImplicitFactors(const Linearization& linearization) : linearization_(linearization) {}
  /// [step] Stops at the first failure. Allocates where a handle is new.
  Status prepare(const KktMatrix& kkt, Index first, const Shift* shifts, Index count);
  /// Of a real and of a complex shift that was prepared.
  ImplicitKkt& real(Index handle) { return *factors_[static_cast<std::size_t>(handle)].real; }
  ComplexKkt& complex(Index handle) { return *factors_[static_cast<std::size_t>(handle)].complex; }

 private:
  struct Factors {
    std::unique_ptr<ImplicitKkt> real;
    std::unique_ptr<ComplexKkt> complex;
  };

  const Linearization& linearization_;
  std::vector<Factors> factors_;
};

}  // namespace trammel
