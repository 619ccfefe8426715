// Treated: a formulation on a model, driven through its own interface without the engine; models for that.
#pragma once

#include <optional>

#include "check/bench.h"
#include "check/element_point.h"
#include "trammel/extensions/second_order_formulation.h"

namespace trammel::conformance {

/// Numbers for a component to write to, with marks before and behind.
class FencedVector {
 public:
  explicit FencedVector(Index size = 0, double fill = std::nan("")) { resize(size, fill); }
  void resize(Index size, double fill) {
    numbers_.setConstant(size + 2 * fence, canary);
    numbers_.segment(fence, size).setConstant(fill);
  }
  Index size() const { return static_cast<Index>(numbers_.size()) - 2 * fence; }
  double* data() { return numbers_.data() + fence; }
  VectorView view() { return {data(), size()}; }
  void set(const VectorXd& values) { numbers_.segment(fence, size()) = values; }
  VectorXd values() const { return numbers_.segment(fence, size()); }
  bool intact() const {
    return (numbers_.head(fence).array() == canary).all() && (numbers_.tail(fence).array() == canary).all();
  }

 private:
  static constexpr Index fence = 16;
  VectorXd numbers_;
};

/// A formulation on a model, integrated by classical Runge-Kutta steps with corrections as the engine makes them. Whatever
/// the formulation writes to stands between marks.
class Treated {
 public:
  Treated(PluginHost& host, const MethodCase& method, const std::string& system);
  /// Throws Error(input) where the formulation says that the model is none for it.
  Treated(PluginHost& host, RunFile run);

  /// Chart or partition anew at (q, v, z); y follows.
  void begin();
  /// The same with velocities at random that the constraints allow.
  void begin_moving(Random& random);
  void lift() { lift_at(t, y); }
  /// (q, v, z) of another place.
  void lift_at(double at, const VectorXd& state);
  Correction correct();
  /// With an error estimate, which it may change.
  Correction correct(VectorXd& error);
  /// As the engine does it where it asks for the state between steps: the formulation's memory is put back.
  VectorXd corrected(const VectorXd& state);
  void step(double h);
  void run_to(double end, int steps);
  double violation();
  VectorXd rhs(double at, const VectorXd& state);
  /// By `jacobian`; none where the formulation has none.
  std::optional<MatrixXd> jacobian();
  VectorXd mask();

  /// By the kernel: accelerations of all coordinates by the index-1 equations at (t, q, v, z), and the rates of z.
  VectorXd acceleration(VectorXd& z_rate);
  /// Phi_q x, nu and gamma at (t, q, v).
  VectorXd rows_of(const VectorXd& x);
  VectorXd nu() const { return numbers_.nu().map(); }
  VectorXd gamma() const { return numbers_.gamma().map(); }
  VectorXd Phi() const { return numbers_.Phi().map(); }

  /// Coordinates that the constraints leave free.
  Index freedoms() const;
  const Formulation& formulation() const { return made_.formulation(); }
  ConstrainedModel& numbers() { return numbers_; }
  Memory memory() { return {state_.data(), scratch_.data(), cache_.data()}; }
  /// After a call: scratch memory means nothing. Fails if something was written behind a block.
  void spoil();
  void move_to(const VectorXd& at_q, const VectorXd& at_v) { q = at_q, v = at_v; }

  double t = 0;
  VectorXd q, v, z, y;

 private:
  void restart();
  CreatedMethod made_;
  ConstrainedModel numbers_;
  FencedVector state_, scratch_, cache_;
};

/// The pendulum of the bench with its pin twice: two of four rows depend on the others.
extern const char* const redundant_pendulum;
/// A parallelogram linkage, which moves as one angle does; with a spring, where wanted.
std::string parallelogram(bool sprung = false);
/// A tree in space with a loop closed by a rod, on springs.
extern const char* const spatial_linkage;
/// Two blocks that are driven apart, by one driver or by the same one twice.
std::string parted_blocks(bool twice = false);
/// A block whose motion is given, once or twice.
std::string driven_block(bool twice = false);
/// A carriage pushed by a force with a state of its own.
extern const char* const lagging_carriage;

/// A model on which a formulation is judged.
struct TreatedModel {
  std::function<std::unique_ptr<Treated>()> make;
  std::string name;
  std::filesystem::path file;  ///< "": one of the kit's
};

/// Calls `look` for the kit's models, in every way in which the cases use the formulation. One that refuses all of them
/// (it needs names of a model, or a kind of model) is judged on the models of its cases, with its own keys.
void on_models(Subject& subject, const std::vector<std::string>& systems, bool own_models,
               const std::function<void(const TreatedModel&)>& look);

}  // namespace trammel::conformance
