// Rows of a model's point on demand.
#include "model/rows_on_demand.h"

#include <algorithm>
#include <limits>

#include "linalg/sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

constexpr unsigned of_jacobian = evaluate_jacobian | evaluate_solve;

}  // namespace

const Constraint& RowsOnDemand::constraint(Index element) const {
  return *point_.assembly().constraints[count(element)].constraint;
}

bool RowsOnDemand::has_velocity_rows(Index element) const {
  return point_.assembly().constraints[count(element)].velocity_rows > 0;
}

const ElementState& RowsOnDemand::state(Index element) const {
  ConstraintCall& call = point_.calls_[count(element)];
  call.state.t = point_.t_;
  if (point_.memory_.any()) call.state.memory = point_.memory_.of_constraint(count(element));
  return call.state;
}

Status RowsOnDemand::evaluate_rows(Index element) const {
  const std::size_t i = count(element);
  if (!owed_ || rows_at_[i] == point_.moves_) return Status::success();
  demanded_[i] = 1;
  const ConstraintCall& call = point_.calls_[i];
  ConstraintOutput out;
  out.Phi_q = call.blocks;
  const ElementMark mark(call.plugin, call.name);
  const Status status = call.constraint->evaluate(state(element), out);
  if (!status) {
    point_.fail(point_.assembly().constraints[i]);
    return Status::failure(status.code, status.what, call.first_row, status.value);
  }
  rows_at_[i] = point_.moves_;
  return status;
}

void RowsOnDemand::turn(bool on) {
  on_ = on;
  demanded_.assign(point_.calls_.size(), 0);
  rows_at_.assign(point_.calls_.size(), -1);
}

void RowsOnDemand::note(unsigned parts, unsigned done) {
  if (parts & of_jacobian) owed_ = ((done | parts) & evaluate_jacobian) == 0;
}

void RowsOnDemand::leave(unsigned parts) const {
  if (!(parts & of_jacobian)) settle();
}

bool RowsOnDemand::demands(std::size_t constraint) const {
  if (!on_ || demanded_[constraint] == 0) return false;
  rows_at_[constraint] = point_.moves_;
  return true;
}

void RowsOnDemand::evaluate_owed() const {
  owed_ = false;
  const ElementMark mark(point_.system_plugin_.c_str(), "");
  if (point_.evaluate_constraints(evaluate_jacobian)) {
    if (point_.done_ != 0) point_.done_ |= evaluate_jacobian;  // a forgotten point stays forgotten
  } else {
    std::fill(point_.Phi_q_.begin(), point_.Phi_q_.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace trammel
