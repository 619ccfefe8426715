// Corrections onto the constraints of a model.
#include "model/model_projection.h"

#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"

namespace trammel {
namespace {

constexpr Index most_correction_iterations = 25;
// Rounding of rows of size 1 to 100, of the model's unit or rad: near a singular configuration Newton's method does not
// get the changes of coordinates below its tolerance, though nothing is left to correct.
constexpr double row_rounding = 1e-13;

}  // namespace

ModelProjection::ModelProjection(ModelKkt& kkt)
    : kkt_(kkt),
      point_(kkt.point()),
      coordinates_(count(kkt.assembly().coordinates()), 0.0),
      before_(coordinates_),
      rows_(count(kkt.assembly().rows()), 0.0),
      zero_(coordinates_) {}

Status ModelProjection::positions(double t, VectorView q, ProjectionWeights weights, double tolerance,
                                  ProjectionReport& report) {
  report = {};
  ++projections;
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  if (m == 0) return Status::success();
  const VectorView g{rows_.data(), m}, dq{coordinates_.data(), n};
  std::copy(q.data, q.data + n, before_.begin());
  double change = 0;
  const auto done = [&] {
    for (Index i = 0; i < n; ++i) {
      report.correction = std::max(report.correction, std::abs(q[i] - before_[count(i)]) / kkt_.unit().column(i));
    }
    return Status::success();
  };
  for (report.iterations = 1; report.iterations <= most_correction_iterations; ++report.iterations) {
    Status status = point_.evaluate(t, q, {}, z(), evaluate_Phi | evaluate_jacobian);
    if (status) status = kkt_.factorize(weights, RowLevel::positions);
    if (!status) return status;
    if (report.iterations == 1) report.violation = point_.Phi().map().norm();
    if (report.iterations > 4 && kkt_.unit().largest_row(point_.Phi()) <= row_rounding) return done();
    g.map() = -point_.Phi().map();
    status = kkt_.solve(view(zero_), g, dq, {});
    if (!status) return status;
    q.map() += dq.map();
    change = kkt_.unit().largest_coordinate(dq);
    if (!std::isfinite(change)) break;
    if (change <= tolerance) return done();
  }
  return Status::failure(StatusCode::not_converged, "position correction", -1, change);
}

Status ModelProjection::velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights,
                                   ProjectionReport& report) {
  report = {};
  ++projections;
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  if (m == 0) return Status::success();
  Status status = point_.evaluate(t, q, v, z(), evaluate_jacobian | evaluate_nu);
  if (status) status = kkt_.factorize(weights);
  if (!status) return status;
  const VectorView g{rows_.data(), m}, dv{coordinates_.data(), n};
  kkt_.apply_jacobian(v, g);
  g.map() = point_.nu().map() - g.map();
  report.violation = g.map().norm();
  status = kkt_.solve(view(zero_), g, dv, {});
  if (!status) return status;
  v.map() += dv.map();
  report.iterations = 1;
  report.correction = n > 0 ? dv.map().lpNorm<Eigen::Infinity>() : 0;
  return std::isfinite(report.correction) ? Status::success()
                                          : Status::failure(StatusCode::not_finite, "velocity correction");
}

Status ModelProjection::position_tangent(VectorView dq) {
  const Status status = kkt_.factorize(kkt_.weights(), RowLevel::positions);
  return status ? tangent(dq) : status;
}

Status ModelProjection::tangent(VectorView dq) {
  const Index n = kkt_.assembly().coordinates(), m = kkt_.assembly().rows();
  const VectorView f{coordinates_.data(), n}, g{rows_.data(), m};
  g.map().setZero();
  if (kkt_.weights() == ProjectionWeights::mass) {
    kkt_.apply_mass(dq, f);
  } else {
    kkt_.unit().weigh(dq, f);
  }
  return kkt_.solve(f, g, dq, {});
}

}  // namespace trammel
