// Formulations through their loaded plugins, on small hand-written index-3 systems; orders with every integrator.
#include "trammel/formulation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "built_component.h"
#include "dense_constrained.h"
#include "ode_run.h"

using namespace trammel;

namespace {

using Vector = Eigen::VectorXd;

Arguments baumgarte_arguments(double alpha) { return {{{"alpha", alpha}}, {}, {}}; }
Arguments projection_arguments(const char* weights, const char* levels, int every = 1) {
  return {{{"every", every}}, {{"weights", weights}, {"levels", levels}}, {}};
}

/// What the kernel makes of a formulation for the integrators.
class FormulatedOde final : public OdeSystem {
 public:
  FormulatedOde(const Formulation& f, ConstrainedSystem& s) : formulation(f), system(s) {
    const MemorySize size = formulation.memory(system);
    state_.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch_.assign(static_cast<std::size_t>(size.scratch), 0.0);
    mask_.assign(static_cast<std::size_t>(formulation.ode_size(system)), 0.0);
    formulation.mask(system, memory(), {mask_.data(), this->size()});
  }
  Index size() const override { return formulation.ode_size(system); }
  Status rhs(double t, ConstVectorView y, VectorView f) override { return formulation.rhs(system, t, y, memory(), f); }
  ConstVectorView mask() const override { return {mask_.data(), size()}; }
  Memory memory() { return {state_.data(), scratch_.data()}; }

  const Formulation& formulation;
  ConstrainedSystem& system;

 private:
  std::vector<double> state_, scratch_, mask_;
};

/// Steps with correction, as the kernel does it.
class FormulatedRun {
 public:
  FormulatedRun(const Integrator& method, const Formulation& formulation, ConstrainedSystem& system, const Vector& y0)
      : ode(formulation, system), run(method, ode, 0, std::vector<double>(y0.begin(), y0.end())) {
    const Index n = system.coordinates();
    REQUIRE(formulation.start(system, 0, {y0.data(), n}, {y0.data() + n, n}, ode.memory()).ok());
  }
  void step(double h) {
    REQUIRE(run.attempt(h).status.ok());
    run.accept([&](std::vector<double>& y) {
      const Correction correction =
          ode.formulation.correct(ode.system, run.state.t, {y.data(), ode.size()}, {}, ode.memory());
      REQUIRE(correction.status.ok());
    });
    ode.formulation.accepted(ode.memory());
  }
  Vector y() const { return Eigen::Map<const Vector>(run.y().data(), static_cast<Index>(run.y().size())); }

  FormulatedOde ode;
  OdeRun run;
};

Vector rod_start() {
  Vector y = Vector::Zero(6);
  y << 1, 0, std::acos(0.0), 0, 0, 0;  // horizontal, at rest
  return y;
}

/// (x, y, theta, rates) at t = 1, from the angle alone: theta'' = -g sin theta by small steps of order 8.
Vector rod_reference() {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "dopri853");
  CallableOde angle(2, [](double, const double* y, double* f) {
    return f[0] = y[1], f[1] = -9.81 * std::sin(y[0]), Status::success();
  });
  OdeRun run(*method, angle, 0, {std::acos(0.0), 0});
  run.run(1, 500);
  const double s = std::sin(run.y()[0]), c = std::cos(run.y()[0]), w = run.y()[1];
  Vector y(6);
  y << s, -c, run.y()[0], c * w, s * w, w;
  return y;
}

}  // namespace

TEST_CASE("accelerations satisfy the equations of motion and the stabilized constraint, also off the constraints") {
  const double alpha = 3, beta = 2;
  const BuiltComponent<Formulation> direct(ComponentKind::formulation, "direct");
  const BuiltComponent<Formulation> baumgarte(ComponentKind::formulation, "baumgarte",
                                              {{{"alpha", alpha}, {"beta", beta}}, {}, {}});
  const BuiltComponent<Formulation> projection(ComponentKind::formulation, "projection");
  for (const bool rheonomic : {false, true}) {
    std::unique_ptr<DenseConstrained> system;
    if (rheonomic)
      system = std::make_unique<BeadOnWire>();
    else
      system = std::make_unique<RodPendulum>();
    const Index n = system->coordinates(), nz = system->internal_states();
    const Vector y = Vector::LinSpaced(2 * n + nz, 0.3, 1.7);
    for (const Formulation* formulation : {&*direct, &*baumgarte, &*projection}) {
      FormulatedOde ode(*formulation, *system);
      REQUIRE(ode.size() == 2 * n + nz);
      Vector f = Vector::Constant(2 * n + nz, NAN);
      REQUIRE(ode.rhs(0.4, {y.data(), ode.size()}, {f.data(), ode.size()}).ok());
      CHECK(f.head(n) == y.segment(n, n));
      if (nz > 0) CHECK(f[2 * n] == y[0] - y[2 * n]);
      const Vector a = f.segment(n, n), v = y.segment(n, n);
      Vector g = system->gamma_;
      if (formulation == &*baumgarte) g -= 2 * alpha * (system->Phi_q * v - system->nu_) + beta * beta * system->Phi_;
      CHECK((system->Phi_q * a - g).norm() < 1e-13 * (1 + g.norm()));
      // M a - Q = -Phi_q^T lambda: orthogonal to every direction that the constraints leave free.
      const Eigen::MatrixXd free = system->Phi_q.fullPivLu().kernel();
      CHECK((free.transpose() * (system->M * a - system->Q_)).norm() < 1e-12);
      CHECK(ode.mask().map() == Vector::Ones(2 * n + nz));
    }
  }
}

