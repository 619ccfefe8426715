// The determinant of a square constraint Jacobian, by sparse LU.
#include "linalg/signed_determinant.h"

#include <Eigen/SparseLU>
#include <vector>

namespace trammel {

struct SignedDeterminant::Work {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> row_of;  // among the kept rows, or -1
};

SignedDeterminant::SignedDeterminant() : work_(std::make_unique<Work>()) {}
SignedDeterminant::~SignedDeterminant() = default;

SignedDeterminant::Value SignedDeterminant::of(const KktMatrix& matrix) {
  const auto n = static_cast<int>(matrix.bodies * matrix.coordinates);
  int rows = 0;
  work_->row_of.clear();
  for (Index r = 0; r < matrix.rows; ++r) {
    const bool kept = matrix.dropped == nullptr || matrix.dropped[r] == 0;
    work_->row_of.push_back(kept ? rows++ : -1);
  }
  if (rows + static_cast<int>(matrix.intrinsic_rows) != n) return {};
  work_->entries.clear();
  for (Index k = 0; k < matrix.block_count; ++k) {
    const JacobianBlock& block = matrix.blocks[k];
    const double* entry = matrix.Phi_q + block.offset;
    for (Index j = 0; j < matrix.coordinates; ++j) {
      for (Index i = 0; i < block.rows; ++i, ++entry) {
        const int row = work_->row_of[static_cast<std::size_t>(block.first_row + i)];
        if (row >= 0) work_->entries.emplace_back(row, static_cast<int>(block.body * matrix.coordinates + j), *entry);
      }
    }
  }
  for (Index body = 0; body < matrix.intrinsic_rows; ++body) {
    for (Index j = 0; j < matrix.coordinates; ++j) {
      work_->entries.emplace_back(rows + static_cast<int>(body), static_cast<int>(body * matrix.coordinates + j),
                                  matrix.intrinsic[body * matrix.coordinates + j]);
    }
  }
  work_->matrix.resize(n, n);
  work_->matrix.setFromTriplets(work_->entries.begin(), work_->entries.end());
  work_->factors.compute(work_->matrix);
  if (work_->factors.info() != Eigen::Success) return {};
  return {work_->factors.signDeterminant() < 0 ? -1 : 1, work_->factors.logAbsDeterminant()};
}

}  // namespace trammel
