// Plugin `@TYPE@`: a system of bodies to which all elements attach. EDIT: their inertia and own forces.
//
//   Rigid bodies in a plane, q = (x, y, phi), in a field that draws them to the origin:
//   m r'' = m g - k r,  J phi'' = 0                                                                                (1)
//   T = (m r'.r' + J phi'^2) / 2,  V = -m g.r + k r.r / 2                                                           (2)
#include <trammel/body_state.h>
#include <trammel/extensions/system_extensions.h>
#include <trammel/model_info.h>
#include <trammel/sdk/elements/bodies.h>
#include <trammel/sdk/frame_use.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/system.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace trammel;
using State = PlanarBodyState;  // what elements of the host `planar` read

/// EDIT: keys of one body in the run file.
struct BodyParameters {
  double mass, inertia, stiffness;
  double position[3], angle, velocity[3], angular_velocity;
};

/// Vectors have three entries per body, block arrays nine (column-major); every [hot] method is const and allocates nothing.
/// Own forces keep the energy: what takes or gives some is a force element.
class Bodies final : public BodySystem, BodyMotion, BodyOutput {
 public:
  Bodies(const double* gravity, const ModelInfo& model) : g_{gravity[0], gravity[1]} {
    for (Index k = 0; k < model.body_count(); ++k)
      data_.push_back(static_cast<const BodyParameters*>(model.body_parameters(k)));
  }

  Index coordinates() const override { return 3; }
  const char* coordinate_name(Index k) const override { return column_name(k); }
  const char* coordinate_unit(Index k) const override { return k < 2 ? "m" : "rad"; }
  double mass(Index body) const override { return data_[static_cast<std::size_t>(body)]->mass; }
  void initial(Index body, VectorView q, VectorView v) const override {
    const BodyParameters& p = *data_[static_cast<std::size_t>(body)];
    q[0] = p.position[0], q[1] = p.position[1], q[2] = p.angle;
    v[0] = p.velocity[0], v[1] = p.velocity[1], v[2] = p.angular_velocity;
  }
  Index state_bytes() const override { return static_cast<Index>(sizeof(State)); }
  void ground_state(void* state) const override {
    State& ground = *static_cast<State*>(state) = {};
    ground.c = 1;
  }
  const BodyMotion& motion() const override { return *this; }
  const BodyOutput& output() const override { return *this; }

  // BodyMotion.
  void kinematics(ConstVectorView q, ConstVectorView v, void* states) const override {
    for (std::size_t b = 0; b < data_.size(); ++b) {
      const double* x = q.data + 3 * b;
      State& s = static_cast<State*>(states)[b] = {};
      s.r[0] = x[0], s.r[1] = x[1], s.phi = x[2], s.c = std::cos(x[2]), s.s = std::sin(x[2]);
      if (v.data == nullptr) continue;
      s.rdot[0] = v.data[3 * b], s.rdot[1] = v.data[3 * b + 1], s.omega = v.data[3 * b + 2];
    }
  }
  Status force(double, const void* states, VectorView Q) const override {
    for (std::size_t b = 0; b < data_.size(); ++b) {
      const BodyParameters& p = *data_[b];
      for (int k = 0; k < 2; ++k) Q.data[3 * b + k] = p.mass * g_[k] - p.stiffness * at(states, b).r[k];  // EDIT: (1)
      Q.data[3 * b + 2] = 0;
    }
    return Status::success();
  }
  Status force_gradients(double, const void*, double* Q_q, double* Q_v) const override {
    std::fill_n(Q_q, 9 * data_.size(), 0.0), std::fill_n(Q_v, 9 * data_.size(), 0.0);
    for (std::size_t b = 0; b < data_.size(); ++b) Q_q[9 * b] = Q_q[9 * b + 4] = -data_[b]->stiffness;
    return Status::success();
  }
  void mass_blocks(const void*, double* M) const override {
    std::fill_n(M, 9 * data_.size(), 0.0);
    for (std::size_t b = 0; b < data_.size(); ++b) {
      M[9 * b] = M[9 * b + 4] = data_[b]->mass;  // EDIT: blocks may depend on the state; then mass_gradient is not zero
      M[9 * b + 8] = data_[b]->inertia;
    }
  }
  void apply_mass(const void*, ConstVectorView x, VectorView out) const override {
    for (std::size_t b = 0; b < data_.size(); ++b) {
      for (int k = 0; k < 3; ++k) out.data[3 * b + k] = (k < 2 ? data_[b]->mass : data_[b]->inertia) * x.data[3 * b + k];
    }
  }
  void mass_gradient(const void*, ConstVectorView, double* out) const override {
    std::fill_n(out, 9 * data_.size(), 0.0);
  }
  double kinetic_energy(const void* states) const override {
    double sum = 0;
    for (std::size_t b = 0; b < data_.size(); ++b) {
      const State& s = at(states, b);
      sum += data_[b]->mass * (s.rdot[0] * s.rdot[0] + s.rdot[1] * s.rdot[1]) / 2;  // (2)
      sum += data_[b]->inertia * s.omega * s.omega / 2;
    }
    return sum;
  }
  double potential_energy(double, const void* states) const override {
    double sum = 0;
    for (std::size_t b = 0; b < data_.size(); ++b) {
      const double* r = at(states, b).r;
      sum += data_[b]->stiffness * (r[0] * r[0] + r[1] * r[1]) / 2 - data_[b]->mass * (g_[0] * r[0] + g_[1] * r[1]);
    }
    return sum;
  }

