// Evaluation of an assembly at a point, and the KKT solves there.
#include "model/constrained_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/sizes.h"
#include "model/solver_choice.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

bool same(ConstVectorView a, const std::vector<double>& b) { return std::equal(a.data, a.data + a.size, b.begin()); }

VectorView part(std::vector<double>& x, Index start, Index size) { return {x.data() + start, size}; }

}  // namespace

ConstrainedModel::ConstrainedModel(const Assembly& assembly, LinearSolver solver)
    : assembly_(assembly),
      system_plugin_(assembly.system_plugin),
      linearization_(assembly),
      internal_linearization_(assembly) {
  const BodySystem& system = assembly.system;
  const Index n = assembly.coordinates(), m = assembly.rows(), c = assembly.body_coordinates();
  for (Index i = 0; i < n; ++i) coordinate_names_.push_back(assembly.coordinate_name(i));
  for (Index i = 0; i < m; ++i) row_names_.push_back(assembly.row_name(i));
  for (const ConstraintSlot& slot : assembly.constraints) rheonomic_ = rheonomic_ || slot.constraint->rheonomic();

  for (auto* x : {&q_, &v_, &Q_, &power_, &work_n_, &work_n2_, &zero_n_}) x->assign(count(n), 0.0);
  for (auto* x : {&Phi_, &nu_, &gamma_, &work_m_}) x->assign(count(m), 0.0);
  z_.assign(count(assembly.internal_states()), 0.0);
  z_rate_ = z_;
  angle_references_.assign(count(assembly.angles()), 0.0);
  state_doubles_ = (system.state_bytes() + 7) / 8;
  states_.assign(count((assembly.bodies() + 1) * state_doubles_), 0.0);
  system.ground_state(states_.data() + assembly.bodies() * state_doubles_);
  if (system.state_bytes() != state_doubles_ * 8) {
    throw Error(ErrorKind::plugin, "the system's body state must be a whole number of doubles");
  }
  Phi_q_.assign(count(assembly.full_block_size()), 0.0);
  reduced_.assign(count(assembly.reduced_block_size()), 0.0);
  intrinsic_.assign(count(assembly.intrinsic_rows() * c), 0.0);
  mass_.assign(count(assembly.bodies() * c * c), 0.0);
  bind_elements();
  if (system.intrinsic() != nullptr) all_bodies_ = find_extension<AllBodies>(*system.intrinsic());

  kkt_.bodies = assembly.bodies();
  kkt_.coordinates = c;
  kkt_.reduced_coordinates = system.reduced_coordinates();
  kkt_.rows = assembly.element_rows();
  kkt_.intrinsic_rows = assembly.intrinsic_rows();
  kkt_.blocks = assembly.blocks.data();
  kkt_.block_count = static_cast<Index>(assembly.blocks.size());
  kkt_.Phi_q = Phi_q_.data();
  kkt_.reduced = reduced_.data();
  kkt_.intrinsic = intrinsic_.data();
  kkt_.weight = mass_.data();
  kkt_.system = &system;
  kkt_.states = states_.data();

  dropped_.assign(count(m), 0);
  weak_ = dropped_;
  kkt_.dropped = dropped_.data();
  mass_solver_ = choose_mass_solver(solver, kkt_);
  identity_solver_ = choose_identity_solver(kkt_, row_space_);
  sparse_watch_.analyse(kkt_);
}

