// MotionSamples: a run's motion at some of its steps, and how far the same run done otherwise lies from it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/archive.h"
#include "run/plant/plant.h"

namespace trammel {

/// Positions and rates at every n-th step, of fixed steps after every n-th step's length, n growing so that they stay few.
class MotionSamples {
 public:
  /// Velocities jumped.
  struct Jump {
    std::string element;
    double t = 0, speed = 0;  ///< s; m/s at which a contact closed
  };
  /// The same run with other steps, from its start or from where it was at another time.
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
  struct Difference {
    double size = 0, time = 0;  ///< of the range of motion; s
    double early = 0;           ///< of the first half of the time
    std::size_t component = 0;
    bool complete = true;     ///< the other run came to its end
    bool lost_phase = false;  ///< impacts are not the same ones: no power of the step
    /// By how much a difference that was found up to `until` may have grown at `end`: in proportion to time where it
    /// grew at all between the two halves, else not.
    double growth(double until, double end) const;
  };

  struct Share {
    double size = 0, of = 0;  ///< of the range of what moves; the number that is this share
  };

  /// [setup] With the observation of the initial state. `step`: the length of fixed steps, s; 0: they are counted.
  void start(Plant& plant, double step = 0);
  /// [step] Before `step` at t. true: every other sample went, the first one too.
  bool make_room(double t);
  /// [step] After each accepted step. true: a sample was taken.
  bool step(const Observation& now);
  /// The end of the run becomes the last sample.
  void close();
  /// The other run beside the samples from number `first` on, up to the time `until`; `own`: the jumps of this one.
  Difference compare(Rerun& rerun, const std::vector<Jump>& own, double until, std::size_t first = 0);

  /// The largest share of its scale that one of these is, by components that move; one for each, or the largest of them
  /// for all.
  Share largest_share(const std::vector<double>& numbers) const;

  static constexpr std::size_t most = 128;
  std::size_t room() const { return room_; }
  /// Steps times coordinates of a run so cheap that all of it may be run again: about 0.1 s.
  static constexpr double cheap_work = 1e5;
  bool cheap() const { return static_cast<double>(steps_ * positions_) <= cheap_work; }
  /// s, the end of the stretch that is so cheap.
  double cheap_until() const {
    return end() * std::min(1.0, cheap_work / std::max(1.0, static_cast<double>(steps_ * positions_)));
  }
  static constexpr double beyond_doubt = 0.3;  ///< a difference behind which nobody has to look further
  std::size_t count() const { return count_; }
  std::size_t stride() const { return stride_; }
  std::size_t coordinates() const { return positions_; }
  long steps() const { return static_cast<long>(steps_); }
  double time(std::size_t i) const { return samples_[i * (1 + size_)]; }
  double end() const { return time(count_ - 1); }
  std::size_t rates() const { return size_ > positions_ ? size_ - positions_ : positions_; }
  /// Per coordinate 1 where it turns a body; empty: a problem without bodies.
  const std::vector<unsigned char>& turning() const { return turning_; }
  std::string name(const Difference& difference) const;
  void remember(Archive& archive, const std::string& prefix);

 private:
  /// Of the step that ends at t, in steps from the start.
  std::size_t next_place(double t) const;
  void find_hops(ConstrainedModel& model);
  void add_rates(const std::vector<Difference>& rates, const std::vector<Jump>& own, const std::vector<Jump>& other,
                 double until, Difference& largest) const;
  Difference lost_phase(const std::vector<Jump>& own, const std::vector<Jump>& other, double from, double until,
                        double scale) const;
  std::vector<double> scales() const;
  double* sample(std::size_t i) { return samples_.data() + i * (1 + size_); }

  std::size_t positions_ = 0, size_ = 0;  ///< x, and x and v together
  std::vector<unsigned char> turning_;
  std::function<std::string(Index)> name_of_;  ///< of a position
  std::vector<double> samples_;                ///< t, x, v at every `stride_`th place
  std::size_t room_ = most;                    ///< samples, an even number
  std::vector<double> least_, most_;           ///< of x and v over the run
  std::size_t count_ = 0, stride_ = 1, steps_ = 0;
  std::size_t place_ = 0;  ///< of the last step
  double step_ = 0;
  std::vector<double> last_;  ///< t, x, v
  std::vector<double> hops_;  ///< of v: what contacts at rest leave open
};

}  // namespace trammel
