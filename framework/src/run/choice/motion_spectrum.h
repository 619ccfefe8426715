// What the motion at a state consists of: the rates of its parts, how much of it each one is, and the fastest of all rates.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <vector>

#include "model/constrained_model.h"
#include "trammel/ode_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

/// y' = A y + y'(0) about a state, A known by its products: y = (s dx, dv, dz), s a frequency that makes positions and
/// velocities comparable. [setup].
struct LinearRates {
  Eigen::Index positions = 0, velocities = 0;  ///< then internal states; first-order problems have these only
  double scale = 1;                            ///< s, 1/s
  Eigen::VectorXd rate;                        ///< y'(0)
  Eigen::VectorXd any;                         ///< with parts of every mode, the same in every run
  /// rate = A y; false: it failed. Empty: derivatives are missing.
  std::function<bool(const Eigen::VectorXd& y, Eigen::VectorXd& rate)> apply;

  bool known() const { return static_cast<bool>(apply); }
};

/// On the tangent space of the constraints, at a consistent state. Moves the model's evaluation point and the
/// linearization there. What it returns refers to `model`.
LinearRates linear_rates(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z);
LinearRates linear_rates(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot);
LinearRates linear_rates(OdeSystem& view, double t, ConstVectorView y);

/// A part exp(lambda t) of the motion that goes on from the state, largest entries of what it changes.
struct MotionPart {
  std::complex<double> lambda;  ///< 1/s
  double position = 0;          ///< m or rad; of first-order problems their states
  double velocity = 0;          ///< m/s or rad/s
};

/// By Arnoldi's method with 40 vectors at most: all parts where there are no more, the outermost otherwise.
std::vector<MotionPart> motion_parts(const LinearRates& rates);
/// The eigenvalue of A of largest modulus, likewise; 0: unknown.
std::complex<double> fastest_rate(const LinearRates& rates);

}  // namespace trammel
