// Constraints with one mistake each, for the proof that every check of the kit can fail: type bad_<check>.
#include <trammel/extensions/element_extensions.h>
#include <trammel/extensions/implicit_twists.h>
#include <trammel/extensions/parameter_derivatives.h>
#include <trammel/sdk/elements/auto_constraint.h>
#include <trammel/sdk/elements/auto_velocity_rows.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace {

using namespace trammel;
using State = PlanarBodyState;

enum class Bug {
  none,
  texts,
  create,
  modes,
  hang,
  crash,
  shapes,
  beyond,
  strides,
  repeatable,
  run,
  jacobian,
  velocity,
  gamma,
  jacobian_gradient,
  multiplier_gradient,
  acceleration_gradient_q,
  acceleration_gradient_v,
  time_derivatives,
  invariance,
  workless,
  parameters,
  states,
  numbers,
  twists
};

struct Parameters {
  BodyRefs bodies;
  double length;
};

/// Two points at a fixed distance; with the mistake `invariance` that distance is taken along the global x axis.
class Rod final : public sdk::AutoConstraint<Rod, State, 2, 1> {
 public:
  Rod(const Parameters& p, bool global)
      : AutoConstraint(p.bodies[0], p.bodies[1]), length_(p.length), global_(global) {}

  template <class T>
  void phi(const T&, const sdk::Pose<State, T>* bodies, T* out) const {
    const sdk::Vec2<T> d = bodies[1].point({0.1, 0.2}) - bodies[0].point({0.0, 0.0});
    out[0] = (global_ ? d.x : norm(d)) - length_;
  }

 private:
  double length_;
  bool global_;
};

int created = 0;
volatile int forever = 1;

template <Bug bug>
class Planted final : public Constraint, private ConstraintParameterDerivatives, private MultiplierTwists {
 public:
  using Parameters = ::Parameters;
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
                             TRAMMEL_FIELD(Parameters, length, "m", "Distance."));

  explicit Planted(const Parameters& p) : rod_(p, bug == Bug::invariance), length_(p.length) {
    if (bug == Bug::create && ++created > 1) throw std::runtime_error("there is one already");
    if (bug == Bug::parameters && !(length_ > 0)) std::abort();
  }
  const void* extension(const char* id) const override {
    constexpr bool has_numbers = bug == Bug::none || bug == Bug::numbers;  // the others would fail there as well
    constexpr bool has_twists = bug == Bug::none || bug == Bug::twists;
    const void* found = has_numbers ? sdk::offer_extensions<ConstraintParameterDerivatives>(id, this) : nullptr;
    return found == nullptr && has_twists ? sdk::offer_extensions<MultiplierTwists>(id, this) : found;
  }
  Index rows() const override { return 1; }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return rod_.body(i); }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override {
    if (bug == Bug::modes) std::fesetround(FE_UPWARD);
    while (bug == Bug::hang && forever != 0) {
    }
    if (bug == Bug::crash) *static_cast<volatile int*>(nullptr) = 1;
    if (bug == Bug::states && std::abs(s.body<State>(1).r[0]) > 1e3) std::abort();
    ConstraintOutput wanted = out;
    if (bug == Bug::shapes) wanted.gamma = {};
    const Status status = rod_.evaluate(s, wanted);
    if (out.Phi.data != nullptr) {
      if (bug == Bug::beyond) out.Phi.data[1] = 0;
      if (bug == Bug::repeatable) out.Phi[0] += 1e-16 * ++evaluations_;
    }
    if (out.Phi_q != nullptr) {
      for (Index b = 0; b < 2; ++b) {
        const MatrixView& block = out.Phi_q[b];
        if (!block) continue;
        if (bug == Bug::jacobian && b == 1) block(0, 0) += 0.01;
        if (bug == Bug::workless && body(b).is_ground()) block.map().setZero();
        if (bug == Bug::strides) block.data[1] = block(0, 1);  // as if there were no gaps between columns
      }
    }
    if (out.nu.data != nullptr && bug == Bug::velocity) out.nu[0] = 1e-5;
    if (out.gamma.data != nullptr && bug == Bug::gamma) out.gamma[0] *= 1.01;
    return status;
  }
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override {
    const Status status = rod_.jacobian_gradient(s, x, out);
    if (bug == Bug::jacobian_gradient && out[1]) out[1](0, 2) += 0.01;
    return status;
  }
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override {
    const Status status = rod_.multiplier_gradient(s, lambda, out);
    if (bug == Bug::multiplier_gradient && out[3]) out[3](2, 2) += 0.01;
    return status;
  }
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override {
    const Status status = rod_.acceleration_gradient(s, a, out_q, out_v);
    if (bug == Bug::acceleration_gradient_q && out_q[1]) out_q[1](0, 2) += 0.01;
    if (bug == Bug::acceleration_gradient_v && out_v[1]) out_v[1](0, 2) += 0.01;
    return status;
  }
  Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                          const ConstraintTimeDerivatives& out) const override {
    const Status status = rod_.time_derivatives(s, a, out);
    if (bug == Bug::time_derivatives && out.Phi_tt.data != nullptr) out.Phi_tt[0] += 0.1;
    return status;
  }

 private:
  Index parameter_count() const override { return 1; }
  const char* parameter_name(Index) const override { return "length"; }
  Status parameter_derivatives(Index, const ElementState&, const ConstVectorView*, ConstVectorView,
                               const RowDerivatives& out) const override {
    if (out.Phi.data != nullptr) out.Phi[0] = bug == Bug::numbers ? 1 : -1;
    if (out.velocity.data != nullptr) out.velocity[0] = 0;
    if (out.acceleration.data != nullptr) out.acceleration[0] = 0;
    for (Index b = 0; out.force != nullptr && b < 2; ++b) {
      if (out.force[b].data != nullptr) out.force[b].map().setZero();
    }
    return Status::success();
  }

  bool couples() const override { return true; }
  void add_multiplier_twists(const ElementState& s, ConstVectorView lambda, double scale,
                             double* const* blocks) const override {
    double numbers[4][9] = {};
    MatrixView views[4];
    for (Index k = 0; k < 4; ++k) {
      if (blocks[k] != nullptr) views[k] = {numbers[k], 3, 3, 3};
    }
    if (!rod_.multiplier_gradient(s, lambda, views)) return;
    for (Index k = 0; k < 4; ++k) {
      for (Index i = 0; blocks[k] != nullptr && i < 9; ++i)  // twists of planar bodies are their coordinates
        blocks[k][i / 3 * 4 + i % 3] += (bug == Bug::twists ? 1.01 : 1) * scale * numbers[k][i];
    }
  }

  Rod rod_;
  double length_;
  mutable int evaluations_ = 0;
};

