// The matrices of the second-order view; equations are numbered in second_order.h.
#include "linearize.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "turns.h"

namespace trammel::recursive {
namespace {

VectorView view(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace

Status ReducedMatrices::compute(ConstrainedSystem& system, const JointSpace& space, Loops& loops,
                                const MotionPoint& at) {
  make_room(space.tree, loops);
  space.motion->place(at.theta.data(), at.theta1.data(), at.theta2.data(), at.kept.signs.data);
  Status status;
  if (!loops.none()) {
    loops.evaluate(system);
    status = loops.factorize();
  }
  if (status) status = form(system, space, loops, at);
  if (status) add_balls(space, at);
  if (status) status = form_by_time(system, space, at);
  if (status) status = reduce(system, space, loops, at);
  if (!status) return status;
  if (!(MJ1.allFinite() && MJ2.allFinite() && MJt.allFinite()))
    return Status::failure(StatusCode::not_finite, "state-space Jacobian");
  if (M.llt().info() == Eigen::Success) return status;  // positive definite where the model is sound
  return Status::failure(StatusCode::singular, "reduced mass matrix, which is not positive definite,");
}

void ReducedMatrices::make_room(const Tree& tree, const Loops& loops) {
  const Index N = tree.thetas;
  if (mass_.rows() == N && S_rate_.rows() == loops.count() && f_.size() == tree.n) return;
  for (Matrix* A : {&mass_, &K_, &D_}) A->setZero(N, N);
  for (Matrix* A : {&S_position_, &S_rate_}) A->setZero(loops.count(), N);
  for (Vector* x : {&dq_, &dv_, &p_, &f_, &time_f_}) x->setZero(tree.n);
  for (Vector* x : {&g_, &time_g_, &time_v_}) x->setZero(tree.m);
  product_.setZero(std::max(tree.n, tree.m)), force_.setZero(N), unit_.setZero(N);
}

// (1), column by column; S has the rows that are used only.
Status ReducedMatrices::form(ConstrainedSystem& system, const JointSpace& space, const Loops& loops,
                             const MotionPoint&) {
  const Tree& tree = space.tree;
  ConstrainedLinearization& linearization = *system.linearization();
  unit_.setZero();
  for (Index k = 0; k < tree.thetas; ++k) {
    unit_[k] = 1;
    space.motion->spread(unit_.data(), dq_.data());
    unit_[k] = 0;
    system.apply_mass(view(dq_), view(f_));
    space.motion->gather(f_.data(), mass_.col(k).data());
    for (const int level : {0, 1}) {
      space.motion->derive(k, level, dq_.data(), dv_.data(), p_.data());
      const Status status = linearization.apply_linearization(view(dq_), view(dv_), view(f_), view(g_));
      if (!status) return status;
      system.apply_mass(view(p_), {product_.data(), tree.n});
      f_ += product_.head(tree.n);
      space.motion->gather(f_.data(), (level == 0 ? K_ : D_).col(k).data());
      if (loops.none()) continue;
      system.apply_jacobian(view(p_), {product_.data(), tree.m});
      for (Index i = 0; i < loops.count(); ++i) {
        const Index row = tree.cuts[static_cast<std::size_t>(loops.rows()[static_cast<std::size_t>(i)])];
        (level == 0 ? S_position_ : S_rate_)(i, k) = g_[row] + product_[row];
      }
    }
  }
  return Status::success();
}

// The explicit part of R by time, into force_, and those of the rows.
Status ReducedMatrices::form_by_time(ConstrainedSystem& system, const JointSpace& space, const MotionPoint& at) {
  ConstrainedLinearization& linearization = *system.linearization();
  const bool rheonomic = system.rheonomic();
  Status status = linearization.time_gradients(at.work.a, view(time_f_), rheonomic ? view(time_v_) : VectorView{},
                                               rheonomic ? view(time_g_) : VectorView{});
  if (!status) return status;
  f_ = -time_f_;
  space.motion->gather(f_.data(), force_.data());
  for (Index k = 0; rheonomic && k < space.tree.thetas; ++k) {
    unit_[k] = 1;
    space.motion->spread(unit_.data(), dq_.data());
    unit_[k] = 0;
    status = linearization.apply_time_jacobian(view(dq_), view(g_));
    if (!status) return status;
    force_[k] += g_.dot(at.work.lambda.map());
  }
  return status;
}

// The lengths of balls' numbers get a mass of their own, of the size of the ball's inertia.
void ReducedMatrices::add_balls(const JointSpace& space, const MotionPoint& at) {
  space.motion->balls([&](Index first, Index) {
    const Vec4<> x = sdk::vec4(at.theta.data() + first), x1 = sdk::vec4(at.theta1.data() + first),
                 x2 = sdk::vec4(at.theta2.data() + first);
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
Status ReducedMatrices::reduce(ConstrainedSystem& system, const JointSpace& space, const Loops& loops,
                               const MotionPoint& at) {
  if (loops.none()) {
    M = mass_, MJ1 = -K_, MJ2 = -D_, MJt = -force_;
    return Status::success();
  }
  const auto N = static_cast<Eigen::Index>(space.tree.thetas);
  const std::vector<Index>&u = loops.dependent(), &w = loops.independent();
  const auto r = static_cast<Eigen::Index>(u.size()), d = static_cast<Eigen::Index>(w.size());
  const auto chosen = [&](const Vector& x) {
    Vector out(r);
    for (Eigen::Index i = 0; i < r; ++i) {
      out[i] = x[space.tree.cuts[static_cast<std::size_t>(loops.rows()[static_cast<std::size_t>(i)])]];
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
      C_w(i, k) = loops.C()(loops.rows()[static_cast<std::size_t>(i)], w[static_cast<std::size_t>(k)]);
  }
  Matrix Z = spread(-loops.solve_columns(C_w));
  for (Eigen::Index k = 0; k < d; ++k) Z(w[static_cast<std::size_t>(k)], k) = 1;
  const Matrix mass_u = columns(mass_, u);
  const Matrix rate = spread(-loops.solve_columns(0.5 * S_rate_ * Z));
  M = Z.transpose() * mass_ * Z;
  MJ1 = -Z.transpose() * (K_ * Z + D_ * rate - mass_u * loops.solve_columns(S_position_ * Z + S_rate_ * rate));
  MJ2 = -Z.transpose() * (D_ * Z - mass_u * loops.solve_columns(S_rate_ * Z));
  Vector right = force_;
  if (system.rheonomic()) {
    Vector nu = Eigen::Map<const Vector>(system.nu().data, space.tree.m), of_v(space.tree.m);
    const Status status = system.linearization()->apply_time_jacobian(at.work.v, {of_v.data(), space.tree.m});
    if (!status) return status;
    const Vector by_time = spread(loops.solve_columns(chosen(nu)));
    const Vector rate_by_time = spread(-loops.solve_columns(0.5 * S_rate_ * by_time + chosen(of_v) + chosen(time_v_)));
    const Vector second = loops.solve_columns(S_position_ * by_time + S_rate_ * rate_by_time + chosen(time_g_));
    right += K_ * by_time + D_ * rate_by_time - mass_u * second;
  }
  MJt = -Z.transpose() * right;
  return Status::success();
}

}  // namespace trammel::recursive
