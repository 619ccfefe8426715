// Spatial and planar hosts against Lagrange's equations of their energies, and against the dense KKT solve.
#include <cstdio>

#include "dense_solvers.h"
#include "element_harness.h"
#include "trammel/sdk/math/dual.h"

namespace conformance {
namespace {

// A few hundred operations on numbers of size 1 to 100.
constexpr double tolerance = 1e-12;

constexpr double gravity[3] = {0.3, -9.81, 1}, mass = 1.7, inertia[6] = {0.5, 0.7, 0.9, 0.05, -0.08, 0.11};

/// Kinetic minus potential energy of one spatial body, with the body-frame angular velocity 2 G(p) pdot.
template <class T>
T lagrangian(const T* q, const T* v) {
  const T *e = q + 3, *d = v + 3;
  const T w[3] = {2.0 * (e[0] * d[1] - e[1] * d[0] + e[3] * d[2] - e[2] * d[3]),
                  2.0 * (e[0] * d[2] - e[2] * d[0] - e[3] * d[1] + e[1] * d[3]),
                  2.0 * (e[0] * d[3] - e[3] * d[0] + e[2] * d[1] - e[1] * d[2])};
  T L = T(0.0);
  for (int k = 0; k < 3; ++k) {
    L = L + 0.5 * mass * (v[k] * v[k]) + mass * gravity[k] * q[k] + 0.5 * inertia[k] * (w[k] * w[k]);
  }
  return L + inertia[3] * (w[0] * w[1]) + inertia[4] * (w[0] * w[2]) + inertia[5] * (w[1] * w[2]);
}

template <class T>
sdk::Dual<T, 7> seed(const T& value, int k) {
  sdk::Dual<T, 7> x;
  x.v = value;
  if (k >= 0) x.d[k] = T(1.0);
  return x;
}

/// dL/dv at v = x, which is M(q) x.
template <class T>
void oracle_momentum(const T* q, const T* x, T* out) {
  sdk::Dual<T, 7> position[7], rate[7];
  for (int k = 0; k < 7; ++k) position[k] = seed(q[k], -1), rate[k] = seed(x[k], k);
  const sdk::Dual<T, 7> L = lagrangian(position, rate);
  for (int k = 0; k < 7; ++k) out[k] = L.d[k];
}

/// Own forces: M a = Q means Q = dL/dq - (dL/dv)' at a = 0.
template <class T>
void oracle_force(const T* q, const T* v, T* Q) {
  sdk::Dual<T, 7> position[7], rate[7];
  for (int k = 0; k < 7; ++k) position[k] = seed(q[k], k), rate[k] = seed(v[k], -1);
  const sdk::Dual<T, 7> L = lagrangian(position, rate);
  using Moving = sdk::Dual<T, 1>;
  Moving along[7], constant[7], momentum[7];
  for (int k = 0; k < 7; ++k) along[k].v = q[k], along[k].d[0] = v[k], constant[k].v = v[k];
  oracle_momentum(along, constant, momentum);
  for (int k = 0; k < 7; ++k) Q[k] = L.d[k] - momentum[k].d[0];
}

void keep_larger(double& largest, double difference) {
  if (!(std::abs(difference) <= largest)) largest = std::abs(difference);
}

/// Two bodies of the same data, with their states.
struct SpatialModel {
  const ComponentRecord& record = find_component("spatial", ComponentKind::system, Host::spatial);
  ParameterFill body{record.body_parameters};
  Model<SpatialBodyState> model;
  std::unique_ptr<Component<System>> system;
  SpatialBodyState states[2];
  double q[14], v[14];

