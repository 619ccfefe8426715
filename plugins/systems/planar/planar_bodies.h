// Planar host: rigid bodies with coordinates (x, y, phi), and point masses with (x, y).
#pragma once

#include <vector>

#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/elements/body_runs.h"
#include "trammel/system.h"

namespace trammel::planar {

enum class BodyType : std::int32_t { rigid, point_mass };

/// Keys of one body in the run file.
struct BodyParameters {
  BodyType type;
  double mass;              ///< kg, > 0
  double inertia;           ///< kg m^2, none for a point mass, >= 0, about the centre of mass
  double position[3];       ///< m, two used
  double angle;             ///< rad
  double velocity[3];       ///< m/s, two used
  double angular_velocity;  ///< rad/s
};

struct BodyData {
  double mass;       ///< m, kg
  double inertia;    ///< J, kg m^2
  double weight[2];  ///< m g, N
  double W[2];       ///< 1/sqrt(m), 1/sqrt(J)
  Index width;       ///< 3, or 2 for a point mass
};

/// M = diag(m, m, J), W_b = diag(1/sqrt(m), 1/sqrt(m), 1/sqrt(J)), without the last for a point mass, whose state has the
/// angle 0; no intrinsic constraint, no quadratic velocity terms.
class PlanarBodies final : public BodySystem, BodyMotion, BodyReduction, BodyOutput, public BodyParameterDerivatives {
 public:
  PlanarBodies(const double* gravity, const ModelInfo& model);

  const std::vector<BodyData>& data() const { return data_; }
  const sdk::BodyRuns& runs() const { return runs_; }
  Index coordinates() const override { return 3; }
  const char* coordinate_name(Index k) const override;
  const char* coordinate_unit(Index k) const override { return k < 2 ? "m" : "rad"; }
  void describe(Index body, BodyShape& shape) const override;
  double mass(Index body) const override { return data_[static_cast<std::size_t>(body)].mass; }
  void initial(Index body, VectorView q, VectorView v) const override;
  Index state_bytes() const override { return static_cast<Index>(sizeof(PlanarBodyState)); }
  void ground_state(void* state) const override;
  const BodyMotion& motion() const override { return *this; }
  const BodyOutput& output() const override { return *this; }
  const BodyReduction* reduction() const override { return reducible_ ? this : nullptr; }

  void kinematics(ConstVectorView q, ConstVectorView v, void* states) const override;
  Status force(double t, const void* states, VectorView Q) const override;
  Status force_gradients(double t, const void* states, double* Q_q, double* Q_v) const override;
  void mass_blocks(const void* states, double* M) const override;
  void apply_mass(const void* states, ConstVectorView x, VectorView out) const override;
  void mass_gradient(const void* states, ConstVectorView x, double* out) const override;
  double kinetic_energy(const void* states) const override;
  double potential_energy(double t, const void* states) const override;

  Index reduced_coordinates() const override { return 3; }
  void reduce(const void* states, const ReductionBlock* blocks, Index count) const override;
  void reduce_force(const void* states, ConstVectorView Q, VectorView w) const override;
  void expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const override;

  Index column_count() const override { return 6; }
  const char* column_name(Index k) const override;
  Index acceleration_column_count() const override { return 3; }
  const char* acceleration_column_name(Index k) const override;
  void column_values(const void* state, VectorView out) const override;
  void acceleration_values(const void* state, ConstVectorView a, VectorView out) const override;
  void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
             double* acceleration) const override;
  void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const override;

  Index parameter_count(Index body) const override { return data_[static_cast<std::size_t>(body)].width - 1; }
  const char* parameter_name(Index, Index i) const override { return i == 0 ? "mass" : "inertia"; }
  Status parameter_derivatives(Index body, Index i, double t, const void* state, ConstVectorView a,
                               const BodyDerivatives& out) const override;

 private:
  std::vector<BodyData> data_;
  std::vector<const BodyParameters*> start_;
  sdk::BodyRuns runs_{3, 3, 2};
  bool reducible_ = true;
  std::size_t squares_ = 0;  ///< numbers of all blocks
};

}  // namespace trammel::planar
