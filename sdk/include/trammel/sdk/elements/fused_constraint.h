// A constraint over two bodies made of row kernels at compile time: one row block, one virtual call.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "trammel/constraint.h"
#include "trammel/sdk/elements/joint_directions.h"
#include "trammel/sdk/elements/joint_twists.h"
#include "trammel/sdk/math/wide.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

/// Of fused constraints: whether all kernels say their directions, and these are no more than a body has.
template <class... Kernels>
struct FusedDirections {
  static constexpr Index linear = (SaysDirections<Kernels>::linear + ...);
  static constexpr Index angular = (SaysDirections<Kernels>::angular + ...);
  static constexpr bool said = (SaysDirections<Kernels>::value && ...) && linear <= 3 && angular <= 3;
  using Base = std::conditional_t<said, FreeDirections, NoDirections>;
};

/// Whether all kernels say their second derivatives in twists.
template <class... Kernels>
struct FusedTwists {
  static constexpr bool said = (SaysTwists<Kernels>::value && ...), couples = (SaysTwists<Kernels>::couples || ...);
  using Base = std::conditional_t<said, MultiplierTwists, NoTwists>;
};

/// `Pair` gives the kernels the two bodies (constructed from ElementState), `PairVector` one local vector per body
/// (constructed from two views). Kernels: see spatial_rows.h. Derive, and add what the joint has beyond its rows,
/// FreeDirections and MultiplierTwists among it.
template <class Pair, class PairVector, class... Kernels>
class FusedConstraint : public Constraint,
                        public FusedDirections<Kernels...>::Base,
                        public FusedTwists<Kernels...>::Base {
 public:
  FusedConstraint(BodyRef i, BodyRef j, const Kernels&... kernels) : bodies_{i, j}, kernels_(kernels...) {}

  Index rows() const final { return row_count; }
  Index body_count() const final { return 2; }
  BodyRef body(Index i) const final { return bodies_[i]; }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const final {
    wide([&] {
      const Pair pair(s);
      if (out.gamma.data != nullptr) {
        each([&](const auto& kernel, Index first)
                 TRAMMEL_INLINE_LAMBDA { kernel.template evaluate<true>(pair, out, first); });
      } else {
        each([&](const auto& kernel, Index first)
                 TRAMMEL_INLINE_LAMBDA { kernel.template evaluate<false>(pair, out, first); });
      }
    });
    if (out.nu.data != nullptr) {
      for (Index k = 0; k < row_count; ++k) out.nu[k] = 0;
    }
    return Status::success();
  }

  /// Of FreeDirections, which joints offer whose rows are independent at all places.
  void free_directions(const ElementState& s, Index child, const DirectionsOutput& out) const {
    using Said = FusedDirections<Kernels...>;
    if constexpr (Said::said) {
      wide([&] {
        const Pair pair(s);
        typename Pair::template Directions<Said::linear, Said::angular> directions(pair.i, pair.j, child, out);
        each([&](const auto& kernel, Index first)
                 TRAMMEL_INLINE_LAMBDA { kernel.directions(pair, directions, first); });
        directions.write();
      });
    }
  }

  /// Of MultiplierTwists.
  bool couples() const { return FusedTwists<Kernels...>::couples; }
  void add_multiplier_twists(const ElementState& s, ConstVectorView lambda, double scale, double* const* blocks) const {
    if constexpr (FusedTwists<Kernels...>::said) {
      wide([&] {
        const Pair pair(s);
        each([&](const auto& kernel, Index first)
                 TRAMMEL_INLINE_LAMBDA { kernel.multiplier_twists(pair, lambda.data + first, scale, blocks); });
      });
    }
  }

  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const final {
    const Pair pair(s);
    const PairVector vector(x);
    each([&](const auto& kernel, Index first)
             TRAMMEL_INLINE_LAMBDA { kernel.jacobian_gradient(pair, vector, out, first); });
    return Status::success();
  }

  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const final {
    wide([&] {
      const Pair pair(s);
      for (Index k = 0; k < 4; ++k) {
        if (out[k]) set_zero(out[k]);
      }
      each([&](const auto& kernel, Index first)
               TRAMMEL_INLINE_LAMBDA { kernel.multiplier_gradient(pair, lambda.data + first, out); });
    });
    return Status::success();
  }

  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const final {
    wide([&] {
      const Pair pair(s);
      const PairVector vector(a);
      each([&](const auto& kernel, Index first)
               TRAMMEL_INLINE_LAMBDA { kernel.acceleration_gradient(pair, vector, out_q, out_v, first); });
    });
    return Status::success();
  }

 protected:
  static constexpr Index row_count = (Kernels::rows + ...);

  FusedConstraint(const FusedConstraint&) = delete;
  FusedConstraint& operator=(const FusedConstraint&) = delete;
  ~FusedConstraint() = default;

 private:
  /// Calls action(kernel, first row) for every kernel in order.
  template <std::size_t k = 0, Index first = 0, class Action>
  TRAMMEL_INLINE void each(const Action& action) const {
    if constexpr (k < sizeof...(Kernels)) {
      const auto& kernel = std::get<k>(kernels_);
      action(kernel, first);
      each<k + 1, first + std::tuple_element_t<k, std::tuple<Kernels...>>::rows>(action);
    }
  }

  BodyRef bodies_[2];
  std::tuple<Kernels...> kernels_;
};

}  // namespace trammel::sdk
