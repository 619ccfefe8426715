// One element of a run file's model at a freely chosen point: the states of its bodies, its time and internal states.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "check/cases.h"
#include "model/start_memory.h"
#include "trammel/extensions/force_claims.h"

namespace trammel::conformance {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Random = std::mt19937;

inline VectorView view_of(VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
inline ConstVectorView view_of(const VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
inline double uniform(Random& random, double low = -1, double high = 1) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// Works on both hosts: body states are what the system makes of coordinates. Bodies one after another in all vectors.
class ElementPoint {
 public:
  ElementPoint(const CaseModel& model, const ElementSlot& slot, const ForceElement* force = nullptr);
  ElementPoint(const ElementPoint&) = delete;

  Index bodies() const { return static_cast<Index>(free_.size()); }
  Index width() const { return c_; }
  Index size() const { return bodies() * c_; }
  /// False for ground.
  bool free(Index body) const { return free_[static_cast<std::size_t>(body)]; }
  const void* state(Index body) const { return attached_[static_cast<std::size_t>(body)]; }
  /// An element with a memory has that of the start.
  ElementState at() const {
    // Accelerations and multipliers of a last step: 1.
    ElementState s{t_, attached_.data(), references_.data(), z_.data(), nullptr, nullptr};
    memory_->show(s);
    return s;
  }
  /// q, v and internal states of the point; v where it was moved to.
  const VectorXd& coordinates() const { return q_; }
  const VectorXd& velocity() const { return v_; }
  const VectorXd& first_internal() const { return z0_; }
  const VectorXd& velocity_here() const { return moved_v_; }
  /// Bodies have Euler parameters behind their place.
  bool spatial() const { return c_ >= 7; }
  double time() const { return time_; }
  Index internal_states() const { return static_cast<Index>(z_.size()); }

  /// Takes the bodies to a state of the whole model, ground stays.
  void take(const MotionState& state);
  /// Moves bodies by up to `size` (m, rad, parameters), velocities by up to 1, and scales |p| to `length`.
  void disturb(Random& random, double size, double length);
  /// Turns and shifts all bodies, ground too, as one; with an axis about and across it. Returns the turn.
  Eigen::Matrix3d move_rigidly(Random& random, const Eigen::Vector3d* axis = nullptr);
  /// Adds the velocities of one rigid motion to all bodies, ground too.
  void add_rigid_velocity(Random& random);
  void set_time(double time);
  /// q + dq, v + dv, t + dt, z + dz; from the point, not from the last move. Empty vectors: no move.
  void move(const VectorXd& dq, const VectorXd& dv, double dt, const VectorXd& dz);
  void back() { move({}, {}, 0, {}); }

  /// Random entries at free bodies, zero at ground's.
  VectorXd local(Random& random) const;
  /// Views of k blocks rows x width side by side, of square blocks, of segments; those of ground are empty unless
  /// `all`.
  std::vector<MatrixView> row_blocks(MatrixXd& matrix) const;
  std::vector<MatrixView> square_blocks(MatrixXd& matrix) const;
  std::vector<VectorView> segments(VectorXd& vector, bool all = false) const;
  std::vector<ConstVectorView> segments(const VectorXd& vector) const;

 private:
  void update(const VectorXd& q, const VectorXd& v);
  void gather(const std::vector<double>& q, const std::vector<double>& v);

  const BodySystem& system_;
  const BodyTable& table_;
  const ElementSlot& slot_;
  Index c_, stand_in_ = 0, first_ = 0;  ///< the body that stands for those of the element
  std::vector<bool> free_;
  VectorXd q_, v_, z_, z0_, moved_v_;
  std::vector<double> all_q_, all_v_, all_states_, states_;
  std::vector<const void*> attached_;
  std::vector<double> references_;
  std::unique_ptr<StartMemory> memory_;
  double t_ = 0, time_ = 0;
};

/// Largest entry of expected - df/de at e = 0, for the best step, relative to the larger of 1, |expected| and |f|.
///
/// Central differences of eighth order, f'(x) = sum_k c_k (f(x + k h) - f(x - k h)) / h + O(h^8), per direction the
/// best of several h: large ones are near rounding for smooth elements, small ones are there for stiff laws and spline
/// knots.
double difference_error(const VectorXd& expected, const std::function<VectorXd(double)>& f);

/// What relative errors of derivatives may be: differences reach 1e-12, a wrong term is at least of size 1e-3.
inline constexpr double derivative_tolerance = 1e-8;

/// Force and moment about the origin of a generalized force on one body.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
  void add(const BodyOutput& output, const void* state, ConstVectorView Q);
};

/// Calls action(model, slot) for every element of the subject's type in its cases. Fails if there is none.
void for_each_constraint(const Subject& subject, const std::function<void(CaseModel&, const ConstraintSlot&)>& action);
void for_each_force(const Subject& subject, const std::function<void(CaseModel&, const ForceSlot&)>& action);

/// What a force says of itself, the defaults where it does not.
const ForceClaims& claims_of(const ForceElement& force);

/// The text in front of a failure: which element of which file.
std::string place_of(const CaseModel& model, const ElementSlot& slot);

}  // namespace trammel::conformance
