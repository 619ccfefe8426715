// Linear stability of any integrator with fixed steps, found through its public interface alone.
//
// On the test equation y' = lambda y (test_equation.h) a step of h is a linear map of all that the method carries
// along: the state and those doubles of memory.state that depend on it linearly. Which these are is found by running
// the method from y_a, y_b and y_a + y_b; unit changes of each, carried through one step, are the columns of the
// amplification matrix. The method is stable at z = h lambda if the powers of that matrix are bounded: no eigenvalue
// above 1 in modulus, none of modulus 1 that is defective. Methods whose memory turns round (ring buffers) are taken
// over several steps at once.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "trammel/integrator.h"

namespace trammel {

/// Amplification over `steps` steps of everything the method remembers; empty where nothing is left.
struct Amplification {
  Eigen::MatrixXd matrix;
  int steps = 1;

  /// Per step, those of largest modulus first; of `steps` > 1 the principal roots.
  std::vector<std::complex<double>> eigenvalues() const;
  /// Largest modulus of the eigenvalues, per step.
  double spectral_radius() const;
  /// k where the powers grow like n^k (defective eigenvalues of modulus 1: 1 for a double one), 0 if they are bounded;
  /// infinite where the spectral radius exceeds 1 noticeably.
  double growth_exponent() const;
};

/// What an integrator does on the test equation with steps of `h`.
class StabilityProbe {
 public:
  /// [setup] `integrator` outlives the probe; both must stay in one thread. Status `unsupported` where the method
  /// chooses its own steps; see status().
  explicit StabilityProbe(const Integrator& integrator, double h = 1);
  /// Whether the method can be looked at.
  const Status& status() const { return status_; }

  /// [setup] At z = h lambda. A failure is that of the method's step.
  Status amplification(std::complex<double> z, Amplification& result) const;
  /// [setup] Spectral radius at z; infinite where the method cannot step.
  double spectral_radius(std::complex<double> z) const;

 private:
  class Run;
  Status find_linear_entries();

  const Integrator& integrator_;
  double h_;
  Status status_;
  std::vector<Index> linear_;  ///< entries of (state, memory.state) that depend linearly on the start
};

/// Stability along a ray z = r e^(i angle).
struct StabilityLimit {
  double limit = 0;        ///< stable for 0 < r <= limit; 0: unstable for every step
  bool unlimited = false;  ///< stable up to the end of the search, which `limit` then is
  /// limit 0: the spectral radius exceeds 1 by growth r^growth_power for small r.
  double growth = 0, growth_power = 0;
};

/// Where and how finely a limit is looked for. Instability in windows narrower than until/points is overlooked.
struct RayOptions {
  double re = 0, im = 1;  ///< direction; the undamped vibration if left so
  double until = 4;       ///< largest r looked at
  int points = 400;
  double tolerance = 1e-9;  ///< of the spectral radius above 1: rounding of multiple eigenvalues
};

/// [setup] Throws nothing; `probe` must have an ok status.
StabilityLimit find_stability_limit(const StabilityProbe& probe, const RayOptions& options = {});

/// One point of a curve or of a region's boundary.
struct StabilityPoint {
  double re = 0, im = 0, radius = 0;
};

/// [setup] Spectral radius at `points` equidistant r in (0, until].
std::vector<StabilityPoint> stability_curve(const StabilityProbe& probe, const RayOptions& options);

/// Window of the complex plane, in h lambda; symmetric about the real axis, so that im >= 0 is enough.
struct RegionOptions {
  double re_min = -4, re_max = 1, im_max = 4;
  int columns = 80;  ///< cells along re; those along im have the same size
};

/// Region of spectral radius <= 1 by marching squares: segments of its boundary, and its area in the window, im >= 0.
struct StabilityRegion {
  std::vector<std::pair<StabilityPoint, StabilityPoint>> boundary;
  double area = 0;
};
StabilityRegion stability_region(const StabilityProbe& probe, const RegionOptions& options);

}  // namespace trammel
