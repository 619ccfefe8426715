// Prints revolute_chain_256.csv: the fall of 256 links by Kane's equations in the 256 joint angles, apart from Trammel.
// It agrees with that file within 7e-10 m (within 1.2e-11 m up to 0.2 s); which of the two is off was not looked into.
//
//   c++ -O2 -std=c++20 -I/usr/include/eigen3 revolute_chain_256.cpp -o chain && ./chain > revolute_chain_256.csv
//
// Links of 0.1 m and 0.05 kg along x, axes z and (0, 1, 1)/sqrt(2) by turns, as in revolute_chain_256.json. The mass matrix
// is dense, of composite bodies about each joint:
//   M_jk = a_j . (J_k a_k + (p_k - p_j) x (a_k x S_k)),  j <= k
// with a the axes, p the joints, J_k and S_k the inertia and first moment about p_k of all links from k on. Modified midpoint
// rule with 2, 4 ... 12 substeps of each 5 ms, extrapolated in the squares of the substeps: order 12. An argument is the
// time at which to stop.
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Mat3 = Eigen::Matrix3d;
using Vec3 = Eigen::Vector3d;

constexpr int links = 256;
constexpr double mass = 0.05, length = 0.1;
const Vec3 gravity(0, -9.81, 0);
const Mat3 inertia = Vec3(1e-5, 0.05 * 0.01 / 12, 0.05 * 0.01 / 12).asDiagonal();

Vec3 axis(int i) { return i % 2 == 0 ? Vec3(0, 0, 1) : Vec3(Vec3(0, 1, 1).normalized()); }

/// m (|r|^2 1 - r r^T)
Mat3 steiner(double m, const Vec3& r) { return m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose()); }

/// What bodies and joints do at given angles and rates.
struct Kinematics {
  Kinematics(const Vector& angle, const Vector& rate)
      : a(links), p(links + 1), c(links), force(links), moment(links), I(links) {
    Mat3 R = Mat3::Identity();
    Vec3 w = Vec3::Zero(), alpha = Vec3::Zero(), acceleration = Vec3::Zero();  // of the joint, as far as rates make it
    p[0].setZero();
    for (int i = 0; i < links; ++i) {
      const std::size_t k = static_cast<std::size_t>(i);
      a[k] = R * axis(i);
      alpha += w.cross(a[k] * rate[i]);
      w += a[k] * rate[i];
      R = R * Eigen::AngleAxisd(angle[i], axis(i)).toRotationMatrix();
      c[k] = R * Vec3(length / 2, 0, 0);
      I[k] = R * inertia * R.transpose();
      force[k] = mass * (gravity - acceleration - alpha.cross(c[k]) - w.cross(w.cross(c[k])));
      moment[k] = -I[k] * alpha - w.cross(I[k] * w);
      const Vec3 l = 2 * c[k];
      acceleration += alpha.cross(l) + w.cross(w.cross(l));
      p[k + 1] = p[k] + l;
    }
  }
  std::vector<Vec3> a, p, c, force, moment;  // axes, joints, centres from the joints; loads that rates and gravity make
  std::vector<Mat3> I;
};

Vector accelerations(const Vector& angle, const Vector& rate) {
  const Kinematics x(angle, rate);
  Matrix M(links, links);
  Vector Q(links);
  double m = 0;
  Vec3 S = Vec3::Zero(), F = Vec3::Zero(), N = Vec3::Zero();
  Mat3 J = Mat3::Zero();  // of the links beyond k, about p_k+1, then with link k about p_k
  for (int k = links - 1; k >= 0; --k) {
    const std::size_t i = static_cast<std::size_t>(k);
    const Vec3 d = x.p[i + 1] - x.p[i];
    // about the own centre and back: J + m (...) with the first moment S about p_k+1
    J += steiner(m, d) + 2 * d.dot(S) * Mat3::Identity() - d * S.transpose() - S * d.transpose();
    J += x.I[i] + steiner(mass, x.c[i]);
    N += d.cross(F) + x.c[i].cross(x.force[i]) + x.moment[i];
    F += x.force[i];
    S += m * d + mass * x.c[i];
    m += mass;
    const Vec3 turned = J * x.a[i], pushed = x.a[i].cross(S);
    for (int j = 0; j <= k; ++j) {
      const std::size_t b = static_cast<std::size_t>(j);
      M(k, j) = x.a[b].dot(turned + (x.p[i] - x.p[b]).cross(pushed));
    }
    Q[k] = x.a[i].dot(N);
  }
  return M.selfadjointView<Eigen::Lower>().llt().solve(Q);
}

using State = Eigen::Matrix<double, Eigen::Dynamic, 2>;  // angles, rates

State derivative(const State& y) {
  State f(links, 2);
  f << y.col(1), accelerations(y.col(0), y.col(1));
  return f;
}

State stepped(const State& y, double H) {
  constexpr int rows = 6;
  const State f = derivative(y);
  std::vector<State> T;
  for (int row = 0; row < rows; ++row) {
    const int n = 2 * (row + 1);
    const double h = H / n;
    State before = y, now = y + h * f;
    for (int k = 1; k < n; ++k) {
      const State next = before + 2 * h * derivative(now);
      before = now, now = next;
    }
    T.push_back(now);
    for (int k = row - 1; k >= 0; --k) {  // Aitken and Neville, in h^2
      const double q = std::pow(static_cast<double>(n) / (2 * (k + 1)), 2) - 1;
      T[static_cast<std::size_t>(k)] = T[static_cast<std::size_t>(k) + 1] +
                                       (T[static_cast<std::size_t>(k) + 1] - T[static_cast<std::size_t>(k)]) / q;
    }
  }
  return T[0];
}

void print(double t, const State& y) {
  const Kinematics x(y.col(0), y.col(1));
  std::printf("%.17g", t);
  for (std::size_t i = 63; i < links; i += 64) {
    const Vec3 r = x.p[i] + x.c[i];
    std::printf(",%.17g,%.17g,%.17g", r[0], r[1], r[2]);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double H = 5e-3;
  const int steps = static_cast<int>(std::lround((argc > 1 ? std::atof(argv[1]) : 1.0) / H));
  std::printf("t");
  for (int i = 64; i <= links; i += 64) std::printf(",link%d.x,link%d.y,link%d.z", i, i, i);
  std::printf("\n");
  State y = State::Zero(links, 2);
  print(0, y);
  for (int k = 1; k <= steps; ++k) {
    y = stepped(y, H);
    if (k % 10 == 0) print(k * H, y);
  }
}
