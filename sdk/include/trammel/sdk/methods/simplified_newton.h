// Simplified Newton iteration for implicit methods on M^ x'' = Q^(t, x, x'): one system of the size of x per stage.
//
// A stage of a diagonally implicit or multistep method with coefficient c (h gamma, h / 2, h / gamma_k, ...) is
//   x' = p' + c z,   x = p + c x',   z = f(t, x, x') = M^-1 Q^                                                      (1)
// with p, p' known. As J1 = df/dx, J2 = df/dx', the iteration in the accelerations z is, with M^, J1, J2 of an earlier
// point (Sandu et al. 2001, section 4: this matrix is all that these methods need of a problem),
//   Pi d = M^ (f - z),   z <- z + d,   Pi = M^ - c M^J2 - c^2 M^J1 (2)
// It moves x and x' by c^2 d and c d. With the contraction theta = |d_m| / |d_{m-1}| in the norm of the run (1: just
// tolerated) it ends when what is left to go is small beside the tolerances (Hairer, Wanner, Solving ODEs II, IV.8):
//   theta / (1 - theta) |d_m| <= tolerance                                                                          (3)
// The Jacobians are kept over steps until theta exceeds `slow`, or the iteration fails; Pi follows c.
#pragma once

#include <cmath>
#include <limits>

#include "trammel/integrator.h"
#include "trammel/sdk/methods/error_weights.h"

namespace trammel::sdk {

/// For one attempt. What it knows about the view's linearization and factorization is `state_size` doubles in
/// engine-owned memory; a rejected step may leave them newer, like the view.
class SimplifiedNewton {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;
  static constexpr Index state_size = 5;
  static constexpr Index scratch_size(Index n) { return 6 * n; }

  /// `tolerance` of (3). Linearizes where it has to at `state`, where the step begins.
  SimplifiedNewton(const Problem& problem, const ConstStateView& state, double tolerance, double* memory, double* scratch)
      : problem_(problem),
        state_(state),
        tolerance_(tolerance),
        memory_(memory),
        n_(state.x.size),
        f_(scratch, n_),
        d_(scratch + n_, n_),
        r_(scratch + 2 * n_, n_),
        image_(scratch + 3 * n_, n_),
        x_weights_(half(problem.tolerances, 0), problem.second_order->mask().segment(0, n_), state.x, state.x,
                   {scratch + 4 * n_, n_}),
        v_weights_(half(problem.tolerances, n_), problem.second_order->mask().segment(n_, n_), state.v, state.v,
                   {scratch + 5 * n_, n_}) {}

  /// The view lost its linearization (start), or the step was accepted.
  static void forget(double* memory) { memory[linearized] = 0; }
  static void accepted(double* memory) {
    memory[fresh] = 0;
    if (memory[theta] > slow) memory[linearized] = 0;
  }

  /// Runs `step`, which calls `solve` with this c, and once more with new Jacobians if it fails with old ones.
  template <class Step>
  Status attempt(double c, const Step& step) {
    Status status = prepare(c);
    if (status) status = step();
    if (status || memory_[fresh] != 0) return status;
    memory_[linearized] = 0;
    status = prepare(c);
    return status ? step() : status;
  }

