// Simplified Newton iteration for the stages of a step, whatever the view (Hairer, Wanner, Solving ODEs II (1996), IV.8).
//
//   dU = T dw,  dw by one real and one complex system from T^-1 (f - U)
// The iteration starts from the collocation polynomial of the step before. With theta_k = |d_k| / |d_{k-1}|, in the norm of
// the run (1: just tolerated), and eta_k = theta_k / (1 - theta_k) it ends when
//   eta_k |d_k| <= kappa                                                                                        (8.10)
// where eta_0 = max(eta, u)^0.8 of the step before decides about the first. It is given up when theta_k >= 1, or when
//   q = theta_k^(k_max - k) eta_k |d_k| / kappa > 1                                                              (8.11)
// in which case a step of 0.8 q^(-1 / (4 + k_max - k)) h is worth a try, and otherwise half of it.
#pragma once

#include <limits>

#include "record.h"

namespace trammel::radau {

/// Of the fixed and of the controlled method.
struct Accuracy {
  double kappa;
  bool to_rounding;  ///< goes on until rounding is all that is left
};

template <class Form>
class Iteration {
 public:
  struct Work {
    Work(Layout& at, const ProblemSize& size)
        : residual(stages_in(at, unknowns(size))), w(stages_in(at, unknowns(size))) {}
    Stages residual, w;
  };

  Iteration(Form& form, const Cached& cached, const Work& work)
      : form_(form),
        record_(cached),
        size_(work.w[0].size),
        U_(cached.tried),
        accepted_(cached.accepted),
        residual_(work.residual),
        w_(work.w) {}

  /// [hot] Stages of a step of size h, with new Jacobians where those at hand do not serve.
  Status solve(double h, const Accuracy& accuracy) {
    Status status = ready(h);
    if (status) status = iterate(h, accuracy);
    if (status || record_.fresh != 0) return status;
    record_.linearized = 0;
    status = ready(h);
    return status ? iterate(h, accuracy) : status;
  }
  const Stages& stages_at_end() const { return U_; }
  int iterations() const { return iterations_; }
  /// Factor for the step behind an iteration that failed.
  double shorter() const { return shorter_; }
  /// Of controlled steps, which are made shorter where these do not do.
  static constexpr int most_iterations = 10;

 private:
  Status ready(double h) {
    if (record_.linearized == 0) {
      record_.factorized = 0;
      const Status status = form_.linearize(record_);
      if (!status) return status;
      record_.linearized = record_.fresh = 1;
      if (record_.left_to_go == 0) record_.left_to_go = 1;
    }
    if (record_.factorized == h) return Status::success();
    record_.factorized = 0;
    const double real = h / gamma, size = alpha * alpha + beta * beta, re = h * alpha / size, im = -h * beta / size;
    const Shift shifts[2] = {{real * real, real}, {re * re - im * im, re, 2 * re * im, im}};
    const Status status = form_.prepare(shifts);
    if (status) record_.factorized = h;
    return status;
  }

  void predict(double h) {
    for (std::size_t i = 0; i < stages; ++i) {
      if (record_.accepted_step == 0) {
        form_.first_guess(U_[i]);
      } else {
        U_[i].map() = combined(value_weights(1 + c[i] * h / record_.accepted_step), accepted_, size_);
      }
    }
  }

  Status iterate(double h, const Accuracy& accuracy) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr double noise = 1e4;  // what does not contract any more from there on is as small as it gets
    predict(h);
    record_.contraction = 0;
    const double rounding = 32 * epsilon * form_.size();
    double eta = std::pow(std::max(record_.left_to_go, epsilon), 0.8), before = 0, theta_before = 0;
    const int most = accuracy.to_rounding ? 50 : most_iterations;
    for (int k = 0; k < most; ++k) {
      Status status = form_.evaluate(U_, residual_);
      for (std::size_t i = 0; status && i < stages; ++i) w_[i].map() = combined(T_inverse[i], residual_, size_);
      if (status) status = form_.solve(w_[0]);
      if (status) status = form_.solve({w_[1], w_[2]});
      if (!status) return status;
      ++iterations_;
      for (std::size_t i = 0; i < stages; ++i) {
        residual_[i].map() = combined(T[i], w_, size_);
        U_[i].map() += residual_[i].map();
      }
      const double size = form_.norm(residual_);
      if (!std::isfinite(size)) return Status::failure(StatusCode::not_finite, "Newton iteration");
      if (size <= rounding) return status;
      if (k > 0) {
        const double theta_now = size / before, theta = k == 1 ? theta_now : std::sqrt(theta_now * theta_before);
        theta_before = theta_now;
        record_.contraction = std::max(record_.contraction, theta);
        if (theta < 1) eta = theta / (1 - theta);
        if (accuracy.to_rounding && theta_now > 0.5 && size < noise * rounding) return status;
        // Under index 3 the second iteration may move what the first could not see: fast spins, a turning null space of M.
        const bool early = accuracy.to_rounding && k == 1;
        if (theta >= 0.99 && !early) break;
        if (!accuracy.to_rounding && hopeless(theta, eta * size / accuracy.kappa, k)) break;
      }
      before = size;
      if (!accuracy.to_rounding && eta * size <= accuracy.kappa) {
        record_.left_to_go = eta;
        return status;
      }
    }
    record_.contraction = record_.left_to_go = 1;
    return Status::failure(StatusCode::not_converged, "Newton iteration of the implicit step", -1, before);
  }
  /// (8.11); `left` is in units of kappa.
  bool hopeless(double theta, double left, int k) {
    const int more = most_iterations - 1 - k;
    const double q = left * std::pow(theta, more);
    if (!(q > 1)) return false;
    shorter_ = 0.8 * std::pow(std::min(q, 20.0), -1.0 / (4 + more));
    return true;
  }

  Form& form_;
  const Record& record_;
  Index size_;
  Stages U_, accepted_, residual_, w_;
  int iterations_ = 0;
  double shorter_ = 0.5;
};

}  // namespace trammel::radau
