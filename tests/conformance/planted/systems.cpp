// Hosts of bodies with one mistake each, around the built-in planar bodies: type bad_<check>.
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include "planar_bodies.h"

namespace {

using namespace trammel;

enum class Bug { none, mass, mass_gradient, force_gradients, power, reduction, coordinates, numbers };

/// A mistake in what bodies do.
template <Bug bug>
class PlantedMotion final : public BodyMotion {
 public:
  explicit PlantedMotion(const BodyMotion& inner) : inner_(inner) {}

  void kinematics(ConstVectorView q, ConstVectorView v, void* states) const override {
    inner_.kinematics(q, v, states);
  }
  Status force(double t, const void* states, VectorView Q) const override {
    const Status status = inner_.force(t, states, Q);
    if (bug == Bug::power) Q[0] += 0.1;  // without potential
    return status;
  }
  Status force_gradients(double t, const void* states, double* Q_q, double* Q_v) const override {
    const Status status = inner_.force_gradients(t, states, Q_q, Q_v);
    if (bug == Bug::force_gradients) Q_v[0] -= 0.01;
    return status;
  }
  void mass_blocks(const void* states, double* M) const override { inner_.mass_blocks(states, M); }
  void apply_mass(const void* states, ConstVectorView x, VectorView out) const override {
    inner_.apply_mass(states, x, out);
  }
  void mass_gradient(const void* states, ConstVectorView x, double* out) const override {
    inner_.mass_gradient(states, x, out);
    if (bug == Bug::mass_gradient) out[8] += 0.01;
  }
  double kinetic_energy(const void* states) const override {
    return (bug == Bug::mass ? 1.01 : 1.0) * inner_.kinetic_energy(states);
  }
  double potential_energy(double t, const void* states) const override { return inner_.potential_energy(t, states); }

 private:
  const BodyMotion& inner_;
};

/// A mistake in W_b.
class PlantedReduction final : public BodyReduction {
 public:
  explicit PlantedReduction(const BodyReduction* inner) : inner_(inner) {}

  Index reduced_coordinates() const override { return inner_->reduced_coordinates(); }
  void reduce(const void* states, const ReductionBlock* blocks, Index count) const override {
    inner_->reduce(states, blocks, count);
  }
  void reduce_force(const void* states, ConstVectorView Q, VectorView w) const override {
    inner_->reduce_force(states, Q, w);
  }
  void expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const override {
    inner_->expand(states, w, g, x);
    x.map() *= 1.01;
  }

 private:
  const BodyReduction* inner_;
};

template <Bug bug>
class PlantedBodies final : public BodySystem, public BodyParameterDerivatives {
 public:
  PlantedBodies(const double* gravity, const ModelInfo& model)
      : inner_(gravity, model), motion_(inner_.motion()), reduction_(inner_.reduction()) {}

  Index coordinates() const override { return bug == Bug::coordinates ? 4 : inner_.coordinates(); }
  const char* coordinate_name(Index k) const override { return inner_.coordinate_name(k); }
  const char* coordinate_unit(Index k) const override { return inner_.coordinate_unit(k); }
  void describe(Index body, BodyShape& shape) const override { inner_.describe(body, shape); }
  double mass(Index body) const override { return inner_.mass(body); }
  void initial(Index body, VectorView q, VectorView v) const override { inner_.initial(body, q, v); }
  Index state_bytes() const override { return inner_.state_bytes(); }
  void ground_state(void* state) const override { inner_.ground_state(state); }
  const BodyMotion& motion() const override { return motion_; }
  const BodyOutput& output() const override { return inner_.output(); }
  const BodyReduction* reduction() const override {
    return bug == Bug::reduction && inner_.reduction() != nullptr ? &reduction_ : inner_.reduction();
  }

  Index parameter_count(Index body) const override { return inner_.parameter_count(body); }
  const char* parameter_name(Index body, Index i) const override { return inner_.parameter_name(body, i); }
  Status parameter_derivatives(Index body, Index i, double t, const void* state, ConstVectorView a,
                               const BodyDerivatives& out) const override {
    const Status status = inner_.parameter_derivatives(body, i, t, state, a, out);
    if (bug == Bug::numbers && i == 1 && out.residual.data != nullptr) out.residual[2] *= 2;
    return status;
  }

 private:
  planar::PlanarBodies inner_;
  PlantedMotion<bug> motion_;
  PlantedReduction reduction_;
};

template <Bug bug>
class Planted final : public System {
 public:
  struct Parameters {
    double gravity[3];
  };
  using Body = planar::BodyParameters;
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Gravity.").otherwise("[0, 0]"));
  static constexpr auto body_parameters = sdk::table<Body>(
      TRAMMEL_FIELD(Body, mass, "kg", "Mass.").above(0), TRAMMEL_FIELD(Body, inertia, "kg m^2", "Inertia.").above(0),
      TRAMMEL_FIELD(Body, position, "m", "Centre of mass.").otherwise("[0, 0]"),
      TRAMMEL_FIELD(Body, angle, "rad", "Angle.").otherwise("0"),
      TRAMMEL_FIELD(Body, velocity, "m/s", "Velocity.").otherwise("[0, 0]"),
      TRAMMEL_FIELD(Body, angular_velocity, "rad/s", "Angular velocity.").otherwise("0"));

  Planted(const Parameters& given, const ModelInfo& model) : bodies_(given.gravity, model) {}
  const BodySystem* bodies() const override { return &bodies_; }
  const void* extension(const char* id) const override {
    constexpr bool has_numbers = bug == Bug::none || bug == Bug::numbers;  // the others would fail there as well
    return has_numbers ? sdk::offer_extensions<BodyParameterDerivatives>(id, &bodies_) : nullptr;
  }

 private:
  PlantedBodies<bug> bodies_;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::planar, type, "Bodies with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_systems", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good_bodies"),
               planted<Bug::mass>("bad_body_mass"), planted<Bug::mass_gradient>("bad_body_mass_gradient"),
               planted<Bug::force_gradients>("bad_body_force_gradients"), planted<Bug::power>("bad_body_power"),
               planted<Bug::reduction>("bad_body_reduction"), planted<Bug::coordinates>("bad_coordinates"),
               planted<Bug::numbers>("bad_numbers"));
