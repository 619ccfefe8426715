// Inertia data and kernels of the spatial host: everything about one body that its coordinates do not change.
#pragma once

#include <vector>

#include "trammel/extensions/all_bodies.h"
#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/elements/body_runs.h"
#include "trammel/system.h"

namespace trammel::spatial {

enum class BodyType : std::int32_t { rigid, point_mass, massless };

/// Keys of one body in the run file.
struct BodyParameters {
  BodyType type;
  double mass;  ///< kg, > 0; NaN of a massless frame
  Numbers
      inertia;  ///< kg m^2, none for a point mass; 3 principal moments or xx yy zz xy xz yz, body axes, about the centre of mass
  double position[3];          ///< m
  double rotation[4];          ///< Euler parameters
  double velocity[3];          ///< m/s
  double angular_velocity[3];  ///< rad/s, global
};

/// Symmetric 3x3 matrix: xx, yy, zz, xy, xz, yz.
struct Inertia {
  double xx, yy, zz, xy, xz, yz;

  sdk::Vec3<> operator*(const sdk::Vec3<>& a) const {
    return {xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z};
  }
};

struct BodyData {
  double mass;               ///< m, kg
  double inverse_root_mass;  ///< 1/sqrt(m)
  sdk::Vec3<> weight;        ///< m g, N
  Inertia J;                 ///< kg m^2, body axes
  bool point;                ///< a point mass: J = 0
  double R[6];               ///< upper triangle of R with R R^T = J^-1: 00 01 11 02 12 22; unused if J is singular
};

/// Checks mass and inertia, and prepares the constants. Throws Error naming the body. `singular` is set if J is.
BodyData prepare_body(const char* name, const BodyParameters& body, const double* gravity, bool& singular);

/// Euler-parameter normalisation, (p.p - 1)/2 = 0: one row over one rigid body.
class Normalisation final : public Constraint, private AllBodies {
 public:
  /// `runs`: all bodies of the system; they outlive it.
  explicit Normalisation(const sdk::BodyRuns& runs) : runs_(runs) {}
  const void* extension(const char* id) const override;
  Index rows() const override { return 1; }
  Index body_count() const override { return 1; }
  BodyRef body(Index) const override { return {0}; }
  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override;
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override;
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override;
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override;

 private:
  void evaluate_all(const void* states, Index rows, const AllBodiesOutput& out) const override;

  const sdk::BodyRuns& runs_;
};

/// Rigid bodies with Euler parameters and point masses, whose states have the rotation 1; see README.md for the
/// equations.
class SpatialBodies final : public BodySystem, BodyMotion, BodyReduction, BodyOutput, public BodyParameterDerivatives {
 public:
  SpatialBodies(const double* gravity, const ModelInfo& model);
  SpatialBodies(const SpatialBodies&) = delete;
  SpatialBodies& operator=(const SpatialBodies&) = delete;

  const std::vector<BodyData>& data() const { return data_; }
  const sdk::BodyRuns& runs() const { return runs_; }
  Index coordinates() const override { return 7; }
  const char* coordinate_name(Index k) const override;
  const char* coordinate_unit(Index k) const override { return k < 3 ? "m" : "1"; }
  const Constraint* intrinsic() const override { return &normalisation_; }
  void describe(Index body, BodyShape& shape) const override;
  double mass(Index body) const override { return data_[static_cast<std::size_t>(body)].mass; }
  void initial(Index body, VectorView q, VectorView v) const override;
  Index state_bytes() const override { return static_cast<Index>(sizeof(SpatialBodyState)); }
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

  Index reduced_coordinates() const override { return 6; }
  void reduce(const void* states, const ReductionBlock* blocks, Index count) const override;
  void reduce_force(const void* states, ConstVectorView Q, VectorView w) const override;
  void expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const override;
  void intrinsic_multipliers(const void* states, ConstVectorView R, VectorView mu) const override;

  Index column_count() const override { return 13; }
  const char* column_name(Index k) const override;
  Index acceleration_column_count() const override { return 6; }
  const char* acceleration_column_name(Index k) const override;
  void column_values(const void* state, VectorView out) const override;
  void acceleration_values(const void* state, ConstVectorView a, VectorView out) const override;
  void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
             double* acceleration) const override;
  void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const override;

  Index parameter_count(Index body) const override;
  const char* parameter_name(Index body, Index i) const override;
  Status parameter_derivatives(Index body, Index i, double t, const void* state, ConstVectorView a,
                               const BodyDerivatives& out) const override;

 private:
  std::vector<BodyData> data_;
  std::vector<const BodyParameters*> start_;
  sdk::BodyRuns runs_{7, 6, 3};
  Normalisation normalisation_{runs_};
  bool reducible_ = true;
};

}  // namespace trammel::spatial
