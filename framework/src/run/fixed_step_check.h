// FixedStepCheck: whether the steps of a fixed-step run were short enough - the run again with other steps, compared.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/archive.h"
#include "run/plant.h"
#include "run/step_starts.h"

namespace trammel {

/// Tolerances tell nothing about fixed steps. The motion is sampled while the run goes on; at its end the first stretch
/// of it, and of long runs pieces of the rest, are run again with steps twice as long, and only where the two differ by
/// more than a right run's would, with steps half as long. Step doubling after Hairer, Norsett, Wanner I, II.4, Eq.
/// 4.4, for the global error: where the error is C h^p, runs with h and h/2 differ by (1 - 2^-p) of it.
class FixedStepCheck {
 public:
  /// Velocities jumped.
  struct Jump {
    std::string element;
    double t = 0;
  };
  /// The same run with another step, from its start or from where it was at another time.
  class Rerun {
   public:
    virtual ~Rerun() = default;
    /// Shows the state at t; false: the run did not come so far.
    virtual bool show(double t, const Observation*& now) = 0;
    /// Begins anew there; false: it cannot.
    virtual bool begin(const Archive& start) = 0;
    /// Those so far.
    virtual std::vector<Jump> jumps() const = 0;
    virtual long evaluations() const = 0;
  };
  /// Makes one; nullptr: it cannot be.
  using Maker = std::function<std::unique_ptr<Rerun>(double step)>;
  struct Result {
    long reruns = 0, evaluations = 0;
    double until = 0;        ///< s, what was run again
    double error = 0;        ///< estimate, of the range of motion
    double time = 0;         ///< s, where it is largest
    double from = 0;         ///< s, where the steps that show it began
    std::string channel;     ///< "" : the motion was not compared with shorter steps, or nothing moved
    double step = 0;         ///< s, to try
    bool whole = false;      ///< all of the run was run again
    /// The whole motion was compared with that of other steps, and steps mattered little.
    bool held() const { return whole && !channel.empty() && error < 2e-3; }
  };

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
  struct Difference {
    double size = 0, time = 0;
    double early = 0;  ///< of the first half of the time
    std::size_t component = 0;
    bool complete = true;  ///< the other run came to its end
  };
  void find_hops(ConstrainedModel& model);
  Difference compare(Rerun& rerun, double until, std::size_t first = 0);
  void add_rates(const std::vector<Difference>& rates, const std::vector<Jump>& jumps, double until, Difference& largest) const;
  void tell(const Difference& difference, double shown);
  void check_beginning(const Maker& make, double duration);
  bool check_against_steps_that_see(const Maker& make);
  Difference with_longer_steps(Rerun& longer, double& until, double& error);
  void check_pieces(const Maker& make);
  void judge_piece(const Maker& make, const StepStarts::Piece& piece, double longer);
  std::vector<double> scales() const;
  double* sample(std::size_t i) { return samples_.data() + i * (1 + size_); }

  double step_ = 0;
  int order_ = 1;
  std::size_t positions_ = 0, size_ = 0;  ///< x, and x and v together
  std::size_t body_ = 0, translations_ = 0;  ///< coordinates of a body; 0: a problem without bodies
  std::vector<std::string> names_;
  std::vector<double> samples_;       ///< t, x, v of every `stride_`th step
  std::vector<double> least_, most_;  ///< of x and v over the run
  std::size_t count_ = 0, stride_ = 1, steps_ = 0;
  StepStarts starts_;
  std::vector<double> last_;  ///< t, x, v
  std::vector<double> hops_;  ///< of v: what contacts at rest leave open
  bool done_ = false;
  Happenings happenings_;
  Result result_;
};

}  // namespace trammel
