// Exact gradients of forces that read signals against differences, at states off the constraints.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "loaded_model.h"
#include "model/constrained_model.h"
#include "signals/signal_force.h"

using namespace trammel;

namespace {

const char* const spatial = R"({ "trammel": 2,
  "signals": {
    "sway": "0.3*tip.vy*arm.wz + hinge.angle^2 - 2*hinge.rate*wheel.e1 + 0.4*wheel.wy*wheel.wx",
    "aim": { "type": "function", "function": { "type": "harmonic", "amplitude": 0.5, "frequency": 1.5 },
             "argument": "tip.x + t" },
    "u": { "type": "pid", "input": "aim - sway", "kp": 2, "ki": 3, "kd": 0.4, "filter": 0.05 },
    "late": { "type": "delay", "input": "sway - u", "time": 0.3, "order": 3, "initial": "0.2*t" },
    "soft": { "type": "transfer_function", "input": "u*tip.vz + wheel.vx + late*aim", "numerator": [1, 0.3, 0.5],
              "denominator": [2, 1, 0.25] } },
  "system": { "type": "spatial",
    "bodies": { "arm": { "mass": 1, "inertia": [0.1, 0.2, 0.3], "position": [0.5, 0, 0] },
                "wheel": { "mass": 2, "inertia": [0.2, 0.2, 0.3], "position": [1, 1, 0] } },
    "points": { "tip": { "body": "arm", "point": [0.5, 0.1, -0.2] } },
    "constraints": { "hinge": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 0, 1] } },
    "forces": {
      "pull": { "type": "tsda", "bodies": ["ground", "wheel"], "point_i": [0, 3, 0], "stiffness": 5,
                "law": "soft*l + u*rate + t", "free_length": "sway" },
      "cylinder": { "type": "actuator", "bodies": ["arm", "wheel"], "law": "soft - 2*u*x + aim*force", "lag": 0.2 },
      "turn": { "type": "applied_torque", "body": "arm", "torque": [0, 0, 1], "function": "u" },
      "six": { "type": "six_component_force", "bodies": ["arm", "wheel"], "force_x": "soft*x", "torque_z": "u + sway*vy" } } },
  "analysis": { "type": "dynamics", "duration": 1 } })";

// Channels of forces, with laws that depend on time, on rates and on counted angles; a stop and a tyre that are pressed.
const char* const spatial_channels = R"({ "trammel": 2,
  "signals": {
    "a": "pull.force*pull.rate - 0.3*twist.torque + pull.length^2", "b": "twist.angle + 0.2*twist.rate*hold.torque",
    "c": "0.01*bump.force + bump.gap*bump.rate", "d": "0.01*tyre.force - tyre.deflection*tyre.rate",
    "e": "hold.power + hold.position*limit.torque + drive.torque*drive.rate",
    "f": { "type": "transfer_function", "input": "spin.torque - a*pull.force", "numerator": [1, 0.3], "denominator": [2, 1] } },
  "system": { "type": "spatial",
    "bodies": { "arm": { "mass": 1, "inertia": [0.1, 0.2, 0.3], "position": [0.5, 0, 0] },
                "wheel": { "mass": 2, "inertia": [0.2, 0.2, 0.3], "position": [1, 1, 0] } },
    "constraints": { "hinge": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 0, 1] } },
    "forces": {
      "one": { "type": "tsda", "bodies": ["ground", "arm"], "point_i": [0, 5, 1], "law": "a*l + c" },
      "two": { "type": "applied_torque", "body": "wheel", "torque": [0, 0, 1], "function": "b" },
      "three": { "type": "six_component_force", "bodies": ["arm", "wheel"], "force_x": "d*x", "torque_z": "e + f*vy" },
      "pull": { "type": "tsda", "bodies": ["ground", "wheel"], "point_i": [0, 3, 0], "law": "(2 + sin(t))*(l - 1) + rate^3" },
      "twist": { "type": "rsda", "bodies": ["arm", "wheel"], "axis": [0, 0, 1], "stiffness": 3, "damping": 0.4,
                 "free_angle": { "type": "harmonic", "amplitude": 0.2, "frequency": 2 } },
      "bump": { "type": "stop", "bodies": ["ground", "wheel"], "point_i": [0, 0, 4], "axis_i": [0, 0, 1],
                "stiffness": 100, "exponent": 2, "dissipation": 0.1 },
      "tyre": { "type": "tyre_vertical", "body": "wheel", "point": [0.1, 0.2, 0.3], "stiffness": 100, "damping": 3,
                "radius": 4, "road": { "type": "harmonic", "amplitude": 0.2, "frequency": 2 } },
      "hold": { "type": "servo", "joint": "hinge", "position": { "type": "harmonic", "amplitude": 1, "frequency": 3 },
                "stiffness": 4, "damping": 0.3 },
      "limit": { "type": "joint_limit", "joint": "hinge", "lower": 8, "stiffness": 3, "exponent": 2, "dissipation": 0.05 },
      "drive": { "type": "motor", "joint": "hinge", "command": { "type": "harmonic", "amplitude": 1, "frequency": 3 },
                 "curve": { "type": "polynomial", "coefficients": [5, -0.3, 0.1] } },
      "spin": { "type": "joint_spring", "joint": "hinge", "law": "x*rate + t*x^2" } } },
  "analysis": { "type": "dynamics", "duration": 1 } })";
