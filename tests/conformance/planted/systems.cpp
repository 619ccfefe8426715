// Hosts of bodies with one mistake each, around the built-in planar bodies: type bad_<check>.
#include <trammel/extensions/body_frames.h>
#include <trammel/extensions/free_directions.h>
#include <trammel/extensions/host_services.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <algorithm>
#include <string_view>

#include "planar_bodies.h"

namespace {

using namespace trammel;

enum class Bug {
  none,
  mass,
  mass_gradient,
  force_gradients,
  power,
  reduction,
  frames,
  coordinates,
  numbers,
  twists,
  outputs,
  rows,
  workers
};

/// A mistake in what bodies do.
template <Bug bug>
class PlantedMotion final : public BodyMotion {
 public:
  PlantedMotion(const BodyMotion& inner, const ModelInfo& model)
      : inner_(inner), threads_(find_extension<Workers>(model)->worker_count()) {}

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
    const bool wrong = bug == Bug::mass || (bug == Bug::workers && threads_ > 1);
    return (wrong ? 1.01 : 1.0) * inner_.kinetic_energy(states);
  }
  double potential_energy(double t, const void* states) const override { return inner_.potential_energy(t, states); }

 private:
  const BodyMotion& inner_;
  Index threads_;
};

using PlantedBodiesData = std::vector<planar::BodyData>;

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

/// Twists of planar bodies are their coordinates; with the mistake, rows have the moment about another centre.
class PlantedTwists final : public TwistForm {
 public:
  PlantedTwists(const PlantedBodiesData& data, bool wrong) : data_(data), wrong_(wrong) {}

  Index size() const override { return 3; }
  void inertia(const void*, double* out) const override {
    for (const planar::BodyData& body : data_) *out++ = body.mass, *out++ = body.inertia;
  }
  void wrenches(const void*, ConstVectorView f, double* out) const override {
    for (Index i = 0; i < f.size; ++i) out[i / 3 * 4 + i % 3] = f[i];
  }
  void accelerations(const void*, const double* twists, ConstVectorView, VectorView a) const override {
    for (Index i = 0; i < a.size; ++i) a[i] = twists[i / 3 * 4 + i % 3];
  }
  void rows(const void*, const TwistRows* blocks, Index count) const override {
    for (const TwistRows* block = blocks; block != blocks + count; ++block) {
      for (Index i = 0; i < 3 * block->rows; ++i) block->twist[i % block->rows * 4 + i / block->rows] = block->full[i];
      if (wrong_) block->twist[2] += 0.01 * block->twist[0];
    }
  }

 private:
  const PlantedBodiesData& data_;
  bool wrong_;
};

/// A mistake in the torque that a force stands for.
class PlantedOutput final : public BodyOutput {
 public:
  explicit PlantedOutput(const BodyOutput& inner) : inner_(inner) {}

  Index column_count() const override { return inner_.column_count(); }
  const char* column_name(Index k) const override { return inner_.column_name(k); }
  void column_values(const void* state, VectorView out) const override { inner_.column_values(state, out); }
  void point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
             double* acceleration) const override {
    inner_.point(state, local, a, position, velocity, acceleration);
  }
  void wrench(const void* state, ConstVectorView Q, double* force, double* torque) const override {
    inner_.wrench(state, Q, force, torque);
    torque[2] *= 1.01;
  }

 private:
  const BodyOutput& inner_;
};

/// phi (1 + x) = 0, with half of a derivative.
class PlantedRow final : public Constraint {
 public:
  Index rows() const override { return 1; }
  Index body_count() const override { return 1; }
  BodyRef body(Index) const override { return {}; }
  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override {
    const auto& b = s.body<PlanarBodyState>(0);
    if (out.Phi.data != nullptr) out.Phi[0] = b.phi * (1 + b.r[0]);
    if (out.Phi_q != nullptr) out.Phi_q[0].map() << b.phi, 0, 1 + b.r[0];
    if (out.nu.data != nullptr) out.nu[0] = 0;
    if (out.gamma.data != nullptr) out.gamma[0] = -2 * b.rdot[0] * b.omega;
    return Status::success();
  }
  Status jacobian_gradient(const ElementState&, const ConstVectorView* x, const MatrixView* out) const override {
    out[0].map() << x[0][2], 0, x[0][0];
    return Status::success();
  }
  Status multiplier_gradient(const ElementState&, ConstVectorView lambda, const MatrixView* out) const override {
    out[0].map().setZero();
    out[0](0, 2) = out[0](2, 0) = lambda[0];
    return Status::success();
  }
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override {
    const auto& b = s.body<PlanarBodyState>(0);
    out_q[0].map() << a[0][2], 0, a[0][0];
    out_v[0].map() << b.omega, 0, 2 * b.rdot[0];
    return Status::success();
  }
};

template <Bug bug>
class PlantedBodies final : public BodySystem, public BodyParameterDerivatives, public BodyFrames {
 public:
  PlantedBodies(const double* gravity, const ModelInfo& model)
      : inner_(gravity, model), motion_(inner_.motion(), model), reduction_(inner_.reduction()) {}

