// Plugin: translational spring-damper between two points, spatial and planar.
#include <algorithm>

#include "trammel/element_extensions.h"
#include "trammel/sdk/fused_constraint.h"
#include "trammel/sdk/joint_geometry.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/scalar_force.h"
#include "trammel/sdk/two_body_force.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2 and chapter 11.
//   F = k (l - l0) + c l', tension positive, clamped at zero where one-sided; Q = -F l_q                           (1)
//   V = k (l - l0)^2 / 2, of one-sided elements only on their side; the rest of F l' is dissipation                (2)
// l = 0 has no direction. With l0 = 0 the spring force is k d, hence zero there, and the damper's is taken as zero;
// with l0 > 0 the force is not defined and the evaluation fails (out_of_domain).
namespace trammel::tsda {

enum class Side : std::int32_t { both, compression, tension };

struct Parameters {
  sdk::TwoBodies two;
  sdk::EndPoints ends;
  double stiffness;
  double damping;
  double free_length;
  Side one_sided;
};

template <const char* zero>
constexpr auto tsda_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, two, sdk::two_bodies_fields),
    TRAMMEL_EMBED(Parameters, ends, sdk::end_point_fields<zero>),
    TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Stiffness k.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(Parameters, damping, "N s/m", "Damping c.").at_least(0).otherwise("0"),
    TRAMMEL_FIELD(Parameters, free_length, "m", "Length l0 at which the spring is free of force.")
        .at_least(0)
        .otherwise("0"),
    TRAMMEL_FIELD(Parameters, one_sided, "1",
                  "Clamps the force at zero: 'compression' only pushes, 'tension' only pulls, 'none' does both.")
        .choices("none|compression|tension")
        .otherwise("\"none\""));

/// Lengths below this fraction of the smallest normal use have lost their direction to rounding, m.
constexpr double coincident = 1e-14;

template <class Length>
class Tsda : public sdk::TwoBodyForce, private ElementChannels {
 public:
  using Parameters = tsda::Parameters;
  static constexpr Index N = Length::coordinates;

  const void* extension(const char* id) const override { return sdk::offer_extensions<ElementChannels>(id, this); }

  Status force(const ElementState& s, const VectorView* Q) const override {
    const double l = length_.length(s);
    if (l < coincident) return at_zero();
    const sdk::ScalarTerms<N> x = length_.terms(s);
    sdk::add_scalar_force(x, tension(x.value, x.rate).F, Q);
    return Status::success();
  }

  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    if (length_.length(s) < coincident) {
      if (Q_q != nullptr && free_length_ == 0) add_gradient_at_zero(s, Q_q);
      return at_zero();
    }
    const sdk::ScalarTerms<N> x = length_.terms(s);
    const Law law = tension(x.value, x.rate);
    sdk::add_scalar_gradients(x, law.F_l, law.F_rate, Q_q, Q_v);
    if (Q_q != nullptr) length_.add_hessian(s, -law.F, Q_q);
    return Status::success();
  }

  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    const double l = length_.length(s);
    const double stretch = on_side(l - free_length_);
    energy.potential += 0.5 * stiffness_ * stretch * stretch;
    if (l < coincident) return at_zero();
    const sdk::ScalarTerms<N> x = length_.terms(s);
    energy.dissipation += (tension(x.value, x.rate).F - stiffness_ * stretch) * x.rate;  // (2)
    return Status::success();
  }

 protected:
  Tsda(const Parameters& given, const Length& length)
      : TwoBodyForce(given.two.bodies[0], given.two.bodies[1]),
        length_(length),
        stiffness_(given.stiffness),
        damping_(given.damping),
        free_length_(given.free_length),
        side_(given.one_sided) {
    sdk::require_two_bodies(given.two);
  }
  ~Tsda() = default;

 private:
  struct Law {
    double F, F_l, F_rate;
  };

  /// Equation (1).
  Law tension(double l, double rate) const {
    const double F = stiffness_ * (l - free_length_) + damping_ * rate;
    if ((side_ == Side::compression && F > 0) || (side_ == Side::tension && F < 0)) return {0, 0, 0};
    return {F, stiffness_, damping_};
  }
  double on_side(double stretch) const {
    if (side_ == Side::compression) return std::min(stretch, 0.0);
    if (side_ == Side::tension) return std::max(stretch, 0.0);
    return stretch;
  }
  Status at_zero() const {
    if (free_length_ == 0) return Status::success();
    return Status::failure(StatusCode::out_of_domain, "the end points of a tsda coincide: its force has no direction");
  }
  /// Q = -k d_q^T d has the gradient -k d_q^T d_q at d = 0.
  void add_gradient_at_zero(const ElementState& s, const MatrixView* Q_q) const {
    if (side_ == Side::compression) return;
    for (Index b = 0; b < 2; ++b) {
      for (Index c = 0; c < 2; ++c) {
        if (!Q_q[2 * b + c]) continue;
        for (Index k = 0; k < N; ++k) {
          for (Index m = 0; m < N; ++m) {
            Q_q[2 * b + c](m, k) -= stiffness_ * sdk::dot(length_.column(s, b, m), length_.column(s, c, k));
          }
        }
      }
    }
  }

  Index count() const override { return 3; }
  const char* name(Index i) const override {
    constexpr const char* names[] = {"length", "rate", "force"};
    return names[i];
  }
  const char* unit(Index i) const override {
    constexpr const char* units[] = {"m", "m/s", "N"};
    return units[i];
  }
  Status values(const ElementState& s, VectorView out) const override {
    out[0] = length_.length(s), out[1] = out[2] = 0;
    if (out[0] < coincident) return at_zero();
    const sdk::ScalarTerms<N> x = length_.terms(s);
    out[1] = x.rate, out[2] = tension(x.value, x.rate).F;
    return Status::success();
  }

  Length length_;
  double stiffness_, damping_, free_length_;
  Side side_;
};

class SpatialTsda final : public Tsda<sdk::SpatialLength> {
 public:
  static constexpr auto parameters = tsda_table<sdk::zero_spatial>;
  explicit SpatialTsda(const Parameters& p) : Tsda(p, {sdk::vec3(p.ends.point_i), sdk::vec3(p.ends.point_j)}) {}
};

class PlanarTsda final : public Tsda<sdk::PlanarLength> {
 public:
  static constexpr auto parameters = tsda_table<sdk::zero_planar>;
  explicit PlanarTsda(const Parameters& p) : Tsda(p, {sdk::vec2(p.ends.point_i), sdk::vec2(p.ends.point_j)}) {}
};

}  // namespace trammel::tsda

TRAMMEL_PLUGIN("tsda", "1.0.0", "BSD-3-Clause",
               component<trammel::tsda::SpatialTsda>(
                   Host::spatial, "tsda", "Translational spring-damper between two points.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 11"),
               component<trammel::tsda::PlanarTsda>(
                   Host::planar, "tsda", "Translational spring-damper between two points.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 6.2"));
