// Whether two runs part as those of a chaotic motion do: exponentially, from the level of their tolerances.
#pragma once

#include <string>
#include <vector>

namespace trammel {

/// How two runs of one method at tolerances r and 10 r part.
struct Growth {
  bool exponential = false;
  double rate = 0;    ///< 1/s, of the fit log d = c + rate t over the last three quarters of the time to saturation
  double factor = 0;  ///< by which d grew there
};

/// [setup] Running maximum of the difference over time, up to T, where it reaches 5 % and saturates, or the end. It
/// counts as exponential where it grew from T/4 to T by more than 4^4: faster than t^4, while the phase errors of
/// regular motions grow as t, those of a drifting energy as t^2.
Growth growth_of(const std::vector<double>& t, const std::vector<double>& difference);

/// Whether the difference of the run is explained by the growth of `sensitivity` (same times, difference at tolerance
/// `tolerance`), started from the run's own level: d(t) <= 100 max(own / tolerance, d(t0) / s(t0)) s(t), t0 after a
/// twentieth of the run; once s has saturated, anything is.
bool is_explained(const std::vector<double>& t, const std::vector<double>& difference,
                  const std::vector<double>& sensitivity, double own, double tolerance);

}  // namespace trammel
