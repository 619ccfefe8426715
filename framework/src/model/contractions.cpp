// Contractions that are formed on demand rather than stored: (Phi_q x)_q y, Phi_tq y and the explicit time derivatives.
#include <algorithm>

#include "model/linearization.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {

Status Linearization::jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) {
  make_room();
  out.map().setZero();
  for (const ConstraintSlot& slot : assembly_.constraints) {
    bind_rows(slot, x);
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.constraint->jacobian_gradient(point_.element_state(slot), locals_.data(), views_.data());
    if (!status) return status;
    add_rows(slot, y, out);
  }
  const Constraint* intrinsic = assembly_.system.intrinsic();
  for (Index b = 0; b < assembly_.intrinsic_rows(); ++b) {
    const Index body = assembly_.table.intrinsic_body(b), first = assembly_.table.first(body);
    const void* state = point_.body_state(body);
    const ConstVectorView local = x.segment(first, c_);
    const MatrixView block{scratch_.data(), 1, c_, 1};
    const Status status = intrinsic->jacobian_gradient({point_.t(), &state, nullptr, nullptr}, &local, &block);
    if (!status) return status;
    for (Index j = 0; j < c_; ++j) out[assembly_.element_rows() + b] += block(0, j) * y[first + j];
  }
  return Status::success();
}

Status Linearization::time_jacobian(ConstVectorView y, VectorView out) {
  make_room();
  out.map().setZero();
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (!slot.constraint->rheonomic()) continue;
    bind_rows(slot, y);
    ConstraintTimeDerivatives wanted;
    wanted.Phi_tq = views_.data();
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.constraint->time_derivatives(point_.element_state(slot), locals_.data(), wanted);
    if (!status) {
      point_.fail(slot);
      return status;
    }
    add_rows(slot, y, out);
  }
  return Status::success();
}

Status Linearization::time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) {
  make_room();
  Q_t.map().setZero();
  Phi_tt.map().setZero();
  acceleration_t.map().setZero();
  const auto of_slot = [](VectorView rows, const ConstraintSlot& slot) {
    return rows.size > 0 ? rows.segment(slot.first_row, slot.rows) : VectorView{};
  };
  for (const ConstraintSlot& slot : assembly_.constraints) {
    // A driver that cannot say what nobody asks for is no failure.
    if (!slot.constraint->rheonomic() || (Phi_tt.size == 0 && acceleration_t.size == 0)) continue;
    bind_rows(slot, a);
    ConstraintTimeDerivatives wanted;
    wanted.Phi_tt = of_slot(Phi_tt, slot);
    wanted.acceleration_t = of_slot(acceleration_t, slot);
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.constraint->time_derivatives(point_.element_state(slot), locals_.data(), wanted);
    if (!status) {
      point_.fail(slot);
      return status;
    }
  }
  for (const ForceSlot& slot : assembly_.forces) {
    const BodyTable& table = assembly_.table;
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      force_locals_[i] = {};
      if (slot.bodies[i] < 0) continue;
      force_locals_[i] = {wide_locals_.data() + i * static_cast<std::size_t>(c_), c_};
      force_locals_[i].map().setZero();
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.force->time_gradient(point_.element_state(slot), force_locals_.data());
    if (!status) return status;
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      if (slot.bodies[i] < 0) continue;
      const Index first = table.first(slot.bodies[i]), width = table.width(slot.bodies[i]);
      Q_t.segment(first, width).map() += force_locals_[i].map().head(width);
    }
  }
  return Status::success();
}

// Local vectors of x, and scratch blocks rows x c, one per attached body that is not ground.
void Linearization::bind_rows(const ConstraintSlot& slot, ConstVectorView x) {
  double* block = scratch_.data();
  for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
    const Index body = slot.bodies[i];
    locals_[i] = body >= 0 ? assembly_.table.widened(body, x, wide_locals_.data() + i * static_cast<std::size_t>(c_))
                           : ConstVectorView{zero_.data(), c_};
    views_[i] = body >= 0 ? MatrixView{block, slot.rows, c_, slot.rows} : MatrixView{};
    block += slot.rows * c_;
  }
}

void Linearization::add_rows(const ConstraintSlot& slot, ConstVectorView y, VectorView out) const {
  for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
    if (slot.bodies[i] < 0) continue;
    const Index first = assembly_.table.first(slot.bodies[i]), width = assembly_.table.width(slot.bodies[i]);
    out.segment(slot.first_row, slot.rows).map().noalias() +=
        views_[i].map().leftCols(width) * y.segment(first, width).map();
  }
}

}  // namespace trammel
