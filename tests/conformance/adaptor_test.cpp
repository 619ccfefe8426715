// The automatic-differentiation adaptor itself, against central differences of its own phi and force.
#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/auto_force.h"

namespace {

using namespace trammel;
using sdk::Pose;
using State = SpatialBodyState;

/// A driven rod, the whole of a user's element: |P_j - P_i| = 1 + 0.1 sin 3t, and a row that mixes t, q and a Function.
class DrivenRod final : public sdk::AutoConstraint<DrivenRod, State, 2, 2> {
 public:
  explicit DrivenRod(const Function* f) : AutoConstraint(BodyRef{0}, BodyRef{1}), f_(f) {}
  bool rheonomic() const override { return true; }

  template <class T>
  void phi(const T& t, const Pose<State, T>* b, T* out) const {
    using std::sin;
    const sdk::Vec3<T> d = b[1].point({0.1, -0.2, 0.3}) - b[0].point({0.4, 0.5, -0.6});
    out[0] = sdk::norm(d) - (1.0 + 0.1 * sin(3.0 * t));
    out[1] = sdk::dot(b[0].direction({1, 0, 0}), d) * sdk::evaluate(*f_, t);
  }

 private:
  const Function* f_;
};

class Cubic final : public Function {
 public:
  explicit Cubic(int order) : order_(order) {}
  int max_order() const override { return order_; }
  Status evaluate(double x, int order, double* value) const override {
    const double all[4] = {1 + x * x * x, 3 * x * x, 6 * x, 6};
    std::copy(all, all + order + 1, value);
    return Status::success();
  }

 private:
  int order_;
};

class Drag final : public sdk::AutoForce<Drag, State, 1> {
 public:
  Drag() : AutoForce(BodyRef{0}) {}
  template <class T>
  void force(const T& t, const sdk::Motion<State, T>* b, sdk::Load<State, T>* loads) const {
    const sdk::Vec3<T> v = b[0].point_velocity({0.2, 0.3, 0.1});
    loads[0].add_force(b[0], {0.2, 0.3, 0.1}, (-0.5 * (1.0 + t)) * (sdk::norm(v) * v));
    loads[0].add_torque(b[0], -0.3 * b[0].angular_velocity());
  }
};

/// Numbers of two bodies, and the state they make.
struct Point {
  double t = 0.7, q[14], v[14];
  State states[2];
  const void* attached[2] = {&states[0], &states[1]};

