// Plugin: viscous friction on the coordinates of a joint.
#include <vector>

#include "trammel/force.h"
#include "trammel/sdk/coordinate_row.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

//   F_k = -c_k x_k',  Q = sum_k F_k x_k,q^T,  dissipation sum_k c_k x_k'^2                                         (1)
// for the coordinates x_k (angle, rad; displacement, m) that the joint offers as rows over its two bodies.
namespace trammel::joint_friction {

struct Parameters {
  ElementRef joint;
  Numbers damping;
};

template <class State>
class JointFriction final : public ForceElement, ElementChannels {
 public:
  using Parameters = joint_friction::Parameters;
  using Row = sdk::CoordinateRow<State>;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, joint, "1", "Joint with an angle, a displacement or both."),
      TRAMMEL_FIELD(Parameters, damping, "N m s/rad or N s/m",
                    "Coefficient c of each coordinate of the joint, the angle first.")
          .at_least(0));

  JointFriction(const Parameters& given, const ModelInfo& model) {
    const JointCoordinates& offered = sdk::joint_coordinates(given.joint, "joint", model);
    if (given.damping.size != offered.count()) {
      throw Error::parameter("damping", "this joint has " + std::to_string(offered.count()) +
                                            (offered.count() == 1 ? " coordinate" : " coordinates") + ", but " +
                                            std::to_string(given.damping.size) + " coefficients are given");
    }
    for (Index k = 0; k < offered.count(); ++k) {
      terms_.push_back({Row(offered.coordinate(k)), given.damping[k], std::string_view(offered.name(k)) == "angle"});
    }
  }

  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return terms_[0].row.body(i); }
  const void* extension(const char* id) const override { return sdk::offer_extensions<ElementChannels>(id, this); }

  Status force(const ElementState& s, const VectorView* Q) const override {
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      sdk::add_scalar_force(x, term.damping * x.rate, Q);  // (1)
      return Status::success();
    });
  }
  Status gradients(const ElementState& given, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    const ElementState s = uncounted(given);
    for (const Term& term : terms_) {
      typename Row::Terms x;
      Status status = term.row.evaluate_gradient(s, x);
      if (status && Q_q != nullptr) status = term.row.add_hessian(s, -term.damping * x.rate, Q_q);
      if (!status) return status;
      sdk::add_scalar_gradients(x, 0, term.damping, Q_q, Q_v);
    }
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      energy.dissipation += term.damping * x.rate * x.rate;
      return Status::success();
    });
  }

 private:
  struct Term {
    Row row;
    double damping;
    bool angle;
  };

  /// The rows without counted turns: only rates matter here.
  static ElementState uncounted(ElementState s) {
    s.angle_references = nullptr;
    return s;
  }
  template <class Action>
  Status each(const ElementState& given, const Action& action) const {
    const ElementState s = uncounted(given);
    for (const Term& term : terms_) {
      typename Row::Terms x;
      Status status = term.row.evaluate(s, x);
      if (status) status = action(term, x);
      if (!status) return status;
    }
    return Status::success();
  }

  Index count() const override { return 2 * static_cast<Index>(terms_.size()); }
  const char* name(Index i) const override {
    if (terms_[static_cast<std::size_t>(i / 2)].angle) return i % 2 == 0 ? "rate" : "torque";
    return i % 2 == 0 ? "speed" : "force";
  }
  const char* unit(Index i) const override {
    if (terms_[static_cast<std::size_t>(i / 2)].angle) return i % 2 == 0 ? "rad/s" : "N m";
    return i % 2 == 0 ? "m/s" : "N";
  }
  Status values(const ElementState& s, VectorView out) const override {
    Index at = 0;
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      out[at++] = x.rate;
      out[at++] = -term.damping * x.rate;
      return Status::success();
    });
  }

  std::vector<Term> terms_;
};

}  // namespace trammel::joint_friction

TRAMMEL_PLUGIN("joint_friction", "1.0.0", "BSD-3-Clause",
               component<trammel::joint_friction::JointFriction<SpatialBodyState>>(
                   Host::spatial, "joint_friction", "Viscous friction on the coordinates of a joint."),
               component<trammel::joint_friction::JointFriction<PlanarBodyState>>(
                   Host::planar, "joint_friction", "Viscous friction on the coordinate of a joint."));
