// SignalBlock: what one signal makes of its inputs, its states and what it keeps, on any scalar.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "signals/signal_delay.h"
#include "signals/taylor.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/function.h"
#include "trammel/linalg.h"
#include "trammel/math/interval.h"
#include "trammel/text/expression.h"

// With the input u, states z and the output y; sat clamps to [minimum, maximum]:
//   pid                e = u, w' = (e - w)/T_f,  raw = k_p e + I + k_d (e - w)/T_f  or  k_p e + I + k_d rate
//                      y = sat(raw),  I' = k_i e + (sat(raw) - raw)/T_t                                             (1)
//   transfer_function  b(s)/a(s), a_n = 1, in controllable form:
//                      z_k' = z_(k+1), z_n' = u - sum a_k z_(k+1),  y = sum (b_k - b_n a_k) z_(k+1) + b_n u          (2)
//   rate_limit         y = z, z' = (u - z)/T clamped to [-falling, rising]                                           (3)
// (1): K. J. Astrom, R. M. Murray, Feedback Systems (2008), section 10.4 (back-calculation); (2): section 5.3 there.
namespace trammel {

/// What a block sees: inputs, its own states, and its own numbers of the last accepted step.
template <class T>
struct BlockInputs {
  const T* u;
  const T* z;
  const double* memory;
};

class FormulaBlock {
 public:
  explicit FormulaBlock(Expression formula) : formula_(std::move(formula)) {}
  template <class T>
  T output(const BlockInputs<T>& in) const {
    return formula_.evaluate(in.u);
  }
  const Expression& formula() const { return formula_; }

 private:
  Expression formula_;
};

class FunctionBlock {
 public:
  FunctionBlock(const Function* function, int derivative) : function_(function), derivative_(derivative) {}
  template <class T>
  T output(const BlockInputs<T>& in) const {
    return lift(in.u[0]);
  }
  const Function& function() const { return *function_; }
  int derivative() const { return derivative_; }

 private:
  double lift(double x) const {
    double value[4];
    if (!function_->evaluate(x, derivative_, value)) return std::numeric_limits<double>::quiet_NaN();
    return value[derivative_];
  }
  /// Derivatives that the function does not have are NaN.
  template <int N>
  Taylor<N> lift(const Taylor<N>& x) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    std::array<double, 4> value{nan, nan, nan, nan}, from{nan, nan, nan, nan};
    const int order = std::min(derivative_ + N, std::min(3, function_->max_order()));
    if (!function_->evaluate(x.c[0], order, value.data())) value.fill(nan);
    for (int k = derivative_; k <= order; ++k)
      from[static_cast<std::size_t>(k - derivative_)] = value[static_cast<std::size_t>(k)];
    return compose<N>(from, x);
  }
  Interval lift(const Interval& x) const {
    const auto* bounds = derivative_ == 0 ? find_extension<FunctionBounds>(*function_) : nullptr;
    double range[2];
    if (bounds == nullptr || !bounds->bounds(x.low, x.high, range)) return Interval::everything();
    return {range[0], range[1]};
  }

  const Function* function_;
  int derivative_;
};

template <class T>
T clamped(T x, double low, double high) {
  if (x < T(low)) x = T(low);
  if (T(high) < x) x = T(high);
  return x;
}

/// (1)
struct PidBlock {
  double kp = 0, ki = 0, kd = 0;
  double filter = 0;  ///< 0: the second input is the rate
  double minimum = -std::numeric_limits<double>::infinity(), maximum = std::numeric_limits<double>::infinity();
  double tracking = 0;  ///< 0: none
  double initial_integral = 0;

