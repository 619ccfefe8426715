// States inside the last step: the integrator's dense output, else the cubic Hermite polynomial.
#include <cmath>

#include "plugin/breadcrumb.h"
#include "run/engine.h"
#include "trammel/quintic.h"

namespace trammel {

Status Engine::interpolate(double t, const StateView& out) {
  const double tolerance = same_time();
  const StateBuffer* end = std::abs(t - this->t()) <= tolerance      ? &state_
                           : std::abs(t - t_previous()) <= tolerance ? &previous_
                                                                     : nullptr;
  if (end != nullptr) {
    const StateView& source = end->view;
    out.x.map() = source.x.map();
    if (out.v.size > 0) out.v.map() = source.v.map();
    if (out.a.size > 0) out.a.map() = source.a.map();
    if (out.lambda.size > 0) out.lambda.map() = source.lambda.map();
    return Status::success();
  }
  const PhaseScope scope(plugin_.c_str(), "", "interpolate");
  Status status = integrator_.interpolate(problem_, previous_.view, attempted_.view, t, out, memory_);
  if (status.code == StatusCode::unsupported) status = hermite(t, out);
  if (!status) return status;
  StateView corrected = out;
  corrected.t = t;
  return plant_.correct_output(corrected);
}

// Between the two ends of the step: the cubic Hermite polynomial of first-order views, third-order accurate; where
// there are velocities and accelerations at both ends, that of degree 5; of second-order views, which show none, the
// cubic one of x and its derivative, accurate to order 2.
Status Engine::hermite(double t, const StateView& out) {
  const double h = attempted_.view.t - t_previous(), s = (t - t_previous()) / h;
  const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  const auto blend = [&](ConstVectorView y0, ConstVectorView f0, ConstVectorView y1, ConstVectorView f1, VectorView y) {
    y.map() = h00 * y0.map() + h10 * h * f0.map() + h01 * y1.map() + h11 * h * f1.map();
  };
  const StateView &from = previous_.view, &to = attempted_.view;
  if (problem_.ode != nullptr) {
    const Status status = slopes_.evaluate(*problem_.ode, from, to, statistics_.steps);
    if (status) blend(from.x, slopes_.first(), to.x, slopes_.second(), out.x);
    return status;
  }
  if (out.a.size > 0) {
    quintic({from.x, from.v, from.a}, {to.x, to.v, to.a}, h, s, out.x, out.v, out.a);
    out.lambda.map() = (1 - s) * from.lambda.map() + s * to.lambda.map();
    return Status::success();
  }
  // No accelerations at hand: the derivative of the Hermite polynomial of x.
  blend(from.x, from.v, to.x, to.v, out.x);
  const double d0 = 6 * s * (s - 1) / h;
  out.v.map() = d0 * (from.x.map() - to.x.map()) + (1 - s) * (1 - 3 * s) * from.v.map() + s * (3 * s - 2) * to.v.map();
  return Status::success();
}

}  // namespace trammel
