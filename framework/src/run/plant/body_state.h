// BodyState: coordinates, velocities and internal states of a model, and the memory that holds them.
#pragma once

#include <vector>

#include "trammel/linalg.h"

namespace trammel {

struct BodyState {
  VectorView q, v, z;
};

struct BodyBuffer {
  std::vector<double> q, v, z;
  BodyState view() { return {of(q), of(v), of(z)}; }

 private:
  static VectorView of(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }
};

}  // namespace trammel
