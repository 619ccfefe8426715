// Adams methods with fixed steps: predictor alone or PECE, and the ways to start them.
#pragma once

#include <algorithm>

#include "starters.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel::adams {

/// How the first k - 1 steps, for which a method with k points has no history, are made.
enum class Start : std::int32_t {
  ramp,              ///< orders 1, 2, ..., k
  runge_kutta,       ///< eight steps of order 8 per step
  small_steps,       ///< the same method with short steps, itself begun with a ramp
  zero_differences,  ///< order k at once, missing differences taken as zero
  fehlberg           ///< Runge-Kutta-Fehlberg steps of a prescribed local error
};

/// The second evaluation of PECE, f(t_{n+1}, y^c), is made at the beginning of the next step: so it holds the state
/// that the kernel accepted, also where a projection moved it, and the history stays.
class Equidistant : public Integrator, public LinearStability, public IntegratorNotes {
 public:
  /// `orders` after the start; `short_step` (s) belongs to small_steps, `start_error` to fehlberg.
  struct Options {
    Orders orders;
    Start start = Start::ramp;
    double short_step = 0;
    double start_error = 0;
  };

  explicit Equidistant(const Options& options) : o_(options), k_(options.orders.predictor) {}

  IntegratorTraits traits() const override;
  MemorySize memory(const ProblemSize& size) const override;
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override;
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView error,
                     const Memory& memory) const override;
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override;
  /// What an attempt leaves behind, f_n in the history, belongs to the state it started from.
  void reject(const Memory&) const override {}
  /// The steps of the start leave it to the kernel's Hermite polynomial.
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t, const StateView& out,
                     const Memory& memory) const override;

  const void* extension(const char* id) const override;
  double spectral_radius(double re, double im) const override { return adams::spectral_radius(o_.orders, re, im); }
  void note(const Memory& memory, char* text, Index capacity) const override;

 private:
  /// memory.state: these numbers, then D_0 ... D_{k-1} and E_0; with small_steps the same differences on the short
  /// grid, as accepted and as attempted.
  enum : Index {
    points,
    f_known,
    step_size,
    terms,
    short_points,
    tried_short_points,
    tried_steps,
    tried_error,
    history,
    starter_steps = history,
    starter_error,
    flags
  };

  BackwardDifferences differences(const Memory& memory, Index n, Index block = 0) const {
    return BackwardDifferences(memory.state + flags + block * (k_ + 1) * n, n, k_);
  }
  Map predicted_rate(const Memory& memory, Index n) const { return Map(memory.state + flags + k_ * n, n); }
  Orders at(int points) const;
  Status first_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     const Memory& memory) const;
  Status small_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     const Memory& memory) const;

  Options o_;
  int k_;
  EighthOrderSteps eighth_order_;
  FehlbergSteps fehlberg_;
};

}  // namespace trammel::adams
