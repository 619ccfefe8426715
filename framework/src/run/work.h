// What a run did, in evaluations of the equations of motion: a measure of cost that no computer and no load changes.
#pragma once

#include "record/statistics.h"
#include "run/plant/plant.h"

namespace trammel {

/// An evaluation with factorization and solve counts 1, wherever it is made: stages, projections, states observed. The rest is
/// in units of it, in round figures: a Jacobian takes 2 on chains and 7 on the HMMWV (docs/performance.md).
struct WorkUnits {
  double residual;       ///< of index-3 methods: elements and rows without factorization
  double jacobian;       ///< an implicit matrix: derivatives of all elements
  double factorization;  ///< of it
  double iteration;      ///< of Newton's method in implicit steps: a solve with it
};
constexpr WorkUnits second_order_units{0, 4, 1, 1}, constrained_units{0.5, 1.5, 1, 1};

inline double work_in_evaluations(Plant& plant, const Statistics& statistics) {
  const ConstrainedModel* model = plant.model();
  if (model == nullptr) return static_cast<double>(statistics.evaluations);
  const auto solves = static_cast<double>(model->parts().kkt.factorizations);
  if (plant.view() == ViewKind::ode) return solves;
  const WorkUnits& u = plant.view() == ViewKind::second_order ? second_order_units : constrained_units;
  const PlantCounters& counters = plant.counters;
  return solves + u.residual * static_cast<double>(counters.evaluations) +
         u.jacobian * static_cast<double>(counters.jacobians) +
         u.factorization * static_cast<double>(counters.factorizations) +
         u.iteration * static_cast<double>(statistics.newton_iterations);
}

}  // namespace trammel
