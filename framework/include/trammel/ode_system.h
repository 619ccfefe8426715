// View of a problem as y' = f(t, y).
#pragma once

#include "trammel/extension.h"
#include "trammel/linalg.h"
#include "trammel/status.h"

namespace trammel {

/// Views own the workspace of their evaluation: their methods are not const, and one view serves one integration.
class OdeSystem : public Extensible {
 public:
  /// [setup] Length of y.
  virtual Index size() const = 0;
  /// [hot] f = f(t, y). No allocation. A failure ends the attempted step, which is tried again with a smaller h.
  virtual Status rhs(double t, ConstVectorView y, VectorView f) = 0;
  /// [hot] f_y (size x size). `unsupported`: the caller takes differences and says so.
  virtual Status jacobian(double t, ConstVectorView y, MatrixView f_y) {
    (void)t, (void)y, (void)f_y;
    return Status::failure(StatusCode::unsupported, "no exact Jacobian");
  }
  /// [hot] f_t. Default: `unsupported`.
  virtual Status time_gradient(double t, ConstVectorView y, VectorView f_t) {
    (void)t, (void)y, (void)f_t;
    return Status::failure(StatusCode::unsupported, "no exact time derivative");
  }
  /// [step] Weight of each component in error norms: 1 counted, 0 integrated without error control (dependent
  /// coordinates). Every controller obeys it; may change between steps when a formulation re-charts.
  virtual ConstVectorView mask() const = 0;

 protected:
  ~OdeSystem() = default;
};

}  // namespace trammel
