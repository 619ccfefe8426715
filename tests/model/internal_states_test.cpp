// Internal states in the kernel: their gradients, exact and by differences, and what is said about them.
#include <doctest/doctest.h>

#include "loaded_model.h"
#include "random_vector.h"
#include "trammel/error.h"
#include "trammel/sdk/elements/auto_force.h"

using namespace trammel;

namespace {

VectorView view(std::vector<double>& x) { return LoadedModel::view(x); }

/// Two internal states that feed on the body's motion, each other and time.
class Oscillator final : public sdk::AutoForce<Oscillator, SpatialBodyState, 2, 2> {
 public:
  Oscillator() : AutoForce(BodyRef{0}, BodyRef{1}) {}
  template <class T>
  void force(const T& t, const sdk::Motion<SpatialBodyState, T>* b, const T* z,
             sdk::Load<SpatialBodyState, T>* loads) const {
    const auto pull = (z[0] + 0.5 * z[0] * z[1] + t) * (b[1].r - b[0].r);
    loads[0].add_force(b[0], {0.1, 0.2, 0}, pull);
    loads[1].add_force(b[1], {0, 0, 0.3}, -pull);
  }
  template <class T>
  void rate(const T& t, const sdk::Motion<SpatialBodyState, T>* b, const T* z, T* z_rate) const {
    z_rate[0] = z[1] * sdk::dot(b[0].r, b[1].rdot) + t * t;
    z_rate[1] = -z[0] + b[1].p.e0 * b[0].pdot.e.x * z[1];
  }
};

/// The same without gradients: the kernel takes differences.
class Plain final : public ForceElement {
 public:
  Index body_count() const override { return exact().body_count(); }
  BodyRef body(Index i) const override { return exact().body(i); }
  Status force(const ElementState& s, const VectorView* Q) const override { return exact().force(s, Q); }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override {
    return exact().gradients(s, Q_q, Q_v);
  }
  Index internal_states() const override { return 2; }
  Status internal_rate(const ElementState& s, VectorView rate) const override { return exact().internal_rate(s, rate); }

 private:
  const ForceElement& exact() const { return exact_; }
  Oscillator exact_;
};

/// f, r and (z')_t of a model of the example's bodies and this one force.
struct Linearized {
  std::vector<double> f, r, r_t;

  Linearized(LoadedModel& m, const ForceElement& force) : f(m.q.size()), r(4), r_t(4) {
    std::vector<std::string> names;
    for (Index b = 0; b < m.model.body_count(); ++b) names.emplace_back(m.model.body_name(b));
    Assembly assembly(*m.model.system().bodies(), "spatial", names);
    assembly.add("first", "test", "test", force);
    assembly.add("second", "test", "test", force);  // places of several elements with states
    ConstrainedModel numbers(assembly, m.model);
    const std::size_t n = m.q.size();
    std::vector<double> z = random_vector(4, 5), a = random_vector(n, 6),
                        lambda(static_cast<std::size_t>(numbers.constraints()));
    REQUIRE(numbers.evaluate(0.3, view(m.q), view(m.v), view(z), evaluate_dynamics));
    REQUIRE(numbers.derivatives().linearize(view(a), view(lambda)));
    std::vector<double> dq = random_vector(n, 7), dv = random_vector(n, 8), dz = random_vector(4, 9);
    REQUIRE(numbers.derivatives().apply_internal_linearization(view(dq), view(dv), view(dz), view(f), view(r)));
    REQUIRE(numbers.derivatives().internal_time_gradient(view(r_t)));
    // What was perturbed is put back.
    const std::vector<double> rate(numbers.z_rate().data, numbers.z_rate().data + 4);
    numbers.point().invalidate();
    REQUIRE(numbers.evaluate(0.3, view(m.q), view(m.v), view(z), evaluate_dynamics));
    for (std::size_t i = 0; i < 4; ++i) CHECK(numbers.z_rate()[static_cast<Index>(i)] == rate[i]);
  }
};

}  // namespace

TEST_CASE("gradients of internal states: differences where an element has none, equal to the exact ones") {
  LoadedModel m(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples/spatial_double_pendulum.json");
  m.disturb(4, 0.05);
  const Linearized exact(m, Oscillator()), differenced(m, Plain());
  const auto compare = [](const std::vector<double>& a, const std::vector<double>& b) {
    double size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-8));
      size = std::max(size, std::abs(a[i]));
    }
    CHECK(size > 0.1);
  };
  compare(exact.f, differenced.f);
  compare(exact.r, differenced.r);
  compare(exact.r_t, differenced.r_t);
}

TEST_CASE("apply_internal_linearization is the derivative of Q and z' of the crane") {
  LoadedModel m(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples/actuator_with_lag.json");
  m.disturb(3, 0.01);
  REQUIRE(m.z.size() == 1);
  CHECK(m.z[0] == 15500);
  const std::size_t n = m.q.size();
  std::vector<double> a(n), lambda(static_cast<std::size_t>(m.numbers.constraints()));
  std::vector<double> dq = random_vector(n, 3), dv = random_vector(n, 4), dz{10};
  REQUIRE(m.evaluate(evaluate_dynamics));
  REQUIRE(m.numbers.derivatives().linearize(view(a), view(lambda)));
  std::vector<double> f(n), by_z(n), g(lambda.size()), r(1);
  REQUIRE(m.numbers.derivatives().apply_linearization(view(dq), view(dv), view(f), view(g)));
  REQUIRE(m.numbers.derivatives().apply_internal_linearization(view(dq), view(dv), view(dz), view(by_z), view(r)));
  const std::vector<double> q = m.q, v = m.v, z = m.z;
  std::vector<double> Q(n), rate(1);
  const double h = 1e-4;
  for (const auto& [step, weight] : {std::pair{h, 8.0}, {-h, -8.0}, {2 * h, -1.0}, {-2 * h, 1.0}}) {
    for (std::size_t i = 0; i < n; ++i) m.q[i] = q[i] + step * dq[i], m.v[i] = v[i] + step * dv[i];
    m.z[0] = z[0] + step * dz[0];
    REQUIRE(m.evaluate(evaluate_dynamics));
    for (std::size_t i = 0; i < n; ++i) Q[i] += weight / (12 * h) * m.numbers.Q()[static_cast<Index>(i)];
    rate[0] += weight / (12 * h) * m.numbers.z_rate()[0];
  }
  // Fourth-order differences of forces of 2e4 N: rounding 1e-12 / h relative.
  for (std::size_t i = 0; i < n; ++i) CHECK(f[i] + by_z[i] == doctest::Approx(-Q[i]).epsilon(1e-7).scale(1e3));
  CHECK(r[0] == doctest::Approx(rate[0]).epsilon(1e-7));
}
