// Force laws of tsda and rsda: tables, dampers, formulas, schedules of the free coordinate, against their definitions.
#include <array>

#include "force_check.h"
#include "scalar_oracle.h"
#include "trammel/element_extensions.h"
#include "trammel/sdk/offer_extensions.h"

namespace conformance {
namespace {

/// 30 x + 50 x^3, with or without its integral.
class Cubic final : public Function, public FunctionIntegral {
 public:
  explicit Cubic(bool integrable) : integrable_(integrable) {}
  Status evaluate(double x, int order, double* value) const override {
    const double all[4] = {30 * x + 50 * x * x * x, 30 + 150 * x * x, 300 * x, 300};
    std::copy(all, all + order + 1, value);
    return Status::success();
  }
  Status antiderivative(double x, double* value) const override {
    *value = 7 + 15 * x * x + 12.5 * std::pow(x, 4);  // the constant is free
    return Status::success();
  }
  const void* extension(const char* id) const override {
    return integrable_ ? sdk::offer_extensions<FunctionIntegral>(id, this) : nullptr;
  }

 private:
  bool integrable_;
};

/// 0.8 + 0.2 t^2.
class Schedule final : public Function {
 public:
  Status evaluate(double t, int order, double* value) const override {
    const double all[4] = {0.8 + 0.2 * t * t, 0.4 * t, 0.4, 0};
    std::copy(all, all + order + 1, value);
    return Status::success();
  }
};

const Cubic closed(true), numeric(false);
const Schedule schedule;
const ConstantFunction constant(0.8);
const std::vector<std::vector<std::int32_t>> pairs = {{0, 1}, {-1, 1}, {0, -1}};

/// What the plugin is told about its law, besides a stiffness of 40.
struct LawSettings {
  const char* name;
  FunctionRef free;
  double damping;
  FunctionRef spring, damper;
  const char* law;  ///< X stands for the coordinate
};

void fill_law(ParameterFill& fill, const LawSettings& given, bool angle) {
  fill.number("stiffness", 40).number("damping", given.damping).function(angle ? "free_angle" : "free_length", given.free);
  fill.function("spring", given.spring).function("damper", given.damper);
  std::string law = given.law;
  if (law.empty()) return;
  for (std::size_t at = law.find('X'); at != std::string::npos; at = law.find('X')) {
    law.replace(at, 1, angle ? "theta" : "l");
  }
  fill.text("law", law);
}

template <class T>
T cubic(const T& x) {
  return 30.0 * x + 50.0 * x * x * x;
}

/// Calls use(settings, law) for every form of law; law(x, rate, t) is its definition.
template <class Use>
void for_laws(const Use& use) {
  const auto spring = [](const auto& x, const auto& rate, const auto&) {
    return 40.0 * (x - 0.8) + cubic(x - 0.8) + 3.0 * rate;
  };
  use(LawSettings{"spring, closed integral", &constant, 3, &closed, nullptr, ""}, spring);
  use(LawSettings{"spring, numeric integral", &constant, 3, &numeric, nullptr, ""}, spring);
  use(LawSettings{"damper", &constant, 0, nullptr, &closed, ""},
      [](const auto& x, const auto& rate, const auto&) { return 40.0 * (x - 0.8) + cubic(rate); });
  use(LawSettings{"free coordinate(t)", &schedule, 3, &closed, nullptr, ""},
      [](const auto& x, const auto& rate, const auto& t) {
        const auto s = x - (0.8 + 0.2 * t * t);
        return 40.0 * s + cubic(s) + 3.0 * rate;
      });
  use(LawSettings{"formula, free(t)", &schedule, 0, nullptr, nullptr, "5*exp(0.5*X)*(1 + sin(t)) + 2*rate*X^2"},
      [](const auto& x, const auto& rate, const auto& t) {
        using std::exp;
        using std::sin;
        return 40.0 * (x - (0.8 + 0.2 * t * t)) + 5.0 * exp(0.5 * x) * (1.0 + sin(t)) + 2.0 * rate * x * x;
      });
}

/// Two states between which a length is about 2 and an angle is small, so that both are smooth nearby.
template <class State>
std::vector<State> smooth_pair(Random& random, double length, const std::vector<std::int32_t>& bodies,
                               const State& ground) {
  const std::size_t first = bodies[0] == -1 ? 0 : bodies[1] == -1 ? 1 : 0;
  std::vector<State> states(2);
  states[first] = bodies[first] == -1 ? ground : random_state<State>(random, length);
  if (bodies[1] == -1) states[1] = ground;
  double q[7], v[7];
  sdk::coordinates_of(states[bodies[1] == -1 ? 1 : first], q, v);
  for (Index k = 0; k < State::coordinates; ++k) q[k] += uniform(random, -0.1, 0.1);
  q[0] += 3;
  set_state(states[bodies[1] == -1 ? 0 : 1], q, v);
  return states;
}

/// Q, gradients, power balance, and V_q^T = -Q.
template <class State, class Make>
void check_law(const std::string& name, const Make& make) {
  check_force<State>(name, pairs, make);
  Random random(5);
  Model<State> model;
  model.ground = ground_state<State>();
  model.states = {random_state<State>(random, 1), random_state<State>(random, 1)};
  double worst = 0;
  for (const std::vector<std::int32_t>& bodies : pairs) {
    const auto made = make(bodies, model, random);
    for (int sample = 0; sample < 6; ++sample) {
      const double length = sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97;
      const std::vector<State> states = smooth_pair(random, length, bodies, model.ground);
      worst = std::max(worst, potential_error(**made.first, states, {bodies[0] != -1, bodies[1] != -1}, 0.7));
    }
  }
  std::printf("%-28s V_q^T + Q %.1e\n", name.c_str(), worst);
  CHECK(worst < 1e-10);
}

template <class State>
void check_tsda_laws() {
  for_laws([](const LawSettings& settings, const auto& law) {
    const auto make = [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
      const ComponentRecord& record = find_component("tsda", ComponentKind::force, model.host());
      const auto s_i = random_local<State>(random), s_j = random_local<State>(random);
      ParameterFill fill(record.parameters);
      fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
      fill_law(fill, settings, false);
      return std::pair(
          std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
          scalar_oracle<State>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, LengthBetween<LocalVector<State>>{s_i, s_j}, law));
    };
    check_law<State>(std::string("tsda ") + settings.name, make);
  });
}

}  // namespace

