// From independent joint coordinates to all: Newton's method for those that the loops determine.
#include <algorithm>
#include <cmath>

#include "second_order.h"
#include "trammel/math/cubic.h"
#include "trammel/sdk/formulations/branch_test.h"

namespace trammel::recursive {
namespace {

constexpr double slow = 0.1;  // contraction at which C_u is computed anew

}  // namespace

void Reduced::pick(ConstVectorView x, VectorView out) const {
  Index k = 0;
  for (const Index i : loops_.independent()) out[k++] = x[i];
}

// Within the last step the cubic through its ends, beyond it along the velocity at its end.
void Reduced::predict(const KeptReduced& at, double t, ConstVectorView w, ConstVectorView w_dot) const {
  const Index N = space_->tree.thetas;
  const double h = t - at.kept_at, step = at.kept_at - at.kept_at_0;
  if (h < 0 && t > at.kept_at_0) {
    const ValueAndRate from{at.theta_0, at.theta1_0}, to{at.kept.theta, at.theta1};
    cubic(from, to, step, 1 + h / step, {theta_.data(), N});
    cubic_rate(from, to, step, 1 + h / step, {theta1_.data(), N});
  } else {
    theta_ = at.kept.theta.map() + h * at.theta1.map();
    theta1_ = at.theta1.map();
  }
  slack_ = 0;
  Index k = 0;
  for (const Index i : loops_.independent()) {
    constexpr double known_cause = 3;  // u follows w's departure from its prediction, amplified
    slack_ = std::max(slack_, known_cause * std::abs(w[k] - theta_[i]) / loops_.scale()[i]);
    theta_[i] = w[k], theta1_[i] = w_dot[k], ++k;
  }
  predicted_ = theta_;
}

// As sdk::BranchTest, joint by joint.
bool Reduced::continues(const KeptReduced& at, double t, double far, double close, double turned_share) const {
  const double h = t - at.kept_at;
  if (h <= 0) return true;
  const auto& scale = loops_.scale();
  for (const Link& link : space_->tree.links) {
    double way = 0, missed = 0, turned = 0;
    for (Index i = link.theta; i < link.theta + link.thetas; ++i) {
      const double moved = theta_[i] - at.kept.theta[i];
      const double path = 0.25 * h * (std::abs(at.theta1[i]) + std::abs(theta1_[i]));
      way = std::max(way, std::max(std::abs(moved), path) / scale[i]);
      missed = std::max(missed, std::abs(theta_[i] - predicted_[i]) / scale[i]);
      turned = std::max(turned, std::abs(moved - 0.5 * h * (at.theta1[i] + theta1_[i])) / scale[i]);
    }
    const double near = sdk::BranchTest::always_near + slack_;
    if (!(missed <= near + far * way)) return false;
    if (missed > near + close * way && !(turned <= near + turned_share * way)) return false;
  }
  return true;
}

Status Reduced::lift(double t, ConstVectorView w, ConstVectorView w_dot, bool looking_back) const {
  if (lifted_ && t == t_ && w.map() == w_ && w_dot.map() == w_dot_) return Status::success();
  lifted_ = accelerated_ = false;
  const KeptReduced& at = *placed_;
  const bool before = looking_back && t < at.changed_at;
  if (before)
    loops_.use(at.rows_before, at.before, at.length), factorized_ = false;
  else
    loops_.use(at.rows, at.dependent, at.length);
  predict(at, t, w, w_dot);
  Status status;
  const bool kept = t == at.kept_at && theta_ == at.kept.theta.map() && theta1_ == at.theta1.map();
  if (!loops_.none() && !kept) {
    status = close_positions(t);
    if (status && !continues(at, t, 0.5, 0.5, 1)) status = sdk::BranchTest::left();
    if (status) status = close_rates(t);
  }
  if (before) factorized_ = false;
  t_ = t, w_ = w.map(), w_dot_ = w_dot.map();
  lifted_ = status.ok() && !before;
  return status;
}

Status Reduced::renew(double t) const {
  const Index N = space_->tree.thetas;
  const Work& work = placed_->work;
  space_->lift({theta_.data(), N}, {theta1_.data(), N}, placed_->kept, work);
  Status status = system_->evaluate(t, work.q, work.v, {}, evaluate_Phi | evaluate_jacobian | evaluate_nu);
  if (!status) return status;
  loops_.evaluate(*system_);
  status = loops_.factorize();
  factorized_ = status.ok();
  return status;
}

Status Reduced::close_positions(double t) const {
  constexpr int most_iterations = 25;
  const Index N = space_->tree.thetas;
  const Work& work = placed_->work;
  double last = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    Status status;
    const bool fresh = !factorized_;
    if (fresh) {
      status = renew(t);
    } else {
      space_->lift({theta_.data(), N}, {theta1_.data(), N}, placed_->kept, work);
      status = system_->evaluate(t, work.q, {}, {}, evaluate_Phi);
    }
    if (!status) return status;
    const ConstVectorView Phi = system_->Phi();
    for (Index i = 0; i < loops_.count(); ++i) {
      correction_[i] = -Phi[loops_.row(i)];
    }
    loops_.solve(correction_);
    const double size = correction_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) return Status::failure(StatusCode::not_finite, "the closing of the loops");
    Index k = 0;
    for (const Index i : loops_.dependent()) theta_[i] += correction_[k++];
    if (size <= tolerance_) return status;
    if (iteration > 0 && size > slow * last && !fresh) factorized_ = false;
    last = size;
  }
  return Status::failure(StatusCode::not_converged, "the closing of the loops", -1, last);
}

