// DelayWatch: whether the polynomials along the delays of signals follow what these delay.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"
#include "model/constrained_model.h"

namespace trammel {

/// A delay of a value that depends on the motion is as exact as the polynomial along it (signals/signal_delay.h): its last
/// coefficient against what the value did so far.
class DelayWatch {
 public:
  /// [setup]
  void start(const ConstrainedModel& model);
  /// [step] At the end of a step, which the model stands at.
  void look(const ConstrainedModel& model, double t);
  /// One for each delay that lost what it should have kept.
  std::vector<std::string> warnings() const;
  void remember(Archive& archive);

 private:
  struct Delay {
    std::string name;
    std::size_t slot, block;  ///< in the forces of the assembly, in the network of that force
    double time, order;
    double worst = 0, when = 0;  ///< largest |a_n|, and where it was, s
    double range = 0;            ///< largest half range along the delay
    double least = 0, most = 0;  ///< of the value itself
    bool seen = false;
  };
  std::vector<Delay> delays_;
};

}  // namespace trammel