  /// Solves (1) from the z given; writes x and x' too.
  Status solve(double t, const Map& p, const Map& p_dot, Map& z, VectorView x, VectorView v) {
    SecondOrderSystem& system = *problem_.second_order;
    const double c = memory_[coefficient];
    double before = 0, rate = memory_[theta];
    for (int m = 0; m < most_iterations; ++m) {
      v.map() = p_dot + c * z;
      x.map() = p + c * v.map();
      Status status = system.acceleration(t, x, v, view(f_));
      f_ -= z;
      if (status) status = system.apply_mass(view(f_), view(r_));
      if (status) status = system.solve(view(r_), view(d_));
      if (!status) return status;
      ++iterations_;
      z += d_;
      d_ *= c;
      const double size = norm(c * d_, d_), rounding = 32 * epsilon * norm(x.map(), v.map());
      if (!std::isfinite(size)) return Status::failure(StatusCode::not_finite, "Newton iteration");
      if (m > 0 && size > rounding) rate = memory_[theta] = std::max(0.3 * memory_[theta], size / before);
      const bool known = rate > 0 && rate < 1;
      if (size <= rounding || (known && rate / (1 - rate) * size <= tolerance_)) {
        v.map() = p_dot + c * z;
        x.map() = p + c * v.map();
        return status;
      }
      if (m > 0 && !(size < before)) break;
      before = size;
    }
    memory_[theta] = 1;
    Eigen::Index worst = 0;
    const double change = d_.cwiseAbs().maxCoeff(&worst);
    return Status::failure(StatusCode::not_converged, "Newton iteration of the implicit step",
                           static_cast<std::int32_t>(worst), change);
  }

  /// e <- (I - c f_y)^-1 e with f_y of the first-order form (Shampine, ACM Trans. Math. Softw. 8 (1982) 93-113):
  ///   Pi d = M^ e_x' + c M^J1 e_x,   e_x' <- d,   e_x <- e_x + c d
  Status filter(Map& e_x, Map& e_v) {
    const Status status = problem_.second_order->apply_mass(view(e_v), view(r_));
    return status ? filter(e_x, e_v, r_) : status;
  }
  /// The same from M^ e_x', which is overwritten.
  Status filter(Map& e_x, Map& e_v, Map& mass_e_v) {
    SecondOrderSystem& system = *problem_.second_order;
    const double c = memory_[coefficient];
    Status status = system.apply_J1(view(e_x), view(image_));
    mass_e_v += c * image_;
    if (status) status = system.solve(view(mass_e_v), view(e_v));
    e_x += c * e_v;
    return status;
  }

  /// In the run's norm over x and x', weighted at the start of the step.
  template <class X, class V>
  double norm(const X& e_x, const V& e_v) const {
    const double x = x_weights_.norm(e_x), v = v_weights_.norm(e_v);
    if (problem_.tolerances.max_norm) return std::max(x, v);
    return std::sqrt((x * x + v * v) / 2);
  }
  int iterations() const { return iterations_; }

 private:
  /// memory: whether the view holds Jacobians of ours; whether they are of this step's start; c of the factorization at
  /// hand; the last contraction, 0 where not known.
  enum : Index { linearized, fresh, factorized, coefficient, theta };
  static constexpr double slow = 0.1, epsilon = std::numeric_limits<double>::epsilon();
  static constexpr int most_iterations = 10;

  /// Of x (`first` = 0) or of x' (`first` = n).
  Tolerances half(const Tolerances& all, Index first) const {
    const auto part = [&](ConstVectorView v) { return v.size > 1 ? v.segment(first, n_) : v; };
    return {part(all.rtol), part(all.atol), all.max_norm};
  }
  static VectorView view(Map& x) { return {x.data(), static_cast<Index>(x.size())}; }

  Status prepare(double c) {
    SecondOrderSystem& system = *problem_.second_order;
    if (memory_[linearized] == 0) {
      const Status status = system.linearize(state_.t, state_.x, state_.v);
      if (!status) return status;
      memory_[linearized] = memory_[fresh] = 1;
      memory_[factorized] = memory_[theta] = 0;
    }
    if (memory_[factorized] != 0 && memory_[coefficient] == c) return Status::success();
    memory_[factorized] = 0;
    const Status status = system.prepare(c * c, c);
    if (!status) return status;
    memory_[factorized] = 1, memory_[coefficient] = c, memory_[theta] = 0;
    return status;
  }

  const Problem& problem_;
  ConstStateView state_;
  double tolerance_;
  double* memory_;
  Index n_;
  Map f_, d_, r_, image_;
  ErrorWeights x_weights_, v_weights_;
  int iterations_ = 0;
};

}  // namespace trammel::sdk
