// The state-space view of coordinate partitioning: M^ w'' = Q^ and its Jacobians against differences of the accelerations
// and against the paper's block formulas, on shipped models in motion.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <functional>

#include "built_component.h"
#include "loaded_model.h"
#include "trammel/second_order_formulation.h"
#include "trammel/system_extensions.h"

using namespace trammel;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// A model in motion under the formulation's second-order view.
struct InMotion {
  static constexpr double t = 0.3;

  explicit InMotion(const std::filesystem::path& file)
      : loaded(file), model(loaded.numbers),
        built(ComponentKind::formulation, "coordinate_partitioning", {{{"tolerance", 1e-13}}, {}, {}}),
        formulation(*built), reduction(*find_extension<SecondOrderFormulation>(formulation)) {
    const Index n = model.coordinates();
    ProjectionReport report;
    VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
    REQUIRE(model.project_positions(t, q, ProjectionWeights::identity, 1e-13, report));
    REQUIRE(model.evaluate(t, q, v, LoadedModel::view(loaded.z), evaluate_jacobian));
    model.choose_rows(1e-6);
    for (Index i = 0; i < n; ++i) v[i] += 0.3 * std::sin(1.0 + static_cast<double>(i));
    REQUIRE(model.project_velocities(t, q, v, ProjectionWeights::mass, report));
    const MemorySize size = formulation.memory(model);
    state.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    const Memory memory{state.data(), scratch.data()};
    system = reduction.bind(model, memory);
    REQUIRE(formulation.start(model, t, q, v, memory));
    d = system->size();
    w.resize(d), w_dot.resize(d);
    REQUIRE(reduction.embed_second_order(model, t, q, v, memory, view(w), view(w_dot)));
  }

  Vector acceleration(double at, const Vector& x, const Vector& x_dot) {
    Vector a(d);
    REQUIRE(system->acceleration(at, {x.data(), d}, {x_dot.data(), d}, view(a)));
    return a;
  }
  Matrix columns(const std::function<Status(ConstVectorView, VectorView)>& apply) const {
    Matrix A(d, d);
    for (Index k = 0; k < d; ++k) {
      Vector unit = Vector::Unit(d, k), column(d);
      REQUIRE(apply(view(unit), view(column)));
      A.col(k) = column;
    }
    return A;
  }

  LoadedModel loaded;
  ConstrainedModel& model;
  BuiltComponent<Formulation> built;
  const Formulation& formulation;
  const SecondOrderFormulation& reduction;
  std::vector<double> state, scratch;
  SecondOrderSystem* system = nullptr;
  Index d = 0;
  Vector w, w_dot;
};

/// Central differences of order 6.
template <class F>
Vector derivative(const F& f, double step) {
  return (45 * (f(step) - f(-step)) - 9 * (f(2 * step) - f(-2 * step)) + (f(3 * step) - f(-3 * step))) / (60 * step);
}

std::vector<std::filesystem::path> mechanisms() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name == "spring_mass.json" || name == "actuator_with_lag.json") continue;
    if (name == "cam_follower.json") continue;  // the third derivative of its spline jumps within any difference
    files.push_back(entry.path());
  }
  return files;
}

}  // namespace

TEST_CASE("M^ J1, M^ J2 and M^ d(w'')/dt are the derivatives of the accelerations") {
  for (const auto& file : mechanisms()) {
    CAPTURE(file.filename().string());
    InMotion s(file);
    REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
    const auto M = s.columns([&](auto y, auto out) { return s.system->apply_mass(y, out); });
    const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
    const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
    Vector MJt(s.d);
    REQUIRE(s.system->time_gradient(view(MJt)));
    CHECK((M - M.transpose()).norm() < 1e-12 * M.norm());

    // Newton's method leaves 1e-13, so differences with a step of 2e-4 are good to some 1e-8 of the accelerations.
    const double step = 2e-4, scale = 1 + s.acceleration(s.t, s.w, s.w_dot).norm();
    Matrix J1(s.d, s.d), J2(s.d, s.d);
    for (Index k = 0; k < s.d; ++k) {
      const Vector unit = Vector::Unit(s.d, k);
      J1.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w + e * unit, s.w_dot); }, step);
      J2.col(k) = derivative([&](double e) { return s.acceleration(s.t, s.w, s.w_dot + e * unit); }, step);
    }
    const Vector Jt = derivative([&](double e) { return s.acceleration(s.t + e, s.w, s.w_dot); }, step);
    const auto error = [&](const Matrix& exact, const Matrix& differenced) {
      return (M.ldlt().solve(exact) - differenced).norm() / (scale + differenced.norm());
    };
    CAPTURE(s.d);
    CHECK(error(MJ1, J1) < 1e-7);
    CHECK(error(MJ2, J2) < 1e-7);
    CHECK(error(MJt, Jt) < 1e-7);
  }
}
