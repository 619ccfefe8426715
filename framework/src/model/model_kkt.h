// ModelKkt: the matrix [W Phi_q^T; Phi_q 0] of a model at its point, and the solvers that factorize it.
#pragma once

#include <memory>
#include <vector>

#include "linalg/row_space.h"
#include "model/component.h"
#include "model/model_point.h"
#include "plugin/marked.h"
#include "trammel/kkt_solver.h"

namespace trammel {

class Model;

/// Which rows a factorization keeps: all, as velocities and accelerations need it, or those that hold for positions.
enum class RowLevel { all, positions };

/// A client of the point. Rows that depend on others are left out of every solve: their multipliers are 0, they are
/// still evaluated. Which ones, ModelRank says; those that depend on others at this point only, the factorization
/// itself leaves out besides.
class ModelKkt {
 public:
  /// [setup] With the linear solver that the model's run file asks for. Throws Error if it cannot be used.
  ModelKkt(ModelPoint& point, const Model& model);
  ModelKkt(const ModelKkt&) = delete;
  ModelKkt& operator=(const ModelKkt&) = delete;

  ModelPoint& point() const { return point_; }
  const Assembly& assembly() const { return point_.assembly(); }
  /// At the last evaluation point, with the rows left out that the last factorization left out.
  const KktMatrix& matrix() const {
    point_.rows.settle();
    return kkt_;
  }
  /// [hot] The same, for solves of accelerations: rows for velocities are there even if that one left them out.
  const KktMatrix& matrix_of_all_rows();
  /// [hot] The same where not all numbers of the Jacobian are needed, which then may be of another point.
  const KktMatrix& all_rows_on_demand();
  /// [setup] What the system says, as linear solvers ask it.
  const void* system_extension(const char* id) const;
  /// [step] At the last evaluation point with everything that some solver works on.
  const KktMatrix& with_all_numbers();
  /// [hot] M at the last evaluation point as blocks.
  const double* mass_blocks();

  /// [setup] From the Jacobian at the last evaluation point: that of the model as drawn.
  void measure_unit() { row_space_.unit().measure(matrix(), assembly().system); }
  const ModelUnit& unit() const { return row_space_.unit(); }
  /// A KKT matrix of this model as looked at in that unit, until the next call.
  const KktMatrix& scaled(const KktMatrix& matrix) { return row_space_.unit().scaled(matrix); }

  /// [hot] See ConstrainedSystem.
  void apply_jacobian(ConstVectorView x, VectorView out) const { row_space_.apply(matrix(), x.data, out.data); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const {
    row_space_.apply_transpose(matrix(), y.data, out.data);
  }
  void apply_mass(ConstVectorView x, VectorView out) const { assembly().motion.apply_mass(kkt_.states, x, out); }
  Status factorize(ProjectionWeights weights, RowLevel level = RowLevel::all);
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda);
  /// Those of the last `factorize`, with which `solve` goes on.
  ProjectionWeights weights() const { return weights_; }
  /// [hot] Factorizes unless that is done at this point; `solve` goes on as before.
  Status refresh(ProjectionWeights weights, RowLevel level = RowLevel::all);
  KktSolver& solver(ProjectionWeights weights) {
    return weights == ProjectionWeights::mass ? mass_solver_.as<KktSolver>() : *identity_solver_;
  }
  /// That of the weights M, with its type and plugin.
  const Component& mass_solver() const { return mass_solver_; }

  // For looks at the rank.
  /// Flags of the rows left out at every point; who changes them calls `forget`.
  std::vector<unsigned char>& dropped() { return dropped_; }
  const std::vector<unsigned char>& dropped() const { return dropped_; }
  /// The flags of a level; positions: those that hold for velocities only as well.
  const unsigned char* dropped(RowLevel level);
  /// One flag per row that holds for velocities only; empty where there are none.
  const std::vector<unsigned char>& velocity_rows() const { return velocity_rows_; }
  void forget() { mass_at_ = identity_at_ = never; }
  /// [step] The matrix in the model's unit with exactly those rows left out, for solves from now on, too.
  const KktMatrix& kept();
  const RowSpace& row_space() const { return row_space_; }
  /// The row space on loan: what is factorized in it takes the place of the factorization with W = I.
  RowSpace& lend_row_space();
  /// The worst that factorizations have seen of the rank since somebody set it to {}.
  RankWatch& closest() { return closest_; }

  long factorizations = 0;

 private:
  static constexpr long never = -1;
  /// The solvers of corrections are the kernel's own.
  template <class F>
  Status by_solver(ProjectionWeights weights, const F& call) const {
    if (weights == ProjectionWeights::identity) return call();
    return marked(mass_solver_.plugin_id().c_str(), "linear solver", call);
  }
  Status find_weak_rows(const Status& singular);
  /// A failure: the solver's factors are lost.
  Status keep_rows_of_light_bodies();
  void reduce();
  /// What the solver of the weights M works on.
  void prepare_mass();
  /// Whether a solver that works on elements met a body that it cannot eliminate.
  bool stops_at_body(const Status& status, ProjectionWeights weights) const;
  /// [step] Another solver in place of one that stops at a body of this number.
  void fall_back(Index body);
  /// `attached`: it got the elements if it asks for rows.
  void take_traits(bool attached);

  ModelPoint& point_;
  const Model& model_;
  KktMatrix kkt_;
  std::vector<double> reduced_, mass_;
  std::vector<ReductionBlock> reductions_;
  RowSpace row_space_;
  std::vector<unsigned char> velocity_rows_, left_of_positions_;  ///< flags; empty where no row is for velocities only
  RowLevel level_ = RowLevel::all;                                ///< of the last factorization
  std::vector<unsigned char> dropped_, weak_;  ///< per row; weak_: dropped ones and those lost at this point only
  Component mass_solver_;
  LinearSolverTraits mass_traits_{};
  bool on_elements_ = false;  ///< the solver asks for rows, and works on no reduced block and no mass
  std::shared_ptr<KktSolver> identity_solver_;
  ProjectionWeights weights_ = ProjectionWeights::mass;
  long mass_at_ = never, identity_at_ = never;  ///< what was factorized, by ModelPoint::moves
  RankWatch closest_;
};

}  // namespace trammel
