// Plugin: viscous and dry friction on the coordinates of a joint.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trammel/extensions/static_potential.h"
#include "trammel/force.h"
#include "trammel/sdk/elements/coordinate_row.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

//   F_k = -c_k x_k' - f_k tanh(x_k'/r_c),  Q = sum_k F_k x_k,q^T,  dissipation -sum_k F_k x_k'                     (1)
// for the coordinates x_k (angles, rad; displacement, m) that the joint offers as rows over two of its bodies each.
namespace trammel::joint_friction {

struct Parameters {
  ElementRef joint;
  Numbers damping;
  Numbers friction;
  double friction_speed;
};

template <class State>
class JointFriction final : public ForceElement, ElementChannels, DryFriction {
 public:
  using Parameters = joint_friction::Parameters;
  using Row = sdk::CoordinateRow<State>;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, joint, "1", "Joint with an angle, a displacement or both."),
      TRAMMEL_FIELD(Parameters, damping, "N m s/rad or N s/m",
                    "Coefficient c of each coordinate of the joint, angles first.")
          .at_least(0),
      TRAMMEL_FIELD(Parameters, friction, "N m or N",
                    "Dry friction f of each coordinate of the joint, angles first; 0 if left out.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, friction_speed, "rad/s or m/s",
                    "Rate over which dry friction builds up: f tanh(rate/friction_speed).")
          .above(0)
          .otherwise("0.001"));

  JointFriction(const Parameters& given, const ModelInfo& model) {
    const JointCoordinates& offered = sdk::joint_coordinates(given.joint, "joint", model);
    require_one_each("damping", given.damping, offered.coordinate_count());
    if (given.friction.size > 0) require_one_each("friction", given.friction, offered.coordinate_count());
    for (Index k = 0; k < offered.coordinate_count(); ++k) {
      const Row row(offered.coordinate(k));
      terms_.push_back({row,
                        given.damping[k],
                        given.friction.size > 0 ? given.friction[k] : 0,
                        given.friction_speed,
                        sdk::effort_name(offered.coordinate_name(k)),
                        {place(row.body(0)), place(row.body(1))}});
    }
  }

  Index body_count() const override { return static_cast<Index>(bodies_.size()); }
  BodyRef body(Index i) const override { return bodies_[static_cast<std::size_t>(i)]; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ElementChannels, DryFriction>(id, this, this);
  }

  Status force(const ElementState& s, const VectorView* Q) const override {
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      const VectorView own[2] = {Q[term.place[0]], Q[term.place[1]]};
      sdk::add_scalar_force(x, term.resistance(x.rate), own);  // (1)
    });
  }
  Status gradients(const ElementState& given, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    for (const Term& term : terms_) {
      const Local local(term, given);
      MatrixView by_q[4], by_v[4];
      for (Index n = 0; n < 4; ++n) {
        const Index block = term.place[n / 2] * body_count() + term.place[n % 2];
        if (Q_q != nullptr) by_q[n] = Q_q[block];
        if (Q_v != nullptr) by_v[n] = Q_v[block];
      }
      typename Row::Terms x;
      Status status = term.row.evaluate_gradient(local.state, x);
      if (status) status = term.row.add_hessian(local.state, -term.resistance(x.rate), by_q);
      if (!status) return status;
      sdk::add_scalar_gradients(x, 0, term.slope(x.rate), by_q, by_v);
    }
    return Status::success();
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const override {
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      energy.dissipation += term.resistance(x.rate) * x.rate;
    });
  }

 private:
  struct Term {
    Row row;
    double damping, friction, friction_speed;
    sdk::EffortName effort;
    Index place[2];  ///< of the coordinate's bodies in the element's list

    /// -F_k of (1) and its derivative.
    double resistance(double rate) const { return damping * rate + friction * std::tanh(rate / friction_speed); }
    double slope(double rate) const {
      const double share = std::tanh(rate / friction_speed);
      return damping + friction * (1 - share * share) / friction_speed;
    }
  };

  /// The state as a term's row sees it: its own bodies, no counted turns (only rates matter here).
  struct Local {
    const void* bodies[2];
    ElementState state;
    Local(const Term& term, const ElementState& s)
        : bodies{s.bodies[term.place[0]], s.bodies[term.place[1]]}, state(s) {
      state.bodies = bodies;
      state.angle_references = nullptr;
    }
  };

  static void require_one_each(const char* key, const Numbers& numbers, Index coordinates) {
    if (numbers.size == coordinates) return;
    throw Error::parameter(key, "this joint has " + std::to_string(coordinates) +
                                    (coordinates == 1 ? " coordinate" : " coordinates") + ", but " +
                                    std::to_string(numbers.size) + " coefficients are given");
  }

  template <class Action>
  Status each(const ElementState& s, const Action& action) const {
    for (const Term& term : terms_) {
      typename Row::Terms x;
      const Status status = term.row.evaluate(Local(term, s).state, x);
      if (!status) return status;
      action(term, x);
    }
    return Status::success();
  }
  Index place(BodyRef body) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      if (bodies_[k].index == body.index) return static_cast<Index>(k);
    }
    bodies_.push_back(body);
    return static_cast<Index>(bodies_.size()) - 1;
  }

  bool dry_friction() const override {
    return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) { return term.friction > 0; });
  }
  Index channel_count() const override { return static_cast<Index>(terms_.size()) + 1; }
  const char* channel_name(Index i) const override { return i + 1 == channel_count() ? "power" : term(i).effort.name; }
  const char* channel_unit(Index i) const override { return i + 1 == channel_count() ? "W" : term(i).effort.unit; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    Index at = 0;
    double& power = out[channel_count() - 1];
    power = 0;
    return each(s, [&](const Term& term, const typename Row::Terms& x) {
      out[at++] = -term.resistance(x.rate);
      power -= term.resistance(x.rate) * x.rate;
    });
  }
  const Term& term(Index i) const { return terms_[static_cast<std::size_t>(i)]; }

  std::vector<BodyRef> bodies_;
  std::vector<Term> terms_;
};

}  // namespace trammel::joint_friction

TRAMMEL_PLUGIN("joint_friction", "1.0.0", "BSD-3-Clause",
               component<trammel::joint_friction::JointFriction<SpatialBodyState>>(
                   Host::spatial, "joint_friction", "Viscous and dry friction on the coordinates of a joint."),
               component<trammel::joint_friction::JointFriction<PlanarBodyState>>(
                   Host::planar, "joint_friction", "Viscous and dry friction on the coordinate of a joint."));
