// Force laws of tsda and rsda: tables, dampers, formulas, schedules of the free coordinate, against their definitions.
#include <array>

#include "force_check.h"
#include "paper_row.h"
#include "scalar_oracle.h"
#include "trammel/extensions/element_extensions.h"
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
  const char* law;        ///< X stands for the coordinate
  std::int32_t side = 0;  ///< one_sided
};

void fill_law(ParameterFill& fill, const LawSettings& given, bool angle) {
  fill.number("stiffness", 40)
      .number("damping", given.damping)
      .function(angle ? "free_angle" : "free_length", given.free);
  fill.function("spring", given.spring).function("damper", given.damper);
  if (given.side != 0) fill.choice("one_sided", given.side);
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

template <class T>
T clamped(const T& F, int side) {
  return (side == 1 ? F > 0 : F < 0) ? T(0.0) : F;
}

/// The same for elements that act on one side only. Far: all lengths of the tests are below it.
template <class Use>
void for_one_sided_laws(const Use& use) {
  static const ConstantFunction far(5);
  use(LawSettings{"tension, spring", &constant, 3, &closed, nullptr, "", 2},
      [](const auto& x, const auto& rate, const auto&) {
        return clamped(40.0 * (x - 0.8) + cubic(x - 0.8) + 3.0 * rate, 2);
      });
  use(LawSettings{"compression, spring", &far, 3, &numeric, nullptr, "", 1},
      [](const auto& x, const auto& rate, const auto&) {
        return clamped(40.0 * (x - 5.0) + cubic(x - 5.0) + 3.0 * rate, 1);
      });
  use(LawSettings{"tension, formula, free(t)", &schedule, 2, nullptr, nullptr, "30*X^2*(2 + cos(t)) - 40", 2},
      [](const auto& x, const auto& rate, const auto& t) {
        using std::cos;
        return clamped(40.0 * (x - (0.8 + 0.2 * t * t)) + 30.0 * x * x * (2.0 + cos(t)) - 40.0 + 2.0 * rate, 2);
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
  Random beside(6);
  double worst = 0;
  for (const std::vector<std::int32_t>& bodies : pairs) {
    // The element is made in such a state, too: angles count from there, and none of them jumps by a turn.
    const std::vector<State> made_in = smooth_pair(beside, 1, bodies, model.ground);
    for (const std::size_t i : {0u, 1u}) {
      if (bodies[i] >= 0) model.states[static_cast<std::size_t>(bodies[i])] = made_in[i];
    }
    const auto made = make(bodies, model, random);
    for (int sample = 0; sample < 6; ++sample) {
      const double length = sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97;
      const std::vector<State> states = smooth_pair(random, length, bodies, model.ground);
      worst = std::max(worst, potential_error(**made.first, states, {bodies[0] != -1, bodies[1] != -1}, 0.7));
    }
  }
  const std::string what = name + (State::coordinates == 3 ? " (planar)" : "") + ": largest V_q^T + Q";
  check_paper_row({"Haug, (7.5.5) to (7.5.14)", what, PaperFigure::none, 0, 1e-10}, worst);
}

template <class State>
void check_tsda_laws() {
  const auto check = [](const LawSettings& settings, const auto& law) {
    const auto make = [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
      const ComponentRecord& record = find_component("tsda", ComponentKind::force, model.host());
      const auto s_i = random_local<State>(random), s_j = random_local<State>(random);
      ParameterFill fill(record.parameters);
      fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
      fill_law(fill, settings, false);
      return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                       scalar_oracle<State>(BodyRef{bodies[0]}, BodyRef{bodies[1]},
                                            LengthBetween<LocalVector<State>>{s_i, s_j}, law));
    };
    check_law<State>(std::string("tsda ") + settings.name, make);
  };
  for_laws(check);
  for_one_sided_laws(check);
}

/// What creating a tsda with this law says.
std::string refusal(const std::string& law, double free_length) {
  const ComponentRecord& record = find_component("tsda", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  model.states = {model.ground};
  ParameterFill fill(record.parameters);
  fill.bodies("bodies", {-1, 0}).number("free_length", free_length).text("law", law);
  try {
    const Component<ForceElement> element(record, std::move(fill), model);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE_BEGIN("papers");

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

TEST_SUITE_END();

TEST_CASE("tsda: wrong formulas and free lengths are refused") {
  CHECK(refusal("3*l + rate*t", 1) == "");
  CHECK(refusal("3*lenght", 1).find("did you mean 'length'?") != std::string::npos);
  CHECK(refusal("3*theta", 1).find("unknown name 'theta'") != std::string::npos);
  CHECK(refusal("l", -1).find("at least 0") != std::string::npos);
}

TEST_CASE("tsda: a law that is not defined at a length fails there, and only there") {
  const ComponentRecord& record = find_component("tsda", ComponentKind::force, Host::planar);
  Model<PlanarBodyState> model;
  model.ground = ground_state<PlanarBodyState>();
  for (const double x : {0.5, 1.5}) {
    const double q[3] = {x, 0, 0}, v[3] = {};
    model.states = {model.ground};
    set_state(model.states[0], q, v);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", {-1, 0}).text("law", "log(l - 1)");
    const Component<ForceElement> element(record, std::move(fill), model);
    const void* attached[2] = {&model.ground, &model.states[0]};
    ElementState s;
    s.bodies = attached;
    double Q[3] = {};
    const VectorView views[2] = {{}, {Q, 3}};
    const Status status = element->force(s, views);
    CHECK(status.ok() == (x > 1));
    if (x > 1)
      CHECK(Q[0] == doctest::Approx(-std::log(0.5)));
    else
      CHECK(status.code == StatusCode::out_of_domain);
  }
}

}  // namespace conformance