/// A right rod with a coordinate whose gamma is wrong.
class WrongCoordinate final : public Constraint, private JointCoordinates {
 public:
  using Parameters = ::Parameters;
  static constexpr auto parameters = Planted<Bug::none>::parameters;
  explicit WrongCoordinate(const Parameters& p) : rod_(p), coordinate_(p) {}

  const void* extension(const char* id) const override { return sdk::offer_extensions<JointCoordinates>(id, this); }
  Index rows() const override { return 1; }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return rod_.body(i); }
  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override { return rod_.evaluate(s, out); }
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override {
    return rod_.jacobian_gradient(s, x, out);
  }
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override {
    return rod_.multiplier_gradient(s, lambda, out);
  }
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override {
    return rod_.acceleration_gradient(s, a, out_q, out_v);
  }
  Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                          const ConstraintTimeDerivatives& out) const override {
    return rod_.time_derivatives(s, a, out);
  }

 private:
  Index coordinate_count() const override { return 1; }
  const char* coordinate_name(Index) const override { return "displacement"; }
  const Constraint& coordinate(Index) const override { return coordinate_; }

  Planted<Bug::none> rod_;
  Planted<Bug::gamma> coordinate_;
};

/// A row that holds for velocities only and says nothing.
class Idle final : public sdk::VelocityOnlyConstraint<2>, public sdk::AutoVelocityRows<Idle, State, 2, 1> {
 public:
  using Parameters = ::Parameters;
  static constexpr auto parameters = Planted<Bug::none>::parameters;
  explicit Idle(const Parameters& p) : VelocityOnlyConstraint(p.bodies[0], p.bodies[1]) {}

  template <class T>
  void velocity_residual(const T&, const sdk::Motion<State, T>* bodies, T* out) const {
    out[0] = 0.0 * bodies[1].point_velocity({0.0, 0.0}).x;
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<VelocityRows>(id, this); }
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type, const char* summary = "A constraint with a mistake.") {
  return sdk::component<Planted<bug>>(Host::planar, type, summary);
}

}  // namespace

TRAMMEL_PLUGIN("planted_constraints", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"),
               planted<Bug::texts>("bad_texts", "no sentence"), planted<Bug::create>("bad_create"),
               planted<Bug::modes>("bad_modes"), planted<Bug::hang>("bad_hang"), planted<Bug::crash>("bad_crash"),
               planted<Bug::shapes>("bad_shapes"), planted<Bug::beyond>("bad_beyond"),
               planted<Bug::strides>("bad_strides"), planted<Bug::repeatable>("bad_repeatable"),
               planted<Bug::run>("bad_run"), planted<Bug::jacobian>("bad_jacobian"),
               planted<Bug::velocity>("bad_velocity"), planted<Bug::gamma>("bad_gamma"),
               planted<Bug::jacobian_gradient>("bad_jacobian_gradient"),
               planted<Bug::multiplier_gradient>("bad_multiplier_gradient"),
               planted<Bug::acceleration_gradient_q>("bad_acceleration_gradient_q"),
               planted<Bug::acceleration_gradient_v>("bad_acceleration_gradient_v"),
               planted<Bug::time_derivatives>("bad_time_derivatives"), planted<Bug::invariance>("bad_invariance"),
               planted<Bug::workless>("bad_workless"), planted<Bug::parameters>("bad_parameters"),
               planted<Bug::states>("bad_states"), planted<Bug::numbers>("bad_numbers"),
               planted<Bug::twists>("bad_joint_twists"),
               sdk::component<WrongCoordinate>(Host::planar, "bad_inner_rows", "A constraint with a mistake."),
               sdk::component<Idle>(Host::planar, "bad_velocity_rows", "A constraint with a mistake."));
