// ExtendedModel: a model whose internal states z are the rates of further coordinates, for views without z.
#pragma once

#include <string>
#include <vector>

#include "model/constrained_model.h"
#include "model/extended_partition.h"
#include "model/extended_state_space.h"
#include "trammel/constrained_system.h"

namespace trammel {

/// Coordinates (q, s) with s' = z: the equations of motion are followed by s'' = z' = g(t, q, v, z),
///   M a + Phi_q^T lambda = Q(t, q, v, s'),  1 s'' = g(t, q, v, s'),  Phi(t, q) = 0.
/// Nothing depends on s. Methods for second-order and index-3 systems carry z like velocities, with their order for
/// velocities, and need to know nothing about it. Implicit solves eliminate z force by force (state_elimination.h).
class ExtendedModel final : public ConstrainedSystem, ConstrainedLinearization, ImplicitSolve {
 public:
  /// [setup] `model` outlives it.
  explicit ExtendedModel(ConstrainedModel& model);

  Index coordinates() const override { return n_ + nz_; }
  Index constraints() const override { return model_.constraints(); }
  Index internal_states() const override { return 0; }
  const char* coordinate_name(Index i) const override {
    return i < n_ ? model_.coordinate_name(i) : names_[static_cast<std::size_t>(i - n_)].c_str();
  }
  const char* row_name(Index i) const override { return model_.row_name(i); }
  bool rheonomic() const override { return model_.rheonomic(); }
  ConstVectorView mask() const override { return {mask_.data(), static_cast<Index>(mask_.size())}; }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView none, unsigned parts) override;
  ConstVectorView Phi() const override { return model_.Phi(); }
  ConstVectorView nu() const override { return model_.nu(); }
  ConstVectorView gamma() const override { return model_.gamma(); }
  ConstVectorView Q() const override { return {Q_.data(), coordinates()}; }
  ConstVectorView z_rate() const override { return {}; }

  void apply_jacobian(ConstVectorView x, VectorView out) const override { model_.apply_jacobian(own(x), out); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override;
  void apply_mass(ConstVectorView x, VectorView out) const override;
  Status factorize(ProjectionWeights weights) override { return model_.factorize(weights); }
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;

  ConstrainedLinearization* linearization() override { return this; }
  ImplicitSolve* implicit_solve() override { return this; }
  Status linearize(ConstVectorView a, ConstVectorView lambda) override {
    return model_.derivatives().linearize(own(a), lambda);
  }
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) override;
  Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) override {
    return model_.derivatives().apply_jacobian_gradient(own(x), own(y), out);
  }
  Status apply_time_jacobian(ConstVectorView y, VectorView out) override {
    return model_.derivatives().apply_time_jacobian(own(y), out);
  }
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override;
  Status prepare(Index first, const Shift* shifts, Index count) override {
    return model_.derivatives().prepare(first, shifts, count);
  }
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                ComplexView lambda) override;

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    return model_.project_positions(t, own(q), weights, tolerance, report);
  }
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override {
    return model_.project_velocities(t, own(q), own(v), weights, report);
  }
  Status project_tangent(VectorView dq) override { return model_.project_tangent(own(dq)); }
  const void* extension(const char* id) const override;

 private:
  /// The part of the bodies, and of s; empty ones stay empty.
  template <class View>
  View own(View x) const {
    return x.size == 0 ? View{} : x.segment(0, n_);
  }
  template <class View>
  View states(View x) const {
    return x.size == 0 ? View{} : x.segment(n_, nz_);
  }

  ConstrainedModel& model_;
  Index n_, nz_;
  std::vector<std::string> names_;
  std::vector<double> mask_;         ///< 2 (n + nz)
  std::vector<double> f_im_, r_im_;  ///< scratch of complex solves
  std::vector<double> Q_, f_, r_;    ///< n + nz; n and nz, scratch
  ExtendedPartition partition_{model_};
  ExtendedVelocityLevel velocity_level_{model_};
  ExtendedReduction reduction_{model_};
  ExtendedStateSpace state_space_{model_};
};

}  // namespace trammel
