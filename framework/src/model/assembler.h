// Assembler: positions and velocities that meet constraints and initial conditions with the smallest weighted change.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "model/driven_angles.h"
#include "model/start_rows.h"
#include "record/assembly_report.h"

namespace trammel {

/// Rows are those of the constraints, then one per condition. Sparse, and indifferent to redundant rows: every solve is
/// the damped least-squares one.
class Assembler {
 public:
  /// [setup] Throws Error::parameter ("conditions/0/of", "weights/crank") for names that do not exist.
  Assembler(ConstrainedModel& model, const StartOptions& options, double t, ConstVectorView z);

  /// Moves q so that all rows vanish, near the given q. False: `misses` tells what is left at the best compromise.
  bool positions(VectorView q, AssemblyReport& report);
  /// Changes v as little as possible so that it obeys constraints and conditions. False: see `misses`.
  bool velocities(ConstVectorView q, VectorView v, AssemblyReport& report);
  /// [setup] The motions that constraints and conditions leave free, at q.
  void find_undetermined(ConstVectorView q, ConstVectorView v, AssemblyReport& report);

  /// What is not met, worst first: constraints, bodies' own rows and conditions by name.
  struct Miss {
    std::string name, key;  ///< key: "constraints/pin", "conditions/0"
    double amount;
  };
  const std::vector<Miss>& misses() const { return misses_; }
  bool has_conditions() const { return !conditions_.empty(); }
  /// Leaves constraints out.
  void skip(std::vector<const ConstraintSlot*> slots) { skipped_ = std::move(slots); }
  /// With few starts: `positions` is tried for each of several constraints left out.
  void be_quick(bool quick) { quick_ = quick; }
  /// Largest row of a constraint at the last evaluation.
  double violation(const ConstraintSlot& slot) const;

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  enum class Rows { positions, velocities };

  Index rows() const { return model_.constraints() + static_cast<Index>(conditions_.size()); }
  /// Residuals at q (velocities: at v) and the gradient J; false where the model cannot be evaluated.
  bool evaluate(ConstVectorView q, ConstVectorView v, Rows which, Eigen::VectorXd& F, Matrix& J);
  /// Back to the rows that bodies carry by themselves.
  bool normalise(VectorView q);
  /// `positions`: without the rows that hold for velocities only.
  void add_constraints(bool positions, std::vector<Eigen::Triplet<double>>& entries) const;
  /// d = -W^-1 J^T (J W^-1 J^T + mu I)^-1 F
  bool damped_step(const Matrix& J, const Eigen::VectorXd& F, double mu, Eigen::VectorXd& d);
  bool search(VectorView q, AssemblyReport& report, double& squares);
  bool restore(VectorView q);
  void reduce_change(VectorView q, const Eigen::VectorXd& given);
  void collect(const Eigen::VectorXd& F);
  /// Back to the angles of the given positions. `count`: whether driven angles count turns from there.
  void begin_angles(bool count);
  /// Angles go on from their values at the last evaluation.
  void follow_angles();
  void near_signs(VectorView q, const Eigen::VectorXd& given) const;
  Eigen::VectorXd in_metres(Eigen::VectorXd d) const;
  Eigen::VectorXd in_unit(Eigen::VectorXd dq) const;
  double weighted_length(const Eigen::VectorXd& d) const;
  AssemblyReport::Change change(const Eigen::VectorXd& d) const;
  std::vector<std::string> null_space(const Matrix& J, long& freedoms) const;

  ConstrainedModel& model_;
  double t_;
  ConstVectorView z_;
  std::vector<StartCondition> conditions_;
  std::vector<StartRow> condition_rows_;
  std::vector<double> condition_sizes_;        ///< in the model's unit
  Eigen::VectorXd inverse_weights_, turning_;  ///< turning_: 1 for angles and Euler parameters
  std::vector<const ConstraintSlot*> skipped_;
  bool quick_ = false;
  std::vector<Miss> misses_;
  Eigen::VectorXd F_, trial_F_;
  Matrix J_, trial_J_;
  std::vector<double> angles_;  ///< counted angles of the model at the given positions
  DrivenAngles driven_;
};

}  // namespace trammel
