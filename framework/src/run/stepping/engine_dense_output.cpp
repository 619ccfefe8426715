// States inside the last step: the integrator's dense output, else the cubic Hermite polynomial.
#include <cmath>

#include "plugin/breadcrumb.h"
#include "run/stepping/engine.h"
#include "trammel/cubic.h"
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
  const StateView &from = previous_.view, &to = attempted_.view;
  if (problem_.ode != nullptr) {
    const Status status = slopes_.evaluate(*problem_.ode, from, to, statistics_.steps);
    if (status) cubic({from.x, slopes_.first()}, {to.x, slopes_.second()}, h, s, out.x);
    return status;
  }
  if (out.a.size > 0) {
    quintic({from.x, from.v, from.a}, {to.x, to.v, to.a}, h, s, out.x, out.v, out.a);
    out.lambda.map() = (1 - s) * from.lambda.map() + s * to.lambda.map();
    return Status::success();
  }
  // No accelerations at hand: the derivative of the Hermite polynomial of x.
  cubic({from.x, from.v}, {to.x, to.v}, h, s, out.x);
  cubic_rate({from.x, from.v}, {to.x, to.v}, h, s, out.v);
  return Status::success();
}

}  // namespace trammel
