// ModelUnit: the unit of length in which a model is judged, and its rows and coordinates in that unit.
#pragma once

#include <string_view>
#include <vector>

#include "trammel/extensions/system_extensions.h"
#include "trammel/kkt_solver.h"
#include "trammel/system.h"

namespace trammel {

/// Whether coordinate k of a body is a displacement and scales with the model, as its declared unit says; otherwise it
/// turns the body.
inline bool is_displacement(const BodySystem& system, Index k) {
  return std::string_view(system.coordinate_unit(k)) == "m";
}

/// Ranks, smallest corrections and what is left of constraints mix metres with radians. A mechanism of a micrometre and
/// the same one of a metre get the same answer if both are looked at as drawn in a unit of their size: with D the unit
/// for displacements and 1 for angles and Euler parameters, and R the size of the rows,
///   q' = D^-1 q,   Phi' = R^-1 Phi,   J' = R^-1 J D,   lambda' = R lambda.                                            (1)
/// The size is that of the usual lever of an element (turned / displaced) as drawn, rounded to a power of 1024: models
/// between
/// 0.03 m and 30 m are judged in metres, R = I, and no factor of (1) rounds anything. It stays for the whole run.
class ModelUnit final : public CoordinateSizes {
 public:
  /// [setup] From the Jacobian as drawn. Does nothing after the first call.
  void measure(const KktMatrix& matrix, const BodySystem& system);

  bool one() const { return length_ == 1; }
  double length() const { return length_; }
  double column(Index i) const { return one() ? 1 : of_coordinate_[static_cast<std::size_t>(i)]; }
  /// R of a row that is no constraint: `length` is that of its gradient times D, which has the unit or none.
  double size_of_row(double length) const;
  double row(Index r) const { return one() ? 1 : of_row_[static_cast<std::size_t>(r)]; }

  /// [hot] `matrix` with J' in place of J, in memory of this object; `matrix` itself where the unit is 1 m.
  const KktMatrix& scaled(const KktMatrix& matrix);
  /// [hot] D^-2 x + J^T lambda = f, J x = g: `solver` has factorized `scaled(matrix)`, without weights.
  Status solve(KktSolver& solver, const KktMatrix& matrix, ConstVectorView f, ConstVectorView g, VectorView x,
               VectorView lambda);
  /// [hot] out = D^-2 dq: the f of a solve for the x nearest to dq.
  void weigh(ConstVectorView dq, VectorView out) const;
  /// [hot] In place, D x, D^-1 x, R x and R^-1 x.
  void multiply_coordinates(VectorView x) const;
  void divide_coordinates(VectorView x) const;
  void multiply_rows(VectorView x) const;
  void divide_rows(VectorView x) const;

  /// [hot] Norms of D^-1 dq and R^-1 Phi.
  double largest_coordinate(ConstVectorView dq) const override;
  double largest_row(ConstVectorView Phi) const override;
  double norm_of_rows(ConstVectorView Phi) const;

 private:
  double length_ = 1;
  bool measured_ = false;
  std::vector<double> of_coordinate_;
  std::vector<double> of_row_;
  std::vector<double> Phi_q_, f_, g_;
  KktMatrix scaled_;
};

}  // namespace trammel