const char* const planar_channels = R"({ "trammel": 2,
  "signals": {
    "a": "pull.force*pull.rate - 0.3*twist.torque + pull.length^2 + twist.angle*twist.rate",
    "c": "0.01*bump.force + bump.gap*bump.rate", "d": "0.01*tyre.force - tyre.deflection*tyre.rate" },
  "system": { "type": "planar",
    "bodies": { "arm": { "mass": 1, "inertia": 0.3 }, "wheel": { "mass": 2, "inertia": 0.2, "position": [1, 1] } },
    "forces": {
      "one": { "type": "tsda", "bodies": ["ground", "arm"], "point_i": [0, 5], "law": "a*l + c*rate + d" },
      "pull": { "type": "tsda", "bodies": ["arm", "wheel"], "point_i": [0, 0.3], "law": "(2 + sin(t))*(l - 1) + rate^3" },
      "twist": { "type": "rsda", "bodies": ["arm", "wheel"], "stiffness": 3, "law": "theta*rate*t" },
      "bump": { "type": "stop", "bodies": ["arm", "wheel"], "point_i": [0, 4], "axis_i": [0, 1],
                "stiffness": 100, "exponent": 2, "dissipation": 0.1 },
      "tyre": { "type": "tyre_vertical", "body": "wheel", "point": [0.1, 0.2], "stiffness": 100, "damping": 3,
                "radius": 4, "road": { "type": "harmonic", "amplitude": 0.2, "frequency": 2 } } } },
  "analysis": { "type": "dynamics", "duration": 1 } })";

