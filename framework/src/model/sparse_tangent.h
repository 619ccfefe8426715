// SparseTangent: M and Phi_q of a point, kept, and what moves there with the independent coordinates.
#pragma once

#include <vector>

#include "linalg/dependent_lu.h"
#include "trammel/kkt_solver.h"
#include "trammel/status.h"

namespace trammel {

class ModelKkt;

/// T: dq = T dw with Phi_q dq = 0, by one solve with Phi_u (linalg/dependent_lu.h). Copies: stages move the model away
/// from the point.
class SparseTangent {
 public:
  explicit SparseTangent(ModelKkt& kkt) : kkt_(kkt) {}

  /// [hot] The model's last evaluation point; `independent` is not 0 for the coordinates w. `singular`: Phi_u is.
  Status keep(ConstVectorView independent);

  const KktMatrix& matrix() const { return matrix_; }
  DependentLu& dependent() { return dependent_; }
  /// The coordinates w_k.
  const std::vector<Index>& independent() const { return independent_; }
  Index freedoms() const { return static_cast<Index>(independent_.size()); }

  /// [hot] Z = T y.
  void form(ConstVectorView y, std::vector<double>& Z);
  /// [hot] out = factor T^T f.
  void project(double factor, const std::vector<double>& f, VectorView out);
  /// [hot] f += M x.
  void add_mass(const std::vector<double>& x, std::vector<double>& f) const;

 private:
  using Numbers = std::vector<double>;

  ModelKkt& kkt_;
  KktMatrix matrix_;
  Numbers M_, Phi_q_, intrinsic_;
  std::vector<unsigned char> dropped_;
  DependentLu dependent_;
  std::vector<Index> independent_;
  Numbers columns_, rows_;  ///< n and m, scratch
};

}  // namespace trammel