void ConstrainedModel::bind_elements() {
  const Index c = assembly_.body_coordinates();
  for (const ConstraintSlot& slot : assembly_.constraints) {
    attached_of_constraint_.push_back(static_cast<Index>(attached_.size()));
    Index block = slot.first_block;
    for (Index body : slot.bodies) {
      attached_.push_back(body_state(body));
      MatrixView view;
      if (body >= 0 && slot.rows > 0)
        view = {Phi_q_.data() + assembly_.blocks[count(block++)].offset, slot.rows, c, slot.rows};
      block_views_.push_back(view);
    }
  }
  for (const ForceSlot& slot : assembly_.forces) {
    attached_of_force_.push_back(static_cast<Index>(attached_.size()));
    for (Index body : slot.bodies) {
      attached_.push_back(body_state(body));
      force_views_.push_back(body >= 0 ? part(Q_, body * c, c) : VectorView{});
      power_views_.push_back(body >= 0 ? part(power_, body * c, c) : VectorView{});
    }
  }
  for (const ConstraintSlot& slot : assembly_.constraints) {
    const Index attached = attached_of_constraint_[calls_.size()];
    calls_.push_back({slot.constraint, slot.plugin.c_str(), slot.name.c_str(), element_state(slot),
                      block_views_.data() + attached, slot.first_row, slot.rows});
  }
  for (const JacobianBlock& block : assembly_.blocks) {
    reductions_.push_back(
        {block.body, block.rows, Phi_q_.data() + block.offset, reduced_.data() + block.reduced_offset});
  }
}

const void* ConstrainedModel::body_state(Index body) const {
  return states_.data() + (body >= 0 ? body : assembly_.bodies()) * state_doubles_;
}

ElementState ConstrainedModel::element_state(const ConstraintSlot& slot) const {
  const auto index = count(static_cast<Index>(&slot - assembly_.constraints.data()));
  return {t_, attached_.data() + attached_of_constraint_[index], angle_references_.data() + slot.first_angle, nullptr};
}

ElementState ConstrainedModel::element_state(const ForceSlot& slot) const {
  const auto index = count(static_cast<Index>(&slot - assembly_.forces.data()));
  return {t_, attached_.data() + attached_of_force_[index], angle_references_.data() + slot.first_angle,
          z_.data() + slot.first_z};
}

Status ConstrainedModel::evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) {
  if (settling_damping_ > 0) t = settling_time_;
  constexpr unsigned of_position = evaluate_Phi | evaluate_jacobian | evaluate_nu;  // which velocities do not change
  const bool velocity = v.size > 0, moved = !(t == t_ && same(q, q_) && same(z, z_));
  const bool other_velocity = velocity && !(has_velocity_ && same(v, v_));
  if (moved)
    done_ = 0;
  else if (other_velocity)
    done_ &= of_position;
  if (done_ == 0 || other_velocity) {
    if (done_ == 0) factorized_ = factorized_identity_ = false;
    t_ = t;
    std::copy(q.data, q.data + q.size, q_.begin());
    if (z.size > 0) std::copy(z.data, z.data + z.size, z_.begin());
    if (velocity) std::copy(v.data, v.data + v.size, v_.begin());
    if (!velocity) std::fill(v_.begin(), v_.end(), 0.0);
    has_velocity_ = velocity;
    const ElementMark mark(system_plugin_.c_str(), "");
    assembly_.system.kinematics(q, view(v_), states_.data());
  }
  const unsigned missing = parts & ~done_;
  if (missing == 0) return Status::success();
  const ElementMark mark(system_plugin_.c_str(), "");
  if (missing & (evaluate_Phi | evaluate_jacobian | evaluate_nu | evaluate_gamma)) {
    const Status status = evaluate_constraints(missing);
    if (!status) {
      done_ = 0;
      return status;
    }
  }
  if (missing & evaluate_force) {
    const Status status = evaluate_forces();
    if (!status) {
      done_ = 0;
      return status;
    }
  }
  done_ |= missing;
  return Status::success();
}

