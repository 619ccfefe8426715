// The index-3 view as the run hands it to integrators: counted and checked for finite forces.
#pragma once

#include <cmath>

#include "run/plant/plant.h"
#include "trammel/constrained_system.h"

namespace trammel {

/// Counts evaluations of forces, linearizations and implicit factorizations; the rest it hands through.
class CountedConstrained final : public ConstrainedSystem, ConstrainedLinearization, ImplicitSolve {
 public:
  /// All outlive this object. `model` has both roles for implicit methods.
  CountedConstrained(ConstrainedSystem& model, PlantCounters& counters, ImplicitMatrix& matrix)
      : model_(model),
        linearization_(*model.linearization()),
        implicit_(*model.implicit_solve()),
        counters_(counters),
        matrix_(matrix) {}

  Index coordinates() const override { return model_.coordinates(); }
  Index constraints() const override { return model_.constraints(); }
  Index internal_states() const override { return model_.internal_states(); }
  const char* coordinate_name(Index i) const override { return model_.coordinate_name(i); }
  const char* row_name(Index i) const override { return model_.row_name(i); }
  bool rheonomic() const override { return model_.rheonomic(); }
  ConstVectorView mask() const override { return model_.mask(); }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) override {
    const bool forces = (parts & evaluate_force) != 0;
    if (forces) counters_.see(t);
    const Status status = model_.evaluate(t, q, v, z, parts);
    if (!status || !forces || model_.Q().map().allFinite()) return status;
    for (Index i = 0; i < coordinates(); ++i) {
      if (!std::isfinite(Q()[i])) return Status::failure(StatusCode::not_finite, "generalized force", i, Q()[i]);
    }
    return status;
  }
  ConstVectorView Phi() const override { return model_.Phi(); }
  ConstVectorView nu() const override { return model_.nu(); }
  ConstVectorView gamma() const override { return model_.gamma(); }
  ConstVectorView Q() const override { return model_.Q(); }
  ConstVectorView z_rate() const override { return model_.z_rate(); }

  void apply_jacobian(ConstVectorView x, VectorView out) const override { model_.apply_jacobian(x, out); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override {
    model_.apply_jacobian_transpose(y, out);
  }
  void apply_mass(ConstVectorView x, VectorView out) const override { model_.apply_mass(x, out); }
  Status factorize(ProjectionWeights weights) override { return model_.factorize(weights); }
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return model_.solve(f, g, x, lambda);
  }

  ConstrainedLinearization* linearization() override { return this; }
  InternalStateLinearization* internal_linearization() override { return model_.internal_linearization(); }
  ImplicitSolve* implicit_solve() override { return this; }
  Status linearize(ConstVectorView a, ConstVectorView lambda) override {
    ++counters_.jacobians;
    return linearization_.linearize(a, lambda);
  }
  Status apply_linearization(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) override {
    return linearization_.apply_linearization(dq, dv, f, g);
  }
  Status apply_jacobian_gradient(ConstVectorView x, ConstVectorView y, VectorView out) override {
    return linearization_.apply_jacobian_gradient(x, y, out);
  }
  Status apply_time_jacobian(ConstVectorView y, VectorView out) override {
    return linearization_.apply_time_jacobian(y, out);
  }
  Status time_gradients(ConstVectorView a, VectorView Q_t, VectorView Phi_tt, VectorView acceleration_t) override {
    return linearization_.time_gradients(a, Q_t, Phi_tt, acceleration_t);
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    counters_.factorizations += count;
    const Status status = implicit_.prepare(first, shifts, count);
    matrix_ = ImplicitMatrix::of(status, first, shifts, count);
    return status;
  }
  Status solve_implicit(Index handle, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return implicit_.solve_implicit(handle, f, g, x, lambda);
  }
  Status solve_implicit_complex(Index handle, ConstComplexView f, ConstComplexView g, ComplexView x,
                                ComplexView lambda) override {
    return implicit_.solve_implicit_complex(handle, f, g, x, lambda);
  }

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    return model_.project_positions(t, q, weights, tolerance, report);
  }
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override {
    return model_.project_velocities(t, q, v, weights, report);
  }
  Status project_tangent(VectorView dq) override { return model_.project_tangent(dq); }
  const void* extension(const char* id) const override { return model_.extension(id); }

 private:
  ConstrainedSystem& model_;
  ConstrainedLinearization& linearization_;
  ImplicitSolve& implicit_;
  PlantCounters& counters_;
  ImplicitMatrix& matrix_;
};

}  // namespace trammel
