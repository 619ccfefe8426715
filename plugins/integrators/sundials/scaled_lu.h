// SUNDIALS linear solver: dense LU factorization of a matrix whose rows and unknowns are scaled first.
#pragma once

#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/LU>

#include "handles.h"
#include "stabilized_index2.h"

namespace trammel::sundials {

class ScaledLu {
 public:
  ScaledLu(const StabilizedIndex2& equations, SUNContext context)
      : equations_(equations),
        scaled_(equations.size(), equations.size()),
        lu_(equations.size()),
        right_(equations.size()),
        solver_(own(SUNLinSolNewEmpty(context))) {
    solver_->content = this;
    solver_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver_->ops->setup = [](SUNLinearSolver self, SUNMatrix A) {
      static_cast<ScaledLu*>(self->content)->factorize(SUNDenseMatrix_Data(A));
      return 0;
    };
    solver_->ops->solve = [](SUNLinearSolver self, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      return static_cast<ScaledLu*>(self->content)->solve(N_VGetArrayPointer(b), N_VGetArrayPointer(x)) ? 0 : 1;
    };
    solver_->ops->free = [](SUNLinearSolver self) {
      self->content = nullptr;
      SUNLinSolFreeEmpty(self);
      return 0;
    };
  }
  ScaledLu(const ScaledLu&) = delete;
  ScaledLu& operator=(const ScaledLu&) = delete;

  SUNLinearSolver get() const { return solver_.get(); }

 private:
  void factorize(const double* data) {
    const Eigen::Index n = scaled_.rows();
    scaled_ = equations_.row_scale().map().asDiagonal() * Eigen::Map<const Eigen::MatrixXd>(data, n, n) *
              equations_.column_scale().map().asDiagonal();
    // The scales of the matrix, also while those of the next one are made.
    rows_ = equations_.row_scale().map();
    columns_ = equations_.column_scale().map();
    lu_.compute(scaled_);
  }
  bool solve(const double* b, double* x) {
    const Eigen::Index n = scaled_.rows();
    right_ = rows_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(b, n));
    Eigen::Map<Eigen::VectorXd> result(x, n);
    result = lu_.solve(right_);
    result = result.cwiseProduct(columns_);
    return result.allFinite();
  }

  const StabilizedIndex2& equations_;
  Eigen::MatrixXd scaled_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd right_, rows_, columns_;
  Owner<SUNLinearSolver> solver_;
};

}  // namespace trammel::sundials
