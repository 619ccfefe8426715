// ModelProjection: corrections of positions, velocities and directions onto the constraints of a model.
#pragma once

#include <vector>

#include "model/model_kkt.h"

namespace trammel {

/// A client of the KKT matrix, at whose point it evaluates. See ConstrainedSystem for the methods.
class ModelProjection {
 public:
  /// [setup]
  explicit ModelProjection(ModelKkt& kkt);

  /// [step]
  Status positions(double t, VectorView q, ProjectionWeights weights, double tolerance, ProjectionReport& report);
  Status velocities(double t, ConstVectorView q, VectorView v, ProjectionWeights weights, ProjectionReport& report);
  Status tangent(VectorView dq);
  /// Of positions, with rows that hold for velocities only left out: factorizes anew where there are some.
  Status position_tangent(VectorView dq);

  long projections = 0;

 private:
  ConstVectorView z() const { return {point_.z().data(), static_cast<Index>(point_.z().size())}; }

  ModelKkt& kkt_;
  ModelPoint& point_;
  std::vector<double> coordinates_, before_, rows_, zero_;
};

}  // namespace trammel
