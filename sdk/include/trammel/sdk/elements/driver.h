// Drivers: constraints that prescribe a coordinate of two bodies as a function of time.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "trammel/constraint.h"
#include "trammel/error.h"
#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/function.h"
#include "trammel/math/two_pi.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/offer_extensions.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), sections 3.5 and 9.5. With a coordinate
// C(q) whose kernel (spatial_rows.h, planar_rows.h) gives it and all its contractions, and the motion f(t):
//
//   Phi = C(q) - f(t),  Phi_q = C_q,  nu = f',  gamma = gamma_C + f''                                             (1)
//   Phi_tq = 0,  Phi_tt = -f'',  d/dt (Phi_q a - gamma) = -f'''                                                   (2)
//
// The generalized force along C is -lambda: the driver's effort, and -lambda f' its power. An angle is taken on the
// branch nearest to f(t), which is the counted one as long as the constraint is violated by less than pi: a driver
// needs no counter of turns, and no step is too long for it.
namespace trammel::sdk {

/// Exactly one of both.
struct DriverKeys {
  FunctionRef function;
  FunctionRef rate;
};
/// `function_unit`, `rate_unit`: of the coordinate over time, "rad over s", and of its rate, "rad/s over s".
constexpr std::array<Field, 2> driver_fields_in(const char* function_unit, const char* rate_unit) {
  Field function = TRAMMEL_FIELD(DriverKeys, function, "1", "The coordinate as a function of time.").optional();
  Field rate =
      TRAMMEL_FIELD(DriverKeys, rate, "1",
                    "Its rate as a function of time, instead of function; the coordinate starts at t = 0 with its "
                    "value in the initial configuration, or where assembly puts it.")
          .optional();
  function.record.unit = function_unit, rate.record.unit = rate_unit;
  return {function, rate};
}
/// Of a coordinate in m, in rad, or in one of them.
inline constexpr auto length_driver_fields = driver_fields_in("m over s", "m/s over s");
inline constexpr auto angle_driver_fields = driver_fields_in("rad over s", "rad/s over s");
inline constexpr auto driver_fields = driver_fields_in("m or rad over s", "m/s or rad/s over s");

/// f(t) of a driver: position and rate continuous.
class DriverMotion {
 public:
  /// `start`: the coordinate in the drawing.
  DriverMotion(const DriverKeys& keys, double start) : f_(keys.function), rate_(keys.rate) {
    if ((f_ == nullptr) == (rate_ == nullptr)) {
      throw Error::parameter(f_ == nullptr ? "function" : "rate", "a driver takes either 'function' or 'rate'");
    }
    if (rate_ == nullptr) {
      refuse_jumps(*f_, "function");
      return;
    }
    integral_ = find_extension<FunctionIntegral>(*rate_);
    if (integral_ == nullptr) {
      throw Error::parameter("rate",
                             "this function does not know its integral in closed form; give the motion itself, as "
                             "\"function\": {\"type\": \"integral\", \"of\": ..., \"until\": end time}");
    }
    if (!integral_->antiderivative(0, &zero_)) throw Error::parameter("rate", "the function is not defined at t = 0");
    start_at(start);
    refuse_jumps(*rate_, "rate");
  }

  bool by_rate() const { return rate_ != nullptr; }
  /// [setup] Of a motion by rate: f(0).
  void start_at(double coordinate) const { start_ = coordinate - zero_; }
  int max_order() const { return f_ != nullptr ? f_->max_order() : 3; }
  /// f .. f^(order)
  Status evaluate(double t, int order, double* f) const {
    if (f_ != nullptr) return f_->evaluate(t, order, f);
    const Status status = integral_->antiderivative(t, f);
    if (!status) return status;
    f[0] += start_;
    return order > 0 ? rate_->evaluate(t, order - 1, f + 1) : status;
  }

 private:
  /// A jump of the position or the rate takes an impulse, which no driver gives: looked for at the break points.
  void refuse_jumps(const Function& given, const char* key) const {
    std::vector<double> points(static_cast<std::size_t>(given.break_points(nullptr, 0)));
    given.break_points(points.data(), static_cast<Index>(points.size()));
    for (const double t : points) {
      const double near = 1e-8 * std::fmax(1, std::fabs(t));
      double before[3], after[3];
      if (t <= 0 || !evaluate(t - near, 2, before) || !evaluate(t + near, 2, after)) continue;
      for (int k = 0; k < 2; ++k) {
        // What the next derivative explains, and rounding of difference quotients of integrals.
        const double slope = std::fmax(std::fabs(before[k + 1]), std::fabs(after[k + 1]));
        const double jump = after[k] - before[k];
        if (std::fabs(jump) <= 4 * near * slope + 1e-9 * (1 + std::fabs(before[k]))) continue;
        throw Error::parameter(
            key, std::string("the driven ") + (k == 0 ? "coordinate" : "rate") + " jumps by " + std::to_string(jump) +
                     " at t = " + std::to_string(t) +
                     ", which takes an infinite force; join the pieces smoothly, with 'step' or 'spline'");
      }
    }
  }

