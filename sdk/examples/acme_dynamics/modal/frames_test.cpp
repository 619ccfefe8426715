// The derivatives of acme.modal against central differences of order six: frames of a beam, its mass matrix, its forces;
// and the beam's integrals against tables.
#include <trammel/body_state.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "modal_bodies.h"

using namespace acme::modal;

namespace {

int failures = 0;

void expect(bool ok, const std::string& what, double value) {
  if (ok) return;
  std::printf("%s: %.3e\n", what.c_str(), value);
  ++failures;
}

BodyParameters beam_parameters() {
  BodyParameters p{};
  p.type = BodyType::beam, p.mass = 1.3, p.inertia = std::nan(""), p.length = 1.1, p.bending_stiffness = 7,
  p.damping = 0.4;
  return p;
}

class OneBeam final : public trammel::ModelInfo {
 public:
  const void* extension(const char*) const override { return nullptr; }
  trammel::Host host() const override { return trammel::Host::planar; }
  Index body_count() const override { return 1; }
  const char* body_name(Index) const override { return "beam"; }
  const void* body_parameters(Index) const override { return &parameters_; }
  double body_mass(Index) const override { return parameters_.mass; }
  const void* initial_state(trammel::BodyRef) const override { return nullptr; }
  const trammel::Constraint* constraint(trammel::ElementRef) const override { return nullptr; }

 private:
  BodyParameters parameters_ = beam_parameters();
};

using Vector = Eigen::VectorXd;
using Function = std::function<Vector(const Vector& q, const Vector& v)>;

/// d f / dx, x one of q and v.
Eigen::MatrixXd differences(const Function& f, Vector q, Vector v, bool by_v) {
  Vector& x = by_v ? v : q;
  const double h = 1e-2;
  Eigen::MatrixXd J(f(q, v).size(), x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double at = x[j];
    const auto moved = [&](double d) {
      x[j] = at + d;
      const Vector value = f(q, v);
      x[j] = at;
      return value;
    };
    J.col(j) =
        (45 * (moved(h) - moved(-h)) - 9 * (moved(2 * h) - moved(-2 * h)) + moved(3 * h) - moved(-3 * h)) / (60 * h);
  }
  return J;
}

}  // namespace

