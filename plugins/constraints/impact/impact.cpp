// Plugin: rigid one-sided stop between a plane and a point, spatial and planar: impacts with restitution, no rows.
#include "trammel/extensions/contact.h"
#include "trammel/sdk/elements/contact_drawn.h"
#include "trammel/sdk/elements/contact_gap.h"
#include "trammel/sdk/elements/coordinate_row.h"
#include "trammel/sdk/elements/rowless_constraint.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

// The gap g of contact_gap.h stays >= 0. Where it reaches zero while closing, the velocities jump (docs/events.md):
//   g'(+) = max(-e g'(-), rest speed)                                                                              (1)
namespace trammel::impact {

struct Parameters {
  sdk::ContactKeys keys;
  double restitution;
  double rest_speed;
};

template <const char* zero>
constexpr auto impact_table = sdk::table<Parameters>(
    TRAMMEL_EMBED(Parameters, keys, sdk::contact_fields<zero>),
    TRAMMEL_FIELD(Parameters, restitution, "1", "Coefficient of restitution e.").at_least(0).at_most(1),
    TRAMMEL_FIELD(Parameters, rest_speed, "m/s", "Smallest speed of parting: bodies at rest on each other hop with it.")
        .above(0)
        .otherwise("0.005"));

template <class State>
class Impact final : public sdk::RowlessConstraint, UnilateralContact, ElementChannels {
 public:
  using Parameters = impact::Parameters;
  using Row = sdk::CoordinateRow<State>;
  static constexpr auto parameters = impact_table < State::coordinates == 3 ? sdk::zero_planar : sdk::zero_spatial > ;

  Impact(const Parameters& p, const ModelInfo&)
      : gap_(p.keys),
        row_(gap_),
        restitution_(p.restitution),
        rest_speed_(p.rest_speed),
        drawn_(sdk::Drawn(Symbol::point).at(0, gap_.s_i()).at(1, gap_.s_j()), 0, gap_.n_i()) {}

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<UnilateralContact, ElementChannels, Drawing>(id, this, this, &drawn_);
  }
  Index body_count() const override { return 2; }
  BodyRef body(Index i) const override { return gap_.body(i); }

 private:
  const Constraint& gap() const override { return gap_; }
  double restitution(double) const override { return restitution_; }
  double rest_speed() const override { return rest_speed_; }

  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "gap" : "rate"; }
  const char* channel_unit(Index i) const override { return i == 0 ? "m" : "m/s"; }
  Status channel_values(const ElementState& s, VectorView out) const override {
    typename Row::Terms x;
    const Status status = row_.evaluate(s, x);
    out[0] = x.value, out[1] = x.rate;
    return status;
  }

  sdk::GapRow<State> gap_;
  Row row_;
  double restitution_, rest_speed_;
  sdk::ContactDrawn drawn_;
};

}  // namespace trammel::impact

TRAMMEL_PLUGIN("impact", "1.0.0", "BSD-3-Clause",
               component<trammel::impact::Impact<SpatialBodyState>>(
                   Host::spatial, "impact",
                   "Rigid one-sided stop with restitution: a plane of one body, a point of another.",
                   "Brogliato, Nonsmooth Mechanics (2016), chapters 4 and 6"),
               component<trammel::impact::Impact<PlanarBodyState>>(
                   Host::planar, "impact",
                   "Rigid one-sided stop with restitution: a line of one body, a point of another.",
                   "Brogliato, Nonsmooth Mechanics (2016), chapters 4 and 6"));
