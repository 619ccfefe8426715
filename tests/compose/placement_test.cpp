// Placements: against rotation matrices, alone and inside of each other.
#include "compose/placement.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

using namespace trammel;

namespace {

Eigen::Vector3d vector(const PlaceVector& x) { return {x[0], x[1], x[2]}; }
std::array<double, 4> parameters(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace

TEST_CASE("spatial placements move places, turn directions and attitudes") {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()));
  const Eigen::Quaterniond inner(Eigen::AngleAxisd(-2.4, Eigen::Vector3d(0.3, 1, 1).normalized()));
  const Placement outside({0.5, -1, 2}, parameters(q)), within({1, 2, 3}, parameters(inner));
  const Eigen::Vector3d x(0.2, 0.7, -0.4), d(0.5, -1, 2), e(1, 2, 3);
  CHECK((vector(outside.place({0.2, 0.7, -0.4})) - (d + q * x)).norm() < 1e-15);
  CHECK((vector(outside.direction({0.2, 0.7, -0.4})) - q * x).norm() < 1e-15);
  const Placement both = within.inside(outside);
  CHECK((vector(both.place({0.2, 0.7, -0.4})) - (d + q * (e + inner * x))).norm() < 2e-15);
  const std::array<double, 4> p = both.attitude({1, 0, 0, 0});
  const Eigen::Quaterniond product(p[0], p[1], p[2], p[3]);
  CHECK(std::abs(std::abs(product.dot(q * inner)) - 1) < 1e-15);
}

TEST_CASE("planar placements add their angles") {
  const Placement outside({1, 2, 0}, 0.7), within({3, -1, 0}, 6.0);
  const Placement both = within.inside(outside);
  CHECK(both.angle() == 6.7);
  const Eigen::Rotation2Dd a(0.7), b(6.0);
  const Eigen::Vector2d x = Eigen::Vector2d(1, 2) + a * (Eigen::Vector2d(3, -1) + b * Eigen::Vector2d(0.4, 0.2));
  const PlaceVector y = both.place({0.4, 0.2, 0});
  CHECK(std::hypot(y[0] - x[0], y[1] - x[1]) < 2e-15);
}

TEST_CASE("no placement keeps every digit") {
  const Placement none({0, 0, 0}, std::array<double, 4>{1, 0, 0, 0});
  CHECK(none.is_identity());
  const Placement turned({0.1, 0.2, 0.3}, std::array<double, 4>{0.6, 0, 0.8, 0});
  CHECK(turned.inside(none).place({0.7, 0.11, 0.13}) == turned.place({0.7, 0.11, 0.13}));
}