Status ConstrainedModel::evaluate_constraints(unsigned parts) {
  if (parts & evaluate_jacobian) ++jacobians;
  const auto wanted = [&](unsigned which, std::vector<double>& x) { return (parts & which) != 0 ? x.data() : nullptr; };
  double *const Phi = wanted(evaluate_Phi, Phi_), *const nu = wanted(evaluate_nu, nu_),
                *const gamma = wanted(evaluate_gamma, gamma_);
  const bool jacobian = (parts & evaluate_jacobian) != 0;
  const auto rows_of = [](double* x, const ConstraintCall& call) {
    return VectorView{x != nullptr ? x + call.first_row : nullptr, call.rows};
  };
  for (ConstraintCall& call : calls_) {
    call.state.t = t_;
    const ConstraintOutput out{rows_of(Phi, call), jacobian ? call.blocks : nullptr, rows_of(nu, call),
                               rows_of(gamma, call)};
    mark_element(call.plugin, call.name);
    const Status status = call.constraint->evaluate(call.state, out);
    if (!status) {
      failed_ = &assembly_.constraints[static_cast<std::size_t>(&call - calls_.data())];
      return Status::failure(status.code, status.what, call.first_row, status.value);
    }
  }
  for (std::size_t r = 0; r < held_nu_.size(); ++r) {
    if (nu != nullptr) nu[r] -= held_nu_[r];
    if (gamma != nullptr) gamma[r] -= held_gamma_[r];
  }
  return evaluate_intrinsic(parts);
}

Status ConstrainedModel::hold_drivers(double t, ConstVectorView q) {
  held_nu_.clear(), held_gamma_.clear();
  std::vector<double> rest(v_.size(), 0.0), z = z_;
  done_ = 0;
  const Status status = evaluate(t, q, view(rest), view(z), evaluate_nu | evaluate_gamma);
  const auto elements = static_cast<std::ptrdiff_t>(assembly_.element_rows());
  held_nu_.assign(nu_.begin(), nu_.begin() + elements);
  held_gamma_.assign(gamma_.begin(), gamma_.begin() + elements);
  done_ = 0;
  return status;
}

Status ConstrainedModel::evaluate_intrinsic(unsigned parts) {
  const Index rows = assembly_.intrinsic_rows(), first = assembly_.element_rows(), c = assembly_.body_coordinates();
  if (all_bodies_ != nullptr) {
    const auto wanted = [&](unsigned which, double* out) { return (parts & which) != 0 ? out : nullptr; };
    all_bodies_->evaluate_all(states_.data(), rows,
                              {wanted(evaluate_Phi, Phi_.data() + first), wanted(evaluate_jacobian, intrinsic_.data()),
                               wanted(evaluate_nu, nu_.data() + first), wanted(evaluate_gamma, gamma_.data() + first)});
    return Status::success();
  }
  for (Index b = 0; b < rows; ++b) {
    const void* state = body_state(b);
    const MatrixView Phi_q{intrinsic_.data() + b * c, 1, c, 1};
    ConstraintOutput out;
    if (parts & evaluate_Phi) out.Phi = part(Phi_, first + b, 1);
    if (parts & evaluate_jacobian) out.Phi_q = &Phi_q;
    if (parts & evaluate_nu) out.nu = part(nu_, first + b, 1);
    if (parts & evaluate_gamma) out.gamma = part(gamma_, first + b, 1);
    const Status status = assembly_.system.intrinsic()->evaluate({t_, &state, nullptr, nullptr}, out);
    if (!status) return Status::failure(status.code, status.what, first + b, status.value);
  }
  return Status::success();
}

Status ConstrainedModel::evaluate_forces() {
  Status status = assembly_.system.force(t_, states_.data(), part(Q_, 0, assembly_.coordinates()));
  if (!status) return status;
  const VectorView* views = force_views_.data();
  for (const ForceSlot& slot : assembly_.forces) {
    const ElementState s = element_state(slot);
    mark_element(slot.plugin.c_str(), slot.name.c_str());
    status = slot.force->force(s, views);
    if (status && slot.force->internal_states() > 0) {
      status = slot.force->internal_rate(s, part(z_rate_, slot.first_z, slot.force->internal_states()));
    }
    if (!status) {
      failed_ = &slot;
      return status;
    }
    views += slot.bodies.size();
  }
  if (settling_damping_ > 0) {
    settling_force_.resize(v_.size());
    const VectorView Mv = part(settling_force_, 0, assembly_.coordinates());
    apply_mass(view(v_), Mv);
    part(Q_, 0, assembly_.coordinates()).map() -= settling_damping_ * Mv.map();
  }
  return Status::success();
}

void ConstrainedModel::apply_jacobian(ConstVectorView x, VectorView out) const {
  row_space_.apply(kkt_, x.data, out.data);
}