TEST_CASE("Baumgarte: a violation decays as its differential equation says, beta = alpha by default") {
  // Phi of the bead is linear in q: Phi = (Phi_0 + (Phi_0' + alpha Phi_0) t) e^(-alpha t) exactly.
  const double alpha = 4;
  const BuiltComponent<Formulation> formulation(ComponentKind::formulation, "baumgarte", baumgarte_arguments(alpha));
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "dopri853");
  BeadOnWire system;
  Vector y0 = BeadOnWire::solution(0);
  y0[1] += 0.01;   // Phi_0
  y0[3] += 0.002;  // Phi_0' = Phi_q v + Phi_t, from which w 0 * 0.01 drops out at t = 0
  FormulatedRun run(*method, *formulation, system, y0);
  for (int i = 0; i < 50; ++i) run.step(0.02);
  const Vector y = run.y();
  system.evaluate(1, {y.data(), 2}, {y.data() + 2, 2}, {y.data() + 4, 1}, evaluate_Phi);
  CHECK(system.Phi_[0] == doctest::Approx((0.01 + (0.002 + alpha * 0.01)) * std::exp(-alpha)).epsilon(1e-10));
}

TEST_CASE("projection moves the state onto the constraints and the error into their tangent space") {
  RodPendulum system;
  const Vector off = rod_start() + Vector::LinSpaced(6, 0.01, 0.03);
  for (const char* weights : {"mass", "identity"}) {
    for (const char* levels : {"position_velocity", "position"}) {
      CAPTURE(weights);
      CAPTURE(levels);
      const bool velocities = std::string(levels) == "position_velocity";
      const BuiltComponent<Formulation> formulation(ComponentKind::formulation, "projection",
                                                    projection_arguments(weights, levels));
      FormulatedOde ode(*formulation, system);
      Vector y = off, error = Vector::LinSpaced(6, 1, -0.7);
      const Vector before = error;
      const Correction correction = formulation->correct(system, 0, {y.data(), 6}, {error.data(), 6}, ode.memory());
      REQUIRE(correction.status.ok());
      CHECK(correction.changed);
      CHECK_FALSE(correction.restart);
      const Vector error_v = error.tail(3);
      system.evaluate(0, {y.data(), 3}, {y.data() + 3, 3}, {}, evaluate_dynamics);
      CHECK(system.Phi_.norm() < 1e-14);
      // The factorization that makes the error tangent is that of the last Newton iterate: quadratically close.
      CHECK((system.Phi_q * error.head(3)).norm() < 1e-9);
      CHECK((error.head(3) - before.head(3)).norm() > 0.1);
      if (velocities) {
        CHECK((system.Phi_q * y.tail(3)).norm() < 1e-14);
        CHECK((system.Phi_q * error_v).norm() < 1e-9);
      } else {
        CHECK(y.tail(3) == off.tail(3));
        CHECK(error_v == before.tail(3));
      }
      // The correction is the smallest in its norm: W (y - off) lies in the range of Phi_q^T.
      const Eigen::MatrixXd W = std::string(weights) == "mass" ? system.M : Eigen::MatrixXd::Identity(3, 3);
      const Eigen::MatrixXd free = system.Phi_q.fullPivLu().kernel();
      if (velocities) CHECK((free.transpose() * (W * (y - off).tail(3))).norm() < 1e-14);
      CHECK((free.transpose() * (W * (y - off).head(3))).norm() < 2e-3);  // Newton with moving Phi_q: second order
    }
  }
}

TEST_CASE("projection after every third step only") {
  RodPendulum system;
  const BuiltComponent<Formulation> formulation(ComponentKind::formulation, "projection",
                                                projection_arguments("mass", "position_velocity", 3));
  FormulatedOde ode(*formulation, system);
  const Vector off = rod_start() + Vector::Constant(6, 0.01);
  REQUIRE(formulation->start(system, 0, {off.data(), 3}, {off.data() + 3, 3}, ode.memory()).ok());
  for (int step = 1; step <= 7; ++step) {
    for (int attempt = 0; attempt < 2; ++attempt) {  // rejected steps do not count
      Vector y = off;
      const Correction correction = formulation->correct(system, 0, {y.data(), 6}, {}, ode.memory());
      CHECK(correction.changed == (step % 3 == 0));
      CHECK((y != off) == (step % 3 == 0));
    }
    formulation->accepted(ode.memory());
  }
  CHECK_FALSE(formulation->traits().corrects_output);
  const BuiltComponent<Formulation> always(ComponentKind::formulation, "projection");
  CHECK(always->traits().corrects_output);
}

