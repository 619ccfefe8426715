// Evaluation of an assembly at a point.
#include "model/model_point.h"

#include <algorithm>
#include <utility>

#include "linalg/sizes.h"
#include "plugin/marked.h"
#include "trammel/error.h"
#include "trammel/parts.h"

namespace trammel {
namespace {

bool same(ConstVectorView a, const std::vector<double>& b) { return std::equal(a.data, a.data + a.size, b.begin()); }

}  // namespace

ModelPoint::ModelPoint(const Assembly& assembly, const Workers& workers)
    : assembly_(assembly),
      system_plugin_(assembly.system_plugin),
      workers_(&workers),
      memory_(assembly),
      constraint_round_(&workers, static_cast<Index>(assembly.constraints.size())) {
  const BodySystem& system = assembly.system;
  for (const ConstraintSlot& slot : assembly.constraints) rheonomic_ = rheonomic_ || slot.constraint->rheonomic();

  angle_references_.assign(count(assembly.angles()), 0.0);
  state_doubles_ = (system.state_bytes() + 7) / 8;
  make_room();
  system.ground_state(states_.data + assembly.bodies() * state_doubles_);
  if (system.state_bytes() != state_doubles_ * 8) {
    throw Error(ErrorKind::plugin, "the system's body state must be a whole number of doubles");
  }
  bind_elements();
  forces_ = std::make_unique<ElementForces>(assembly, workers, Q_.data);
  if (system.intrinsic() != nullptr) all_bodies_ = find_extension<AllBodies>(*system.intrinsic());
}

void ModelPoint::make_room() {
  const Index n = assembly_.coordinates(), m = assembly_.rows(), z = assembly_.internal_states();
  const Index Phi_q = assembly_.full_block_size(),
              intrinsic = assembly_.intrinsic_rows() * assembly_.body_coordinates(),
              states = (assembly_.bodies() + 1) * state_doubles_;
  const std::pair<VectorView*, Index> parts[] = {
      {&Phi_, m},        {&nu_, m}, {&gamma_, m}, {&Q_, n}, {&z_rate_, z}, {&Phi_q_, Phi_q}, {&intrinsic_, intrinsic},
      {&states_, states}};
  std::size_t size = 0;
  for (const auto& [view, numbers] : parts) size += count(numbers);
  now_.numbers.assign(size, 0.0);
  double* next = now_.numbers.data();
  for (const auto& [view, numbers] : parts) *view = {next, numbers}, next += numbers;
  for (auto* x : {&now_.q, &now_.v}) x->assign(count(n), 0.0);
  now_.z.assign(count(z), 0.0);
  kept_.make_room(now_);
}

void ModelPoint::bind_elements() {
  const BodyTable& table = assembly_.table;
  const Index c = table.local();
  const auto is_still = [&](Index body) { return body >= 0 && !table.turns(body); };
  for (const ConstraintSlot& slot : assembly_.constraints) {
    attached_of_constraint_.push_back(static_cast<Index>(attached_.size()));
    Index block = slot.first_block;
    for (Index body : slot.bodies) {
      attached_.push_back(body_state(body));
      MatrixView view;
      if (body >= 0 && slot.rows > 0)
        view = {Phi_q_.data + assembly_.blocks[count(block++)].offset, slot.rows, c, slot.rows};
      block_views_.push_back(view);
    }
    if (std::any_of(slot.bodies.begin(), slot.bodies.end(), is_still)) on_still_bodies_.push_back(&slot);
  }
  for (const ForceSlot& slot : assembly_.forces) {
    attached_of_force_.push_back(static_cast<Index>(attached_.size()));
    for (const Index body : slot.bodies) attached_.push_back(body_state(body));
  }
  for (const ConstraintSlot& slot : assembly_.constraints) {
    const Index attached = attached_of_constraint_[calls_.size()];
    calls_.push_back({slot.constraint, slot.plugin.c_str(), slot.name.c_str(), element_state(slot),
                      block_views_.data() + attached, slot.first_row, slot.rows});
  }
}

KktMatrix ModelPoint::matrix() const {
  KktMatrix matrix;
  matrix.bodies = assembly_.bodies();
  matrix.coordinates = assembly_.body_coordinates();
  matrix.reduced_coordinates = assembly_.table.most_reduced();
  matrix.mixed = assembly_.table.mixed();
  matrix.first = assembly_.table.firsts();
  matrix.reduced_first = assembly_.table.reduced_firsts();
  matrix.intrinsic_first = assembly_.table.intrinsic_firsts();
  matrix.rows = assembly_.element_rows();
  matrix.intrinsic_rows = assembly_.intrinsic_rows();
  matrix.blocks = assembly_.blocks.data();
  matrix.block_count = static_cast<Index>(assembly_.blocks.size());
  matrix.Phi_q = Phi_q_.data;
  matrix.intrinsic = intrinsic_.data;
  matrix.reduction = assembly_.reduction;
  matrix.states = states_.data;
  matrix.state_bytes = assembly_.system.state_bytes();
  return matrix;
}

const MatrixView& ModelPoint::jacobian_block(const ConstraintSlot& slot, Index attached) const {
  rows.settle();
  const auto index = count(static_cast<Index>(&slot - assembly_.constraints.data()));
  return block_views_[count(attached_of_constraint_[index] + attached)];
}

const void* ModelPoint::body_state(Index body) const {
  return states_.data + (body >= 0 ? body : assembly_.bodies()) * state_doubles_;
}

ElementState ModelPoint::element_state(const ConstraintSlot& slot) const {
  const auto index = count(static_cast<Index>(&slot - assembly_.constraints.data()));
  return {now_.t,
          attached_.data() + attached_of_constraint_[index],
          angle_references_.data() + slot.first_angle,
          nullptr,
          memory_.of_constraint(index),
          nullptr};
}

ElementState ModelPoint::element_state(const ForceSlot& slot) const {
  const auto index = count(static_cast<Index>(&slot - assembly_.forces.data()));
  return {now_.t,
          attached_.data() + attached_of_force_[index],
          angle_references_.data() + slot.first_angle,
          now_.z.data() + slot.first_z,
          memory_.of_force(index),
          memory_.last(index)};
}

void ModelPoint::hold(std::unique_ptr<const HeldDrivers> held) {
  held_ = std::move(held);
  invalidate();
}

void ModelPoint::act(std::unique_ptr<ExtraForce> force) {
  extra_ = std::move(force);
  invalidate();
}

void ModelPoint::stop_clock(std::optional<double> t) {
  stopped_at_ = t;
  invalidate();
}

Status ModelPoint::evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) {
  if (stopped_at_) t = *stopped_at_;
  // What velocities do not change.
  constexpr unsigned of_position = evaluate_Phi | evaluate_jacobian | evaluate_nu | evaluate_solve;
  constexpr unsigned of_rows = of_position | evaluate_gamma;
  if ((parts & evaluate_solve) && !rows.on()) parts |= evaluate_jacobian;
  const bool velocity = v.size > 0, moved = !now_.is_at(t, q, z);
  if (moved || memory_.any()) rows.leave(parts);
  // Whether the point moved or not: rows inside the last step come in any order.
  const bool other_memory = memory_.any() && memory_.select(t);
  const bool alone = !memory_.any() && !rows.on(), worth = alone && (now_.done & evaluate_jacobian) != 0;
  const bool known = moved && alone && kept_.move(now_, worth, t, q, z);
  if ((moved && !known) || other_memory) now_.done = 0;
  const bool other_velocity = velocity && !(now_.has_velocity && same(v, now_.v));
  if (other_velocity) now_.done &= of_position;
  const bool moves = now_.done == 0 || other_velocity, begun = memory_.begun() || !memory_.any();
  const unsigned missing = parts & ~now_.done;
  if (missing != 0 || !memory_.begun()) failed_ = nullptr, failed_in_ = "";  // blame is that of the last evaluation
  if (!moves && missing == 0 && begun) return Status::success();
  return marked(system_plugin_.c_str(), "", [&] {
    if (moves) move(t, q, v, z);
    if (!begun) {
      if (const Status status = memory_.begin(*this); !status) return status;
    }
    if (missing == 0) return Status::success();
    rows.note(missing, now_.done);
    Status status;
    if (missing & of_rows) status = evaluate_constraints(missing);
    if (status && (missing & evaluate_force)) status = evaluate_forces();
    now_.done = status ? now_.done | missing : 0;
    return status;
  });
}

