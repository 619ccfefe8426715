// What methods are expected to cost over a motion, in evaluations of the equations of motion.
#pragma once

#include "run/choice/model_facts.h"

namespace trammel {

struct WorkEstimate {
  double explicit_work = 0, implicit_work = 0;  ///< evaluations, everything else in units of one
  bool stability_rules = false;                 ///< steps of explicit methods follow from stability, not from accuracy

  /// By a margin: what starts the motion later, a driver or a road, is in neither estimate and asks for accuracy.
  bool stiff() const { return 2 * implicit_work < explicit_work; }
  /// How many times the implicit method is cheaper.
  double factor() const { return explicit_work / implicit_work; }
};

WorkEstimate estimate_work(const MotionDemand& demand, double time, double rtol);

}  // namespace trammel
