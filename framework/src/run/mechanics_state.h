// What Mechanics owns: the model with its numbers at one state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/run_file.h"
#include "plugin/host.h"
#include "results/columns.h"
#include "run/inputs.h"
#include "run/plant/model_plant.h"
#include "trammel/host/mechanics.h"

namespace trammel {

struct Mechanics::State {
  /// [setup]
  State(RunFile described, const SimulationOptions& options);

  ConstrainedModel& numbers() { return *plant->model(); }
  /// Evaluates everything at the state; throws.
  void observe();
  /// Throws Error(compute) with the reason.
  void require(const Status& status);
  /// Makes the matrices and contractions of the state those at hand, for `rate_jacobian`.
  void linearize();
  /// f_y; rows and columns q, v, z.
  void rate_jacobian(MatrixView f_y);
  ConstVectorView view(const std::vector<double>& x) const { return {x.data(), static_cast<Index>(x.size())}; }

  RunFile run;
  PluginHost host;
  std::unique_ptr<Model> model;
  std::unique_ptr<ModelPlant> plant;
  std::unique_ptr<Inputs> inputs;
  std::unique_ptr<Columns> columns;  ///< those of the run file
  double t = 0;
  std::vector<double> q, v, z;
  std::vector<double> velocity_violation;
};

}  // namespace trammel
