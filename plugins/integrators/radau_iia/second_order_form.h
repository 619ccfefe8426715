// The stages of a step on M^ x'' = Q^(t, x, x').
//
// Unknowns are the stage accelerations U_j:
//   V_i = x' + h sum_j a_ij U_j,   X_i = x + h sum_j a_ij V_j,   U_i = f(t + c_i h, X_i, V_i)                       (1)
// Newton's method on (1), with dU = T dw and Jacobians kept, falls apart into one real and one complex system,
//   (M^ - c_1 M^J2 - c_1^2 M^J1) dw = M^ T^-1 (f - U),   c_1 = h / gamma and h / (alpha + i beta)                   (2)
// (Hairer, Wanner, Solving ODEs II (1996), IV.8, for y' = f; positions eliminated as in Sandu et al. 2001, section 4).
// The error estimate, (3) of table.h for y = (x, x'), is
//   r_x = c_1 (x' + sum d_j V_j),  r_v = c_1 (f_0 + sum d_j U_j)
//   (M^ - c_1 M^J2 - c_1^2 M^J1) e_v = M^ r_v + c_1 M^J1 r_x,  e_x = r_x + c_1 e_v                                  (3)
#pragma once

#include "record.h"

namespace trammel::radau {

class SecondOrderForm {
 public:
  static constexpr double kept_step = 1;  ///< new factorizations cost less than a shorter step

  struct Work {
    Work(Layout& at, const ProblemSize& size)
        : x_weights(at.vector(size.n)),
          v_weights(at.vector(size.n)),
          X(stages_in(at, size.n)),
          V(stages_in(at, size.n)),
          image(at.vector(size.n)),
          other_image(at.vector(size.n)),
          moved(at.vector(size.n)),
          beside(at.vector(size.n)) {}
    VectorView x_weights, v_weights;
    Stages X, V;
    VectorView image, other_image, moved, beside;
  };

  SecondOrderForm(const Problem& problem, const ConstStateView& state, double h, const Start& start, const Cached&,
                  const Work& work)
      : system_(*problem.second_order),
        state_(state),
        h_(h),
        n_(state.x.size),
        start_(start),
        norm_(problem.tolerances, system_.mask(), state, work.x_weights, work.v_weights),
        X_(work.X),
        V_(work.V),
        image_(work.image),
        other_image_(work.other_image),
        moved_(work.moved),
        beside_(work.beside) {}

  /// [step] f_0, unless it is known.
  Status begin() {
    if (start_.known != 0) return Status::success();
    const Status status = system_.acceleration(state_.t, state_.x, state_.v, start_.derivative);
    start_.known = status.ok();
    return status;
  }
  /// What a stage begins with where nothing is known.
  void first_guess(VectorView U) const { U.map() = start_.derivative.map(); }
  Status linearize(const Record&) { return system_.linearize(state_.t, state_.x, state_.v); }
  Status prepare(const Shift* shifts) { return system_.prepare(0, shifts, 2); }

  /// (1): residual_i = f - U_i.
  Status evaluate(const Stages& U, const Stages& residual) {
    place(U);
    for (std::size_t i = 0; i < stages; ++i) {
      const Status status = system_.acceleration(state_.t + c[i] * h_, X_[i], V_[i], residual[i]);
      if (!status) return status;
      residual[i].map() -= U[i].map();
    }
    return Status::success();
  }
  /// (2), in place.
  Status solve(VectorView w) {
    const Status status = system_.apply_mass(w, image_);
    return status ? system_.solve(0, image_, w) : status;
  }
  Status solve(const ComplexView& w) {
    Status status = system_.apply_mass(w.re, image_);
    if (status) status = system_.apply_mass(w.im, other_image_);
    return status ? system_.solve_complex(1, {image_, other_image_}, w) : status;
  }

  /// What dU changes in the stages.
  double norm(const Stages& dU) {
    Row parts;
    for (std::size_t i = 0; i < stages; ++i) V_[i].map() = h_ * combined(A[i], dU, n_);
    for (std::size_t i = 0; i < stages; ++i) {
      moved_.map() = h_ * combined(A[i], V_, n_);
      parts[i] = norm_(moved_, V_[i]);
    }
    return norm_.joined(parts);
  }
  double size() const { return norm_(state_.x, state_.v); }

  /// The end of the step.
  Status finish(const Stages& U, const StateView& next) {
    place(U);
    next.x.map() = X_[2].map();
    next.v.map() = V_[2].map();
    return Status::success();
  }
  /// (3), behind `finish`; x then v.
  Status estimate(const Stages& U, VectorView error) { return estimate(U, start_.derivative, error); }
  /// (3) with f at the start moved by the estimate, which it replaces (Hairer, Wanner, IV.8, (8.20)).
  Status estimate_again(const Stages& U, VectorView error) {
    moved_.map() = state_.x.map() + error.segment(0, n_).map();
    image_.map() = state_.v.map() + error.segment(n_, n_).map();
    const Status status = system_.acceleration(state_.t, moved_, image_, beside_);
    return status ? estimate(U, beside_, error, image_) : status;
  }
  double error_norm(ConstVectorView error) const { return norm_(error.segment(0, n_), error.segment(n_, n_)); }

 private:
  void place(const Stages& U) {
    for (std::size_t i = 0; i < stages; ++i) V_[i].map() = state_.v.map() + h_ * combined(A[i], U, n_);
    for (std::size_t i = 0; i < stages; ++i) X_[i].map() = state_.x.map() + h_ * combined(A[i], V_, n_);
  }
  Status estimate(const Stages& U, ConstVectorView f_0, VectorView error) { return estimate(U, f_0, error, state_.v); }
  Status estimate(const Stages& U, ConstVectorView f_0, VectorView error, ConstVectorView x_dot) {
    const double c_1 = h_ / gamma;
    const VectorView e_x = error.segment(0, n_), e_v = error.segment(n_, n_);
    e_x.map() = c_1 * (x_dot.map() + combined(d, V_, n_));
    e_v.map() = c_1 * (f_0.map() + combined(d, U, n_));
    Status status = system_.apply_mass(e_v, image_);
    if (status) status = system_.apply_J1(e_x, other_image_);
    image_.map() += c_1 * other_image_.map();
    if (status) status = system_.solve(0, image_, e_v);
    e_x.map() += c_1 * e_v.map();
    return status;
  }

  SecondOrderSystem& system_;
  ConstStateView state_;
  double h_;
  Index n_;
  Start start_;
  PairNorm norm_;
  Stages X_, V_;
  VectorView image_, other_image_, moved_, beside_;
};

}  // namespace trammel::radau
