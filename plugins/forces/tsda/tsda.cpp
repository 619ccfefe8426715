// Plugin: translational spring-damper between two points, spatial and planar.
#include <string>
#include <type_traits>

#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/static_potential.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/elements/fused_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/elements/law_switches.h"
#include "trammel/sdk/elements/scalar_channels.h"
#include "trammel/sdk/elements/scalar_force.h"
#include "trammel/sdk/elements/scalar_law.h"
#include "trammel/sdk/elements/two_body_force.h"
#include "trammel/sdk/plugin.h"
#include "tsda_numbers.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2 and chapter 11.
//   Q = -F(l, l', t) l_q, tension positive, F and the energy account as scalar_law.h says                         (1)
// l = 0 has no direction. Where the elastic force vanishes there it is E_l d, hence zero, and the damper's is taken as
// zero; otherwise the force is not defined and the evaluation fails (out_of_domain).
namespace trammel::tsda {

struct Parameters {
  sdk::TwoBodies two;
  sdk::EndPoints ends;
  sdk::LawKeys law;
  FunctionRef free_length;
  sdk::Side one_sided;
};

constexpr auto law_fields = sdk::group(
    TRAMMEL_FIELD(sdk::LawKeys, stiffness, "N/m", "Stiffness k.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, damping, "N s/m", "Damping c.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, spring, "N over m", "Spring force as a function of the stretch l - free_length.")
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, damper, "N over m/s", "Damper force as a function of the rate l'.").optional(),
    TRAMMEL_FIELD(sdk::LawKeys, law, "N over l m, length m, rate m/s, t s",
                  "Force as a formula of l (or length), rate, t and signals; positive pulls the points together.")
        .expression()
        .optional(),
    TRAMMEL_FIELD(sdk::LawKeys, friction, "N", "Dry friction F_c, smoothed: F_c tanh(l'/friction_speed).")
        .at_least(0)
        .otherwise("0"),
    TRAMMEL_FIELD(sdk::LawKeys, friction_speed, "m/s", "Rate over which dry friction builds up.")
        .above(0)
        .otherwise("0.001"));

template <const char* zero>
constexpr auto tsda_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
    TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<zero>), TRAMMEL_EMBED(Parameters, law, law_fields),
    TRAMMEL_FIELD(Parameters, free_length, "m over s",
                  "Length at which the spring is free of force, may depend on time; 0 if left out.")
        .optional(),
    TRAMMEL_FIELD(Parameters, one_sided, "1",
                  "Clamps the force at zero: 'compression' only pushes, 'tension' only pulls, 'none' does both.")
        .choices("none|compression|tension")
        .otherwise("\"none\""));

