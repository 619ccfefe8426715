// What the method keeps from step to step, in memory.cache unless said otherwise: the Jacobian with the factorizations,
// the stages of the last steps, and what the choice of the next step goes by.
#pragma once

#include <algorithm>
#include <cmath>

#include "table.h"
#include "trammel/integrator.h"
#include "trammel/sdk/math/lu.h"
#include "trammel/sdk/methods/error_weights.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::radau {

using Layout = sdk::StateLayout;

/// One vector for each stage.
using Stages = std::array<VectorView, stages>;

/// sum = w_0 x_0 + w_1 x_1 + w_2 x_2 of the first `size` entries, as an expression.
inline auto combined(const Row& w, const Stages& x, Index size) {
  return w[0] * x[0].segment(0, size).map() + w[1] * x[1].segment(0, size).map() + w[2] * x[2].segment(0, size).map();
}

inline Stages stages_in(Layout& at, Index size) { return {at.vector(size), at.vector(size), at.vector(size)}; }
/// Unknowns of a stage: derivatives, and multipliers.
inline Index unknowns(const ProblemSize& size) { return size.n + (size.view == ViewKind::constrained ? size.m : 0); }

/// Numbers in front in memory.cache; all zero where nothing is known.
struct Record {
  explicit Record(Layout& at)
      : linearized(at.number()),
        fresh(at.number()),
        factorized(at.number()),
        contraction(at.number()),
        left_to_go(at.number()),
        accepted_step(at.number()),
        accepted_error(at.number()),
        tried_step(at.number()),
        tried_error(at.number()),
        proposed(at.number()),
        rejected(at.number()),
        differenced(at.number()),
        eliminated(at.number()) {}
  void forget() const {
    linearized = fresh = factorized = contraction = left_to_go = 0;
    accepted_step = accepted_error = tried_step = tried_error = proposed = rejected = 0;
    differenced = eliminated = 0;
  }

  double& linearized;      ///< 1: the view, or the cache, has Jacobians of ours
  double& fresh;           ///< 1: they are of this step's start
  double& factorized;      ///< step of the factorizations at hand, 0: none
  double& contraction;     ///< of the last iterations, by which Jacobians are kept
  double& left_to_go;      ///< theta / (1 - theta) of the last iteration
  double& accepted_step;   ///< whose stages are known, 0: none
  double& accepted_error;  ///< 0: none since the start
  double& tried_step;      ///< the last attempt's, with its error and its proposal
  double& tried_error;
  double& proposed;
  double& rejected;     ///< 1: the last attempt was void
  double& differenced;  ///< 1: Jacobians are difference quotients
  double& eliminated;   ///< components of a first-order view that the solves eliminate
};

/// memory.cache: stages of the last attempt and of the last accepted step; f_y and both factorizations of first-order
/// views.
struct Cached : Record {
  Cached(Layout& at, const ProblemSize& size)
      : Record(at),
        tried(stages_in(at, unknowns(size))),
        accepted(stages_in(at, unknowns(size))),
        J(at.numbers(square(size) * square(size))),
        real(at.numbers(sdk::Lu::size(square(size)))),
        complex(at.numbers(sdk::ComplexLu::size(square(size)))) {}
  Stages tried, accepted;
  double *J, *real, *complex;

 private:
  static Index square(const ProblemSize& size) { return size.view == ViewKind::ode ? size.n : 0; }
};

/// memory.state: whether the derivative at the step's start is known, and it (y', or x'').
struct Start {
  Start(Layout& at, Index n) : known(at.number()), derivative(at.vector(n)) {}

  double& known;
  VectorView derivative;
};

/// The norm of the changes of all stages, from that of each.
inline double joined_norm(bool max_norm, const Row& parts) {
  if (max_norm) return std::max({parts[0], parts[1], parts[2]});
  return std::sqrt((parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2]) / 3);
}

/// The run's norm of changes of (x, x'), weighted at the start of the step; of several stages together.
class PairNorm {
 public:
  PairNorm(const Tolerances& tolerances, ConstVectorView mask, const ConstStateView& state, VectorView x, VectorView v)
      : max_norm_(tolerances.max_norm),
        x_(part(tolerances, 0, x.size), mask, state.x, state.x, x),
        v_(part(tolerances, x.size, v.size), mask, state.v, state.v, v) {}

  double operator()(ConstVectorView e_x, ConstVectorView e_v) const {
    const double x = x_.norm(e_x), v = v_.norm(e_v);
    return max_norm_ ? std::max(x, v) : std::sqrt((x * x + v * v) / 2);
  }
  double joined(const Row& parts) const { return joined_norm(max_norm_, parts); }

 private:
  static Tolerances part(const Tolerances& all, Index first, Index size) {
    const auto of = [&](ConstVectorView v) { return v.size > 1 ? v.segment(first, size) : v; };
    return {of(all.rtol), of(all.atol), all.max_norm};
  }
  bool max_norm_;
  sdk::ErrorWeights x_, v_;
};

}  // namespace trammel::radau