int main() {
  const double gravity[] = {0.7, -9.81}, local[] = {0.8, 0, 0};
  const OneBeam model;
  const ModalBodies bodies(gravity, model);
  const Vector q = (Vector(4) << 0.3, -0.2, 0.9, 0.11).finished(), v = (Vector(4) << 0.5, 1.1, -2.3, 0.6).finished(),
               x = (Vector(4) << 0.2, -0.7, 0.4, 1.3).finished();
  const Eigen::Vector3d y(0.6, -1.2, 0.8);
  const auto at = [&](const Vector& place, const Vector& rate) {
    State state;
    bodies.kinematics({place.data(), 4}, {rate.data(), 4}, &state);
    return state;
  };
  const auto frame = [&](const Vector& place, const Vector& rate) {
    const State state = at(place, rate);
    trammel::PlanarBodyState F;
    bodies.frame(0, local, &state, &F);
    return F;
  };
  const auto J = [&](const Vector& place, const Vector& rate) {
    const State state = at(place, rate);
    Eigen::MatrixXd out(3, 4);
    bodies.jacobian(0, local, &state, out.data(), nullptr);
    return out;
  };
  const auto kappa = [&](const Vector& place, const Vector& rate) -> Vector {
    const State state = at(place, rate);
    Eigen::MatrixXd unused(3, 4);
    Vector out(3);
    bodies.jacobian(0, local, &state, unused.data(), out.data());
    return out;
  };
  const auto compare = [](const char* what, const Eigen::MatrixXd& given, const Eigen::MatrixXd& wanted) {
    const double error = (given - wanted).norm() / (1 + wanted.norm());
    expect(error < 1e-9, what, error);
  };
  const State state = at(q, v);
  Eigen::MatrixXd by_q(3, 4), by_v(3, 4), square(4, 4), Q_v(4, 4);

  const Function place = [&](const Vector& a, const Vector& b) -> Vector {
    const auto F = frame(a, b);
    return Eigen::Vector3d(F.r[0], F.r[1], F.phi);
  };
  compare("J", J(q, v), differences(place, q, v, false));
  const auto F = frame(q, v);
  compare("F'", J(q, v) * v, Eigen::Vector3d(F.rdot[0], F.rdot[1], F.omega));
  const Function Jv = [&](const Vector& a, const Vector& b) -> Vector { return J(a, b) * b; };
  bodies.jacobian_gradient(0, local, &state, nullptr, by_q.data());
  const Function J_fixed_v = [&](const Vector& a, const Vector&) -> Vector { return J(a, v) * v; };
  compare("(J v)_q", by_q, differences(J_fixed_v, q, v, false));
  compare("kappa", kappa(q, v), by_q * v);
  bodies.jacobian_gradient(0, local, &state, x.data(), by_q.data());
  compare("(J x)_q", by_q,
          differences([&](const Vector& a, const Vector& b) -> Vector { return J(a, b) * x; }, q, v, false));
  bodies.transpose_gradient(0, local, &state, y.data(), square.data());
  compare(
      "(J^T y)_q", square,
      differences([&](const Vector& a, const Vector& b) -> Vector { return J(a, b).transpose() * y; }, q, v, false));
  bodies.kappa_gradient(0, local, &state, by_q.data(), by_v.data());
  compare("kappa_q", by_q, differences(kappa, q, v, false));
  compare("kappa_v", by_v, differences(kappa, q, v, true));

  const Function force = [&](const Vector& a, const Vector& b) -> Vector {
    const State there = at(a, b);
    Vector out(4);
    bodies.force(0, &there, {out.data(), 4});
    return out;
  };
  bodies.force_gradients(0, &state, square.data(), Q_v.data());
  compare("Q_q", square, differences(force, q, v, false));
  compare("Q_v", Q_v, differences(force, q, v, true));
  const auto mass = [&](const Vector& a) {
    const State there = at(a, v);
    Eigen::MatrixXd M(4, 4);
    bodies.mass_blocks(&there, M.data());
    return M;
  };
  bodies.mass_gradient(&state, {x.data(), 4}, square.data());
  compare("(M x)_q", square,
          differences([&](const Vector& a, const Vector&) -> Vector { return mass(a) * x; }, q, v, false));

  // Q = T_q - (M v)_q v - V_q - d eta' (Lagrange's equations).
  const Function kinetic = [&](const Vector& a, const Vector& b) -> Vector {
    const State there = at(a, b);
    return Vector::Constant(1, bodies.kinetic_energy(&there));
  };
  const Function potential = [&](const Vector& a, const Vector& b) -> Vector {
    const State there = at(a, b);
    return Vector::Constant(1, bodies.potential_energy(0, &there));
  };
  const Function momentum = [&](const Vector& a, const Vector&) -> Vector { return mass(a) * v; };
  compare("T_v", differences(kinetic, q, v, true).transpose(), mass(q) * v);
  Vector lagrange = (differences(kinetic, q, v, false) - differences(potential, q, v, false)).transpose() -
                    differences(momentum, q, v, false) * v;
  lagrange[3] -= 0.4 * v[3];
  compare("Q", force(q, v), lagrange);

  // Integrals of the first clamped mode with psi(l) = 1: Bishop, Johnson, The Mechanics of Vibration (1960), chapter 7.
  const Beam beam(Mode::clamped, 1.3, 1.1, 7);
  const double beta = 1.8751040687119611;
  const double sigma = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  expect(std::abs(beam.c2 / (1.3 / 4) - 1) < 1e-12, "integral of psi^2", beam.c2);
  expect(std::abs(beam.c1 / (1.3 * sigma / beta) - 1) < 1e-12, "integral of psi", beam.c1);
  expect(std::abs(beam.d1 / (1.3 * 1.1 / (beta * beta)) - 1) < 1e-12, "integral of s psi", beam.d1);
  // A free mode is orthogonal to both motions of the rigid beam.
  const Beam free(Mode::free, 1.3, 1.1, 7);
  expect(std::abs(free.c1) < 1e-13 && std::abs(free.d1) < 1e-13, "momentum of the free mode", free.c1);
  if (failures == 0) std::printf("all derivatives agree\n");
  return failures == 0 ? 0 : 1;
}
