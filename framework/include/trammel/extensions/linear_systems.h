// LinearSystems: small motions with inputs and outputs, for analyses; and analyses that see the motion of dynamics.
#pragma once

#include "trammel/linalg.h"
#include "trammel/parameters.h"
#include "trammel/refusal.h"
#include "trammel/status.h"

namespace trammel {

/// What is linearized. Channels and inputs by name, as the run file names them.
struct LinearSystemRequest {
  std::uint32_t struct_size = sizeof(LinearSystemRequest);
  bool all_inputs = true;   ///< the functions of type `input`; otherwise `inputs`
  bool all_outputs = true;  ///< the channels of the output; otherwise `outputs`
  /// Functions of type `input`; forces, for the components of their given force or torque; paths of numbers.
  Texts inputs, outputs;
  double turning[3] = {0, 0,
                       0};  ///< rad/s: angular velocity of the axes in which bodies' displacements and turns are given
};

/// An extension of AnalysisHost. x' = A x + B u, y = C x + D u in small changes about the state shown last, internal states of
/// forces included: x holds independent displacements and turns of bodies, their rates, and these states.
class LinearSystems {
 public:
  static constexpr const char* id = "trammel.linear_systems/1";
  enum class Names : std::int32_t { states, inputs, outputs };
  enum class Matrix : std::int32_t { A, B, C, D };

  /// [setup] Once. False, with the key "inputs", "outputs" or "turning": one does not fit.
  virtual bool choose(const LinearSystemRequest& request, Refusal& refusal) = 0;
  /// [step] At the state shown, or where dynamics is.
  virtual Status take() = 0;
  /// Of the system taken last; views stay until the next one. Matrices are column-major without gaps.
  virtual Index count(Names of) const = 0;
  virtual const char* name(Names of, Index i) const = 0;
  virtual ConstVectorView matrix(Matrix which) const = 0;
  /// [step] How much A changes along the motion through that state while the fastest of the small motions, `rate` 1/s, goes on by a
  /// radian, as a share of what A is in units of that motion. 0: the equations are those of a steady motion.
  virtual Status change_along_motion(double rate, double& change) = 0;

 protected:
  ~LinearSystems() = default;
};

/// An extension of analyses for which internal states of forces take part in the states shown. With times the analysis is that of a
/// motion that the run file's integrator carries on, as that of dynamics: `over_time` is true, and `motion` is not asked for.
class SeesDynamics {
 public:
  static constexpr const char* id = "trammel.sees_dynamics/1";

  /// [setup] Ascending times, s; none: one state is looked for.
  virtual Index time_count() const = 0;
  virtual double time(Index i) const = 0;
  /// [step] The motion is at time number i.
  virtual Status at_time(Index i) = 0;

 protected:
  ~SeesDynamics() = default;
};

}  // namespace trammel
