// States inside the last step: the integrator's dense output, else the Hermite polynomial.
#include "run/stepping/last_step.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plugin/breadcrumb.h"
#include "trammel/math/cubic.h"
#include "trammel/math/quintic.h"

namespace trammel {

LastStep::LastStep(const MethodRun& method, Plant& plant, double same_time)
    : method_(method),
      plant_(plant),
      same_time_(same_time),
      start_(plant.size(), plant.view()),
      end_(plant.size(), plant.view()),
      attempted_(plant.size(), plant.view()),
      slopes_(method.problem().ode != nullptr ? plant.size() : ProblemSize{}, plant.view()) {}

void LastStep::begin() {
  start_.copy_from(end_);
  attempted_.copy_from(end_);
  slopes_.forget();
}

void LastStep::accept(const StateBuffer& corrected, double h) {
  std::swap(start_, end_);
  end_.copy_from(corrected);
  slopes_.forget();
  h_ = h;
}

void LastStep::cut_off(const StateBuffer& at) {
  end_.copy_from(at);
  h_ = t() - t_previous();
}

void LastStep::take_back() {
  end_.copy_from(start_);
  begin();
}

Status LastStep::interpolate(double t, const StateView& out) {
  // The first step behind an impact may be as short as times that count as the same, and has an inside, too.
  constexpr double of_step = 1e-3;
  const double to_end = std::abs(t - this->t()), to_start = std::abs(t - t_previous());
  const double same = std::min(same_time_, of_step * std::abs(this->t() - t_previous()));
  const StateBuffer* end = to_end <= same ? &end_ : to_start <= same ? &start_ : nullptr;
  if (end != nullptr) {
    const ConstStateView source = end->view;
    out.x.map() = source.x.map();
    if (out.v.size > 0) out.v.map() = source.v.map();
    if (out.a.size > 0) out.a.map() = source.a.map();
    if (out.lambda.size > 0) out.lambda.map() = source.lambda.map();
    return Status::success();
  }
  const PhaseScope scope(method_.plugin().c_str(), "", "interpolate");
  Status status = method_.interpolate(start_.view, attempted_.view, t, out);
  if (status.code == StatusCode::unsupported) status = hermite(t, out);
  if (!status) return status;
  StateView corrected = out;
  corrected.t = t;
  return plant_.correct_output(corrected);
}

// Between the two ends of the step: the cubic Hermite polynomial of first-order views, third-order accurate; where
// there are velocities and accelerations at both ends, that of degree 5; of second-order views, which show none, the
// cubic one of x and its derivative, accurate to order 2.
Status LastStep::hermite(double t, const StateView& out) {
  const double h = attempted_.view.t - t_previous(), s = (t - t_previous()) / h;
  const ConstStateView from = start_.view, to = attempted_.view;
  if (OdeSystem* ode = method_.problem().ode; ode != nullptr) {
    const Status status = slopes_.evaluate(*ode, from, to);
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

void LastStep::remember(Archive& archive) {
  archive.values("step", end_.view.t, h_);
  archive.block("state", end_.data());
}

}  // namespace trammel
