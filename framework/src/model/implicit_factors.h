// ImplicitFactors: a model's factorized implicit KKT matrices by handle, several at once, real and complex.
#pragma once

#include <memory>
#include <vector>

#include "model/complex_kkt.h"
#include "model/implicit_kkt.h"

namespace trammel {

class ModelKkt;

/// A client of the linearizations, which outlive it. One use of a handle for a real shift and one for a complex shift
/// keep their structure and memory.
class ImplicitFactors {
 public:
  /// [setup]
  ImplicitFactors(Linearization& linearization, const InternalLinearization& internal)
      : linearization_(linearization), internal_(internal) {}
  /// [step] From a matrix with all numbers. Stops at the first failure. Allocates where a handle is new.
  Status prepare(const KktMatrix& kkt, Index first, const Shift* shifts, Index count);
  /// [step] The same at the model's point, in twists where that is possible: then for real shifts only a and lambda of
  /// the linearization are needed.
  Status prepare(ModelKkt& kkt, Index first, const Shift* shifts, Index count);
  /// [step] As before the first `prepare`: what a factorization keeps for the next ones (pivots, the way it goes) depends on
  /// those before, and is in no checkpoint.
  void forget() { factors_.clear(), by_twists_ = true; }
  /// Of a real and of a complex shift that was prepared.
  ImplicitKkt& real(Index handle) { return *factors_[static_cast<std::size_t>(handle)].real; }
  ComplexKkt& complex(Index handle) { return *factors_[static_cast<std::size_t>(handle)].complex; }

 private:
  struct Factors {
    std::unique_ptr<ImplicitKkt> real;
    std::unique_ptr<ComplexKkt> complex;
  };
  Factors& at(Index handle);
  ImplicitKkt& made(Index handle);

  Linearization& linearization_;
  const InternalLinearization& internal_;
  std::vector<Factors> factors_;
  bool by_twists_ = true;  ///< until a matrix cannot be eliminated so
};

}  // namespace trammel
