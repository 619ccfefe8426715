// StaticEnergy: the potential energy of a model at rest as a function of independent coordinates, with its gradient.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "model/constrained_model.h"

namespace trammel {

/// [setup] Forces of the model that do not follow from a potential at rest, in words ("force 'jet' (type
/// 'applied_force')"): they have dry friction, their potential is not known, or its differences at q and near it are
/// not their work.
std::vector<std::string> nonconservative_forces(ConstrainedModel& model, double t, ConstVectorView q);
/// [setup] Those with dry friction, in the same words.
std::vector<std::string> dry_friction_forces(const ConstrainedModel& model);

/// With q = (u, w), w independent (Haug, Eqs. 7.5.15 to 7.5.24; H stands in its transposed product only):
///   Phi_u H = -Phi_w,   dV/dw = -Q_w - H^T Q_u = -Q_w + Phi_w^T y,   Phi_u^T y = Q_u                               (1)
/// u follows from Phi = 0 by Newton's method at fixed w.
class StaticEnergy {
 public:
  StaticEnergy(ConstrainedModel& model, double t, ConstVectorView q);

  /// Chooses the independent coordinates anew at the present point.
  Status choose();
  Index size() const { return static_cast<Index>(independent_.size()); }
  /// Begins a line from the present point in the direction p of w.
  void begin_line(const Eigen::VectorXd& p);
  /// Moves to w_0 + alpha p on that line, u being predicted along T p; after a failure (no u, one of another branch,
  /// or no forces) nothing has moved.
  Status move_along(double alpha);
  const Eigen::VectorXd& w() const { return w_; }
  double energy() const { return energy_; }
  const Eigen::VectorXd& gradient() const { return gradient_; }
  /// T = [H; I] at the present point, n x d.
  Eigen::MatrixXd tangent();
  /// M^ = T^T M T: the metric in which lengths of gradients are accelerations.
  Eigen::MatrixXd metric();
  /// Of a change of w or of its rates, in the model's unit of length.
  double largest(const Eigen::VectorXd& dw) const;
  /// Coordinates that are independent at present.
  const std::vector<Index>& independent() const { return independent_; }
  /// Of Phi_u, at the present point.
  double condition();
  ConstVectorView q() const { return {q_.data(), static_cast<Index>(q_.size())}; }
  long evaluations = 0;

 private:
  Status evaluate();
  Status solve_dependent();
  bool same_branch(double alpha) const;

  ConstrainedModel& model_;
  double t_;
  std::vector<double> q_, before_, rest_, z_, mask_, rows_, step_, column_, guess_, line_, direction_, predicted_;
  std::vector<Index> independent_;
  Eigen::VectorXd w_, gradient_, line_w_, line_p_;
  double energy_ = 0;
};

}  // namespace trammel