void ModelPoint::move(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  const bool velocity = v.size > 0;
  if (now_.done == 0) now_.move = ++moves_, ++placements;
  now_.t = t;
  in_parts(workers_, q.size, 8192, [&](Index begin, Index end) {
    std::copy(q.data + begin, q.data + end, now_.q.data() + begin);
    if (velocity) std::copy(v.data + begin, v.data + end, now_.v.data() + begin);
  });
  if (z.size > 0) std::copy(z.data, z.data + z.size, now_.z.begin());
  if (!velocity) std::fill(now_.v.begin(), now_.v.end(), 0.0);
  now_.has_velocity = velocity;
  assembly_.motion.kinematics(q, view(now_.v), states_.data);
}

Status ModelPoint::evaluate_constraints(unsigned parts) {
  if (parts & evaluate_jacobian) ++jacobians;
  const auto wanted = [&](unsigned which, VectorView x) { return (parts & which) != 0 ? x.data : nullptr; };
  double *const Phi = wanted(evaluate_Phi, Phi_), *const nu = wanted(evaluate_nu, nu_),
                *const gamma = wanted(evaluate_gamma, gamma_);
  const bool jacobian = (parts & evaluate_jacobian) != 0, demanded = (parts & evaluate_solve) != 0 && !jacobian;
  const auto rows_of = [](double* x, const ConstraintCall& call) {
    return VectorView{x != nullptr ? x + call.first_row : nullptr, call.rows};
  };
  const ElementRound::Failure failure = constraint_round_.each([&](Index number) {
    const auto i = static_cast<std::size_t>(number);
    ConstraintCall& call = calls_[i];
    call.state.t = now_.t;
    if (memory_.any()) call.state.memory = memory_.of_constraint(i);
    const bool wants_rows = jacobian || (demanded && rows.demands(i));
    const ConstraintOutput out{rows_of(Phi, call), wants_rows ? call.blocks : nullptr, rows_of(nu, call),
                               rows_of(gamma, call)};
    mark_element(call.plugin, call.name);
    return call.constraint->evaluate(call.state, out);
  });
  if (!failure.status) {
    const auto i = static_cast<std::size_t>(failure.call);
    fail(assembly_.constraints[i]);
    return Status::failure(failure.status.code, failure.status.what, calls_[i].first_row, failure.status.value);
  }
  if (held_ != nullptr) held_->take_off(nu, gamma);
  for (std::size_t i = 0; jacobian && i < on_still_bodies_.size(); ++i) {
    const ConstraintSlot& slot = *on_still_bodies_[i];
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      if (slot.bodies[k] < 0 || assembly_.table.turns(slot.bodies[k]) || slot.rows == 0) continue;
      const double* block = jacobian_block(slot, static_cast<Index>(k)).data;
      for (Index row = 0; row < slot.rows; ++row) {
        if (!turns(block + row, slot.rows, assembly_.table.frame_columns())) continue;
        fail(slot);
        return Status::failure(StatusCode::out_of_domain, turns_point_mass);
      }
    }
  }
  return evaluate_intrinsic(parts);
}

