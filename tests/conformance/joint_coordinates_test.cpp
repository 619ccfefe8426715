// Joint coordinates of every joint that offers them: the row is the channel of the same name, its derivatives are
// exact.
#include <map>
#include <set>

#include "contraction_errors.h"
#include "trammel/extensions/element_extensions.h"

namespace conformance {
namespace {

using trammel::JointCoordinates;

/// What couplers and other elements may rely on; a joint not listed offers none.
const std::map<std::string, std::set<std::string>> offered = {
    {"spatial revolute", {"angle"}},
    {"spatial cylindrical", {"angle", "displacement"}},
    {"spatial translational", {"displacement"}},
    {"spatial universal", {"angle", "second_angle"}},
    {"spatial planar_joint", {"angle"}},
    {"spatial parallel_axes", {"angle"}},
    {"spatial in_line", {"displacement"}},
    {"spatial screw", {"angle", "displacement"}},
    {"spatial revolute_spherical", {"angle"}},
    {"spatial gear_pair", {"angle", "second_angle"}},
    {"spatial rack_and_pinion", {"angle", "displacement"}},
    {"planar revolute", {"angle"}},
    {"planar translational", {"displacement"}},
    {"planar point_on_line", {"displacement"}},
    {"planar revolute_translational", {"displacement"}},
    {"planar gear", {"angle"}},
    {"planar rack_and_pinion", {"angle", "displacement"}},
};

/// A point of the element as its coordinate sees it: the row's bodies in the row's order, one reference.
template <class State>
struct CoordinatePoint {
  const void* attached[2];
  double reference;
  ElementState s;

  CoordinatePoint(const ConstraintSlot& slot, const ElementPoint<State>& point, const Constraint& row, double angle)
      : reference(angle) {
    for (Index k = 0; k < 2; ++k) {
      const auto place = std::find(slot.bodies.begin(), slot.bodies.end(), row.body(k).index);
      REQUIRE(place != slot.bodies.end());
      attached[k] = &point.state(static_cast<Index>(place - slot.bodies.begin()));
    }
    s.t = 0, s.bodies = attached, s.angle_references = &reference;
  }
};

Index channel_of(const trammel::ElementChannels& channels, const std::string& name) {
  for (Index k = 0; k < channels.channel_count(); ++k) {
    if (channels.channel_name(k) == name) return k;
  }
  FAIL("no channel ", name);
  return 0;
}

template <class State>
void check_value_and_rate(const LoadedModel& loaded, const ConstraintSlot& slot, const Constraint& row,
                          const std::string& name) {
  Random random(3);
  ElementPoint<State> point(loaded, slot);
  point.disturb(random, 0.03, 1);
  const Index channel = channel_of(*slot.channels, name);
  std::vector<double> values(static_cast<std::size_t>(slot.channels->channel_count()));
  REQUIRE(slot.channels->channel_values(point.at(), {values.data(), slot.channels->channel_count()}).ok());
  const double value = values[static_cast<std::size_t>(channel)], rate = values[static_cast<std::size_t>(channel) + 1];

  const CoordinatePoint<State> at(slot, point, row, value);
  double Phi = NAN, storage[2][7];
  const MatrixView Phi_q[2] = {{storage[0], 1, State::coordinates, 1}, {storage[1], 1, State::coordinates, 1}};
  ConstraintOutput out;
  out.Phi = {&Phi, 1}, out.Phi_q = Phi_q;
  REQUIRE(row.evaluate(at.s, out).ok());
  double motion = 0;
  for (Index b = 0; b < 2; ++b) {
    double q[7], v[7];
    sdk::coordinates_of(*static_cast<const State*>(at.attached[b]), q, v);
    for (Index k = 0; k < State::coordinates; ++k) motion += storage[b][k] * v[k];
  }
  CHECK(Phi == doctest::Approx(value).epsilon(1e-12));
  CHECK(motion == doctest::Approx(rate).epsilon(1e-12));

  const auto* angle = trammel::find_extension<trammel::CountedAngles>(row);
  CHECK((angle != nullptr) == (slot.angles != nullptr && name.find("angle") != std::string::npos));
  if (angle == nullptr) return;
  REQUIRE(angle->angle_count() == 1);
  // Three turns on: the angle follows its reference.
  CoordinatePoint<State> turned(slot, point, row, value + 6 * M_PI);
  double counted = 0;
  angle->angles(turned.s, {&counted, 1});
  CHECK(counted == doctest::Approx(value + 6 * M_PI).epsilon(1e-12));
  std::vector<double> own(static_cast<std::size_t>(slot.angles->angle_count()));
  slot.angles->initial_angles({own.data(), slot.angles->angle_count()});
  double start = 0;
  angle->initial_angles({&start, 1});
  CHECK(std::find(own.begin(), own.end(), start) != own.end());
}

TEST_CASE("joint coordinates are their channels as rows, with exact derivatives") {
  std::map<std::string, std::set<std::string>> found;
  std::map<std::string, double> largest;
  for (const trammel::ShippedElement& element : trammel::shipped_elements()) {
    if (element.kind != ComponentKind::constraint) continue;
    CAPTURE(element.name());
    for_each_use(element, [&](const LoadedModel& loaded, const auto& slot, auto state) {
      using State = decltype(state);
      if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, ConstraintSlot>) {
        const auto* coordinates = trammel::find_extension<JointCoordinates>(*slot.constraint);
        for (Index k = 0; coordinates != nullptr && k < coordinates->coordinate_count(); ++k) {
          const std::string name = coordinates->coordinate_name(k);
          CAPTURE(name);
          const Constraint& row = coordinates->coordinate(k);
          found[element.name()].insert(name);
          CHECK(row.rows() == 1);
          REQUIRE(row.body_count() == 2);
          CHECK(!row.rheonomic());
          check_value_and_rate<State>(loaded, slot, row, name);

          ConstraintSlot own;  // the row as if it were a constraint of the model
          own.name = name, own.constraint = &row, own.rows = 1;
          own.bodies = {row.body(0).index, row.body(1).index};
          own.angles = trammel::find_extension<trammel::CountedAngles>(row);
          Random random(9);
          ElementPoint<State> point(loaded, own);
          point.disturb(random, 0.05, 1.02);
          ContractionErrors errors;
          Differences<State>(point, random).constraint(row, errors);
          // Differences of eighth order reach 1e-11 here; a wrong term is of size 1.
          for (const double error : {errors.Phi_q, errors.gamma, errors.jacobian, errors.multiplier,
                                     errors.acceleration_q, errors.acceleration_v, errors.time}) {
            CHECK(error < 1e-9);
          }
        }
      }
    });
  }
  CHECK(found == offered);
}

}  // namespace
}  // namespace conformance