  // BodyOutput.
  Index column_count() const override { return 6; }
  const char* column_name(Index k) const override {
    constexpr const char* names[] = {"x", "y", "phi", "vx", "vy", "omega"};
    return names[k];
  }
  void column_values(const void* state, VectorView out) const override {
    const State& s = *static_cast<const State*>(state);
    out[0] = s.r[0], out[1] = s.r[1], out[2] = s.phi, out[3] = s.rdot[0], out[4] = s.rdot[1], out[5] = s.omega;
  }
  void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
             double* acceleration) const override {
    const State& s = *static_cast<const State*>(state);
    const sdk::Vec2<> arm = sdk::rotate(s, sdk::vec2(local)), across = sdk::perp(arm);
    position[2] = velocity[2] = 0;
    sdk::store(sdk::position(s) + arm, position);
    sdk::store(sdk::velocity(s) + s.omega * across, velocity);
    if (a.data == nullptr) return;
    sdk::store(sdk::vec2(a.data) + a[2] * across - (s.omega * s.omega) * arm, acceleration);
    acceleration[2] = 0;
  }
  void wrench(const void*, ConstVectorView Q, double* force, double* torque) const override {
    force[0] = Q[0], force[1] = Q[1], torque[2] = Q[2];
    force[2] = torque[0] = torque[1] = 0;
  }

 private:
  static const State& at(const void* states, std::size_t b) { return static_cast<const State*>(states)[b]; }

  double g_[2];
  std::vector<const BodyParameters*> data_;  ///< they live as long as the system
};

class @CLASS@ final : public System, BodyColumnUnits {
 public:
  struct Parameters {  // EDIT: keys of the system
    double gravity[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Acceleration of gravity.").otherwise("[0, 0]"));
  static constexpr auto body_parameters = sdk::table<BodyParameters>(
      TRAMMEL_FIELD(BodyParameters, mass, "kg", "Mass.").above(0),
      TRAMMEL_FIELD(BodyParameters, inertia, "kg m^2", "Moment of inertia about the centre of mass.").above(0),
      TRAMMEL_FIELD(BodyParameters, stiffness, "N/m", "Stiffness k of the field.").at_least(0).otherwise("0"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, position, "m", "Centre of mass at the start."), FrameUse::of_body)
          .otherwise("[0, 0]"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, angle, "rad", "Angle at the start."), FrameUse::of_body)
          .otherwise("0"),
      sdk::in_frame(TRAMMEL_FIELD(BodyParameters, velocity, "m/s", "Velocity at the start."), FrameUse::global)
          .otherwise("[0, 0]"),
      TRAMMEL_FIELD(BodyParameters, angular_velocity, "rad/s", "Angular velocity at the start.").otherwise("0"));

  @CLASS@(const Parameters& given, const ModelInfo& model) : bodies_(given.gravity, model) {}

  const BodySystem* bodies() const override { return &bodies_; }
  const void* extension(const char* id) const override { return sdk::offer_extensions<BodyColumnUnits>(id, this); }
  const char* column_unit(Index k) const override { return k < 2 ? "m" : k == 2 ? "rad" : k < 5 ? "m/s" : "rad/s"; }
  const char* acceleration_column_unit(Index) const override { return ""; }

 private:
  Bodies bodies_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::planar, "@TYPE@", "Rigid bodies in a plane, drawn to the origin.", ""));