template <class Length>
class Tsda : public sdk::TwoBodyForce,
             private ElementChannels,
             private DryFriction,
             private StateFunctions,
             private StateLaws {
 public:
  using Parameters = tsda::Parameters;
  static constexpr Index N = Length::coordinates, D = N == 3 ? 2 : 3;

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, ChannelGradients, DryFriction, StateFunctions, StateLaws, LawSwitches,
                                 Drawing, ForceParameterDerivatives>(id, this, &channel_gradients_, this, this, this,
                                                                     &switches_, &drawn_,
                                                                     law_.reads_signals() ? nullptr : &numbers_);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    if (length_.length(s) < coincident) return at_zero(s);
    const sdk::ScalarTerms<N> x = length_.terms(s);
    sdk::LawTerms tension;
    const Status status = law_.evaluate(x.value, x.rate, s.t, false, tension);
    sdk::add_scalar_force(x, tension.F, Q);
    return status;
  }

  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    sdk::LawTerms tension;
    if (length_.length(s) < coincident) {
      Status status = at_zero(s);
      if (status) status = law_.elastic(0, s.t, true, tension);
      // The side on which it acts when l grows.
      if (status && Q_q != nullptr && law_.active(tension.F_x)) add_gradient_at_zero(s, tension.F_x, Q_q);
      return status;
    }
    const sdk::ScalarTerms<N> x = length_.terms(s);
    const Status status = law_.evaluate(x.value, x.rate, s.t, true, tension);
    sdk::add_scalar_gradients(x, tension.F_x, tension.F_r, Q_q, Q_v);
    if (Q_q != nullptr) length_.add_hessian(s, -tension.F, Q_q);
    return status;
  }

  Status time_gradient(const ElementState& s, const VectorView* Q_t) const override {
    if (length_.length(s) < coincident) return at_zero(s);
    const sdk::ScalarTerms<N> x = length_.terms(s);
    sdk::LawTerms tension;
    const Status status = law_.evaluate(x.value, x.rate, s.t, true, tension);
    sdk::add_scalar_force(x, tension.F_t, Q_t);
    return status;
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    if (length_.length(s) < coincident) {
      const Status status = law_.energy(0, 0, s.t, energy);
      return status ? at_zero(s) : status;
    }
    const sdk::ScalarTerms<N> x = length_.terms(s);
    return law_.energy(x.value, x.rate, s.t, energy);
  }

 protected:
  Tsda(const Parameters& given, const Length& length, const ModelInfo& model)
      : TwoBodyForce(given.two.bodies[0], given.two.bodies[1]),
        length_(length),
        law_(given.law, given.free_length, given.one_sided, {"l", "length"}, start(given, length, model), model),
        has_friction_(given.law.friction > 0),
        size_(start(given, length, model)),
        drawn_(sdk::Drawn(symbol(given)).at(0, length.s_i).at(1, length.s_j)),
        numbers_(given.two, given.ends, given.law, given.free_length, given.one_sided, law_, length_, model) {
    law_.list_switches(switches_);
    for (Index k = 0; k < D; ++k) switches_.add("through_zero");
    double free_length = 0;
    if (given.free_length != nullptr && given.free_length->evaluate(0, 0, &free_length) && free_length < 0) {
      throw Error::parameter("free_length", "must be at least 0, not " + std::to_string(free_length));
    }
  }
  ~Tsda() = default;

 private:
  static Symbol symbol(const Parameters& given) {
    const sdk::LawKeys& law = given.law;
    if (!(law.damping > 0) && law.damper == nullptr && !(law.friction > 0)) return Symbol::spring;
    return law.stiffness > 0 || law.spring != nullptr || law.law.given() ? Symbol::spring_damper : Symbol::damper;
  }

  /// The length in the initial configuration.
  static double start(const Parameters& given, const Length& length, const ModelInfo& model) {
    sdk::require_two_bodies(given.two);
    const void* bodies[2] = {model.initial_state(given.two.bodies[0]), model.initial_state(given.two.bodies[1])};
    ElementState s;
    s.bodies = bodies;
    return length.length(s);
  }

  Status at_zero(const ElementState& s) const {
    sdk::LawTerms elastic;
    const Status status = law_.elastic(0, s.t, false, elastic);
    if (!status || elastic.F == 0) return status;
    return Status::failure(StatusCode::out_of_domain, "the end points of a tsda coincide: its force has no direction");
  }
  /// Q = -k d_q^T d has the gradient -k d_q^T d_q at d = 0.
  void add_gradient_at_zero(const ElementState& s, double k, const MatrixView* Q_q) const {
    for (Index b = 0; b < 2; ++b) {
      for (Index c = 0; c < 2; ++c) {
        if (!Q_q[2 * b + c]) continue;
        for (Index n = 0; n < N; ++n) {
          for (Index m = 0; m < N; ++m) {
            Q_q[2 * b + c](m, n) -= k * sdk::dot(length_.column(s, b, m), length_.column(s, c, n));
          }
        }
      }
    }
  }

  /// The law's, and the direction of a force that does not vanish at l = 0 where the points pass through each other: a
  /// component of d changes its sign while the others are zero.
  Status switch_values(const ElementState& s, double* out) const {
    const auto d = length_.vector(s);
    const double l = sdk::norm(d);
    if (l < coincident) return Status::success();
    const sdk::ScalarTerms<N> x = length_.terms(s);
    const Status status = law_.switches(x.value, x.rate, s.t, out);
    sdk::LawTerms elastic;
    if (!status || !law_.elastic(0, s.t, false, elastic) || elastic.F == 0) return status;
    constexpr double in_line = 1e-9;
    double component[D];
    sdk::store(d, component);
    for (Index k = 0; k < D; ++k) {
      double aside = 0;
      for (Index n = 0; n < D; ++n) aside += n != k ? std::abs(component[n]) : 0;
      if (aside <= in_line * size_) out[switches_.switch_count() - D + k] = component[k];
    }
    return status;
  }

  Index state_function_count() const override { return sdk::ScalarLaw::state_functions; }
  const Function* state_function(Index i) const override { return law_.state_function(i); }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override {
    if (length_.length(s) < coincident) return law_.arguments(0, 0, s.t, value.data, rate.data);
    const sdk::ScalarTerms<N> x = length_.terms(s);
    return law_.arguments(x.value, x.rate, s.t, value.data, rate.data);
  }

  /// Over x = l^2, whose way is a parabola where the points pass each other in straight flight: that of l is not.
  Index law_count() const override { return law_.law_count(); }
  Index law_argument_count() const override { return 1; }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override {
    const double l = length_.length(s);
    x[0] = l * l, rate[0] = l < coincident ? 0 : 2 * l * length_.terms(s).rate;
    return Status::success();
  }
  Status law(Index, const double* x, const double* rate, double t, double* force) const override {
    return sdk::law_of_square(law_, x, rate, t, force);
  }
  Status law_bounds(Index, const Box& box, double* force) const override {
    return sdk::bounds_of_square(law_, box, force);
  }

  bool dry_friction() const override { return has_friction_; }
  Index channel_count() const override { return 3; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"length", "rate", "force"};
    return names[i];
  }
  const char* channel_unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status terms(const ElementState& s, sdk::ScalarTerms<N>& x, sdk::LawTerms& tension) const {
    if (length_.length(s) < coincident)
      return Status::failure(StatusCode::out_of_domain,
                             "the end points of a tsda coincide: its channels have no gradients");
    x = length_.terms(s);
    return law_.evaluate(x.value, x.rate, s.t, true, tension);
  }
  Status channel_values(const ElementState& s, VectorView out) const override {
    out[0] = length_.length(s), out[1] = out[2] = 0;
    if (out[0] < coincident) return at_zero(s);
    const sdk::ScalarTerms<N> x = length_.terms(s);
    sdk::LawTerms tension;
    const Status status = law_.evaluate(x.value, x.rate, s.t, false, tension);
    out[1] = x.rate, out[2] = tension.F;
    return status;
  }

  Length length_;
  sdk::ScalarLaw law_;
  bool has_friction_;
  double size_;  ///< m, length in the initial configuration
  sdk::Drawn drawn_;
  Numbers<std::conditional_t<N == 7, SpatialBodyState, PlanarBodyState>, Length> numbers_;
  sdk::ScalarChannels<Tsda, N> channel_gradients_{*this, &Tsda::terms, 3};
  sdk::OwnSwitches<Tsda> switches_{*this, &Tsda::switch_values};
};

class SpatialTsda final : public Tsda<sdk::SpatialLength> {
 public:
  static constexpr auto parameters = tsda_table<sdk::zero_spatial>;
  SpatialTsda(const Parameters& p, const ModelInfo& model)
      : Tsda(p, {sdk::vec3(p.ends.point_i), sdk::vec3(p.ends.point_j)}, model) {}
};

class PlanarTsda final : public Tsda<sdk::PlanarLength> {
 public:
  static constexpr auto parameters = tsda_table<sdk::zero_planar>;
  PlanarTsda(const Parameters& p, const ModelInfo& model)
      : Tsda(p, {sdk::vec2(p.ends.point_i), sdk::vec2(p.ends.point_j)}, model) {}
};

}  // namespace trammel::tsda

TRAMMEL_PLUGIN("tsda", "1.0.0", "BSD-3-Clause",
               component<trammel::tsda::SpatialTsda>(
                   Host::spatial, "tsda", "Translational spring-damper between two points.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 11"),
               component<trammel::tsda::PlanarTsda>(
                   Host::planar, "tsda", "Translational spring-damper between two points.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"));