Status ModelPoint::evaluate_intrinsic(unsigned parts) {
  const Index rows = assembly_.intrinsic_rows(), first = assembly_.element_rows(), c = assembly_.body_coordinates();
  if (rows == 0) return Status::success();
  if (all_bodies_ != nullptr) {
    const auto wanted = [&](unsigned which, double* out) { return (parts & which) != 0 ? out : nullptr; };
    all_bodies_->evaluate_all(states_.data, rows,
                              {wanted(evaluate_Phi, Phi_.data + first), wanted(evaluate_jacobian, intrinsic_.data),
                               wanted(evaluate_nu, nu_.data + first), wanted(evaluate_gamma, gamma_.data + first)});
    return Status::success();
  }
  for (Index b = 0; b < rows; ++b) {
    const void* state = body_state(assembly_.table.intrinsic_body(b));
    const MatrixView Phi_q{intrinsic_.data + b * c, 1, c, 1};
    ConstraintOutput out;
    if (parts & evaluate_Phi) out.Phi = Phi_.segment(first + b, 1);
    if (parts & evaluate_jacobian) out.Phi_q = &Phi_q;
    if (parts & evaluate_nu) out.nu = nu_.segment(first + b, 1);
    if (parts & evaluate_gamma) out.gamma = gamma_.segment(first + b, 1);
    const Status status = assembly_.system.intrinsic()->evaluate({now_.t, &state, nullptr, nullptr}, out);
    if (!status) return Status::failure(status.code, status.what, first + b, status.value);
  }
  return Status::success();
}

Status ModelPoint::evaluate_forces() {
  Status status = assembly_.motion.force(now_.t, states_.data, Q_);
  if (status && !assembly_.forces.empty()) status = forces_->add(*this, z_rate_.data);
  if (status && extra_ != nullptr) extra_->add(*this, Q_);
  return status;
}

}  // namespace trammel
