// The condition of the matrix of (7.2.1) as the hybrid follows it: one step of power and of inverse iteration per step.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/constrained_system.h"
#include "trammel/parameters.h"
#include "trammel/sdk/formulations/partition_memory.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::hybrid {

constexpr double most_sweeps_to_catch_up = 3;

/// Of power and inverse iteration, behind the memory of the base.
struct Directions {
  Directions(sdk::MemoryLayout& at, const ConstrainedLayout& system, const MemorySize& base)
      : Directions(at, at.memory(base), system.coordinates() + system.constraints()) {}
  VectorView largest, smallest, image;

 private:
  Directions(sdk::MemoryLayout& at, const Memory&, Index size)
      : largest(at.state.vector(size)), smallest(at.state.vector(size)), image(at.scratch.vector(size)) {}
};

/// Estimate of |K|_2 |K^-1|_2, K = [C M C / s  C Phi_q^T r; r Phi_q C  0] as factorized: coordinates in lengths of
/// the model, C = diag(scale), masses in multiples of s, rows in multiples of 1 / r, so that neither the unit of mass
/// nor that of length counts. Behind `unseen` steps it catches up.
inline double condition(ConstrainedSystem& system, const sdk::PartitionMemory& part, double unseen,
                        const Directions& directions) {
  const Index n = system.coordinates(), m = system.constraints(), size = n + m;
  const VectorView largest = directions.largest, smallest = directions.smallest, image = directions.image;
  const VectorView coordinates = image.segment(0, n), rows = image.segment(n, m);
  const auto C = part.scale.map().array();
  const auto advance = [&](VectorView direction) {
    const double growth = image.map().norm();
    direction.map() = image.map() / growth;
    return growth;
  };
  for (const VectorView& direction : {largest, smallest}) {
    if (direction.map().squaredNorm() == 0) direction.map().setConstant(1 / std::sqrt(static_cast<double>(size)));
  }
  const double r = 1 / part.scale.map().maxCoeff();
  system.apply_mass(part.scale, part.change);
  const double s = (C * part.change.map().array()).matrix().norm() / std::sqrt(static_cast<double>(n));
  const auto multiply = [&] {  // image = K largest
    part.saved.map() = (C * largest.segment(0, n).map().array()).matrix();
    system.apply_jacobian(part.saved, rows);
    rows.map() *= r;
    system.apply_mass(part.saved, coordinates);
    system.apply_jacobian_transpose(largest.segment(n, m), part.change);
    coordinates.map() = (C * (coordinates.map() / s + r * part.change.map()).array()).matrix();
  };
  const auto solve = [&] {  // K image = smallest
    part.saved.map() = (s * smallest.segment(0, n).map().array() / C).matrix();
    part.residual.map() = smallest.segment(n, m).map() / r;
    const Status status = system.solve(part.saved, part.residual, coordinates, rows);
    coordinates.map().array() /= C;
    rows.map() /= s * r;
    return status.ok();
  };
  double norm = 0, inverse = 0;
  for (int sweeps = 1 + static_cast<int>(std::min(unseen, most_sweeps_to_catch_up)); sweeps > 0; --sweeps) {
    multiply();
    norm = advance(largest);
    if (!solve()) return no_bound;
    inverse = advance(smallest);
  }
  return norm * inverse;
}

}  // namespace trammel::hybrid
