// Rows of a model's point on demand.
#include "model/rows_on_demand.h"

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
  ElementState& state = elements_[count(element)].state;
  state.t = point_.t();
  if (point_.memory().any()) state.memory = point_.memory().of_constraint(count(element));
  return state;
}

Status RowsOnDemand::evaluate_rows(Index element) const {
  const std::size_t i = count(element);
  if (!owed_ || rows_at_[i] == point_.moves()) return Status::success();
  demanded_[i] = 1;
  const ConstraintSlot& slot = point_.assembly().constraints[i];
  ConstraintOutput out;
  out.Phi_q = elements_[i].blocks.data();
  const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
  const Status status = slot.constraint->evaluate(state(element), out);
  if (!status) {
    point_.fail(slot);
    return Status::failure(status.code, status.what, slot.first_row, status.value);
  }
  rows_at_[i] = point_.moves();
  return status;
}

void RowsOnDemand::turn(bool on) {
  on_ = on;
  elements_.clear();
  for (const ConstraintSlot& slot : point_.assembly().constraints) {
    if (!on) break;
    elements_.push_back({point_.element_state(slot), {}});
    for (std::size_t k = 0; k < slot.bodies.size(); ++k)
      elements_.back().blocks.push_back(point_.jacobian_block(slot, static_cast<Index>(k)));
  }
  demanded_.assign(elements_.size(), 0);
  rows_at_.assign(elements_.size(), -1);
}

void RowsOnDemand::note(unsigned parts, unsigned done) {
  if (parts & of_jacobian) owed_ = ((done | parts) & evaluate_jacobian) == 0;
}

void RowsOnDemand::leave(unsigned parts) const {
  if (!(parts & of_jacobian)) settle();
}

bool RowsOnDemand::demands(std::size_t constraint) const {
  if (!on_ || demanded_[constraint] == 0) return false;
  rows_at_[constraint] = point_.moves();
  return true;
}

void RowsOnDemand::evaluate_owed() const {
  owed_ = false;
  const auto view = [](const std::vector<double>& x) {
    return ConstVectorView{x.data(), static_cast<Index>(x.size())};
  };
  if (point_.evaluate(point_.t(), view(point_.q()), view(point_.v()), view(point_.z()), evaluate_jacobian)) return;
  for (const Element& element : elements_) {
    for (const MatrixView& block : element.blocks) {
      if (block) block.map().setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

}  // namespace trammel
