// The matrices of the second-order view, column by column; equations are numbered in second_order.h.
#include "linearize.h"

#include <algorithm>

namespace trammel::recursive {
namespace {

VectorView view(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

Status ReducedMatrices::compute(ConstrainedSystem& system, const JointSpace& space, Loops& loops,
                                const MotionPoint& at) {
  system_ = &system, space_ = &space, loops_ = &loops, at_ = &at;
  make_room(space, loops);
  space.motion->place(at.theta.data(), at.theta1.data(), at.theta2.data(), at.kept.signs.data);
  Status status;
  if (!loops.none()) {
    loops.evaluate(system);
    status = loops.factorize();
    if (status) loops.spread_independent(Z_);
  }
  if (!status) return status;
  find_balls();
  const auto d = M.cols();
  for (Eigen::Index k = 0; status && k < d; ++k) {
    if (loops.none())
      direction_.setZero(), direction_[k] = 1;
    else
      direction_ = Z_.col(k);
    inertia(direction_, moved_);
    if (loops.none())
      M.col(k) = moved_;
    else
      M.col(k).noalias() = Z_.transpose() * moved_;
    status = vary(none_, direction_, R_, S_);  // (3)
    if (!status) break;
    close(R_, S_, MJ2.col(k));
    loops.scatter(-0.5 * S_, rate_);  // (2): du' of the same dtheta
    status = vary(direction_, rate_, R_, S_);
    if (status) close(R_, S_, MJ1.col(k));
  }
  if (status) status = differentiate_by_time();
  if (!status) return status;
  if (!(MJ1.allFinite() && MJ2.allFinite() && MJt.allFinite()))
    return Status::failure(StatusCode::not_finite, "state-space Jacobian");
  cholesky_.compute(M);
  if (cholesky_.info() == Eigen::Success) return status;  // positive definite where the model is sound
  return Status::failure(StatusCode::singular, "reduced mass matrix, which is not positive definite,");
}

void ReducedMatrices::make_room(const JointSpace& space, const Loops& loops) {
  const Index N = space.tree.thetas, n = space.tree.n, m = space.tree.m;
  const auto d = static_cast<Eigen::Index>(N - loops.count());
  if (M.cols() == d && R_.size() == N && f_.size() == n && g_.size() == m && S_.size() == loops.count()) return;
  for (Matrix* A : {&M, &MJ1, &MJ2}) A->setZero(d, d);
  for (Vector* x : {&dq_, &dv_, &p_, &f_}) x->setZero(n);
  for (Vector* x : {&R_, &moved_, &none_, &direction_, &rate_}) x->setZero(N);
  g_.setZero(m), product_.setZero(std::max(n, m)), S_.setZero(loops.count()), MJt.setZero(d);
  if (!loops.none()) Z_.setZero(N, d);
  for (Vector* x : {&along_, &turning_, &force_}) x->setZero(N);
  for (Vector* x : {&by_time_, &rate_by_time_}) x->setZero(loops.count());
  for (Vector* x : {&of_v_, &rows_t_, &accelerations_t_}) x->setZero(m);
  Q_t_.setZero(n);
  balls_.reserve(static_cast<std::size_t>(space.tree.gauges)),
      found_.reserve(static_cast<std::size_t>(space.tree.gauges));
  cholesky_.compute(Matrix::Identity(d, d));
}

Status ReducedMatrices::vary(const Vector& dtheta, const Vector& dtheta1, Vector& R, Vector& S) {
  const Tree& tree = space_->tree;
  space_->motion->derive(dtheta.data(), dtheta1.data(), dq_.data(), dv_.data(), p_.data());
  const Status status = system_->linearization()->apply_linearization(view(dq_), view(dv_), view(f_), view(g_));
  if (!status) return status;
  system_->apply_mass(view(p_), {product_.data(), tree.n});
  f_ += product_.head(tree.n);
  space_->motion->gather(f_.data(), R.data());
  for (const Ball& ball : balls_) {
    const double h = dot(ball.by_position, sdk::vec4(dtheta.data() + ball.first)) +
                     dot(ball.by_rate, sdk::vec4(dtheta1.data() + ball.first));
    store(sdk::vec4(R.data() + ball.first) + (ball.mass * h) * ball.x, R.data() + ball.first);
  }
  if (loops_->none()) return status;
  system_->apply_jacobian(view(p_), {product_.data(), tree.m});
  for (Index i = 0; i < loops_->count(); ++i) S[i] = g_[loops_->row(i)] + product_[loops_->row(i)];
  return status;
}

void ReducedMatrices::inertia(const Vector& x, Vector& out) {
  space_->motion->spread(x.data(), dq_.data());
  system_->apply_mass(view(dq_), view(f_));
  space_->motion->gather(f_.data(), out.data());
  for (const Ball& ball : balls_) {
    const double along = ball.mass * dot(ball.x, sdk::vec4(x.data() + ball.first));
    store(sdk::vec4(out.data() + ball.first) + along * ball.x, out.data() + ball.first);
  }
}

void ReducedMatrices::close(Vector& R, Vector& S, Eigen::Ref<Vector> column) {
  if (loops_->none()) {
    column = -R;
    return;
  }
  loops_->solve(S);
  loops_->scatter(S, rate_);
  inertia(rate_, moved_);
  R -= moved_;
  column.noalias() = -Z_.transpose() * R;
}

// (4)
Status ReducedMatrices::differentiate_by_time() {
  const Tree& tree = space_->tree;
  ConstrainedLinearization& linearization = *system_->linearization();
  const bool rheonomic = system_->rheonomic();
  Status status = linearization.time_gradients(at_->work.a, view(Q_t_), rheonomic ? view(rows_t_) : VectorView{},
                                               rheonomic ? view(accelerations_t_) : VectorView{});
  if (!status) return status;
  Q_t_ = -Q_t_;
  space_->motion->gather(Q_t_.data(), force_.data());
  for (Index k = 0; rheonomic && k < tree.thetas; ++k) {
    direction_.setZero(), direction_[k] = 1;
    space_->motion->spread(direction_.data(), dq_.data());
    status = linearization.apply_time_jacobian(view(dq_), view(g_));
    if (!status) return status;
    force_[k] += g_.dot(at_->work.lambda.map());
  }
  R_ = force_, S_.setZero();
  if (rheonomic && !loops_->none()) {
    status = linearization.apply_time_jacobian(at_->work.v, view(of_v_));
    if (!status) return status;
    for (Index i = 0; i < loops_->count(); ++i) by_time_[i] = system_->nu()[loops_->row(i)];
    loops_->solve(by_time_);
    loops_->scatter(by_time_, along_);
    status = vary(none_, along_, R_, S_);
    if (!status) return status;
    for (Index i = 0; i < loops_->count(); ++i)
      rate_by_time_[i] = -(0.5 * S_[i] + of_v_[loops_->row(i)] + rows_t_[loops_->row(i)]);
    loops_->solve(rate_by_time_);
    loops_->scatter(rate_by_time_, turning_);
    status = vary(along_, turning_, R_, S_);
    if (!status) return status;
    R_ += force_;
    for (Index i = 0; i < loops_->count(); ++i) S_[i] += accelerations_t_[loops_->row(i)];
  }
  close(R_, S_, MJt);
  return status;
}

// The lengths of balls' numbers get a mass of their own, of the size of the ball's inertia.
void ReducedMatrices::find_balls() {
  balls_.clear();
  found_.clear();
  space_->motion->balls([&](Index first, Index) {
    const Vec4<> x = sdk::vec4(at_->theta.data() + first), x1 = sdk::vec4(at_->theta1.data() + first),
                 x2 = sdk::vec4(at_->theta2.data() + first);
    double trace = 0;
    for (Index k = 0; k < 4; ++k) {
      direction_.setZero(), direction_[first + k] = 1;
      inertia(direction_, moved_);
      trace += moved_[first + k];
    }
    const double square = dot(x, x);
    found_.push_back({first, trace / (3 * square), x, gauge_by_position(x, x1, x2), gauge_by_rate(x, x1)});
  });
  balls_.swap(found_);
}

}  // namespace trammel::recursive
