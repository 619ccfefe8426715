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
// With fixed steps there are no tolerances that the user gave: it goes on until only rounding is left, so that what the
// step makes of the error is the method's own.
// The Jacobians are kept over steps until theta exceeds `slow`, or the iteration fails; Pi follows c.
#pragma once

#include <cmath>
#include <limits>

#include "trammel/integrator.h"
#include "trammel/sdk/methods/error_weights.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// For one attempt.
class SimplifiedNewton {
  static constexpr double slow = 0.1, epsilon = std::numeric_limits<double>::epsilon();
  static constexpr double noise =
      1e4;  // of rounding: what does not contract any more from there on is as small as it gets
  static constexpr int most_iterations = 10, most_of_fixed_steps = 50;

 public:
  using Map = StateLayout::Map;

  /// A part of memory.state: what it knows about the view's linearization and factorization. A rejected step may leave it
  /// newer, like the view.
  struct Kept {
    explicit Kept(StateLayout& at)
        : linearized(at.number()),
          fresh(at.number()),
          factorized(at.number()),
          coefficient(at.number()),
          theta(at.number()) {}

    /// The view lost its linearization (start), or the step was accepted.
    void forget() const { linearized = 0; }
    void accepted() const {
      fresh = 0;
      if (theta > slow) linearized = 0;
    }

    double &linearized, &fresh;        ///< whether the view holds Jacobians of ours, and of this step's start
    double &factorized, &coefficient;  ///< whether it holds a factorization of them, and its c
    double& theta;                     ///< the last contraction, 0 where not known
  };
  /// A part of memory.scratch.
  struct Work {
    Work(StateLayout& at, Index n)
        : f(at.vector(n)),
          d(at.vector(n)),
          r(at.vector(n)),
          image(at.vector(n)),
          x_weights(at.vector(n)),
          v_weights(at.vector(n)) {}
    Map f, d, r, image;
    VectorView x_weights, v_weights;
  };

  /// `tolerance` of (3). Linearizes where it has to at `state`, where the step begins.
  SimplifiedNewton(const Problem& problem, const ConstStateView& state, double tolerance, const Kept& kept,
                   const Work& work)
      : problem_(problem),
        state_(state),
        tolerance_(tolerance),
        to_rounding_(problem.tolerances.fixed_steps),
        kept_(kept),
        n_(state.x.size),
        f_(work.f),
        d_(work.d),
        r_(work.r),
        image_(work.image),
        x_weights_(half(problem.tolerances, 0), problem.second_order->mask().segment(0, n_), state.x, state.x,
                   work.x_weights),
        v_weights_(half(problem.tolerances, n_), problem.second_order->mask().segment(n_, n_), state.v, state.v,
                   work.v_weights) {}

  /// Runs `step`, which calls `solve` with this c, and once more with new Jacobians if it fails with old ones.
  template <class Step>
  Status attempt(double c, const Step& step) {
    Status status = prepare(c);
    if (status) status = step();
    if (status || kept_.fresh != 0) return status;
    kept_.linearized = 0;
    status = prepare(c);
    return status ? step() : status;
  }

  /// Solves (1) from the z given; writes x and x' too.
  Status solve(double t, const Map& p, const Map& p_dot, Map& z, VectorView x, VectorView v) {
    SecondOrderSystem& system = *problem_.second_order;
    const double c = kept_.coefficient;
    double before = 0, rate = kept_.theta;
    for (int m = 0; m < (to_rounding_ ? most_of_fixed_steps : most_iterations); ++m) {
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
      if (m > 0 && size > rounding) rate = kept_.theta = std::max(0.3 * kept_.theta, size / before);
      const bool known = rate > 0 && rate < 1;
      const bool near = to_rounding_ ? m > 0 && size > before / 2 && size < noise * rounding
                                     : known && rate / (1 - rate) * size <= tolerance_;
      if (size <= rounding || near) {
        v.map() = p_dot + c * z;
        x.map() = p + c * v.map();
        return status;
      }
      if (m > 0 && !(size < before)) break;
      before = size;
    }
    kept_.theta = 1;
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
    const double c = kept_.coefficient;
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
  /// Of x (`first` = 0) or of x' (`first` = n).
  Tolerances half(const Tolerances& all, Index first) const {
    const auto part = [&](ConstVectorView v) { return v.size > 1 ? v.segment(first, n_) : v; };
    return {part(all.rtol), part(all.atol), all.max_norm, all.fixed_steps};
  }
  static VectorView view(Map& x) { return {x.data(), static_cast<Index>(x.size())}; }

  Status prepare(double c) {
    SecondOrderSystem& system = *problem_.second_order;
    if (kept_.linearized == 0) {
      const Status status = system.linearize(state_.t, state_.x, state_.v);
      if (!status) return status;
      kept_.linearized = kept_.fresh = 1;
      kept_.factorized = kept_.theta = 0;
    }
    if (kept_.factorized != 0 && kept_.coefficient == c) return Status::success();
    kept_.factorized = 0;
    const Status status = system.prepare(c * c, c);
    if (!status) return status;
    kept_.factorized = 1, kept_.coefficient = c, kept_.theta = 0;
    return status;
  }

  const Problem& problem_;
  ConstStateView state_;
  double tolerance_;
  bool to_rounding_;
  Kept kept_;
  Index n_;
  Map f_, d_, r_, image_;
  ErrorWeights x_weights_, v_weights_;
  int iterations_ = 0;
};

}  // namespace trammel::sdk
