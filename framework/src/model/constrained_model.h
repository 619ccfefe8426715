// ConstrainedModel: a model's point with the classes that work there; the kernel's ConstrainedSystem.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/model_derivatives.h"
#include "model/model_parts.h"
#include "trammel/constrained_system.h"

namespace trammel {

/// Only hands through to its parts.
class ConstrainedModel final : public ConstrainedSystem {
 public:
  /// [setup] `assembly` is that of the model unless a test makes another. Throws Error if the linear solver that the
  /// model's run file asks for cannot be used.
  ConstrainedModel(const Assembly& assembly, const Model& model);
  explicit ConstrainedModel(const Model& model);

  Index coordinates() const override { return assembly().coordinates(); }
  Index constraints() const override { return assembly().rows(); }
  Index internal_states() const override { return assembly().internal_states(); }
  const char* coordinate_name(Index i) const override;
  const char* row_name(Index i) const override;
  bool rheonomic() const override { return parts_.point.rheonomic(); }

  Status evaluate(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z, unsigned parts) override {
    return parts_.point.evaluate(t, q, v, z, parts);
  }
  ConstVectorView Phi() const override { return parts_.point.Phi(); }
  ConstVectorView nu() const override { return parts_.point.nu(); }
  ConstVectorView gamma() const override { return parts_.point.gamma(); }
  ConstVectorView Q() const override { return parts_.point.Q(); }
  ConstVectorView z_rate() const override { return parts_.point.z_rate(); }

  void apply_jacobian(ConstVectorView x, VectorView out) const override { parts_.kkt.apply_jacobian(x, out); }
  void apply_jacobian_transpose(ConstVectorView y, VectorView out) const override {
    parts_.kkt.apply_jacobian_transpose(y, out);
  }
  void apply_mass(ConstVectorView x, VectorView out) const override { parts_.kkt.apply_mass(x, out); }
  Status factorize(ProjectionWeights weights) override { return parts_.kkt.factorize(weights); }
  Status solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return parts_.kkt.solve(f, g, x, lambda);
  }

  ConstrainedLinearization* linearization() override { return &derivatives_; }
  InternalStateLinearization* internal_linearization() override { return &derivatives_; }
  ImplicitSolve* implicit_solve() override { return &derivatives_; }

  Status project_positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                           ProjectionReport& report) override {
    return parts_.projection.positions(t, q, weights, tolerance, report);
  }
  Status project_velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                            ProjectionReport& report) override {
    return parts_.projection.velocities(t, q, v, weights, report);
  }
  Status project_tangent(VectorView dq) override { return parts_.projection.tangent(dq); }

  const void* extension(const char* id) const override;

  // Beyond the view: what the kernel itself asks for, at the last evaluation point.
  const Assembly& assembly() const { return parts_.point.assembly(); }
  ModelParts& parts() { return parts_; }
  const ModelParts& parts() const { return parts_; }
  ModelDerivatives& derivatives() { return derivatives_; }
  ModelPoint& point() { return parts_.point; }
  const ModelPoint& point() const { return parts_.point; }
  ModelRank& rank() { return parts_.rank; }
  const ModelRank& rank() const { return parts_.rank; }
  const ModelUnit& unit() const { return parts_.kkt.unit(); }
  /// [step] Counted angles, choice of rows, counters. Restoring forgets the last point.
  void remember(Archive& archive);

 private:
  using Names = std::unordered_map<Index, std::string>;
  mutable Names coordinate_names_, row_names_;  ///< those that somebody asked for: few, in messages
  ModelParts parts_;
  ModelDerivatives derivatives_;
};

}  // namespace trammel
