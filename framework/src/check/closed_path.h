// Closed paths of the bodies of a force, gone in both directions while time stands still: what it gives and takes.
#pragma once

#include "check/element_point.h"
#include "trammel/force.h"

namespace trammel::conformance {

/// q(phase) with period 1, through random directions of all coordinates of the free bodies.
class ClosedPath {
 public:
  /// `size` m or rad; `period` s; `shift`: of the size, how far centres go: little where bodies are to turn on the spot.
  ClosedPath(const ElementPoint& point, Random& random, double size, double period, double shift);
  /// Moves the point there; `direction` 1 or -1, 0: at rest. `z`: internal states.
  void go(ElementPoint& point, double phase, int direction, const VectorXd& z) const;
  /// The same place with all bodies at rest.
  void rest(ElementPoint& point, double phase, const VectorXd& z) const { go(point, phase, 0, z); }
  double period() const { return period_; }

 private:
  VectorXd begin_, along_, across_;
  double period_;
};

/// Both directions together, of the last of several rounds.
struct RoundTrip {
  bool possible = true;        ///< the force has values everywhere
  bool keeps_account = false;  ///< of its energy
  bool exact = true;           ///< nothing is kept on the way: neither internal states nor a memory
  double work = 0;             ///< J, by the force on the bodies
  double declared = 0;         ///< J, work from outside according to its account, without that of time at rest
  double balance = 0;          ///< J, work + dissipation - declared: zero where a potential has one value
  double gross = 0;            ///< J, of |power|
};
/// `exact_steps`: where nothing is kept on the way.
RoundTrip go_around(const ClosedPath& path, ElementPoint& point, const ForceElement& force, int exact_steps);

}  // namespace trammel::conformance