  ElementState at() {
    for (int b = 0; b < 2; ++b) {
      std::copy(q + 7 * b, q + 7 * b + 3, states[b].r), std::copy(q + 7 * b + 3, q + 7 * b + 7, states[b].p);
      std::copy(v + 7 * b, v + 7 * b + 3, states[b].rdot), std::copy(v + 7 * b + 3, v + 7 * b + 7, states[b].pdot);
    }
    ElementState s;
    s.t = t, s.bodies = attached;
    return s;
  }
};

Point random_point() {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Point p;
  for (int k = 0; k < 14; ++k) p.q[k] = uniform(random), p.v[k] = uniform(random);
  return p;
}

/// Central difference of f over x, step h: truncation about 1e-9 and rounding about 1e-9 for numbers of size 1 to 100.
template <class F>
double difference(double& x, const F& f) {
  const double h = 1e-5, x0 = x;
  x = x0 + h;
  const double right = f();
  x = x0 - h;
  const double left = f();
  x = x0;
  return (right - left) / (2 * h);
}
constexpr double difference_tolerance = 2e-6;

struct Values {
  double Phi[2], Phi_q[28], nu[2], gamma[2];
  double jacobian(int m, int k) const { return Phi_q[(k / 7) * 14 + (k % 7) * 2 + m]; }
};

Values values(const DrivenRod& rod, Point& p) {
  Values x;
  const MatrixView blocks[2] = {{x.Phi_q, 2, 7, 2}, {x.Phi_q + 14, 2, 7, 2}};
  ConstraintOutput out;
  out.Phi = {x.Phi, 2}, out.Phi_q = blocks, out.nu = {x.nu, 2}, out.gamma = {x.gamma, 2};
  REQUIRE(rod.evaluate(p.at(), out).ok());
  return x;
}

TEST_CASE("every derivative of AutoConstraint is the difference quotient of the one before") {
  const Cubic f(3);
  const DrivenRod rod(&f);
  Point p = random_point();
  const Values x = values(rod, p);
  double a[14], lambda[2] = {0.7, -1.3};
  for (int k = 0; k < 14; ++k) a[k] = 0.1 * k - 0.6;
  const ConstVectorView a_views[2] = {{a, 7}, {a + 7, 7}};
  double Pq[28], PT[196], psi_q[28], psi_v[28], Phi_tq[28], Phi_tt[2], psi_t[2];
  const auto two = [](double* d) { return std::vector<MatrixView>{{d, 2, 7, 2}, {d + 14, 2, 7, 2}}; };
  std::vector<MatrixView> four;
  for (int k = 0; k < 4; ++k) four.push_back({PT + 49 * k, 7, 7, 7});
  REQUIRE(rod.jacobian_gradient(p.at(), a_views, two(Pq).data()).ok());
  REQUIRE(rod.multiplier_gradient(p.at(), {lambda, 2}, four.data()).ok());
  REQUIRE(rod.acceleration_gradient(p.at(), a_views, two(psi_q).data(), two(psi_v).data()).ok());
  const std::vector<MatrixView> tq = two(Phi_tq);
  ConstraintTimeDerivatives time;
  time.Phi_tq = tq.data(), time.Phi_tt = {Phi_tt, 2}, time.acceleration_t = {psi_t, 2};
  REQUIRE(rod.time_derivatives(p.at(), a_views, time).ok());

  const auto close = [](double value, double expected) { return std::abs(value - expected) < difference_tolerance; };
  const auto block = [](const double* d, int m, int k) { return d[(k / 7) * 14 + (k % 7) * 2 + m]; };
  const auto psi = [&](int m) {
    const Values y = values(rod, p);
    double sum = -y.gamma[m];
    for (int k = 0; k < 14; ++k) sum += y.jacobian(m, k) * a[k];
    return sum;
  };
  for (int m = 0; m < 2; ++m) {
    CHECK(close(x.nu[m], -difference(p.t, [&] { return values(rod, p).Phi[m]; })));
    CHECK(close(Phi_tt[m], -difference(p.t, [&] { return values(rod, p).nu[m]; })));
    CHECK(close(psi_t[m], difference(p.t, [&] { return psi(m); })));
    // gamma = -d/dt (Phi_q v + Phi_t) along q' = v, t' = 1
    double s = 0;
    const Point p0 = p;
    const double rate = difference(s, [&] {
      for (int k = 0; k < 14; ++k) p.q[k] = p0.q[k] + s * p0.v[k];
      p.t = p0.t + s;
      const Values y = values(rod, p);
      double sum = -y.nu[m];
      for (int k = 0; k < 14; ++k) sum += y.jacobian(m, k) * p.v[k];
      return sum;
    });
    p = p0, p.attached[0] = &p.states[0], p.attached[1] = &p.states[1];
    CHECK(close(x.gamma[m], -rate));
    for (int k = 0; k < 14; ++k) {
      CHECK(close(x.jacobian(m, k), difference(p.q[k], [&] { return values(rod, p).Phi[m]; })));
      CHECK(close(block(Phi_tq, m, k), -difference(p.q[k], [&] { return values(rod, p).nu[m]; })));
      CHECK(close(block(psi_q, m, k), difference(p.q[k], [&] { return psi(m); })));
      CHECK(close(block(psi_v, m, k), difference(p.v[k], [&] { return psi(m); })));
      CHECK(close(block(Pq, m, k), difference(p.q[k], [&] {
                    const Values y = values(rod, p);
                    double sum = 0;
                    for (int n = 0; n < 14; ++n) sum += y.jacobian(m, n) * a[n];
                    return sum;
                  })));
    }
  }
  for (int n = 0; n < 14; ++n) {
    for (int k = 0; k < 14; ++k) {
      const double expected = difference(p.q[k], [&] {
        const Values y = values(rod, p);
        return lambda[0] * y.jacobian(0, n) + lambda[1] * y.jacobian(1, n);
      });
      CHECK(close(PT[49 * (2 * (n / 7) + k / 7) + 7 * (k % 7) + n % 7], expected));
    }
  }
}

TEST_CASE("a function without a third derivative makes acceleration_t unsupported, not wrong") {
  const Cubic f(2);
  const DrivenRod rod(&f);
  Point p = random_point();
  const double a[14] = {};
  const ConstVectorView a_views[2] = {{a, 7}, {a + 7, 7}};
  double psi_t[2];
  ConstraintTimeDerivatives time;
  time.acceleration_t = {psi_t, 2};
  CHECK(rod.time_derivatives(p.at(), a_views, time).code == StatusCode::unsupported);
  double gamma[2];
  ConstraintOutput out;
  out.gamma = {gamma, 2};
  CHECK(rod.evaluate(p.at(), out).ok());
  CHECK(std::isfinite(gamma[1]));
}

TEST_CASE("gradients of AutoForce are difference quotients of its force") {
  const Drag element;
  const ForceElement& drag = element;  // the template `force` of Drag hides the interface's
  Point p = random_point();
  double Q_q[49] = {}, Q_v[49] = {}, Q_t[7] = {};
  const MatrixView q_view{Q_q, 7, 7, 7}, v_view{Q_v, 7, 7, 7};
  const VectorView t_view{Q_t, 7};
  REQUIRE(drag.gradients(p.at(), &q_view, &v_view).ok());
  REQUIRE(drag.time_gradient(p.at(), &t_view).ok());
  const auto force = [&](int m) {
    double Q[7] = {};
    const VectorView view{Q, 7};
    REQUIRE(drag.force(p.at(), &view).ok());
    return Q[m];
  };
  for (int m = 0; m < 7; ++m) {
    CHECK(std::abs(Q_t[m] - difference(p.t, [&] { return force(m); })) < difference_tolerance);
    for (int k = 0; k < 7; ++k) {
      CHECK(std::abs(q_view(m, k) - difference(p.q[k], [&] { return force(m); })) < difference_tolerance);
      CHECK(std::abs(v_view(m, k) - difference(p.v[k], [&] { return force(m); })) < difference_tolerance);
    }
  }
}

}  // namespace