TEST_CASE("tsda laws: force, gradients, power and potential, spatial") { check_tsda_laws<SpatialBodyState>(); }
TEST_CASE("tsda laws: force, gradients, power and potential, planar") { check_tsda_laws<PlanarBodyState>(); }

TEST_CASE("rsda laws: torque, gradients, power and potential, spatial") {
  for_laws([](const LawSettings& settings, const auto& law) {
    const auto make = [&](const std::vector<std::int32_t>& bodies, const Model<SpatialBodyState>& model,
                          Random& random) {
      const ComponentRecord& record = find_component("rsda", ComponentKind::force, Host::spatial);
      const Vec3<> h = random_vec3(random);
      ParameterFill fill(record.parameters);
      fill.bodies("bodies", bodies).vector("axis_i", h).vector("axis_j", h).number("initial_angle", 0.5);
      fill_law(fill, settings, true);
      const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
      const double none = left_out();
      const sdk::SpatialAxes axes =
          sdk::spatial_axes({{refs, 2}}, {{none, none, none}, {h.x, h.y, h.z}, {h.x, h.y, h.z}}, model);
      const auto torque = [law](const auto& angle, const auto& rate, const auto& t) {
        return law(angle + 0.5, rate, t);
      };
      return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                       scalar_oracle<SpatialBodyState>(refs[0], refs[1], RelativeAngle{axes}, torque));
    };
    check_law<SpatialBodyState>(std::string("rsda ") + settings.name, make);
  });
}

TEST_CASE("rsda laws: torque, gradients, power and potential, planar") {
  for_laws([](const LawSettings& settings, const auto& law) {
    const auto make = [&](const std::vector<std::int32_t>& bodies, const Model<PlanarBodyState>& model, Random&) {
      const ComponentRecord& record = find_component("rsda", ComponentKind::force, Host::planar);
      ParameterFill fill(record.parameters);
      fill.bodies("bodies", bodies);
      fill_law(fill, settings, true);
      return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                       scalar_oracle<PlanarBodyState>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, AngleBetween{}, law));
    };
    check_law<PlanarBodyState>(std::string("rsda ") + settings.name, make);
  });
}

}  // namespace conformance
