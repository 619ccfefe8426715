// The matrices of the second-order view; equations are numbered in second_order.h.
#include <algorithm>

#include "second_order.h"
#include "turns.h"

namespace trammel::recursive {

Status Reduced::linearize(double t, ConstVectorView w, ConstVectorView w_dot) {
  ConstrainedLinearization* const linearization = system_->linearization();
  if (linearization == nullptr) return Status::failure(StatusCode::unsupported, "no linearization of the system");
  Status status = accelerate(t, w, w_dot);
  if (status) status = linearization->linearize(placed_->work.a, placed_->work.lambda);
  if (status) status = form();
  if (status) status = reduce();
  if (!status) return status;
  if (!(MJ1_.allFinite() && MJ2_.allFinite() && MJt_.allFinite()))
    return Status::failure(StatusCode::not_finite, "state-space Jacobian");
  if (M_.llt().info() == Eigen::Success) return status;  // positive definite where the model is sound
  return Status::failure(StatusCode::singular, "reduced mass matrix, which is not positive definite,");
}

// (1), column by column; S has the rows that are used only.
Status Reduced::form() {
  const Tree& tree = space_->tree;
  const Index N = tree.thetas, n = tree.n;
  ConstrainedLinearization& linearization = *system_->linearization();
  if (mass_.rows() != N || S_rate_.rows() != loops_.count()) {
    for (Matrix* A : {&mass_, &K_, &D_}) A->setZero(N, N);
    for (Matrix* A : {&S_position_, &S_rate_}) A->setZero(loops_.count(), N);
    for (Vector* x : {&dq_, &dv_, &p_, &f_, &time_f_}) x->setZero(n);
    for (Vector* x : {&g_, &time_g_, &time_v_}) x->setZero(tree.m);
    product_.setZero(std::max(n, tree.m)), force_.setZero(N), unit_.setZero(N);
  }
  const auto view = [](Vector& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  space_->motion->place(theta_.data(), theta1_.data(), theta2_.data(), placed_->kept.signs.data);
  if (!loops_.none()) {
    loops_.evaluate(*system_);
    const Status status = loops_.factorize();
    if (!status) return status;
    factorized_ = true;
  }
  for (Index k = 0; k < N; ++k) {
    unit_.setZero(), unit_[k] = 1;
    space_->motion->spread(unit_.data(), dq_.data());
    system_->apply_mass(view(dq_), view(f_));
    space_->motion->gather(f_.data(), mass_.col(k).data());
    for (const int level : {0, 1}) {
      space_->motion->derive(k, level, dq_.data(), dv_.data(), p_.data());
      const Status status = linearization.apply_linearization(view(dq_), view(dv_), view(f_), view(g_));
      if (!status) return status;
      system_->apply_mass(view(p_), {product_.data(), n});
      f_ += product_.head(n);
      space_->motion->gather(f_.data(), (level == 0 ? K_ : D_).col(k).data());
      if (loops_.none()) continue;
      system_->apply_jacobian(view(p_), {product_.data(), tree.m});
      for (Index i = 0; i < loops_.count(); ++i) {
        const Index row = tree.cuts[static_cast<std::size_t>(loops_.rows()[static_cast<std::size_t>(i)])];
        (level == 0 ? S_position_ : S_rate_)(i, k) = g_[row] + product_[row];
      }
    }
  }
  add_balls();
  // The explicit part of R by time.
  const bool rheonomic = system_->rheonomic();
  const VectorView rows = rheonomic ? view(time_v_) : VectorView{},
                   accelerations = rheonomic ? view(time_g_) : VectorView{};
  Status status = linearization.time_gradients(placed_->work.a, view(time_f_), rows, accelerations);
  if (!status) return status;
  f_ = -time_f_;
  space_->motion->gather(f_.data(), force_.data());
  for (Index k = 0; rheonomic && k < N; ++k) {
    unit_.setZero(), unit_[k] = 1;
    space_->motion->spread(unit_.data(), dq_.data());
    status = linearization.apply_time_jacobian(view(dq_), view(g_));
    if (!status) return status;
    force_[k] += g_.dot(placed_->work.lambda.map());
  }
  return status;
}

// The lengths of balls' numbers get a mass of their own, of the size of the ball's inertia.
void Reduced::add_balls() {
  space_->motion->balls([&](Index first, Index) {
    const Vec4<> x = sdk::vec4(theta_.data() + first), x1 = sdk::vec4(theta1_.data() + first),
                 x2 = sdk::vec4(theta2_.data() + first);
    double along[4], by_position[4], by_rate[4], unit[4];
    const double m = mass_.block(first, first, 4, 4).trace() / 3 / dot(x, x);
    store(x, unit), store(m * x, along);
    store(gauge_by_position(x, x1, x2), by_position), store(gauge_by_rate(x, x1), by_rate);
    for (Index k = 0; k < 4; ++k) {
      for (Index i = 0; i < 4; ++i) {
        mass_(first + i, first + k) += along[i] * unit[k];
        K_(first + i, first + k) += along[i] * by_position[k];
        D_(first + i, first + k) += along[i] * by_rate[k];
      }
    }
  });
}

// (2) to (4)
Status Reduced::reduce() {
  if (loops_.none()) {
    M_ = mass_, MJ1_ = -K_, MJ2_ = -D_, MJt_ = -force_;
    return Status::success();
  }
  const auto N = static_cast<Eigen::Index>(space_->tree.thetas);
  const std::vector<Index>&u = loops_.dependent(), &w = loops_.independent();
  const auto r = static_cast<Eigen::Index>(u.size()), d = static_cast<Eigen::Index>(w.size());
  const auto chosen = [&](const Vector& x) {
    Vector out(r);
    for (Eigen::Index i = 0; i < r; ++i) {
      out[i] = x[space_->tree.cuts[static_cast<std::size_t>(loops_.rows()[static_cast<std::size_t>(i)])]];
    }
    return out;
  };
  const auto columns = [](const Matrix& A, const std::vector<Index>& of) {
    Matrix out(A.rows(), static_cast<Eigen::Index>(of.size()));
    for (std::size_t k = 0; k < of.size(); ++k) out.col(static_cast<Eigen::Index>(k)) = A.col(of[k]);
    return out;
  };
  const auto spread = [&](const Matrix& of_u) {
    Matrix out = Matrix::Zero(N, of_u.cols());
    for (Eigen::Index k = 0; k < r; ++k) out.row(u[static_cast<std::size_t>(k)]) = of_u.row(k);
    return out;
  };
  Matrix C_w(r, d);
  for (Eigen::Index i = 0; i < r; ++i) {
    for (Eigen::Index k = 0; k < d; ++k)
      C_w(i, k) = loops_.C()(loops_.rows()[static_cast<std::size_t>(i)], w[static_cast<std::size_t>(k)]);
  }
  Z_ = spread(-loops_.solve_columns(C_w));
  for (Eigen::Index k = 0; k < d; ++k) Z_(w[static_cast<std::size_t>(k)], k) = 1;
  const Matrix mass_u = columns(mass_, u);
  const Matrix rate = spread(-loops_.solve_columns(0.5 * S_rate_ * Z_));
  M_ = Z_.transpose() * mass_ * Z_;
  MJ1_ = -Z_.transpose() * (K_ * Z_ + D_ * rate - mass_u * loops_.solve_columns(S_position_ * Z_ + S_rate_ * rate));
  MJ2_ = -Z_.transpose() * (D_ * Z_ - mass_u * loops_.solve_columns(S_rate_ * Z_));
  Vector right = force_;
  if (system_->rheonomic()) {
    Vector nu = Eigen::Map<const Vector>(system_->nu().data, space_->tree.m), of_v(space_->tree.m);
    const Status status = system_->linearization()->apply_time_jacobian(placed_->work.v, {of_v.data(), space_->tree.m});
    if (!status) return status;
    const Vector by_time = spread(loops_.solve_columns(chosen(nu)));
    const Vector rate_by_time = spread(-loops_.solve_columns(0.5 * S_rate_ * by_time + chosen(of_v) + chosen(time_v_)));
    const Vector second = loops_.solve_columns(S_position_ * by_time + S_rate_ * rate_by_time + chosen(time_g_));
    right += K_ * by_time + D_ * rate_by_time - mass_u * second;
  }
  MJt_ = -Z_.transpose() * right;
  return Status::success();
}

}  // namespace trammel::recursive