void check_gradients(const char* file, int expected) {
  LoadedModel loaded(temporary_run_file(file, "signal_gradients.json"));
  const Assembly& assembly = *loaded.model.assembly();
  const Index n = assembly.coordinates(), c = assembly.body_coordinates();
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> amount(-1, 1);
  std::vector<double> q = loaded.model.q0(), v(q.size());
  for (double& x : q) x += 0.3 * amount(generator);
  for (double& x : v) x = amount(generator);
  const std::size_t stride = static_cast<std::size_t>(assembly.system.state_bytes() + 7) / 8;
  std::vector<double> states;
  int readers = 0;
  for (const ForceSlot& slot : assembly.forces) {
    CAPTURE(slot.name);
    readers += find_extension<SignalCarrier>(*slot.force) != nullptr ? 1 : 0;
    const auto k = static_cast<Index>(slot.bodies.size());
    std::vector<double> z(static_cast<std::size_t>(slot.states) + 1), angles(8, 0.0);
    for (double& x : z) x = amount(generator);
    if (slot.angles != nullptr) slot.angles->initial_angles({angles.data(), slot.angles->angle_count()});
    double t = 0.7;
    std::vector<const void*> bodies(slot.bodies.size());
    struct Output {
      std::vector<double> Q, rate;
    };
    const auto state = [&] {
      states.assign((static_cast<std::size_t>(assembly.bodies()) + 1) * stride, 0.0);
      assembly.motion.kinematics({q.data(), n}, {v.data(), n}, states.data());
      assembly.system.ground_state(states.data() + static_cast<std::size_t>(assembly.bodies()) * stride);
      for (std::size_t b = 0; b < bodies.size(); ++b) {
        const auto body = static_cast<std::size_t>(slot.bodies[b] < 0 ? assembly.bodies() : slot.bodies[b]);
        bodies[b] = states.data() + body * stride;
      }
      ElementState s;
      s.t = t, s.bodies = bodies.data(), s.angle_references = angles.data(), s.z = z.data();
      return s;
    };
    const auto evaluate = [&] {
      const ElementState s = state();
      Output out{std::vector<double>(static_cast<std::size_t>(k * c), 0.0), std::vector<double>(z.size(), 0.0)};
      std::vector<VectorView> views;
      for (Index b = 0; b < k; ++b)
        views.push_back(slot.bodies[static_cast<std::size_t>(b)] < 0 ? VectorView{}
                                                                     : VectorView{out.Q.data() + b * c, c});
      REQUIRE(slot.force->force(s, views.data()).ok());
      if (slot.states > 0) REQUIRE(slot.force->internal_rate(s, {out.rate.data(), slot.states}).ok());
      return out;
    };
    const auto difference = [&](double& x) {
      const double at = x, h = 1e-5;
      x = at + h;
      Output high = evaluate();
      x = at - h;
      const Output low = evaluate();
      x = at;
      for (std::size_t i = 0; i < high.Q.size(); ++i) high.Q[i] = (high.Q[i] - low.Q[i]) / (2 * h);
      for (std::size_t i = 0; i < high.rate.size(); ++i) high.rate[i] = (high.rate[i] - low.rate[i]) / (2 * h);
      return high;
    };
    const auto size = static_cast<std::size_t>(c);
    std::vector<std::vector<double>> numbers;
    const auto block = [&](Index rows, Index columns) {
      numbers.emplace_back(static_cast<std::size_t>(rows * columns) + 1, 0.0);
      return MatrixView{numbers.back().data(), rows, columns, rows};
    };
    numbers.reserve(1000);
    const auto ground = [&](Index b) { return slot.bodies[static_cast<std::size_t>(b)] < 0; };
    std::vector<MatrixView> Q_q, Q_v, Q_z, rate_q, rate_v;
    for (Index i = 0; i < k * k; ++i) {
      const bool none = ground(i / k) || ground(i % k);
      Q_q.push_back(none ? MatrixView{} : block(c, c)), Q_v.push_back(none ? MatrixView{} : block(c, c));
    }
    const Index nz = slot.states;
    for (Index b = 0; b < k; ++b) {
      Q_z.push_back(ground(b) ? MatrixView{} : block(c, nz));
      rate_q.push_back(ground(b) ? MatrixView{} : block(nz, c)),
          rate_v.push_back(ground(b) ? MatrixView{} : block(nz, c));
    }
    InternalGradients out;
    out.Q_z = Q_z.data(), out.rate_q = rate_q.data(), out.rate_v = rate_v.data(), out.rate_z = block(nz, nz);
    std::vector<double> rate_t(static_cast<std::size_t>(nz) + 1, 0.0), Q_t(static_cast<std::size_t>(k) * size, 0.0);
    out.rate_t = {rate_t.data(), nz};
    const ElementState s = state();
    REQUIRE(slot.force->gradients(s, Q_q.data(), Q_v.data()).ok());
    if (nz > 0) REQUIRE(slot.force->internal_gradients(s, out).ok());
    std::vector<VectorView> by_t;
    for (Index b = 0; b < k; ++b) by_t.push_back(ground(b) ? VectorView{} : VectorView{Q_t.data() + b * c, c});
    REQUIRE(slot.force->time_gradient(s, by_t.data()).ok());
    const auto near = [](double exact, double found) { return std::abs(exact - found) < 2e-6 * (1 + std::abs(exact)); };
    const auto column = [&](const std::vector<MatrixView>& blocks, const std::vector<MatrixView>& rates, Index body,
                            Index j, const Output& d) {
      for (Index i = 0; i < k; ++i) {
        for (Index m = 0; !ground(i) && m < c; ++m)
          CHECK(near(blocks[static_cast<std::size_t>(i * k + body)](m, j), d.Q[static_cast<std::size_t>(i * c + m)]));
      }
      for (Index m = 0; m < nz; ++m)
        CHECK(near(rates[static_cast<std::size_t>(body)](m, j), d.rate[static_cast<std::size_t>(m)]));
    };
    for (Index b = 0; b < k; ++b) {
      for (Index j = 0; !ground(b) && j < c; ++j) {
        const auto at = static_cast<std::size_t>(assembly.table.first(slot.bodies[static_cast<std::size_t>(b)]) + j);
        column(Q_q, rate_q, b, j, difference(q[at]));
        column(Q_v, rate_v, b, j, difference(v[at]));
      }
    }
    for (Index j = 0; j < nz; ++j) {
      const Output d = difference(z[static_cast<std::size_t>(j)]);
      for (Index i = 0; i < k; ++i) {
        for (Index m = 0; !ground(i) && m < c; ++m)
          CHECK(near(Q_z[static_cast<std::size_t>(i)](m, j), d.Q[static_cast<std::size_t>(i * c + m)]));
      }
      for (Index m = 0; m < nz; ++m) CHECK(near(out.rate_z(m, j), d.rate[static_cast<std::size_t>(m)]));
    }
    const Output d = difference(t);
    for (std::size_t i = 0; i < Q_t.size(); ++i) CHECK(near(Q_t[i], d.Q[i]));
    for (Index m = 0; m < nz; ++m)
      CHECK(near(rate_t[static_cast<std::size_t>(m)], d.rate[static_cast<std::size_t>(m)]));
  }
  CHECK(readers == expected);
}

}  // namespace

TEST_CASE("gradients of forces through signals are those of differences") { check_gradients(spatial, 4); }

TEST_CASE("gradients of forces through channels of forces are those of differences") {
  check_gradients(spatial_channels, 3);
  check_gradients(planar_channels, 1);
}
