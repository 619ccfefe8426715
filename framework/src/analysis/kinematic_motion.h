// KinematicMotion: the motion of a mechanism whose drivers determine it, as an integrator without an error.
#pragma once

#include <vector>

#include "linalg/dependent_lu.h"
#include "run/plant/rank_monitor.h"
#include "trammel/integrator.h"

namespace trammel {

/// Position, velocity and acceleration analysis at each time (Haug, chapter 4, through section 7.1):
///   Phi(t, q) = 0 by Newton's method,   Phi_q v = nu,   Phi_q a = gamma                                        (1)
/// Newton starts from q + h v + h^2/2 a. A step is void where Newton fails, or where it ends so far from there that it
/// may have left the branch; the engine then tries a shorter one (step continuation). Steps end on multiples of
/// `grid`, as far as they are not shorter. Motions may branch where det Phi_q passes zero: every step looks at its sign
/// at both ends, and tells `monitor` the time of a passage.
class KinematicMotion final : public Integrator {
 public:
  KinematicMotion(ConstrainedModel& model, RankMonitor& monitor, double grid)
      : model_(model),
        monitor_(monitor),
        grid_(grid),
        redundant_(model.rank().redundant()),
        none_(static_cast<std::size_t>(model.coordinates())) {}

  IntegratorTraits traits() const override;
  MemorySize memory(const ProblemSize& size) const override;
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override;
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override;
  /// Exact: Newton from the Hermite polynomial.
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override;

 private:
  /// Where things stand in the engine's memory.
  struct Blocks;

  /// (1) at out.t, Newton starting from what out has.
  Status solve(const Blocks& blocks, const StateView& out, ProjectionReport& report) const;
  /// How far `next` is from where the motion through `state` would be after h, as a share of what may be.
  double departure(ConstVectorView predicted, const ConstStateView& state, double h, const StateView& next) const;
  /// Rows that were left out at a singular position count again as soon as they are independent.
  Status choose_rows_again(double t, ConstVectorView q) const;
  /// det Phi_q at (t, q).
  DependentLu::Determinant determinant(double t, ConstVectorView q) const;
  /// Locates where the determinant passes zero between two positions.
  void look_for_branches(const Blocks& blocks, const ConstStateView& from, const ConstStateView& to) const;

  ConstrainedModel& model_;
  RankMonitor& monitor_;
  double grid_;
  Index redundant_;  // rows that repeat others wherever the mechanism is
  // Workspace: `determinant` fills it anew before it asks it anything. What it keeps, the order of elimination and the
  // pivots, changes the last bits of a determinant, of which the sign is used, and where its zero lies.
  mutable DependentLu jacobian_;
  std::vector<double> none_;  // no coordinate is independent
};

}  // namespace trammel
