// What the method keeps from step to step, in memory.cache unless said otherwise: the Jacobian with the factorizations,
// the stages of the last steps, and what the choice of the next step goes by.
#pragma once

#include <algorithm>
#include <cmath>

#include "table.h"
#include "trammel/integrator.h"
#include "trammel/sdk/methods/error_weights.h"

namespace trammel::radau {

/// One vector for each stage.
using Stages = std::array<VectorView, stages>;

/// sum = w_0 x_0 + w_1 x_1 + w_2 x_2 of the first `size` entries, as an expression.
inline auto combined(const Row& w, const Stages& x, Index size) {
  return w[0] * x[0].segment(0, size).map() + w[1] * x[1].segment(0, size).map() + w[2] * x[2].segment(0, size).map();
}

/// Hands out parts of memory.scratch.
class Scratch {
 public:
  explicit Scratch(double* at) : at_(at) {}
  VectorView take(Index size) {
    at_ += size;
    return {at_ - size, size};
  }
  Stages take_stages(Index size) { return {take(size), take(size), take(size)}; }

 private:
  double* at_;
};

/// Numbers in memory.cache; all zero where nothing is known.
struct Record {
  double linearized;      ///< 1: the view, or the cache, has Jacobians of ours
  double fresh;           ///< 1: they are of this step's start
  double factorized;      ///< step of the factorizations at hand, 0: none
  double contraction;     ///< of the last iterations, by which Jacobians are kept
  double left_to_go;      ///< theta / (1 - theta) of the last iteration
  double accepted_step;   ///< whose stages are known, 0: none
  double accepted_error;  ///< 0: none since the start
  double tried_step;      ///< the last attempt's, with its error and its proposal
  double tried_error;
  double proposed;
  double rejected;     ///< 1: the last attempt was void
  double differenced;  ///< 1: Jacobians are difference quotients
  double eliminated;   ///< components of a first-order view that the solves eliminate
};

/// Lengths for a problem, and where things begin.
class Layout {
 public:
  explicit Layout(const ProblemSize& size) : n_(size.n), m_(size.view == ViewKind::constrained ? size.m : 0) {
    if (size.view == ViewKind::ode) matrices_ = 4 * n_ * n_ + 2 * n_;
  }

  static constexpr Index record_size = sizeof(Record) / sizeof(double);
  /// Unknowns of a stage: derivatives, and multipliers.
  Index unknowns() const { return n_ + m_; }
  Index cache_size() const { return record_size + 2 * static_cast<Index>(stages) * unknowns() + matrices_; }

  static Record& record(const Memory& memory) { return *reinterpret_cast<Record*>(memory.cache); }
  /// Stages of the last attempt (0) and of the last accepted step (1).
  Stages stages_of(const Memory& memory, int which) const {
    Scratch part(memory.cache + record_size + which * static_cast<Index>(stages) * unknowns());
    return part.take_stages(unknowns());
  }
  /// f_y, then both factorizations, of first-order views.
  double* matrices(const Memory& memory) const {
    return memory.cache + record_size + 2 * static_cast<Index>(stages) * unknowns();
  }

 private:
  Index n_, m_, matrices_ = 0;
};

/// memory.state: whether the derivative at the step's start is known, and it (y', or x'').
struct Start {
  Start(const Memory& memory, Index n) : known(memory.state[0]), derivative{memory.state + 1, n} {}
  static Index size(Index n) { return 1 + n; }

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