  bool integrates() const { return ki != 0 || initial_integral != 0; }
  bool filters() const { return kd != 0 && filter > 0; }
  Index states() const { return (integrates() ? 1 : 0) + (filters() ? 1 : 0); }
  bool direct() const { return kp != 0 || kd != 0; }
  void initial(double* z) const {
    if (integrates()) *z++ = initial_integral;
    if (filters()) *z = 0;
  }
  template <class T>
  T raw(const BlockInputs<T>& in) const {
    T sum(0.0);
    const T* z = in.z;
    if (integrates()) sum = sum + *z++;
    if (!direct()) return sum;
    sum = sum + T(kp) * in.u[0];
    if (filters()) return sum + T(kd / filter) * (in.u[0] - *z);
    return kd != 0 ? sum + T(kd) * in.u[1] : sum;
  }
  template <class T>
  T output(const BlockInputs<T>& in) const {
    return clamped(raw(in), minimum, maximum);
  }
  template <class T>
  void rates(const BlockInputs<T>& in, T* rate) const {
    const T* z = in.z;
    if (integrates()) {
      T back(0.0);
      if (tracking > 0) {
        const T sum = raw(in);
        back = T(1 / tracking) * (clamped(sum, minimum, maximum) - sum);
      }
      *rate++ = T(ki) * in.u[0] + back, ++z;
    }
    if (filters()) *rate = T(1 / filter) * (in.u[0] - *z);
  }
  static constexpr Index switch_count() { return 2; }
  void switches(const BlockInputs<double>& in, double* out) const {
    if (!std::isfinite(minimum) && !std::isfinite(maximum)) return;
    const double sum = raw(in);
    if (std::isfinite(minimum)) out[0] = sum - minimum;
    if (std::isfinite(maximum)) out[1] = maximum - sum;
  }
};

/// (2)
struct TransferBlock {
  std::vector<double> a, c;  ///< a_k; c_k = b_k - b_n a_k
  double through = 0;        ///< b_n
  std::vector<double> start;

  Index states() const { return static_cast<Index>(a.size()); }
  bool direct() const { return through != 0; }
  void initial(double* z) const { std::copy(start.begin(), start.end(), z); }
  template <class T>
  T output(const BlockInputs<T>& in) const {
    T sum(0.0);
    for (std::size_t k = 0; k < c.size(); ++k) sum = sum + T(c[k]) * in.z[k];
    return through != 0 ? sum + T(through) * in.u[0] : sum;
  }
  template <class T>
  void rates(const BlockInputs<T>& in, T* rate) const {
    T last = in.u[0];
    for (std::size_t k = 0; k < a.size(); ++k) {
      last = last - T(a[k]) * in.z[k];
      if (k + 1 < a.size()) rate[k] = in.z[k + 1];
    }
    rate[a.size() - 1] = last;
  }
};

/// (3)
struct RateLimitBlock {
  double rising = 0, falling = 0, lag = 0, start = 0;

  static constexpr Index states() { return 1; }
  static constexpr bool direct() { return false; }
  void initial(double* z) const { *z = start; }
  template <class T>
  T output(const BlockInputs<T>& in) const {
    return in.z[0];
  }
  template <class T>
  T demanded(const BlockInputs<T>& in) const {
    return T(1 / lag) * (in.u[0] - in.z[0]);
  }
  template <class T>
  void rates(const BlockInputs<T>& in, T* rate) const {
    *rate = clamped(demanded(in), -falling, rising);
  }
  static constexpr Index switch_count() { return 2; }
  void switches(const BlockInputs<double>& in, double* out) const {
    out[0] = demanded(in) - rising, out[1] = demanded(in) + falling;
  }
};

/// Keeps the input as it is at a sample time, before anything changes there.
struct HoldBlock {
  double period = 0, offset = 0, start = 0;

  static constexpr bool direct() { return false; }
  template <class T>
  T output(const BlockInputs<T>& in) const {
    return T(in.memory[0]);
  }
  /// Steps end at sample times up to rounding.
  bool samples_at(double t) const {
    constexpr double rounding = 1e-9;
    const double k = std::round((t - offset) / period);
    return k >= 0 && std::abs(t - (offset + k * period)) <= rounding * period;
  }
};

using SignalLaw =
    std::variant<FormulaBlock, FunctionBlock, PidBlock, TransferBlock, RateLimitBlock, HoldBlock, DelayBlock>;

/// A law with the slots of a network that it reads and writes.
struct SignalBlock {
  static constexpr std::size_t most_inputs = 32;

  SignalLaw law;
  std::string name;                 ///< of the signal
  std::vector<std::size_t> inputs;  ///< slots
  std::size_t slot = 0;             ///< of its output
  Index first_state = 0, states = 0;
  Index first_memory = 0, memory = 0;
  bool direct = true;  ///< its output depends on its inputs at the same time
  bool time_only = false;

  template <class T>
  BlockInputs<T> gather(const T* slots, const T* z, const double* kept, T* room) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) room[i] = slots[inputs[i]];
    return {room, z + first_state, kept + first_memory};
  }
};

}  // namespace trammel
