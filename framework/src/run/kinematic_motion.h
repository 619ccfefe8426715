// KinematicMotion: the motion of a mechanism whose drivers determine it, as an integrator without an error.
#pragma once

#include <vector>

#include "model/constrained_model.h"
#include "trammel/integrator.h"

namespace trammel {

/// Position, velocity and acceleration analysis at each time (Haug, chapter 4, through section 7.1):
///   Phi(t, q) = 0 by Newton's method,   Phi_q v = nu,   Phi_q a = gamma                                        (1)
/// Newton starts from q + h v + h^2/2 a. A step is void where Newton fails, or where it ends so far from there that it
/// may have left the branch; the engine then tries a shorter one (step continuation). Steps end on multiples of
/// `grid`, as far as they are not shorter.
class KinematicMotion final : public Integrator {
 public:
  KinematicMotion(ConstrainedModel& model, double grid)
      : model_(model), grid_(grid), predicted_(static_cast<std::size_t>(model.coordinates())), wish_(predicted_) {}

  IntegratorTraits traits() const override;
  MemorySize memory(const ProblemSize& size) const override { return (void)size, MemorySize{}; }
  Status start(const Problem& problem, const StateView& state, const Memory& memory) const override;
  StepResult attempt(const Problem& problem, const StateView& state, double h, const StateView& next, VectorView error,
                     const Memory& memory) const override;
  /// Exact: Newton from the Hermite polynomial.
  Status interpolate(const Problem& problem, const StateView& from, const StateView& to, double t, const StateView& out,
                     const Memory& memory) const override;

 private:
  /// (1) at out.t, Newton starting from what out has.
  Status solve(const StateView& out, ProjectionReport& report) const;
  /// Whether `next` continues the motion through `state` over h.
  bool continues(const StateView& state, double h, const StateView& next) const;

  ConstrainedModel& model_;
  double grid_;
  mutable std::vector<double> predicted_, wish_;  // scratch: nothing in it outlives a call
};

}  // namespace trammel