Status Reduced::close_rates(double t) const {
  constexpr int most_iterations = 25;
  constexpr double rounding = 1e-14, good_enough = 1e-9;
  const Index N = space_->tree.thetas;
  const Work& work = placed_->work;
  space_->lift({theta_.data(), N}, {theta1_.data(), N}, placed_->kept, work);
  Status status = system_->evaluate(t, work.q, work.v, {}, evaluate_jacobian | evaluate_nu);
  double last = 0;
  for (int iteration = 0; status && iteration < most_iterations; ++iteration) {
    system_->apply_jacobian(work.v, work.lambda);
    const ConstVectorView nu = system_->nu();
    for (Index i = 0; i < loops_.count(); ++i) {
      correction_[i] = nu[loops_.row(i)] - work.lambda[loops_.row(i)];
    }
    loops_.solve(correction_);
    const double size = correction_.lpNorm<Eigen::Infinity>(), scale = 1 + theta1_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) return Status::failure(StatusCode::not_finite, "the rates of the closed loops");
    Index k = 0;
    for (const Index i : loops_.dependent()) theta1_[i] += correction_[k++];
    if (size <= rounding * scale || (iteration > 0 && size > 0.5 * last && size < good_enough * scale)) return status;
    space_->motion->spread(theta1_.data(), work.v.data);
    if (iteration > 0 && size > slow * last) {
      loops_.evaluate(*system_);
      status = loops_.factorize();
    }
    last = size;
  }
  return status ? Status::failure(StatusCode::not_converged, "the rates of the closed loops", -1, last) : status;
}

// At the point of theta_, which is not lifted anew.
Status Reduced::choose(ConstrainedSystem& system, double t, const KeptReduced& at) const {
  const Index N = space_->tree.thetas;
  if (loops_.none()) {
    at.length = 1;
    at.dependent.map().setZero(), at.rows.map().setZero();
    loops_.use(at.rows, at.dependent, at.length);
    return Status::success();
  }
  space_->lift({theta_.data(), N}, {theta1_.data(), N}, at.kept, at.work);
  Status status = system.evaluate(t, at.work.q, at.work.v, {}, evaluate_Phi | evaluate_jacobian | evaluate_nu);
  if (!status) return status;
  loops_.evaluate(system);
  if (at.length == 0) at.length = loops_.length_of(system);
  status = loops_.choose(system, at.length, at.rows, at.dependent);
  if (!status) return status;
  loops_.use(at.rows, at.dependent, at.length);
  status = loops_.factorize();
  if (status) at.least = loops_.amplification();
  return status;
}

Status Reduced::accelerate(double t, ConstVectorView w, ConstVectorView w_dot) const {
  Status status = lift(t, w, w_dot, false);
  if (!status || accelerated_) return status;
  const Index N = space_->tree.thetas;
  const ConstVectorView theta{theta_.data(), N}, theta1{theta1_.data(), N};
  space_->lift(theta, theta1, placed_->kept, placed_->work);
  status = space_->accelerate(*system_, t, theta, theta1, {}, placed_->work, placed_->work.lambda, {theta2_.data(), N},
                              evaluate_nu);
  accelerated_ = status.ok();
  return status;
}

}  // namespace trammel::recursive
