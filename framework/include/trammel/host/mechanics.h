// Mechanics: the equations of a run file's model at any state, for programs that integrate or design by themselves.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trammel/host/simulation.h"
#include "trammel/linalg.h"

namespace trammel {

/// x' = A x + B u, y = C x + D u in small changes. Matrices are column-major without gaps.
struct LinearSystem {
  /// Names of x: independent coordinates ("crank.phi"), their rates ("rate of crank.phi"), internal states
  /// ("motor.z.0"). Spatial bodies have displacements and small turns about axes of space in place of Euler parameters
  /// ("rotor.turn_x"), and angular velocities ("rotor.wx"): about a motion with a steady spin A is constant in these.
  std::vector<std::string> states;
  std::vector<std::string> inputs, outputs;
  std::vector<double> A, B, C, D;
};

/// With respect to one number p of the run file, at fixed t, q, v and z.
struct ParameterDerivative {
  /// From the component's own derivatives (trammel/extensions/parameter_derivatives.h), unless its law switches at the
  /// state; otherwise differences of models made anew, good to 1e-8 of the largest entry of f_p and of f / max(1, |p|).
  /// What is less than rounding is 0 there. At a bound of p they are those towards the side that is allowed.
  bool exact = false;
  std::vector<double> rate;                           ///< f_p of y' = f(t, y, p), as in `rate_jacobian`
  std::vector<double> violation, velocity_violation;  ///< m: Phi_p and (Phi_q v + Phi_t)_p
};

/// Sets a state, evaluates, and gives M, Phi_q and what else the equations of motion are made of:
///   M a + Phi_q^T lambda = Q,  Phi_q a = gamma,  z' = g(t, q, v, z)
/// n coordinates q, m constraint rows, nz internal states of forces. Nothing is integrated, and no integrator is needed
/// in the run file. One thread at a time; any number side by side. All methods but the constructor, sizes and names
/// throw Error(compute), or Error(plugin) that names the plugin, where the model cannot be evaluated.
class Mechanics {
 public:
  /// At the consistent start, t = 0. Throws Error as Simulation does, and Error(input) for systems without bodies.
  explicit Mechanics(const std::filesystem::path& run_file, const SimulationOptions& options = {});
  explicit Mechanics(const RunDescription& description, const SimulationOptions& options = {});
  ~Mechanics();
  Mechanics(const Mechanics&) = delete;
  Mechanics& operator=(const Mechanics&) = delete;

  Index coordinates() const;
  Index constraints() const;
  Index internal_states() const;
  /// "crank.x" for 0 <= i < n, "pin[2]" for 0 <= i < m.
  std::string coordinate_name(Index i) const;
  std::string row_name(Index i) const;

  /// The state; addresses stay. s, m or rad, m/s or rad/s.
  double time() const;
  ConstVectorView positions() const;
  ConstVectorView velocities() const;
  ConstVectorView states() const;
  /// Moves the model there, on the constraints or off, and evaluates it. Throws Error(input): another length, or a
  /// number that is not finite.
  void set_state(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z = {});
  /// Moves positions, then velocities, onto the constraints by the smallest change in the kinetic metric.
  void project();

  /// Names of the functions of type `input`, and their values, which hold from now on. As Simulation's.
  const std::vector<std::string>& inputs() const;
  double input(const std::string& name) const;
  void set_input(const std::string& name, double value);

  /// A number of the run file by its dotted path, as `--set` takes it ("system.forces.spring.stiffness",
  /// "system.bodies.crank.inertia.2", "parameters.length"); expressions count with their value. Throws Error(input):
  /// no such place, or no number there.
  double parameter(const std::string& path) const;
  /// From now on it has this value: the model is made anew, with this state and these values of inputs, as if the run
  /// file said so. Views and references got before are void, but for `positions`, `velocities` and `states`. Throws
  /// Error as the constructor does, and nothing has changed then; also Error(input) where another number of rows depends
  /// on others than before. It may also write a number that the file left out.
  void set_parameter(const std::string& path, double value);
  /// With the rows that this model leaves out left out at p + dp, too. Throws as `set_parameter`, and Error(compute)
  /// where differences show a jump or a kink, or are not as good as they should be.
  ParameterDerivative derivative(const std::string& path);

  /// At the state: a (n), lambda (m), Q (n), z' (nz).
  ConstVectorView accelerations() const;
  ConstVectorView multipliers() const;
  ConstVectorView forces() const;
  ConstVectorView state_rates() const;
  /// Phi (m) and Phi_q v + Phi_t (m): zero on the constraints.
  ConstVectorView violation() const;
  ConstVectorView velocity_violation() const;
  /// M (n x n) and Phi_q (m x n) into matrices of the caller.
  void mass(MatrixView M) const;
  void jacobian(MatrixView Phi_q) const;
  /// Of y' = f(t, y), y = (q, v, z), f = (v, a, z'): f_y, square, from exact contractions; by differences, good to six
  /// digits, in models with forces that see the last accepted step (trammel/extensions/accepted_step.h).
  void rate_jacobian(MatrixView f_y);

  /// The output channels of the run file, and their values at the state.
  const std::vector<std::string>& channels() const;
  std::vector<double> channel_values();

  /// In independent coordinates, chosen by pivoting, their rates and internal states. A is exact, and so are rows of C
  /// for coordinates, velocities and accelerations of bodies; other numbers are differences of fourth order, good to ten
  /// digits. An input is a function of type `input`, a force with a given force or torque (each component, "push.force.x"),
  /// or the path of a number as `parameter` takes it. Without arguments: all inputs and the run file's channels. Throws Error(input):
  /// no such input or channel, the nearest; an input that moves a constraint (a driver's motion is no small force).
  LinearSystem linearize();
  LinearSystem linearize(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trammel