void ConstrainedModel::apply_jacobian_transpose(ConstVectorView y, VectorView out) const {
  row_space_.apply_transpose(kkt_, y.data, out.data);
}

void ConstrainedModel::apply_mass(ConstVectorView x, VectorView out) const {
  assembly_.system.apply_mass(states_.data(), x, out);
}

Status ConstrainedModel::factorize(ProjectionWeights weights) {
  factor_ = weights;
  bool& done = weights == ProjectionWeights::mass ? factorized_ : factorized_identity_;
  if (done) return Status::success();
  KktSolver& solver = weights == ProjectionWeights::mass ? *mass_solver_ : *identity_solver_;
  if (weights == ProjectionWeights::mass) {
    if (solver.uses_reduced()) {
      assembly_.system.reduce(states_.data(), reductions_.data(), static_cast<Index>(reductions_.size()));
    } else {
      assembly_.system.mass_blocks(states_.data(), mass_.data());
    }
  }
  ++factorizations;
  kkt_.dropped = dropped_.data();
  const auto looked_at = [&]() -> const KktMatrix& {
    return weights == ProjectionWeights::mass ? kkt_ : row_space_.unit().scaled(kkt_);
  };
  Status status = solver.factorize(looked_at());
  if (status.code == StatusCode::singular && (status = find_weak_rows(status))) status = solver.factorize(looked_at());
  if (status && weights == ProjectionWeights::mass) keep_rows_of_light_bodies();
  done = status.ok();
  if (const RankWatch* watch = solver.watch(); done && watch != nullptr) {
    if (watch->smallest_kept < closest_.smallest_kept) {
      closest_.smallest_kept = watch->smallest_kept, closest_.smallest_kept_row = watch->smallest_kept_row;
    }
    if (watch->weak > closest_.weak) closest_.weak = watch->weak, closest_.weak_row = watch->weak_row;
  }
  return status;
}

// Solvers that do not look at rows one by one learn from the row space which ones to leave out here.
Status ConstrainedModel::find_weak_rows(const Status& singular) {
  const Status status = row_space_.factorize(row_space_.unit().scaled(kkt_));
  if (!status) return status;
  const RankWatch watch = row_space_.watch();
  if (watch.weak == 0) return singular;
  for (Index r = 0; r < kkt_.rows; ++r) weak_[count(r)] = row_space_.left_out(r) ? 1 : 0;
  kkt_.dropped = weak_.data();
  closest_.weak = std::max(closest_.weak, watch.weak), closest_.weak_row = watch.weak_row;
  return status;
}

Status ConstrainedModel::solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  KktSolver& solver = factor_ == ProjectionWeights::mass ? *mass_solver_ : *identity_solver_;
  return factor_ == ProjectionWeights::mass ? solver.solve(kkt_, f, g, x, lambda)
                                            : row_space_.unit().solve(solver, kkt_, f, g, x, lambda);
}

void ConstrainedModel::initial_internal(VectorView z) {
  for (const ForceSlot& slot : assembly_.forces) {
    if (const Index size = slot.force->internal_states(); size > 0) {
      slot.force->initial_internal_states(z.segment(slot.first_z, size));
    }
    if (slot.angles != nullptr) slot.angles->initial(part(angle_references_, slot.first_angle, slot.angles->count()));
  }
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (slot.angles != nullptr) slot.angles->initial(part(angle_references_, slot.first_angle, slot.angles->count()));
  }
  invalidate();
}

void ConstrainedModel::update_angle_references() {
  // Unwrapped values are the same against the old and the new references, so what was computed stays valid.
  for (const ConstraintSlot& slot : assembly_.constraints) {
    if (slot.angles == nullptr) continue;
    slot.angles->angles(element_state(slot), part(angle_references_, slot.first_angle, slot.angles->count()));
  }
  for (const ForceSlot& slot : assembly_.forces) {
    if (slot.angles == nullptr) continue;
    slot.angles->angles(element_state(slot), part(angle_references_, slot.first_angle, slot.angles->count()));
  }
}

}  // namespace trammel
