// Checks of mass and inertia, and the factor R of the reduced coordinates.
#include <Eigen/Eigenvalues>
#include <string>

#include "spatial_bodies.h"
#include "trammel/error.h"

namespace trammel::spatial {
namespace {

// Rounding of decimal input and of the eigenvalues; far below any inertia that matters.
constexpr double moment_tolerance = 1e-10;
// Below this ratio of principal moments the factor R has lost its meaning.
constexpr double singular_ratio = 1e-12;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

Error bad(const std::string& body, const char* key, const std::string& what) {
  return Error::parameter("bodies/" + body + "/" + key, "body '" + body + "': " + what);
}

}  // namespace

BodyData prepare_body(const char* name, const BodyParameters& body, const double* gravity, bool& singular) {
  const Numbers& J = body.inertia;
  BodyData data{};
  if (body.type == BodyType::massless) {
    // Moves as its joints tell: the equations are regular where every motion of the model moves some mass.
    if (given(body.mass)) throw bad(name, "mass", "a massless frame has no mass; leave it out");
    if (J.size > 0) throw bad(name, "inertia", "a massless frame has no inertia; leave it out");
    singular = true;
    return data;
  }
  if (!given(body.mass)) throw bad(name, "mass", "missing; a body has a mass unless it is of type 'massless'");
  if (!(body.mass > 0)) throw bad(name, "mass", "mass must be positive, is " + number(body.mass));
  data.mass = body.mass;
  data.inverse_root_mass = 1 / std::sqrt(body.mass);
  data.weight = body.mass * sdk::vec3(gravity);
  data.point = body.type == BodyType::point_mass;
  singular = false;
  if (data.point) {
    const char* const turns =
        " is of a body that turns; a point mass has a place and a velocity: leave it out, or make "
        "the body 'rigid'";
    if (J.size > 0) throw bad(name, "inertia", std::string("an inertia") + turns);
    const double* p = body.rotation;
    if (p[1] != 0 || p[2] != 0 || p[3] != 0) throw bad(name, "rotation", std::string("a rotation") + turns);
    for (const double omega : body.angular_velocity) {
      if (omega != 0) throw bad(name, "angular_velocity", std::string("an angular velocity") + turns);
    }
    return data;
  }
  if (J.size == 0) {
    throw bad(name, "inertia", "a rigid body needs an 'inertia'; without one it is of type 'point_mass'");
  }
  if (J.size != 3 && J.size != 6) {
    throw bad(name, "inertia",
              "inertia needs 3 principal moments or 6 tensor entries xx yy zz xy xz yz, has " + std::to_string(J.size) +
                  " numbers");
  }
  data.J = {J[0], J[1], J[2], 0, 0, 0};
  if (J.size == 6) data.J.xy = J[3], data.J.xz = J[4], data.J.yz = J[5];

  Eigen::Matrix3d tensor;
  tensor << data.J.xx, data.J.xy, data.J.xz, data.J.xy, data.J.yy, data.J.yz, data.J.xz, data.J.yz, data.J.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(tensor, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d moments = solver.eigenvalues();  // ascending
  const double largest = moments.cwiseAbs().maxCoeff(), tolerance = moment_tolerance * largest;
  const std::string list = number(moments[0]) + ", " + number(moments[1]) + ", " + number(moments[2]);
  if (moments[0] < -tolerance)
    throw bad(name, "inertia",
              "principal moments may not be negative: " + list +
                  (J.size == 6 ? "; the products of inertia are too large for the moments "
                                 "(xy^2 < xx yy, and so on)"
                               : ""));
  if (moments[0] + moments[1] < moments[2] - tolerance) {
    throw bad(name, "inertia",
              "no body has principal moments " + list +
                  ": the sum of the two smaller ones must reach the largest (for products of inertia "
                  "mind the sign: xy = -integral of x y dm)");
  }
  singular = !(moments[0] > singular_ratio * largest);
  if (!singular) {
    const Eigen::Matrix3d R = tensor.llt().matrixU().solve(Eigen::Matrix3d::Identity());  // J = U^T U, R = U^-1
    const double upper[6] = {R(0, 0), R(0, 1), R(1, 1), R(0, 2), R(1, 2), R(2, 2)};
    std::copy(upper, upper + 6, data.R);
  }
  return data;
}

}  // namespace trammel::spatial
