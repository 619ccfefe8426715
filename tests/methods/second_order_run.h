// A small second-order problem whose Jacobians can be falsified, and a driver for integrators of such problems.
#pragma once

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <vector>

#include "dense_solvers.h"
#include "trammel/integrator.h"

namespace trammel {

/// Two coupled oscillators with M depending on x and forces on t, x and x':
/// (1 + x_0^2 / 2) x_0'' = -x_0 + x_1 x_1' + cos t,  x_1'' = -sin x_1 - x_0 x_1' - x_0'
class Oscillators final : public SecondOrderSystem {
 public:
  explicit Oscillators(double truth = 1) : truth_(truth) {}
  Index size() const override { return 2; }
  ConstVectorView mask() const override { return {mask_, 4}; }
  Status acceleration(double t, ConstVectorView x, ConstVectorView v, VectorView a) override {
    ++evaluations;
    a[0] = (-x[0] + x[1] * v[1] + std::cos(t)) / mass(x[0]);
    a[1] = -std::sin(x[1]) - x[0] * v[1] - v[0];
    return Status::success();
  }
  Status linearize(double t, ConstVectorView x, ConstVectorView v) override {
    ++jacobians;
    const double m = mass(x[0]), a = (-x[0] + x[1] * v[1] + std::cos(t)) / m;
    M_ << m, 0, 0, 1;
    J1_ << -1 - a * x[0], v[1], -v[1], -std::cos(x[1]);  // M J1, with d(M a) of the first row
    J2_ << 0, x[1], -1, -x[0];
    t_ << -std::sin(t), 0;
    J1_ *= truth_, J2_ *= truth_, t_ *= truth_;
    return Status::success();
  }
  Status apply_mass(ConstVectorView y, VectorView out) override { return product(M_, y, out); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return product(J1_, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return product(J2_, y, out); }
  Status time_gradient(VectorView out) override {
    out.map() = t_;
    return Status::success();
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    factorizations += count;
    for (Index k = 0; k < count; ++k) {
      const Shift& s = shifts[k];
      const std::complex<double> c0(s.c0, s.c0_imag), c1(s.c1, s.c1_imag);
      inverse_[first + k] = (M_ - c1 * J2_ - c0 * J1_).inverse();
    }
    return Status::success();
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    return product(inverse_[handle].real(), r, z);
  }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    Eigen::Vector2cd x;
    x.real() = r.re.map(), x.imag() = r.im.map();
    x = inverse_[handle] * x;
    z.re.map() = x.real(), z.im.map() = x.imag();
    return Status::success();
  }

  int evaluations = 0, jacobians = 0, factorizations = 0;

 private:
  static double mass(double x) { return 1 + x * x / 2; }
  static Status product(const Eigen::Matrix2d& A, ConstVectorView y, VectorView out) {
    const Eigen::Vector2d result = A * y.map();
    out.map() = result;
    return Status::success();
  }
  double truth_;
  double mask_[4] = {1, 1, 1, 1};
  Eigen::Matrix2d M_, J1_, J2_;
  Eigen::Matrix2cd inverse_[2];
  Eigen::Vector2d t_;
};

/// One integration of it: owns state, memory and the last attempt.
struct SecondOrderRun {
  SecondOrderRun(const Integrator& method, Oscillators& system) : integrator(method) {
    problem.second_order = &system;
    problem.tolerances.rtol = problem.tolerances.atol = {&tolerance, 1};
    const MemorySize size = integrator.memory({2, 0, ViewKind::second_order});
    state_memory.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    cache.assign(static_cast<std::size_t>(size.cache), 0.0);
    from = view(0, now), to = view(0, next);
    CHECK(integrator.start(problem, from, memory()).ok());
  }
  static StateView view(double t, std::vector<double>& y) {
    StateView s;
    s.t = t, s.x = {y.data(), 2}, s.v = {y.data() + 2, 2};
    return s;
  }
  Memory memory() { return {state_memory.data(), scratch.data(), cache.data()}; }
  StepResult attempt(double h) {
    to.t = from.t + h;
    const Index estimated = integrator.traits().error_order > 0 ? 4 : 0;
    const StepResult result = integrator.attempt(problem, from, h, to, {error.data(), estimated}, memory());
    CHECK(result.status.ok());
    scratch.assign(scratch.size(), 1e300);  // it does not survive between calls
    return result;
  }
  void accept(bool changed = false) {
    if (!changed) now = next;
    from.t = to.t;
    integrator.accept(problem, from, changed, memory());
  }
  Eigen::Vector4d interpolate(double t) {
    std::vector<double> out(4);
    CHECK(integrator.interpolate(problem, from, to, t, view(t, out), memory()).ok());
    return Eigen::Map<const Eigen::Vector4d>(out.data());
  }

  const Integrator& integrator;
  Problem problem;
  double tolerance = 1e-6;
  std::vector<double> state_memory, scratch, cache, now{0.5, 0.2, -0.3, 1}, next = std::vector<double>(4), error = next;
  StateView from, to;
};

inline Eigen::Vector4d solution(const Integrator& method, int steps, double end, double truth = 1) {
  Oscillators system(truth);
  SecondOrderRun run(method, system);
  for (int i = 0; i < steps; ++i) run.attempt(end / steps), run.accept();
  return Eigen::Map<const Eigen::Vector4d>(run.now.data());
}

}  // namespace trammel
