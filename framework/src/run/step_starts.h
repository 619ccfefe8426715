// StepStarts: states of a fixed-step run from which pieces of it can be run again, and how violent the motion was
// behind each.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "model/archive.h"
#include "run/plant/plant.h"

namespace trammel {

/// One state for each sample of the motion, as long as they are small. How violent a motion is follows from the second
/// differences of its rates over the steps, h^2 v'': no evaluation is spent on it.
class StepStarts {
 public:
  /// Writes what the run has to remember; false: something is about to happen, and nothing can begin here.
  using Keeper = std::function<bool(Archive&)>;
  /// From one sample to another; `share`: of how many intervals between samples it tells.
  struct Piece {
    std::size_t first, last;
    double share;
  };

  /// [setup] `turning`: per coordinate 1 where it is no length; empty: a problem. `rates`: number of them.
  void start(Keeper keeper, std::size_t samples, const std::vector<unsigned char>& turning, std::size_t rates);
  /// [step] After each step, before `sample`.
  void step(const Observation& now);
  /// [step] A sample was taken.
  void sample();
  /// [step] Every other sample goes, the first one too.
  void thin();
  /// Pieces among `count` samples from number `from` on, ascending, of `length` samples: the most violent ones and some
  /// of all, at most `most` of them.
  std::vector<Piece> choose(std::size_t from, std::size_t count, std::size_t length, std::size_t most) const;
  const Archive& at(std::size_t sample) const { return starts_[sample].state; }
  void remember(Archive& archive);

 private:
  struct Start {
    Archive state;
    bool kept = false;
    std::array<double, 2> violence{};  ///< up to the next sample: of lengths, of all else
  };
  bool wanted(std::size_t sample) const { return (sample + 1) % every_ == 0; }
  void keep();
  std::vector<double> violence() const;

  Keeper keeper_;
  std::size_t samples_ = 0;
  std::vector<unsigned char> turning_;
  std::size_t every_ = 0;  ///< of the samples that has a state; 0: not known yet
  std::vector<Start> starts_;
  std::vector<double> last_, before_;  ///< rates at the ends of the last two steps
  std::size_t steps_ = 0;
};

}  // namespace trammel
