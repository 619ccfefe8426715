// What the family remembers between steps, and the derivatives at which it starts.
#pragma once

#include <algorithm>

#include "family.h"
#include "trammel/integrator.h"
#include "trammel/parameters.h"
#include "trammel/sdk/methods/step_history.h"

namespace trammel::conditionally_explicit {

using Map = Eigen::Map<Eigen::VectorXd>;

/// Derivatives above x'' at the start and at every restart.
enum class Start : std::int32_t { exact, zero, given };
/// How x'' and x' are found where forces depend on velocities.
enum class Iteration : std::int32_t { automatic, fixed_point, linearized };
/// How the constrained form solves for s and lambda.
enum class Solver : std::int32_t { full, null_space };

struct Options {
  Family family;
  Start start;
  Numbers jerk, snap;
  Iteration iteration;
  Solver solver;
  double tolerance;
  bool analytic_jerk;
};

/// d_2 ... d_{N-1}, then s of the time before, which the constrained form replaces by x one step ahead; behind both
/// sets a partition (n).
class History : public sdk::StepHistory {
 public:
  /// `steps_since_look`: explicit steps since accelerations were last seen not to depend on velocities; `found_late`:
  /// they began to between two looks.
  enum Flag : Index { step_size = own, velocity_dependent, steps_since_look, jumps_in_vain, found_late, flags };

  History(const Family& family, Index n, const Memory& memory)
      : StepHistory(flags, family.degree() - 1, n, memory), degree_(family.degree()) {}
  static Index size(const Family& family, Index n) { return StepHistory::size(flags, family.degree() - 1, n) + n; }

  /// d_k of the accepted time, 2 <= k < N; `tried`: of the attempted one.
  Map d(int k, bool tried = false) const { return vector(k - 2, tried); }
  Map s(bool tried = false) const { return vector(degree_ - 3, tried); }
  /// s_{n-1} (second-order form) or x_{n+1} (constrained form).
  Map other(bool tried = false) const { return vector(degree_ - 2, tried); }
  double* partition() const { return vectors_ + 2 * count_ * n_; }

 private:
  int degree_;
};

/// [step] Fills d_3 ... d_{N-1}, d_2 being known already. `jerk(t, x, v, out)` gives the exact third derivative; higher
/// ones are its differences over h/2 and h along the Taylor polynomial of the motion, never back in time, where another
/// chart may have been in force. `scratch`: 4 n.
template <class Jerk>
Status start_derivatives(const Options& o, const History& history, const ConstStateView& state, double h, Jerk jerk,
                         double* scratch) {
  const Index n = state.x.size;
  const int N = o.family.degree();
  for (int k = 3; k < N; ++k) history.d(k).setZero();
  if (N == 3 || o.start == Start::zero) return Status::success();
  if (o.start == Start::given) {
    for (Index i = 0; i < n; ++i) {
      history.d(3)[i] = o.jerk[o.jerk.size == n ? i : 0];
      if (N > 4) history.d(4)[i] = o.snap[o.snap.size == n ? i : 0];
    }
    return Status::success();
  }
  const Map a = history.d(2), j = history.d(3);
  Map x(scratch, n), v(scratch + n, n), half(scratch + 2 * n, n), full(scratch + 3 * n, n);
  Status status = jerk(state.t, state.x, state.v, VectorView{history.d(3).data(), n});
  if (N == 4) return status;
  const auto jerk_at = [&](double dt, Map& out) {
    if (!status) return;
    x = state.x.map() + dt * (state.v.map() + dt / 2 * (a + dt / 3 * j));
    v = state.v.map() + dt * (a + dt / 2 * j);
    status = jerk(state.t + dt, ConstVectorView{x.data(), n}, ConstVectorView{v.data(), n}, VectorView{out.data(), n});
  };
  jerk_at(h / 2, half);
  jerk_at(h, full);
  history.d(4) = (4 * half - 3 * j - full) / h;
  if (N > 5) history.d(5) = 4 * (full - 2 * half + j) / (h * h);
  return status;
}

}  // namespace trammel::conditionally_explicit
