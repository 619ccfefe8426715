// A constraint over two bodies made of row kernels at compile time: one row block, one virtual call.
#pragma once

#include <tuple>
#include <utility>

#include "trammel/constraint.h"
#include "trammel/sdk/bodies.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/wide.h"

namespace trammel::sdk {

/// `Pair` gives the kernels the two bodies (constructed from ElementState), `PairVector` one local vector per body
/// (constructed from two views). Kernels: see spatial_rows.h. Derive, and add what the joint has besides its rows.
template <class Pair, class PairVector, class... Kernels>
class FusedConstraint : public Constraint {
 public:
  FusedConstraint(BodyRef i, BodyRef j, const Kernels&... kernels) : bodies_{i, j}, kernels_(kernels...) {}

  Index rows() const final { return row_count; }
  Index body_count() const final { return 2; }
  BodyRef body(Index i) const final { return bodies_[i]; }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const final {
    wide([&] {
      const Pair pair(s);
      if (out.gamma.data != nullptr)
        evaluate_all<true>(pair, out);
      else
        evaluate_all<false>(pair, out);
    });
    if (out.nu.data != nullptr) {
      for (Index k = 0; k < row_count; ++k) out.nu[k] = 0;
    }
    return Status::success();
  }

  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const final {
    const Pair pair(s);
    const PairVector vector(x);
    each([&](const auto& kernel, Index first) { kernel.jacobian_gradient(pair, vector, out, first); });
    return Status::success();
  }

  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const final {
    const Pair pair(s);
    for (Index k = 0; k < 4; ++k) {
      if (out[k]) set_zero(out[k]);
    }
    each([&](const auto& kernel, Index first) { kernel.multiplier_gradient(pair, lambda.data + first, out); });
    return Status::success();
  }

  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const final {
    const Pair pair(s);
    const PairVector vector(a);
    each([&](const auto& kernel, Index first) { kernel.acceleration_gradient(pair, vector, out_q, out_v, first); });
    return Status::success();
  }

 protected:
  static constexpr Index row_count = (Kernels::rows + ...);

  FusedConstraint(const FusedConstraint&) = delete;
  FusedConstraint& operator=(const FusedConstraint&) = delete;
  ~FusedConstraint() = default;

 private:
  template <bool velocity>
  void evaluate_all(const Pair& pair, const ConstraintOutput& out) const {
    each([&](const auto& kernel, Index first) { kernel.template evaluate<velocity>(pair, out, first); });
  }

  /// Calls action(kernel, first row) for every kernel in order.
  template <class Action>
  void each(const Action& action) const {
    std::apply(
        [&](const Kernels&... kernels) {
          Index first = 0;
          ((action(kernels, first), first += Kernels::rows), ...);
        },
        kernels_);
  }

  BodyRef bodies_[2];
  std::tuple<Kernels...> kernels_;
};

}  // namespace trammel::sdk
