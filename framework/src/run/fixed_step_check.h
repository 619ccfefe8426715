// FixedStepCheck: whether the steps of a fixed-step run were short enough - the run again with other steps, compared.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/archive.h"
#include "record/check_results.h"
#include "run/motion_samples.h"
#include "run/plant/plant.h"
#include "run/step_starts.h"

namespace trammel {

/// Tolerances tell nothing about fixed steps. The motion is sampled while the run goes on; at its end the first stretch
/// of it, and of long runs pieces of the rest, are run again with steps twice as long, and only where the two differ by
/// more than a right run's would, with steps half as long. Step doubling after Hairer, Norsett, Wanner I, II.4, Eq.
/// 4.4, for the global error: where the error is C h^p, runs with h and h/2 differ by (1 - 2^-p) of it.
class FixedStepCheck {
 public:
  using Jump = MotionSamples::Jump;
  using Rerun = MotionSamples::Rerun;
  /// Makes one; nullptr: it cannot be.
  using Maker = std::function<std::unique_ptr<Rerun>(double step)>;
  using Result = FixedStepResult;

  /// [setup] With the observation of the initial state; `step` 0: nothing is to be checked. `keeper`: writes what
  /// pieces begin from; none: only the first stretch is looked at.
  void start(Plant& plant, double step, int order, StepStarts::Keeper keeper = {});
  /// [step] After each accepted step.
  void step(const Observation& now);
  bool wanted() const { return step_ > 0; }
  /// What happened in the run.
  struct Happenings {
    /// At times that are another run's only nearly: velocities between the two say nothing.
    std::vector<Jump> jumps;
    /// Something happened: errors are then no smooth function of the step, and two of them may be equal by chance.
    bool events = false;
    /// The start was warned of growth, or the method gave advice: only the whole run can refute that.
    bool foreseen = false;
    /// s, steps that see what functions of time do: shorter than the run's, longer ones are no test.
    double step_that_sees = std::numeric_limits<double>::infinity();
    /// s, the shortest time between two switches of one law. Where it is shorter than steps, events cut these to one
    /// length, and longer ones are no test.
    double shortest_piece = std::numeric_limits<double>::infinity();
  };
  /// Once, at the end of a run of length `duration`.
  void finish(const Maker& make, double duration, const Happenings& happenings);
  bool finished() const { return done_; }
  const Result& result() const { return result_; }
  /// "" or what the run's reader should know. `method`: "rk4 under projection".
  std::string warning(const std::string& method) const;
  void remember(Archive& archive);

 private:
  using Difference = MotionSamples::Difference;
  Difference compare(Rerun& rerun, double until, std::size_t first = 0);
  /// `growth`: to the end of the run, of what was found before.
  void tell(const Difference& difference, double shown, double growth = 1);
  void check_beginning(const Maker& make, double duration);
  bool check_against_steps_that_see(const Maker& make);
  Difference with_longer_steps(Rerun& longer, double& until, double& error);
  void check_pieces(const Maker& make);
  void judge_piece(const Maker& make, const StepStarts::Piece& piece, double longer);

  double step_ = 0;
  int order_ = 1;
  MotionSamples samples_;
  StepStarts starts_;
  bool done_ = false;
  Happenings happenings_;
  Result result_;
};

}  // namespace trammel
