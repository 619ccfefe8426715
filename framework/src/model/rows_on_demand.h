// RowsOnDemand: constraint rows of a point that are evaluated when somebody asks for them, as some linear solvers do.
#pragma once

#include <vector>

#include "trammel/extensions/free_directions.h"

namespace trammel {

class ModelPoint;

/// Where it is on, `evaluate_solve` evaluates those rows only that were asked for one by one before, and all others where
/// somebody asks for the Jacobian, at the point of that evaluation.
class RowsOnDemand final : public KktElements {
 public:
  explicit RowsOnDemand(ModelPoint& point) : point_(point) {}

  const Constraint& constraint(Index element) const override;
  bool has_velocity_rows(Index element) const override;
  const ElementState& state(Index element) const override;
  Status evaluate_rows(Index element) const override;

  /// [setup] After the point has its constraints.
  void turn(bool on);
  bool on() const { return on_; }
  /// [hot] All rows, where they are still to be evaluated; numbers that are not finite where that fails.
  void settle() const {
    if (owed_) evaluate_owed();
  }

  // For the point.
  /// [hot] `parts` are evaluated now, `done` were before: whether rows are owed from here on.
  void note(unsigned parts, unsigned done);
  /// [hot] Before the point moves and evaluates `parts`: the last Jacobian is that of the old point, if a new one is not asked
  /// for.
  void leave(unsigned parts) const;
  /// [hot] Whether `evaluate_solve` evaluates the rows of a constraint, which this then takes for done.
  bool demands(std::size_t constraint) const;

 private:
  void evaluate_owed() const;

  /// A constraint's part of Phi_q, and its state.
  struct Element {
    ElementState state;
    std::vector<MatrixView> blocks;  // one per attached body
  };

  ModelPoint& point_;
  bool on_ = false;
  mutable std::vector<Element> elements_;
  mutable bool owed_ = false;
  mutable std::vector<unsigned char> demanded_;  // per constraint: somebody asks for its rows alone
  mutable std::vector<long> rows_at_;            // and ModelPoint::moves when they were evaluated
};

}  // namespace trammel
