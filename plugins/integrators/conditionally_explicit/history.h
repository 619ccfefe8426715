// What the family remembers between steps, and the derivatives at which it starts.
#pragma once

#include <algorithm>
#include <limits>

#include "family.h"
#include "trammel/integrator.h"
#include "trammel/parameters.h"
#include "trammel/sdk/methods/step_history.h"

namespace trammel::conditionally_explicit {

using Layout = sdk::StateLayout;
using Map = Layout::Map;

/// Derivatives above x'' at the start and at every restart.
enum class Start : std::int32_t { exact, zero, given };
/// How x'' and x' are found where forces depend on velocities.
enum class Iteration : std::int32_t { automatic, fixed_point, linearized };
/// How the constrained form solves for s and lambda.
enum class Solver : std::int32_t { full, null_space };
/// Where the constrained form linearizes Phi(q_n+2): at q_n+1 as everything else, or at the iterate (Eq. 90).
enum class NewtonMatrix : std::int32_t { step, iterate };

struct Options {
  Family family;
  int order;  ///< once its derivatives have settled
  Start start;
  Numbers jerk, snap;
  Iteration iteration;
  Solver solver;
  NewtonMatrix newton_matrix;
  double tolerance;  ///< of iterations; 0: rounding
  bool analytic_jerk;
};

/// When an iteration is over. Steps are fixed, and nothing tells how small errors have to be: with tolerance 0 it goes on
/// until only rounding is left, or orders measured at short steps would be those of the iteration.
class Ending {
 public:
  Ending(double tolerance, int most_iterations) : tolerance_(tolerance), left_(most_iterations) {}

  /// After an iteration with this change of values of the size `scale`.
  bool reached(double change, double scale) {
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon(), noise = 1e4 * rounding;
    --left_;
    const bool stalled = change >= before_;
    before_ = change;
    if (tolerance_ > 0) return change <= tolerance_ * scale;
    return change <= rounding * scale || (stalled && change <= noise * scale) || (left_ == 0 && near(change, scale));
  }
  /// Out of iterations.
  bool failed() const { return left_ <= 0; }
  /// Of the positions put onto the constraints by the kernel.
  double projection() const { return tolerance_ > 0 ? tolerance_ : 1e-12; }

 private:
  /// What slow contractions have to reach.
  static bool near(double change, double scale) { return change <= 1e-10 * scale; }

  double tolerance_, before_ = std::numeric_limits<double>::infinity();
  int left_;
};

struct Flags : sdk::StepFlags {
  explicit Flags(Layout& at)
      : StepFlags(at),
        step_size(at.number()),
        velocity_dependent(at.number()),
        steps_since_look(at.number()),
        jumps_in_vain(at.number()),
        found_late(at.number()) {}
  double& step_size;
  double& velocity_dependent;  ///< accelerations are
  double& steps_since_look;    ///< explicit steps since accelerations were last seen not to depend on velocities
  double& jumps_in_vain;
  double& found_late;  ///< they began to between two looks
};

/// d_2 ... d_{N-1}, then s of the time before, which the constrained form replaces by x one step ahead.
class History {
 public:
  History(Layout& at, const Family& family, Index n)
      : flag(at), vectors_(at, family.degree() - 1, n), degree_(family.degree()) {}

  /// d_k of the accepted time, 2 <= k < N; `tried`: of the attempted one.
  Map d(int k, bool tried = false) const { return vectors_.vector(k - 2, tried); }
  Map s(bool tried = false) const { return vectors_.vector(degree_ - 3, tried); }
  /// s_{n-1} (second-order form) or x_{n+1} (constrained form).
  Map other(bool tried = false) const { return vectors_.vector(degree_ - 2, tried); }
  void shift() const { vectors_.shift(flag); }

  Flags flag;

 private:
  sdk::StepVectors vectors_;
  int degree_;
};

/// All that the family keeps.
struct Kept {
  Kept(Layout& at, const Family& family, Index n) : history(at, family, n), partition(at.vector(n)) {}
  History history;
  VectorView partition;  ///< the coordinates that the constrained form takes for independent
};

/// Work of `start_derivatives`.
struct StartWork {
  StartWork(Layout& at, Index n) : x(at.vector(n)), v(at.vector(n)), half(at.vector(n)), full(at.vector(n)) {}
  Map x, v, half, full;
};

/// [step] Fills d_3 ... d_{N-1}, d_2 being known already. `jerk(t, x, v, out)` gives the exact third derivative; higher
/// ones are its differences over h/2 and h along the Taylor polynomial of the motion, never back in time, where another
/// chart may have been in force.
template <class Jerk>
Status start_derivatives(const Options& o, const History& history, const ConstStateView& state, double h, Jerk jerk,
                         StartWork& work) {
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
  Map &x = work.x, &v = work.v, &half = work.half, &full = work.full;
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