  const Function* f_;
  const Function* rate_;
  const FunctionIntegral* integral_ = nullptr;
  double zero_ = 0;           ///< the integral at t = 0
  mutable double start_ = 0;  ///< settled while the start is assembled
};

/// What kind of coordinate a driver has: names of its channels, and what its values mean.
struct DrivenCoordinate {
  const char* value_name;
  const char* value_unit;
  const char* rate_name;
  const char* rate_unit;
  bool turns = false;     ///< known modulo 2 pi
  bool positive = false;  ///< motions that are not positive are refused
};

/// One row over two bodies (one may be ground). State: the host's; Pair, PairVector and Kernel as in FusedConstraint,
/// the kernel's Phi being C(q) - offset.
template <class State, class Pair, class PairVector, class Kernel>
class Driver : public Constraint, public DriverEffort, public ElementChannels, public MeasuredStart {
 public:
  static constexpr Index c = State::coordinates;

  Driver(const DrivenCoordinate& coordinate, BodyRef i, BodyRef j, const Kernel& kernel, double offset,
         const DriverMotion& motion)
      : coordinate_(coordinate), bodies_{i, j}, kernel_(kernel), offset_(offset), motion_(motion) {}

  Index rows() const final { return 1; }
  Index body_count() const final { return 2; }
  BodyRef body(Index i) const final { return bodies_[i]; }
  bool rheonomic() const final { return true; }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const final {
    const bool velocity = out.gamma.data != nullptr;
    double f[4];
    const Status status = motion_.evaluate(s.t, velocity ? 2 : out.nu.data != nullptr ? 1 : 0, f);
    if (!status) return status;
    if (coordinate_.positive && !(f[0] > 0)) {
      return Status::failure(StatusCode::out_of_domain,
                             "the driver's function asks for a distance that is not positive", 0, f[0]);
    }
    const Pair pair(s);
    if (velocity)
      kernel_.template evaluate<true>(pair, out, 0);
    else
      kernel_.template evaluate<false>(pair, out, 0);
    if (out.Phi.data != nullptr) out.Phi[0] = residual(out.Phi[0], f[0]);  // (1)
    if (out.nu.data != nullptr) out.nu[0] = f[1];
    if (velocity) out.gamma[0] += f[2];
    return Status::success();
  }

  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const final {
    kernel_.jacobian_gradient(Pair(s), PairVector(x), out, 0);
    return Status::success();
  }
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const final {
    for (Index k = 0; k < 4; ++k) {
      if (out[k]) set_zero(out[k]);
    }
    kernel_.multiplier_gradient(Pair(s), lambda.data, out);
    return Status::success();
  }
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const final {
    kernel_.acceleration_gradient(Pair(s), PairVector(a), out_q, out_v, 0);
    return Status::success();
  }

  /// Equation (2).
  Status time_derivatives(const ElementState& s, const ConstVectorView*,
                          const ConstraintTimeDerivatives& out) const final {
    for (Index k = 0; out.Phi_tq != nullptr && k < 2; ++k) {
      if (out.Phi_tq[k]) set_zero(out.Phi_tq[k]);
    }
    const bool third = out.acceleration_t.data != nullptr, possible = motion_.max_order() >= 3;
    double f[4];
    const Status status = motion_.evaluate(s.t, third && possible ? 3 : 2, f);
    if (!status) return status;
    if (out.Phi_tt.data != nullptr) out.Phi_tt[0] = -f[2];
    if (!third) return status;
    if (!possible) return Status::failure(StatusCode::unsupported, "the driver's function has no third derivative", 0);
    out.acceleration_t[0] = -f[3];
    return Status::success();
  }

  double effort_sign() const final { return -1; }

  bool start_is_open() const final { return motion_.by_rate(); }
  double start_at(const ElementState& s) const final {
    double value[2] = {0, 0};
    ElementState start = s;
    start.t = 0;
    // Angles on the branch nearest to the drawn one; a coordinate without a value here stays as drawn.
    if (channel_values(start, {value, 2})) motion_.start_at(value[0]);
    return value[0];
  }

  // The driven coordinate and its rate.
  Index channel_count() const final { return 2; }
  const char* channel_name(Index i) const final { return i == 0 ? coordinate_.value_name : coordinate_.rate_name; }
  const char* channel_unit(Index i) const final { return i == 0 ? coordinate_.value_unit : coordinate_.rate_unit; }
  Status channel_values(const ElementState& s, VectorView out) const final {
    double f[1], Phi[1], row[2][c];
    const Status status = motion_.evaluate(s.t, 0, f);
    if (!status) return status;
    const MatrixView blocks[2] = {{row[0], 1, c, 1}, {row[1], 1, c, 1}};
    ConstraintOutput wanted;
    wanted.Phi = {Phi, 1};
    wanted.Phi_q = blocks;
    kernel_.template evaluate<false>(Pair(s), wanted, 0);
    out[0] = f[0] + residual(Phi[0], f[0]);
    out[1] = along(row[0], s.body<State>(0)) + along(row[1], s.body<State>(1));
    return Status::success();
  }

 protected:
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() = default;

 private:
  double residual(double kernel, double f) const {
    const double difference = kernel + offset_ - f;
    return coordinate_.turns ? std::remainder(difference, two_pi) : difference;
  }

  static double along(const double* row, const SpatialBodyState& b) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += row[k] * b.rdot[k];
    for (int k = 0; k < 4; ++k) sum += row[3 + k] * b.pdot[k];
    return sum;
  }
  static double along(const double* row, const PlanarBodyState& b) {
    return row[0] * b.rdot[0] + row[1] * b.rdot[1] + row[2] * b.omega;
  }

  DrivenCoordinate coordinate_;
  BodyRef bodies_[2];
  Kernel kernel_;
  double offset_;
  DriverMotion motion_;
};

}  // namespace trammel::sdk
