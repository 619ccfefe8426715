// [M Phi_q^T; Phi_q 0] [a; lambda] = [f; g] by a basis of the null space of Phi_q, kept through the iterations of a
// step.
//
//   N = [-Phi_u^-1 Phi_w; I],   a = a_p + N y,   Phi_u a_p,u = g, a_p,w = 0                                       (1)
//   N^T M N y = N^T (f - M a_p),   Phi_u^T lambda = (f - M a)_u                                                   (2)
// q = (u, w) is a coordinate partition, chosen anew where entries of N grow. Fernandez de Bustos et al. (2024), section
// 8.
#pragma once

#include <Eigen/Cholesky>

#include "trammel/constrained_equations.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::conditionally_explicit {

class NullSpace {
  using Layout = sdk::StateLayout;
  using Map = Layout::Map;
  using Matrix = Layout::Matrix;

 public:
  struct Work {
    Work(Layout& at, Index n, Index m)
        : e(at.vector(n)),
          r(at.vector(n)),
          y(at.vector(n)),
          rows(at.vector(m)),
          basis(at.matrix(n, n)),
          reduced(at.matrix(n, n)) {}
    Map e, r, y, rows;
    Matrix basis, reduced;  ///< with as many columns as there are degrees of freedom
  };

  /// `partition` (n) lives from step to step.
  NullSpace(ConstrainedEquations& system, VectorView partition, Work work)
      : system_(system),
        n_(partition.size),
        partition_(partition),
        e_(work.e),
        r_(work.r),
        y_(work.y),
        rows_(work.rows),
        basis_(work.basis.data()),
        reduced_(work.reduced.data()) {}

  /// [step] At the last evaluated Jacobian. May allocate where it has to look for pivots.
  Status choose() {
    PartitionSolve* solver = find_extension<PartitionSolve>(system_);
    if (solver == nullptr) return Status::failure(StatusCode::unsupported, "no partition for a null-space basis");
    return solver->choose_partition({}, partition_);
  }

  /// [hot] The basis and N^T M N at the last evaluated Jacobian.
  Status prepare() {
    constexpr double largest_entry = 20;
    Status status = make_basis();
    if (status && basis().size() > 0 && !(basis().cwiseAbs().maxCoeff() < largest_entry))
      status = choose();
    else if (status)
      return factorize();
    if (status.code == StatusCode::singular) status = choose();
    if (status) status = make_basis();
    return status ? factorize() : status;
  }

  /// [hot] Any number of times after `prepare`; the model has to be at the same point.
  void solve(ConstVectorView f, ConstVectorView g, VectorView a, VectorView lambda) {
    PartitionSolve& solver = *find_extension<PartitionSolve>(system_);
    solver.solve_dependent(g, a);
    system_.apply_mass(a, {r_.data(), n_});
    r_ = f.map() - r_;
    auto y = y_.head(freedoms_);
    y.noalias() = basis().transpose() * r_;
    Matrix(reduced_, freedoms_, freedoms_).triangularView<Eigen::Lower>().solveInPlace(y);
    Matrix(reduced_, freedoms_, freedoms_).triangularView<Eigen::Lower>().transpose().solveInPlace(y);  // (2)
    a.map().noalias() += basis() * y;                                                                   // (1)
    system_.apply_mass(a, {r_.data(), n_});
    r_ = f.map() - r_;
    solver.solve_dependent_transpose({r_.data(), n_}, lambda);
  }

 private:
  Matrix basis() const { return Matrix(basis_, n_, freedoms_); }

  Status make_basis() {
    PartitionSolve& solver = *find_extension<PartitionSolve>(system_);
    const Status status = solver.factorize_dependent(partition_);
    if (!status) return status;
    freedoms_ = 0;
    for (Index j = 0; j < n_; ++j) {
      if (partition_[j] == 0) continue;
      e_.setZero();
      e_[j] = -1;
      system_.apply_jacobian({e_.data(), n_}, {rows_.data(), static_cast<Index>(rows_.size())});
      solver.solve_dependent({rows_.data(), static_cast<Index>(rows_.size())}, {basis_ + freedoms_ * n_, n_});
      basis_[freedoms_++ * n_ + j] = 1;
    }
    return status;
  }

  Status factorize() {
    Matrix M(reduced_, freedoms_, freedoms_);
    for (Index j = 0; j < freedoms_; ++j) {
      system_.apply_mass({basis_ + j * n_, n_}, {r_.data(), n_});
      M.col(j).noalias() = basis().transpose() * r_;
    }
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(M);  // in place
    if (factor.info() == Eigen::Success) return Status::success();
    return Status::failure(StatusCode::singular, "the mass matrix reduced by the null space");
  }

  ConstrainedEquations& system_;
  Index n_;
  VectorView partition_;
  Map e_, r_, y_, rows_;
  double* basis_;
  double* reduced_;
  Index freedoms_ = 0;
};

}  // namespace trammel::conditionally_explicit
