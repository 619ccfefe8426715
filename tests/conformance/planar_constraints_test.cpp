// Planar constraints against independent definitions of their rows.
#include "constraint_check.h"

namespace conformance {
namespace {

using sdk::Pose;
using State = PlanarBodyState;

struct Geometry {
  Vec2<> s_i{}, s_j{}, n_i{};
  double value = 0;
};

enum class Rows { revolute, point_on_line, translational, distance };

template <Rows kind>
constexpr Index row_count() {
  constexpr Index counts[] = {2, 1, 2, 1};
  return counts[static_cast<int>(kind)];
}

template <Rows kind>
class Oracle final : public sdk::AutoConstraint<Oracle<kind>, State, 2, row_count<kind>()> {
 public:
  Oracle(BodyRef i, BodyRef j, const Geometry& g)
      : sdk::AutoConstraint<Oracle<kind>, State, 2, row_count<kind>()>(i, j), g_(g) {}

  template <class T>
  void phi(const T&, const Pose<State, T>* b, T* out) const {
    const Vec2<T> d = between(b[0], b[1], g_.s_i, g_.s_j);
    if constexpr (kind == Rows::revolute) out[0] = d.x, out[1] = d.y;
    if constexpr (kind == Rows::distance) out[0] = sdk::norm(d) - g_.value;
    if constexpr (kind == Rows::point_on_line || kind == Rows::translational) {
      out[0] = sdk::dot(turned(b[0], g_.n_i), d);
    }
    if constexpr (kind == Rows::translational) out[1] = b[1].phi - b[0].phi - g_.value;
  }

 private:
  Geometry g_;
};

template <Rows kind>
void check(const char* type) {
  const ComponentRecord& record = find_component(type, ComponentKind::constraint, Host::planar);
  check_constraint<State>(std::string(type) + " (planar)",
                          [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
                            Geometry g;
                            g.s_i = random_vec2(random), g.s_j = random_vec2(random);
                            ParameterFill fill(record.parameters);
                            fill.bodies("bodies", bodies).vector("point_i", g.s_i).vector("point_j", g.s_j);
                            if (kind == Rows::point_on_line || kind == Rows::translational) {
                              const double angle = uniform(random, -3, 3);
                              fill.vector("axis_i", Vec2<>{2 * std::cos(angle), 2 * std::sin(angle)});
                              g.n_i = {-std::sin(angle), std::cos(angle)};
                              if (kind == Rows::translational) {
                                const double other = uniform(random, -3, 3);
                                fill.vector("axis_j", Vec2<>{std::cos(other), std::sin(other)});
                                const auto phi = [&](std::int32_t body) {
                                  return body == -1 ? 0 : model.states[static_cast<std::size_t>(body)].phi;
                                };
                                const double start = phi(bodies[1]) - phi(bodies[0]);
                                g.value = start + std::remainder(angle - other - start, 2 * std::acos(-1.0));
                              }
                            }
                            if (kind == Rows::distance) fill.number("length", g.value = 1.7);
                            const BodyRef i{bodies[0]}, j{bodies[1]};
                            return std::pair(std::make_unique<Component<Constraint>>(record, std::move(fill), model),
                                             std::make_unique<Oracle<kind>>(i, j, g));
                          });
}

TEST_CASE("planar rows and contractions equal the oracle's") {
  check<Rows::revolute>("revolute");
  check<Rows::point_on_line>("point_on_line");
  check<Rows::translational>("translational");
  check<Rows::distance>("distance");
}

}  // namespace
}  // namespace conformance
