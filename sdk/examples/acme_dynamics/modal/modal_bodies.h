// Planar bodies, rigid or beams with one mode: coordinates (x, y, phi) and (x, y, phi, eta).
#pragma once

#include <trammel/extensions/body_frames.h>
#include <trammel/model_info.h>

#include <vector>

#include "beam.h"

namespace acme::modal {

using trammel::BodyShape;
using trammel::ConstVectorView;
using trammel::Index;
using trammel::Status;
using trammel::VectorView;

enum class BodyType : std::int32_t { rigid, beam };
enum class Ends : std::int32_t { clamped, free };

/// Keys of one body in the run file.
struct BodyParameters {
  BodyType type;
  double mass, inertia, length, bending_stiffness, damping;
  Ends ends;
  double position[3], angle, velocity[3], angular_velocity, deflection, deflection_rate;
};

/// Begins with what elements see of a rigid body.
struct State {
  trammel::PlanarBodyState frame;
  double eta, eta_rate;
  const Beam* beam;  ///< nullptr: rigid
};

/// Floating frame of reference: the material point s of a beam is at P = r + s e + psi eta n, with e, n the axes of its
/// frame, its section turned by phi + psi' eta (A. A. Shabana, Dynamics of Multibody Systems (2013), chapter 5). From
/// T = integral P'.P' dm / 2, with S, I, c1, d1, c2 of Beam:
///       [m 1   S n - c1 eta e   c1 n]        [S phi'^2 e + 2 c1 eta' phi' e + c1 eta phi'^2 n]
///   M = [      I + c2 eta^2     d1  ]    Q = [-2 c2 eta eta' phi'                            ] + gravity - k eta - d eta'
///       [sym.                   c2  ]        [c2 eta phi'^2                                  ]
class ModalBodies final : public trammel::BodySystem,
                          trammel::BodyMotion,
                          trammel::BodyOutput,
                          public trammel::BodyFrames {
 public:
  ModalBodies(const double* gravity, const trammel::ModelInfo& model);

  Index coordinates() const override { return 4; }
  const char* coordinate_name(Index k) const override;
  const char* coordinate_unit(Index k) const override { return k == 2 ? "rad" : "m"; }
  void describe(Index body, BodyShape& shape) const override;
  double mass(Index body) const override { return data(body).mass; }
  void initial(Index body, VectorView q, VectorView v) const override;
  Index state_bytes() const override { return static_cast<Index>(sizeof(State)); }
  void ground_state(void* state) const override;
  const trammel::BodyMotion& motion() const override { return *this; }
  const trammel::BodyOutput& output() const override { return *this; }
  // No reduction(): M depends on eta, nothing here forms W_b.

  void kinematics(ConstVectorView q, ConstVectorView v, void* states) const override;
  Status force(double t, const void* states, VectorView Q) const override;
  Status force_gradients(double t, const void* states, double* Q_q, double* Q_v) const override;
  void mass_blocks(const void* states, double* M) const override;
  void apply_mass(const void* states, ConstVectorView x, VectorView out) const override;
  void mass_gradient(const void* states, ConstVectorView x, double* out) const override;
  double kinetic_energy(const void* states) const override;
  double potential_energy(double t, const void* states) const override;

  Index column_count() const override { return 8; }
  const char* column_name(Index k) const override;
  Index acceleration_column_count() const override { return 4; }
  const char* acceleration_column_name(Index k) const override;
  void column_values(const void* state, VectorView out) const override;
  void acceleration_values(const void* state, ConstVectorView a, VectorView out) const override;
  void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
             double* acceleration) const override;
  void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const override;

  bool has_frame(Index body, const double* local) const override;
  void frame(Index body, const double* local, const void* state, void* frame) const override;
  void jacobian(Index body, const double* local, const void* state, double* J, double* kappa) const override;
  void jacobian_gradient(Index body, const double* local, const void* state, const double* x,
                         double* out) const override;
  void transpose_gradient(Index body, const double* local, const void* state, const double* y,
                          double* out) const override;
  void kappa_gradient(Index body, const double* local, const void* state, double* out_q, double* out_v) const override;

 private:
  struct Data {
    const BodyParameters* start;
    double mass, inertia, damping;
    Index width;
    Beam beam;
  };
  const Data& data(Index body) const { return data_[static_cast<std::size_t>(body)]; }

  std::vector<Data> data_;
  double g_[2];
};

}  // namespace acme::modal
