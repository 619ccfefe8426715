// LawsOfTime: the laws of a force element as one function of time, which costs less to ask than the whole force.
#pragma once

#include <memory>
#include <vector>

#include "run/stepping/force_of_time.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel {

/// What a force with `StateLaws` may do in a narrow time, at the two states of its ForceOfTime: the sum of its laws with
/// fixed weights. The geometry of bodies that stand still is not computed again for each time.
class LawsOfTime final : public Function {
 public:
  /// [setup] Null where laws do not tell: the element has none, their arguments change with time although bodies stand
  /// still, or signals of the motion act. Views `force`.
  static std::unique_ptr<LawsOfTime> of(const ForceOfTime& force);

  /// Order 1 is the whole force's derivative.
  Status evaluate(double t, int order, double* value) const override;
  int max_order() const override { return force_.max_order(); }

 private:
  struct Place {
    std::vector<double> x, rate;
  };
  LawsOfTime(const ForceOfTime& force, const StateLaws& laws) : force_(force), laws_(laws) {}
  bool find(int frozen, double t, Place& place) const;

  const ForceOfTime& force_;
  const StateLaws& laws_;
  std::vector<Place> places_;
};

}  // namespace trammel
