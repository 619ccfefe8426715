// A motion linearized at a state: state-space matrices in minimal coordinates, eigenvalues, modes.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "trammel/second_order_system.h"

namespace trammel {

class ConstrainedModel;

/// y' = A y, y = (dx, dx', dz), of x'' = f(t, x, x', z), z' = g(t, x, x', z) linearized at a state with its exact
/// Jacobians; most motions have no z:
///   A = [0, I, 0; J1, J2, J3; R1, R2, R3],  J1 = d(x'')/dx, J2 = d(x'')/dx', J3 = d(x'')/dz; R of z' likewise
struct LinearMotion {
  Eigen::MatrixXd J1, J2;          ///< 1/s^2, 1/s
  Eigen::MatrixXd J3, R1, R2, R3;  ///< of internal states; empty if there are none

  Index internal() const { return static_cast<Index>(R3.rows()); }
  Eigen::MatrixXd state_matrix() const;
  /// All eigenvalues, by rising real part; of pairs the one with negative imaginary part first.
  std::vector<std::complex<double>> eigenvalues() const;
};

/// [setup] Dense. A failure is that of the view: derivatives are missing, or the mass matrix is singular.
Status linearize_motion(SecondOrderSystem& view, double t, ConstVectorView x, ConstVectorView x_dot,
                        LinearMotion& motion);

/// A model linearized in independent coordinates w: M^ dw'' + C^ dw' + K^ dw = 0, dq = T dw, T = [H; I].
struct LinearModel {
  std::vector<Index> independent;  ///< coordinates of the model
  std::vector<std::string> names;  ///< of w where these are no coordinates of the model (linear_axes.h)
  Eigen::MatrixXd M, K, C;         ///< M^, -M^ J1, -M^ J2
  Eigen::MatrixXd T;               ///< n x d
  /// |T|^T |K_q| |T|, K_q the stiffness in all coordinates: how large the terms are whose sum K^ is, and so its
  /// rounding.
  Eigen::MatrixXd terms;
  LinearMotion motion;      ///< in w and internal states
  double acceleration = 0;  ///< largest at the state, m/s^2 or rad/s^2: what makes K^ of a potential unsymmetric
  bool symmetric() const;
  /// No velocities and no internal states in it and K^ symmetric: what a potential gives at rest.
  bool conservative() const;
};

/// [setup] At (t, q, v), which the constraints allow; z are the model's present ones. Dense.
Status linearize_model(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, LinearModel& linear);

/// [setup] `LinearModel::terms` in coordinates T, at the model's last linearization, without what K^ itself is.
Eigen::MatrixXd stiffness_terms(ConstrainedModel& model, const Eigen::MatrixXd& T);

/// A real mode or a conjugate pair exp(lambda t) of a linearized model.
struct Mode {
  std::complex<double> lambda;  ///< 1/s; imaginary part >= 0
  Eigen::VectorXcd shape;       ///< of all coordinates, the largest entry 1

  double omega() const { return std::abs(lambda); }
  double frequency() const;
  double damping_ratio() const { return omega() > 0 ? 0.0 - lambda.real() / omega() : 0; }  // no -0
};

/// Coordinates' changes along the mode of the least eigenvalue of M^^-1 K^: the way down from a maximum.
Eigen::VectorXd softest_shape(const LinearModel& linear);
/// [setup] By rising omega. Motions without stiffness (lambda = 0) count once per direction, found from the kernel of
/// K^.
std::vector<Mode> find_modes(const LinearModel& linear);

/// Stability of an equilibrium: of K^ where it follows from a potential, otherwise of the eigenvalues, those of
/// internal states included. What the acceleration that is left at the state accounts for is neutral.
struct Stability {
  bool stable = false;         ///< strictly
  Index unstable = 0;          ///< directions of negative stiffness, or growing modes
  Index neutral = 0;           ///< directions without stiffness, or modes that neither grow nor decay
  bool from_stiffness = true;  ///< else from eigenvalues
  double lowest = 0;           ///< smallest eigenvalue of M^^-1 K^, 1/s^2; else largest real part, 1/s, negated
};
Stability judge_stability(const LinearModel& linear);

}  // namespace trammel