  const TwistForm& twists() const { return twists_; }

  Index coordinates() const override { return bug == Bug::coordinates ? 4 : inner_.coordinates(); }
  const char* coordinate_name(Index k) const override { return inner_.coordinate_name(k); }
  const char* coordinate_unit(Index k) const override { return inner_.coordinate_unit(k); }
  const Constraint* intrinsic() const override { return bug == Bug::rows ? &row_ : inner_.intrinsic(); }
  void describe(Index body, BodyShape& shape) const override { inner_.describe(body, shape); }
  double mass(Index body) const override { return inner_.mass(body); }
  void initial(Index body, VectorView q, VectorView v) const override { inner_.initial(body, q, v); }
  Index state_bytes() const override { return inner_.state_bytes(); }
  void ground_state(void* state) const override { inner_.ground_state(state); }
  const BodyMotion& motion() const override { return motion_; }
  const BodyOutput& output() const override {
    if (bug == Bug::outputs) return output_;
    return inner_.output();
  }
  const BodyReduction* reduction() const override {
    if (bug == Bug::rows) return nullptr;
    return bug == Bug::reduction && inner_.reduction() != nullptr ? &reduction_ : inner_.reduction();
  }

  // As if the bodies deformed: the frame at a point s has the place r + A s and the angle of the body.
  bool has_frame(Index, const double* local) const override { return local[2] == 0; }
  void frame(Index, const double* local, const void* state, void* out) const override {
    const Arm s(state, local);
    PlanarBodyState F = *s.body;
    F.r[0] += s.along[0], F.r[1] += s.along[1];
    F.rdot[0] += s.body->omega * s.across[0], F.rdot[1] += s.body->omega * s.across[1];
    *static_cast<PlanarBodyState*>(out) = F;
  }
  void jacobian(Index, const double* local, const void* state, double* J, double* kappa) const override {
    const Arm s(state, local);
    const double columns[] = {1, 0, 0, 0, 1, 0, s.across[0], s.across[1], 1};
    std::copy_n(columns, 9, J);
    if (kappa == nullptr) return;
    const double ww = s.body->omega * s.body->omega;
    kappa[0] = -ww * s.along[0], kappa[1] = -ww * s.along[1], kappa[2] = 0;
  }
  void jacobian_gradient(Index, const double* local, const void* state, const double* x, double* out) const override {
    const Arm s(state, local);
    const double turn = x != nullptr ? x[2] : s.body->omega;
    std::fill_n(out, 9, 0.0);
    out[6] = -turn * s.along[0], out[7] = -turn * s.along[1];
  }
  void transpose_gradient(Index, const double* local, const void* state, const double* y, double* out) const override {
    const Arm s(state, local);
    std::fill_n(out, 9, 0.0);
    out[8] = -s.along[0] * y[0] - s.along[1] * y[1];
  }
  void kappa_gradient(Index, const double* local, const void* state, double* out_q, double* out_v) const override {
    const Arm s(state, local);
    const double w = s.body->omega, twice = bug == Bug::frames ? 1 : 2;
    std::fill_n(out_q, 9, 0.0), std::fill_n(out_v, 9, 0.0);
    for (int k = 0; k < 2; ++k) out_q[6 + k] = -w * w * s.across[k], out_v[6 + k] = -twice * w * s.along[k];
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
  /// From the mass centre to a point: A s and its derivative by the angle.
  struct Arm {
    Arm(const void* state, const double* local)
        : body(static_cast<const PlanarBodyState*>(state)),
          along{body->c * local[0] - body->s * local[1], body->s * local[0] + body->c * local[1]},
          across{-along[1], along[0]} {}
    const PlanarBodyState* body;
    double along[2], across[2];
  };

  planar::PlanarBodies inner_;
  PlantedMotion<bug> motion_;
  PlantedReduction reduction_;
  PlantedOutput output_{inner_.output()};
  PlantedRow row_;
  PlantedTwists twists_{inner_.data(), bug == Bug::twists};
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
    constexpr bool has_frames = bug == Bug::none || bug == Bug::frames;
    constexpr bool has_twists = bug == Bug::none || bug == Bug::twists;
    if (has_twists && std::string_view(id) == TwistForm::id) return &bodies_.twists();
    const void* found = has_numbers ? sdk::offer_extensions<BodyParameterDerivatives>(id, &bodies_) : nullptr;
    return found == nullptr && has_frames ? sdk::offer_extensions<BodyFrames>(id, &bodies_) : found;
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
               planted<Bug::reduction>("bad_body_reduction"), planted<Bug::frames>("bad_body_frames"),
               planted<Bug::coordinates>("bad_coordinates"), planted<Bug::numbers>("bad_numbers"),
               planted<Bug::twists>("bad_body_twists"), planted<Bug::outputs>("bad_body_outputs"),
               planted<Bug::rows>("bad_body_rows"), planted<Bug::workers>("bad_workers"));
