// Plugin: a uniform field of gravity on chosen bodies, beside the system's own `gravity`.
#include <vector>

#include "trammel/extensions/force_claims.h"
#include "trammel/force.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/frame_use.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// Q_r = m g on every body, V = -sum m g.r: zero at the origin. No gradient: the field is uniform.
namespace trammel::gravity {

template <class State>
class Gravity final : public ForceElement, ForceClaims {
 public:
  struct Parameters {
    double acceleration[3];
    BodyRefs bodies;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      sdk::in_frame(TRAMMEL_FIELD(Parameters, acceleration, "m/s^2", "Acceleration g of the field, global."),
                    FrameUse::global),
      TRAMMEL_FIELD(Parameters, bodies, "1", "Bodies it acts on; all if left out.").optional());

  Gravity(const Parameters& given, const ModelInfo& model)
      : g_{given.acceleration[0], given.acceleration[1], given.acceleration[2]} {
    if (given.bodies.size > 0) {
      for (std::int64_t k = 0; k < given.bodies.size; ++k) {
        if (given.bodies[k].is_ground()) throw Error::parameter("bodies", "ground has no mass: leave it out");
        for (const BodyRef& other : bodies_) {
          if (other.index == given.bodies[k].index) throw Error::parameter("bodies", "a body is named twice");
        }
        bodies_.push_back(given.bodies[k]);
      }
    } else {
      for (Index k = 0; k < model.body_count(); ++k) bodies_.push_back({k});
    }
    for (const BodyRef& body : bodies_) mass_.push_back(model.body_mass(body.index));
  }

  const void* extension(const char* id) const override { return sdk::offer_extensions<ForceClaims>(id, this); }
  Index body_count() const override { return static_cast<Index>(bodies_.size()); }
  BodyRef body(Index i) const override { return bodies_[static_cast<std::size_t>(i)]; }

  Status force(const ElementState&, const VectorView* Q) const override {
    for (std::size_t k = 0; k < mass_.size(); ++k) {
      for (Index i = 0; i < dimension; ++i) Q[k].data[i] += mass_[k] * g_[i];
    }
    return Status::success();
  }
  Status gradients(const ElementState&, const MatrixView*, const MatrixView*) const override {
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    for (std::size_t k = 0; k < mass_.size(); ++k) {
      const double* r = s.body<State>(static_cast<Index>(k)).r;
      for (Index i = 0; i < dimension; ++i) energy.potential -= mass_[k] * g_[i] * r[i];
    }
    return Status::success();
  }

 private:
  bool objective() const override { return false; }  // the field has a direction

  static constexpr Index dimension = State::coordinates == 3 ? 2 : 3;
  double g_[3];
  std::vector<BodyRef> bodies_;
  std::vector<double> mass_;
};

}  // namespace trammel::gravity

TRAMMEL_PLUGIN(
    "gravity", "1.0.0", "BSD-3-Clause",
    component<trammel::gravity::Gravity<SpatialBodyState>>(Host::spatial, "gravity",
                                                           "Uniform field of gravity on some or all bodies."),
    component<trammel::gravity::Gravity<PlanarBodyState>>(Host::planar, "gravity",
                                                          "Uniform field of gravity on some or all bodies."));
