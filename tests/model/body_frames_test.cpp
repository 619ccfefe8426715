// Elements on frames of bodies that deform (acme.modal): every derivative that the kernel leads on from frames to
// bodies against differences of what it is the derivative of, and what is refused by name.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "loaded_model.h"
#include "trammel/error.h"

namespace trammel {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A free beam with three points, two rigid bodies, and these elements.
std::string system_with(const std::string& constraints, const std::string& forces) {
  return R"("type": "acme.modal", "gravity": [0.4, -9.81], "bodies": {
      "beam": { "type": "beam", "ends": "free", "mass": 1, "length": 1.2, "bending_stiffness": 3, "angle": 0.4,
                "angular_velocity": 2, "deflection": 0.05, "deflection_rate": 0.7 },
      "left": { "mass": 0.5, "inertia": 0.01, "position": [-0.8, -0.5] },
      "right": { "mass": 0.3, "inertia": 0.02, "position": [0.7, 0.6] } },
    "points": { "a": { "body": "beam", "point": [-0.6, 0] }, "b": { "body": "beam", "point": [0.6, 0] },
                "m": { "body": "beam", "point": [0.2, 0] }, "beside": { "body": "beam", "point": [0.2, 0.1] },
                "rigid": { "body": "left", "point": [0.1, 0] } },
    "constraints": {)" +
         constraints + R"(}, "forces": {)" + forces + "}";
}

struct Framed {
  explicit Framed(const std::string& system)
      : run(load_run_file(system_file(system))),
        host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"},
              {std::string(TRAMMEL_BUILD_DIR) + "/tests/body_frames", "test"}}),
        model(run, host),
        numbers(model),
        n(numbers.coordinates()),
        m(numbers.constraints()),
        q(Eigen::Map<const Vector>(model.q0().data(), n)),
        v(Eigen::Map<const Vector>(model.v0().data(), n)) {
    for (Index i = 0; i < n; ++i) q[i] += 0.03 * std::sin(3 * i + 1), v[i] += 0.4 * std::cos(2 * i + 1);
    a = Vector::NullaryExpr(n, [](Eigen::Index i) { return 2 * std::sin(5 * i + 2.0); });
    lambda = Vector::NullaryExpr(m, [](Eigen::Index i) { return 3 * std::cos(4 * i + 1.0); });
  }
  static ConstVectorView view(const Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }
  void at(const Vector& place, const Vector& rate) {
    REQUIRE(numbers.evaluate(0.3, view(place), view(rate), {}, evaluate_Phi | evaluate_nu | evaluate_dynamics));
  }
  Matrix Phi_q() {
    Matrix out(m, n);
    for (Index i = 0; i < n; ++i) {
      const Vector unit = Vector::Unit(n, i);
      Vector column(m);
      numbers.apply_jacobian(view(unit), view(column));
      out.col(i) = column;
    }
    return out;
  }
  /// M a + Phi_q^T lambda - Q, then Phi_q a - gamma.
  Vector residual(const Vector& place, const Vector& rate) {
    at(place, rate);
    Vector Ma(n), out(n + m);
    numbers.apply_mass(view(a), view(Ma));
    out << Ma + Phi_q().transpose() * lambda - numbers.Q().map(), Phi_q() * a - numbers.gamma().map();
    return out;
  }
  using Function = std::function<Vector(const Vector&, const Vector&)>;
  Matrix differences(const Function& f, bool by_v) const {
    const double h = 2e-3;
    Vector place = q, rate = v;
    Vector& x = by_v ? rate : place;
    Matrix out;
    for (Index j = 0; j < n; ++j) {
      const double kept = x[j];
      const auto moved = [&](double d) {
        x[j] = kept + d;
        return f(place, rate);
      };
      const Vector column =
          (45 * (moved(h) - moved(-h)) - 9 * (moved(2 * h) - moved(-2 * h)) + moved(3 * h) - moved(-3 * h)) / (60 * h);
      x[j] = kept;
      if (j == 0) out.resize(column.size(), n);
      out.col(j) = column;
    }
    return out;
  }

  RunFile run;
  PluginHost host;
  Model model;
  ConstrainedModel numbers;
  Index n, m;
  Vector q, v, a, lambda;
};

void check_close(const Matrix& given, const Matrix& wanted) {
  CHECK((given - wanted).norm() < 1e-10 * (1 + wanted.norm()));
}