  SpatialModel() {
    body.number("mass", mass).numbers("inertia", {inertia, inertia + 6});
    model.body_parameter_structs = {body.data(), body.data()};
    system =
        std::make_unique<Component<System>>(record, ParameterFill(record.parameters).vector("gravity", gravity), model);
  }
  const BodySystem& bodies() const { return *(*system)->bodies(); }
  void randomise(Random& random, double length) {
    for (int b = 0; b < 2; ++b) {
      const SpatialBodyState state = random_state<SpatialBodyState>(random, length);
      sdk::store(sdk::position(state), q + 7 * b), sdk::store(sdk::parameters(state), q + 7 * b + 3);
      sdk::store(sdk::velocity(state), v + 7 * b), sdk::store(sdk::parameter_rates(state), v + 7 * b + 3);
    }
    bodies().motion().kinematics({q, 14}, {v, 14}, states);
  }
};

TEST_CASE("spatial: mass, own forces and their gradients from the Lagrangian") {
  SpatialModel m;
  Random random(3);
  double error_M = 0, error_Mx = 0, error_Q = 0, error_Qq = 0, error_Qv = 0, error_E = 0;
  for (int sample = 0; sample < 30; ++sample) {
    m.randomise(random, sample % 3 == 0 ? 1 : sample % 3 == 1 ? 1.02 : 0.97);
    double x[14], Q[14], Q_q[98], Q_v[98], M[98], Mx[14], Mx_q[98];
    for (double& value : x) value = uniform(random, -2, 2);
    REQUIRE(m.bodies().motion().force(0, m.states, {Q, 14}).ok());
    REQUIRE(m.bodies().motion().force_gradients(0, m.states, Q_q, Q_v).ok());
    m.bodies().motion().mass_blocks(m.states, M);
    m.bodies().motion().apply_mass(m.states, {x, 14}, {Mx, 14});
    m.bodies().motion().mass_gradient(m.states, {x, 14}, Mx_q);
    double energy = m.bodies().motion().kinetic_energy(m.states) - m.bodies().motion().potential_energy(0, m.states);
    for (int b = 0; b < 2; ++b) {
      const double *qb = m.q + 7 * b, *vb = m.v + 7 * b, *xb = x + 7 * b;
      energy -= lagrangian(qb, vb);
      using D = sdk::Dual<double, 14>;
      D q[7], v[7], y[7], force[7], momentum[7];
      for (int k = 0; k < 7; ++k) {
        q[k] = D(qb[k]), v[k] = D(vb[k]), y[k] = D(xb[k]);
        q[k].d[k] = v[k].d[7 + k] = 1;
      }
      oracle_force(q, v, force);
      oracle_momentum(q, y, momentum);
      for (int k = 0; k < 7; ++k) {
        keep_larger(error_Q, Q[7 * b + k] - force[k].v);
        keep_larger(error_Mx, Mx[7 * b + k] - momentum[k].v);
        double unit[7] = {}, column[7];
        unit[k] = 1;
        oracle_momentum(qb, unit, column);
        for (int n = 0; n < 7; ++n) {
          keep_larger(error_M, M[49 * b + 7 * k + n] - column[n]);
          keep_larger(error_Qq, Q_q[49 * b + 7 * n + k] - force[k].d[n]);
          keep_larger(error_Qv, Q_v[49 * b + 7 * n + k] - force[k].d[7 + n]);
          keep_larger(error_Mx, Mx_q[49 * b + 7 * n + k] - momentum[k].d[n]);
        }
      }
    }
    keep_larger(error_E, energy);
  }
  std::printf("spatial system: M %.1e  Q %.1e  Q_q %.1e  Q_v %.1e  Mx, (Mx)_q %.1e  T-V %.1e\n", error_M, error_Q,
              error_Qq, error_Qv, error_Mx, error_E);
  CHECK(std::max({error_M, error_Mx, error_Q, error_Qq, error_Qv, error_E}) < tolerance);
}

TEST_CASE("spatial: the range-space route equals the dense KKT solve, also at p.p = 1.02") {
  SpatialModel m;
  Random random(4);
  for (const double pp : {1.0, 1.02, 0.95}) {
    m.randomise(random, std::sqrt(pp));
    // One body, a row block A of three rows; unknown x, lambda, mu with [M A^T p; A 0 0; p^T 0 0].
    double Q[14], g[2] = {0.3, -0.2}, M[98], full[2][21], reduced[2][18];
    for (double& value : Q) value = uniform(random, -3, 3);
    for (auto& block : full) {
      for (double& value : block) value = uniform(random, -3, 3);
    }
    m.bodies().motion().mass_blocks(m.states, M);
    const ReductionBlock blocks[2] = {{0, 3, full[0], reduced[0]}, {1, 3, full[1], reduced[1]}};
    m.bodies().reduction()->reduce(m.states, blocks, 2);
    double w[12];
    m.bodies().reduction()->reduce_force(m.states, {Q, 14}, {w, 12});

    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(19, 19), A(3, 14), W(3, 12);
    A << Eigen::Map<Eigen::MatrixXd>(full[0], 3, 7), Eigen::Map<Eigen::MatrixXd>(full[1], 3, 7);
    W << Eigen::Map<Eigen::MatrixXd>(reduced[0], 3, 6), Eigen::Map<Eigen::MatrixXd>(reduced[1], 3, 6);
    for (Index b = 0; b < 2; ++b) {
      K.block<7, 7>(7 * b, 7 * b) = Eigen::Map<Eigen::MatrixXd>(M + 49 * b, 7, 7);
      K.block<4, 1>(7 * b + 3, 17 + b) = Eigen::Map<const Eigen::Vector4d>(m.states[b].p);
    }
    K.block<14, 3>(0, 14) = A.transpose();
    K.bottomLeftCorner(5, 14) = K.topRightCorner(14, 5).transpose();
    const Eigen::Vector3d gamma(0.7, -1.1, 0.4);
    Eigen::VectorXd rhs(19);
    rhs << Eigen::Map<Eigen::VectorXd>(Q, 14), gamma, g[0], g[1];
    const Eigen::VectorXd dense = K.partialPivLu().solve(rhs);

    // a = W (w - (A W)^T lambda) + a_p, (A W)(A W)^T lambda = (A W) w - (gamma - A a_p)
    double zero[12] = {}, along[14], x[14], mu[2], unbalanced[14];
    m.bodies().reduction()->expand(m.states, {zero, 12}, {g, 2}, {along, 14});
    const Eigen::Map<Eigen::VectorXd> w_(w, 12), along_(along, 14);
    const Eigen::Vector3d lambda = (W * W.transpose()).partialPivLu().solve(W * w_ - gamma + A * along_);
    Eigen::VectorXd balanced = w_ - W.transpose() * lambda;
    m.bodies().reduction()->expand(m.states, {balanced.data(), 12}, {g, 2}, {x, 14});
    const Eigen::Map<Eigen::VectorXd> x_(x, 14);
    Eigen::Map<Eigen::VectorXd>(unbalanced, 14) = Eigen::Map<Eigen::VectorXd>(Q, 14) - A.transpose() * lambda;
    m.bodies().reduction()->intrinsic_multipliers(m.states, {unbalanced, 14}, {mu, 2});
    // Condition of the KKT matrix is below 1e4 here.
    CHECK((x_ - dense.head(14)).cwiseAbs().maxCoeff() < 1e-10);
    CHECK((lambda - dense.segment(14, 3)).cwiseAbs().maxCoeff() < 1e-10);
    CHECK(std::abs(mu[0] - dense[17]) < 1e-10);
    CHECK(std::abs(mu[1] - dense[18]) < 1e-10);
  }
}

TEST_CASE("spatial: normalisation row, wrench, columns and points") {
  SpatialModel m;
  Random random(6);
  m.randomise(random, 1.02);
  const SpatialBodyState& b = m.states[0];
  const Constraint& row = *m.bodies().intrinsic();
  const void* attached[1] = {&b};
  ElementState s;
  s.bodies = attached;
  double Phi, gamma, q_block[7], v_block[7];
  ConstraintOutput out;
  const MatrixView Phi_q{q_block, 1, 7, 1}, psi_v{v_block, 1, 7, 1};
  out.Phi = {&Phi, 1}, out.gamma = {&gamma, 1}, out.Phi_q = &Phi_q;
  REQUIRE(row.evaluate(s, out).ok());
  CHECK(Phi == doctest::Approx((1.02 * 1.02 - 1) / 2));
  const sdk::Vec4<> v = sdk::parameter_rates(b);
  CHECK(gamma == doctest::Approx(-sdk::dot(v, v)));
  for (int k = 0; k < 7; ++k) CHECK(q_block[k] == (k < 3 ? 0 : b.p[k - 3]));
  const double a[7] = {1, 2, 3, 4, 5, 6, 7};
  const ConstVectorView view{a, 7};
  REQUIRE(row.acceleration_gradient(s, &view, &Phi_q, &psi_v).ok());
  for (int k = 0; k < 7; ++k) CHECK(q_block[k] == (k < 3 ? 0 : a[k]));
  for (int k = 0; k < 7; ++k) CHECK(v_block[k] == (k < 3 ? 0 : 2 * b.pdot[k - 3]));

  // Force F at a body point s: the wrench is F and A s x F; power from Q.v and from the wrench agree.
  m.randomise(random, 1);
  const double local[3] = {0.3, -0.4, 0.2};
  const sdk::Vec3<> F{1, 2, -3};
  double Q[7], force[3], torque[3], columns[13], position[3], velocity[3];
  sdk::store(F, Q), sdk::store(sdk::b_transpose(sdk::b_term(sdk::parameters(b), sdk::vec3(local)), F), Q + 3);
  m.bodies().output().wrench(&b, {Q, 7}, force, torque);
  m.bodies().output().column_values(&b, {columns, 13});
  m.bodies().output().point(&b, local, {}, position, velocity, nullptr);
  const sdk::Vec3<> arm = sdk::vec3(position) - sdk::position(b), moment = sdk::cross(arm, F);
  CHECK(torque[0] == doctest::Approx(moment.x));
  CHECK(torque[1] == doctest::Approx(moment.y));
  CHECK(torque[2] == doctest::Approx(moment.z));
  const sdk::Vec3<> expected = sdk::velocity(b) + sdk::cross(sdk::vec3(columns + 10), arm);  // v + omega x s
  CHECK(velocity[0] == doctest::Approx(expected.x));
  CHECK(velocity[1] == doctest::Approx(expected.y));
  CHECK(velocity[2] == doctest::Approx(expected.z));
  CHECK(std::string(m.bodies().output().column_name(10)) == "wx");
  CHECK(std::string(m.bodies().output().acceleration_column_name(3)) == "alphax");
}

TEST_CASE("planar: mass, gravity and reduction") {
  const ComponentRecord& record = find_component("planar", ComponentKind::system, Host::planar);
  Model<PlanarBodyState> model;
  ParameterFill body(record.body_parameters);
  body.number("mass", 4).number("inertia", 9).number("angle", 0.5).number("angular_velocity", 2);
  model.body_parameter_structs = {body.data()};
  const Component<System> system(record, ParameterFill(record.parameters).vector("gravity", sdk::Vec3<>{0, -10, 0}),
                                 model);
  const BodySystem& bodies = *system->bodies();
  double q[3], v[3], Q[3], x[3] = {1, 1, 1}, out[3];
  bodies.initial(0, {q, 3}, {v, 3});
  CHECK(q[2] == 0.5);
  CHECK(v[2] == 2);
  PlanarBodyState state;
  bodies.motion().kinematics({q, 3}, {v, 3}, &state);
  CHECK(bodies.motion().force(0, &state, {Q, 3}).ok());
  CHECK(Q[1] == -40);
  CHECK(bodies.motion().kinetic_energy(&state) == doctest::Approx(18));
  bodies.reduction()->reduce_force(&state, {x, 3}, {out, 3});
  CHECK(out[0] == doctest::Approx(0.5));
  CHECK(out[2] == doctest::Approx(1.0 / 3));
  CHECK(bodies.reduction()->reduced_coordinates() == 3);
  CHECK(std::string(bodies.output().column_name(5)) == "omega");
}

}  // namespace
}  // namespace conformance
