// The search of a function of time for what steps must not pass over: pulses, jumps, kinks, fast oscillations.
#pragma once

#include "run/stepping/time_profile.h"
#include "trammel/function.h"

namespace trammel {

struct TimeScanOptions {
  double from = 0, to = 0;  ///< the part of the run that is searched, s
  long samples = 131072;    ///< over that part
  bool moves = false;       ///< a driver's: its second derivative acts as well as its value
  double change = 0;        ///< of a driver: the most it may move within a step, rad or m
};

/// [setup] Samples f over the run, piece by piece between its break points, and halves each piece until the polynomial
/// through five equidistant points meets all samples inside it; what it does not meet at the narrowest is refined by
/// further samples, and where it jumps or has a kink the time of that is found by bisection. Steps are then bounded by
/// two such parts: the polynomial of degree 4 resolves a period by 5 to 9 parts (its error is f^(5) s^5 3.63 / 120, s a
/// quarter of the part), so that a bound is a quarter to a half of a period, and 0.6 to 1.3 deviations of a Gaussian
/// pulse.
void scan_function_of_time(const Function& f, const TimeScanOptions& options, TimeProfile& profile);

}  // namespace trammel