TEST_CASE("Tables 9 and 10 of Fernandez de Bustos et al.: pendulum with kutta3, direct and position projection") {
  const BuiltComponent<Integrator> method(ComponentKind::integrator, "kutta3");
  const BuiltComponent<Formulation> direct(ComponentKind::formulation, "direct");
  const BuiltComponent<Formulation> projection(ComponentKind::formulation, "projection",
                                               projection_arguments("identity", "position"));
  const struct {
    const Formulation& formulation;
    int steps;
    double energy, drift, tolerance;
  } rows[] = {{*direct, 1000, 5.05e-5, 1.0474e-4, 2e-3},  // three printed digits and more
              {*direct, 10000, 3.74e-8, 1.03e-7, 4e-3},
              {*projection, 1000, 4.16e-4, 0, 2e-3},
              {*projection, 10000, 4.14e-7, 0, 2e-3}};
  for (const auto& row : rows) {
    RodPendulum system;
    FormulatedRun run(*method, row.formulation, system, rod_start());
    double energy = 0, drift = 0;
    for (int i = 0; i < row.steps; ++i) {
      run.step(10.0 / row.steps);
      const Vector y = run.y();
      energy = std::max(energy, std::abs((y[3] * y[3] + y[4] * y[4]) / 2 + 9.81 * y[1]));
      drift = std::max(drift, std::abs(y[0] * y[0] + y[1] * y[1] - 1));
    }
    CAPTURE(row.steps);
    CHECK(energy == doctest::Approx(row.energy).epsilon(row.tolerance));
    if (row.drift > 0)
      CHECK(drift == doctest::Approx(row.drift).epsilon(row.tolerance));
    else
      CHECK(drift < 1e-14);  // printed: 4.4e-16
  }
}

TEST_CASE("measured order of every integrator under every formulation, on two systems") {
  struct Method {
    const char* type;
    Arguments arguments;
    int steps;
  };
  const auto adams = [](int order, const char* mode) {
    return Arguments{{{"order", order}}, {{"mode", mode}, {"start", "runge_kutta"}}, {}};
  };
  const Method methods[] = {{"euler", {}, 2000},
                            {"heun", {}, 200},
                            {"heun3", {}, 100},
                            {"kutta3", {}, 100},
                            {"rk4", {}, 60},
                            {"fehlberg45", {}, 60},
                            {"dopri5", {}, 60},
                            {"dopri853", {}, 10},
                            {"adams", adams(2, "predictor"), 800},
                            {"adams", adams(3, "pece"), 200},
                            {"adams", adams(5, "pece"), 80}};
  const struct {
    const char* type;
    Arguments arguments;
  } formulations[] = {{"direct", {}},
                      {"baumgarte", baumgarte_arguments(5)},
                      {"projection", projection_arguments("mass", "position_velocity")},
                      {"projection", projection_arguments("identity", "position")},
                      {"projection", projection_arguments("identity", "position_velocity", 2)},
                      {"recursive", {}}};  // without bodies: all coordinates are its own, all rows cuts
  const Vector rod_end = rod_reference();
  for (const Method& m : methods) {
    const BuiltComponent<Integrator> method(ComponentKind::integrator, m.type, m.arguments);
    const int order = method->traits().order;
    for (const auto& f : formulations) {
      const BuiltComponent<Formulation> formulation(ComponentKind::formulation, f.type, f.arguments);
      for (const bool bead : {false, true}) {
        double error[2];
        for (int k = 0; k < 2; ++k) {
          std::unique_ptr<DenseConstrained> system;
          if (bead)
            system = std::make_unique<BeadOnWire>();
          else
            system = std::make_unique<RodPendulum>();
          FormulatedRun run(*method, *formulation, *system, bead ? BeadOnWire::solution(0) : rod_start());
          const int steps = (bead ? m.steps / 2 : m.steps) << k;  // the bead moves more smoothly
          for (int i = 0; i < steps; ++i) run.step(1.0 / steps);
          error[k] = (run.y() - (bead ? BeadOnWire::solution(1) : rod_end)).norm();
        }
        const double slope = std::log2(error[0] / error[1]);
        CAPTURE(m.type);
        CAPTURE(order);
        CAPTURE(f.type);
        CAPTURE(bead);
        CAPTURE(error[1]);
        CHECK(slope > order - 0.5);  // a method of one order less fails
        CHECK(slope < order + 1.6);
      }
    }
  }
}
