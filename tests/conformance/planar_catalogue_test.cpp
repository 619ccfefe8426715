// The planar joints of the catalogue against independent definitions of their rows.
#include "row_oracle.h"

namespace conformance {
namespace {

using State = PlanarBodyState;
using Bodies = std::vector<std::int32_t>;

const State& start_of(const ModelInfo& model, const Bodies& bodies, std::size_t k) {
  return *static_cast<const State*>(model.initial_state(BodyRef{bodies[k]}));
}
Vec2<> start_distance(const ModelInfo& model, const Bodies& b, const Vec2<>& s_i, const Vec2<>& s_j) {
  const State &i = start_of(model, b, 0), &j = start_of(model, b, 1);
  return sdk::position(j) + sdk::rotate(j, s_j) - sdk::position(i) - sdk::rotate(i, s_i);
}

template <Index rows, class Make>
void check(const char* name, const char* type, const Make& make) {
  const ComponentRecord& record = find_component(type, ComponentKind::constraint, Host::planar);
  check_constraint<State>(name, [&](const Bodies& bodies, const Model<State>& model, Random& random) {
    const Vec2<> s_i = random_vec2(random), s_j = random_vec2(random);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
    const auto rows_of = make(fill, bodies, model, s_i, s_j);
    return with_oracle<State, 2, rows>(record, std::move(fill), model, bodies, rows_of);
  });
}

TEST_CASE("planar joints of the catalogue equal their oracles") {
  check<3>("fixed (planar)", "fixed",
           [](ParameterFill&, const Bodies& bodies, const ModelInfo& model, Vec2<> s_i, Vec2<> s_j) {
             const double start = start_of(model, bodies, 1).phi - start_of(model, bodies, 0).phi;
             return [=](const auto* b, auto* out, const double*) {
               const auto d = between(b[0], b[1], s_i, s_j);
               out[0] = d.x, out[1] = d.y, out[2] = b[1].phi - b[0].phi - start;
             };
           });
  check<1>("revolute_translational", "revolute_translational",
           [](ParameterFill& fill, const Bodies&, const ModelInfo&, Vec2<> s_i, Vec2<> s_j) {
             fill.vector("axis_i", Vec2<>{3, 4}).number("distance", 0.3);
             return [=](const auto* b, auto* out, const double*) {
               out[0] = sdk::dot(turned(b[0], Vec2<>{-0.8, 0.6}), between(b[0], b[1], s_i, s_j)) - 0.3;
             };
           });
  for (const bool ring : {false, true}) {
    check<1>(ring ? "gear (internal)" : "gear", "gear",
             [ring](ParameterFill& fill, const Bodies& bodies, const ModelInfo& model, Vec2<> s_i, Vec2<> s_j) {
               fill.number("radius_i", 0.5).number("radius_j", 0.8).boolean("internal", ring);
               const double R = ring ? -0.8 : 0.8;
               const Vec2<> d0 = start_distance(model, bodies, s_i, s_j);
               const double phi_i = start_of(model, bodies, 0).phi, phi_j = start_of(model, bodies, 1).phi;
               return [=](const auto* b, auto* out, const double*) {
                 // The line of centres of the start, turned by the weighted mean of the gears' rotations.
                 const auto turn = (0.5 * (b[0].phi - phi_i) + R * (b[1].phi - phi_j)) / (0.5 + R);
                 const double L = sdk::norm(d0);
                 const auto x = (d0.x / L) * cos(turn) - (d0.y / L) * sin(turn),
                            y = (d0.x / L) * sin(turn) + (d0.y / L) * cos(turn);
                 const auto d = between(b[0], b[1], s_i, s_j);
                 out[0] = x * d.y - y * d.x;
               };
             });
  }
  check<1>("rack_and_pinion (planar)", "rack_and_pinion",
           [](ParameterFill& fill, const Bodies& bodies, const ModelInfo& model, Vec2<> s_i, Vec2<> s_j) {
             fill.vector("axis", Vec2<>{0, 2}).number("radius", 0.4);
             const State& j = start_of(model, bodies, 1);
             const Vec2<> t_j = sdk::rotate_back(j, {0, 1}), d0 = start_distance(model, bodies, s_i, s_j);
             const double R = d0.x > 0 ? 0.4 : -0.4;  // the centre is to the left of t = (0, 1)
             const double start = start_of(model, bodies, 0).phi - j.phi;
             return [=](const auto* b, auto* out, const double*) {
               out[0] = R * (b[0].phi - b[1].phi - start) - sdk::dot(turned(b[1], t_j), between(b[0], b[1], s_i, s_j)) +
                        d0.y;
             };
           });
}

}  // namespace
}  // namespace conformance
