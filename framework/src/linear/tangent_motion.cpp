// Tangents of states, and their rates.
#include "linear/tangent_motion.h"

#include "model/constrained_model.h"

namespace trammel {
namespace {

VectorView column_view(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// M da + Phi_q^T dlambda = -f, Phi_q da = -g, with f and g of `apply_linearization` and of internal states.
Status find_tangent_rates(ConstrainedModel& model, TangentMotion& motion) {
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  Status status = model.factorize(ProjectionWeights::mass);
  motion.rate.setZero(motion.dy.rows(), motion.dy.cols());
  Eigen::VectorXd f(n), of_states(n), g(m);
  for (Eigen::Index k = 0; status && k < motion.dy.cols(); ++k) {
    double* const column = motion.dy.data() + k * motion.dy.rows();
    double* const rate = motion.rate.data() + k * motion.rate.rows();
    const VectorView dq{column, n}, dv{column + n, n}, dz{column + 2 * n, nz};
    status = model.derivatives().apply_linearization(dq, dv, column_view(f), column_view(g));
    if (status && nz > 0) {
      status = model.derivatives().apply_internal_linearization(dq, dv, dz, column_view(of_states), {rate + 2 * n, nz});
      f += of_states;
    }
    f = -f, g = -g;
    if (status) status = model.solve(column_view(f), column_view(g), {rate + n, n}, {});
    motion.rate.col(k).head(n) = motion.dy.col(k).segment(n, n);
  }
  return status;
}

}  // namespace

// Phi_u T_u = -Phi_w, T_w = I; Phi_u V_u = -((Phi_q v)_q + Phi_tq) T, V_w = 0 (sdk/formulations/state_space.h).
Status find_tangent(ConstrainedModel& model, ConstVectorView v, TangentMotion& motion) {
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  ModelPartition& partition = model.parts().partition;
  Eigen::VectorXd marks = Eigen::VectorXd::Zero(n), T(n), V(n), rows(m), more(m);
  Status status = partition.choose_partition({}, column_view(marks));
  if (status) status = partition.factorize_dependent(column_view(marks));
  if (!status) return status;
  motion.independent.clear();
  for (Index i = 0; i < n; ++i) {
    if (marks[i] != 0) motion.independent.push_back(i);
  }
  const auto d = static_cast<Index>(motion.independent.size());
  motion.dy.setZero(2 * n + nz, 2 * d + nz);
  for (Index k = 0; status && k < d; ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, motion.independent[static_cast<std::size_t>(k)]);
    model.apply_jacobian(column_view(unit), column_view(rows));
    rows *= -1;
    partition.solve_dependent(column_view(rows), column_view(T));
    T += unit;
    status = model.derivatives().apply_jacobian_gradient(v, column_view(T), column_view(rows));
    if (status) status = model.derivatives().apply_time_jacobian(column_view(T), column_view(more));
    rows = -rows - more;
    partition.solve_dependent(column_view(rows), column_view(V));
    motion.dy.col(k) << T, V, Eigen::VectorXd::Zero(nz);
    motion.dy.col(d + k) << Eigen::VectorXd::Zero(n), T, Eigen::VectorXd::Zero(nz);
  }
  motion.dy.bottomRightCorner(nz, nz).setIdentity();
  return status;
}

Status find_tangent_motion(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                           TangentMotion& motion) {
  if (model.assembly().velocity_rows() > 0)
    return Status::failure(StatusCode::unsupported, "small motions with rows that hold for velocities only are");
  Eigen::VectorXd lambda(model.constraints());
  motion.a.resize(model.coordinates());
  Status status = model.evaluate(t, q, v, z, evaluate_dynamics | evaluate_nu | evaluate_Phi);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status) status = model.solve(model.Q(), model.gamma(), column_view(motion.a), column_view(lambda));
  if (status) status = model.derivatives().linearize(column_view(motion.a), column_view(lambda));
  if (status) status = find_tangent(model, v, motion);
  if (status) status = find_tangent_rates(model, motion);
  return status;
}

}  // namespace trammel
