// ExtraForce: a force on a model's bodies that an analysis adds to those of the run file.
#pragma once

#include "trammel/linalg.h"

namespace trammel {

class ModelPoint;

class ExtraForce {
 public:
  virtual ~ExtraForce() = default;
  /// [hot] Adds to Q (n) at the last point.
  virtual void add(const ModelPoint& point, VectorView Q) = 0;
  /// [step] Adds -Q_q to K and -Q_v to C, which have one block per body, one after another.
  virtual void add_gradients(const ModelPoint& point, VectorView K, VectorView C) = 0;
  /// Power that it takes from the motion, W.
  virtual double dissipation(const ModelPoint& point) const = 0;
};

}  // namespace trammel