std::string message_of(const std::string& constraints, const std::string& forces) {
  try {
    Framed framed(system_with(constraints, forces));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("everything is led on exactly from frames to the coordinates of the bodies") {
  const char* const constraints[] = {
      R"("c": { "type": "distance", "bodies": ["a", "left"] })",
      R"("c": { "type": "distance", "bodies": ["right", "b"], "point_i": [0.1, 0.05] })",
      R"("c": { "type": "revolute", "bodies": ["b", "right"], "at": [0.6, 0.3] })",
      R"("c": { "type": "translational", "bodies": ["left", "m"], "at": [0.1, 0], "axis": [1, 0.3] })",
      R"("c": { "type": "fixed", "bodies": ["ground", "a"] })",
      R"("c": { "type": "revolute", "bodies": ["left", "right"], "at": [0, 0] })"};
  const char* const force = R"("f": { "type": "tsda", "bodies": ["m", "left"], "stiffness": 20, "damping": 0.5,
      "free_length": 0.3 }, "g": { "type": "applied_force", "body": "b", "force": [1, 2], "frame": "body" })";
  for (const char* constraint : constraints) {
    CAPTURE(constraint);
    Framed x(system_with(constraint, force));
    x.at(x.q, x.v);
    const Matrix Phi_q = x.Phi_q();
    const auto Phi = [&](const Vector& place, const Vector& rate) -> Vector {
      x.at(place, rate);
      return x.numbers.Phi().map();
    };
    check_close(Phi_q, x.differences(Phi, false));
    // gamma = -(Phi_q v)_q v, and (Phi_q a)_q by the contraction.
    const auto Phi_q_v = [&](const Vector& place, const Vector& rate) -> Vector {
      x.at(place, rate);
      return x.Phi_q() * x.v;
    };
    const Matrix gradient = x.differences(Phi_q_v, false);
    x.at(x.q, x.v);
    check_close(x.numbers.gamma().map(), -gradient * x.v);
    for (Index j = 0; j < x.n; ++j) {
      const Vector unit = Vector::Unit(x.n, j);
      Vector out(x.m);
      REQUIRE(
          x.numbers.derivatives().apply_jacobian_gradient(Framed::view(x.v), Framed::view(unit), Framed::view(out)));
      check_close(out, gradient.col(j));
    }
    const auto residual = [&](const Vector& place, const Vector& rate) { return x.residual(place, rate); };
    const Matrix by_q = x.differences(residual, false), by_v = x.differences(residual, true);
    x.at(x.q, x.v);
    REQUIRE(x.numbers.derivatives().linearize(Framed::view(x.a), Framed::view(x.lambda)));
    const Vector none = Vector::Zero(x.n);
    for (Index j = 0; j < x.n; ++j) {
      const Vector unit = Vector::Unit(x.n, j);
      Vector f(x.n), g(x.m), both(x.n + x.m);
      REQUIRE(x.numbers.derivatives().apply_linearization(Framed::view(unit), Framed::view(none), Framed::view(f),
                                                          Framed::view(g)));
      both << f, g;
      check_close(both, by_q.col(j));
      REQUIRE(x.numbers.derivatives().apply_linearization(Framed::view(none), Framed::view(unit), Framed::view(f),
                                                          Framed::view(g)));
      both << f, g;
      check_close(both, by_v.col(j));
    }
  }
}

TEST_CASE("what cannot be led on is refused by name") {
  const auto refused = [](const std::string& constraints, const std::string& forces, const std::string& part) {
    const std::string message = message_of(constraints, forces);
    CAPTURE(message);
    CHECK(contains(message, part));
    CHECK(contains(message, "run.json:"));
  };
  refused(R"("c": { "type": "revolute", "bodies": ["beam", "right"], "at": [0.6, 0.3] })", "",
          "attaches to 'beam', which deforms");
  refused(R"("c": { "type": "distance", "bodies": ["rigid", "right"] })", "",
          "is a point of a body that does not deform");
  refused(R"("c": { "type": "distance", "bodies": ["a", "b"] })", "", "connects two points of 'beam'");
  refused(R"("c": { "type": "impact", "bodies": ["a", "left"], "axis_i": [0, 1], "restitution": 0.5 })", "",
          "cannot attach to a body that deforms");
  refused(R"("c": { "type": "distance", "bodies": ["beside", "right"] })", "", "is no point of the material of 'beam'");
  refused("", R"("f": { "type": "stop", "bodies": ["a", "left"], "axis_i": [0, 1], "stiffness": 100 })",
          "cannot attach to a body that deforms");
}

}  // namespace trammel
