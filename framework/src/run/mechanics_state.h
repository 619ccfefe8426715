// What Mechanics owns: the model with its numbers at one state.
#pragma once

#include <Eigen/Core>
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

/// A run file's model with its numbers, made anew when a parameter changes.
struct MechanicsModel {
  /// [setup] `host` must outlive it.
  MechanicsModel(RunFile described, PluginHost& host);

  RunFile run;
  std::unique_ptr<Model> model;
  std::unique_ptr<ModelPlant> plant;
  std::unique_ptr<Inputs> inputs;
  std::unique_ptr<Columns> columns;  ///< those of the run file
};

/// What a number p does at a state: (M a + Phi_q^T lambda - Q)_p, Phi_p, (Phi_q v - nu)_p, (Phi_q a - gamma)_p, z'_p.
struct NumberEffect {
  std::vector<double> residual, Phi, velocity, acceleration, z_rate;
};

/// What a model made anew does about rows that depend on others. Numbers a little beside those that make rows dependent
/// make them contradict each other: derivatives are those of the rows kept.
enum class RowsLeftOut { as_many, the_same };

/// An input of a linearized model: a function of type `input`, or a number of the run file.
struct LinearInput {
  std::string name, path;
  bool is_function;
};

/// What is linearized: outputs are columns by their full names.
struct LinearOrder {
  std::vector<std::string> inputs, outputs;
  Eigen::Vector3d turning;  ///< rad/s, of the axes
};

/// A model at a state that is set from outside.
struct MechanicsState {
  /// [setup]
  MechanicsState(RunFile described, const SimulationOptions& options);

  /// Puts another model in place, with more settings than `from`, and with the state and the inputs of this one.
  void change(const RunFile& from, const std::vector<Setting>& changed, RowsLeftOut rows);

  ConstrainedModel& numbers() { return *made->plant->model(); }
  /// Evaluates everything at the state; throws.
  void observe();
  /// Throws Error(compute) with the reason.
  void require(const Status& status);
  /// Makes the matrices and contractions of the state those at hand, and `acceleration` and `multiplier` its own.
  void linearize();
  /// By the component's own derivatives; false: it has none for this number, or its law switches at this state, where they
  /// are those of one side. `effect` comes filled with zeros.
  bool own_effect(const std::string& path, NumberEffect& effect);
  const ModelPoint& numbers_point() { return numbers().point(); }
  /// f_y; rows and columns q, v, z.
  void rate_jacobian(MatrixView f_y);
  /// The same by differences (varied_number.h), for forces that see the last step: contractions hold what these see.
  /// Throws Error(compute) where there is no derivative; the state is then as it was.
  void rate_jacobian_by_differences(MatrixView f_y);
  /// Moves positions, then velocities, onto the constraints.
  void project();
  /// Q over the largest sum of a row of M, as many as coordinates: what accelerations are made of, whose rounding they have
  /// where constraints take all of it.
  std::vector<double> loads();
  ParameterDerivative derivative(const std::string& path);
  /// Small motions about the state, which stays. Throws Error.
  LinearSystem linearize(const LinearOrder& order);
  /// Inputs by name: a force stands for the components of its given force or torque. Throws Error(input).
  std::vector<LinearInput> linear_inputs(const std::vector<std::string>& names) const;
  /// Columns of these outputs, or none selected.
  Columns columns_of(const std::vector<std::string>& outputs);
  /// What a unit of an input adds to accelerations, rates of internal states, and outputs at the state.
  struct Push {
    Eigen::VectorXd a, z_rate, outputs;
  };
  Push push_of_function(const std::string& name, const std::vector<std::string>& outputs);
  Push push_of_number(const std::string& path, const std::vector<std::string>& outputs);
  Eigen::VectorXd outputs_now(Columns& columns, std::size_t count);
  ConstVectorView view(const std::vector<double>& x) const { return {x.data(), static_cast<Index>(x.size())}; }

  PluginHost host;
  std::unique_ptr<MechanicsModel> made;
  double t = 0;
  std::vector<double> q, v, z;
  std::vector<double> velocity_violation;
  std::vector<double> acceleration, multiplier;  ///< since the last `linearize`
};

struct Mechanics::State : MechanicsState {
  using MechanicsState::MechanicsState;
};

}  // namespace trammel
