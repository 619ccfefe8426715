// ElementMemory: what elements keep from the last accepted step, and what they see of it.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"
#include "model/assembly.h"
#include "trammel/extensions/accepted_step.h"

namespace trammel {

class ModelPoint;

/// Numbers of one element, at most.
inline constexpr Index most_memory = 100000;

/// Two generations: since the last accepted step, and before it, for states inside that step. Elements without either
/// extension cost nothing. What an element refuses, and a number that is not finite, is noted as the point's failed
/// element.
class ElementMemory {
 public:
  /// [setup] Throws Error(plugin): an impossible size, a constraint that does not exist.
  explicit ElementMemory(const Assembly& assembly);
  ElementMemory(const ElementMemory&) = delete;
  ElementMemory& operator=(const ElementMemory&) = delete;

  bool any() const { return keeps_ || sees_; }
  bool sees_last_step() const { return sees_; }
  bool begun() const { return begun_; }

  /// [hot] From now on the elements see what holds at time t. True: it is not what they saw before.
  bool select(double t);
  /// Of constraint or force number i; nullptr: it keeps nothing, it sees nothing.
  const double* of_constraint(std::size_t i) const { return pointer(shown_->constraints, i); }
  const double* of_force(std::size_t i) const { return pointer(shown_->forces, i); }
  const AcceptedStep* last(std::size_t i) const {
    const Index place = sees_ ? last_of_[i] : -1;
    return place >= 0 ? &shown_->last[static_cast<std::size_t>(place)] : nullptr;
  }

  /// [step] All elements begin at the point; accelerations and multipliers are 0.
  Status begin(ModelPoint& point);
  /// [step] What the elements see from time t on, in place of what they saw.
  void see(double t, ConstVectorView a, ConstVectorView lambda);
  /// [step] The point is the end of an accepted step, with these accelerations and multipliers (empty where no force
  /// sees them).
  Status accept(ModelPoint& point, ConstVectorView a, ConstVectorView lambda);
  /// [step] The point lies behind a jump at the end of the last accepted step: of velocities, or of what elements are.
  /// States inside that step keep seeing what held in it.
  Status jump(ModelPoint& point);
  /// Accelerations and multipliers that forces see, as places to write in, for differences.
  VectorView seen_a() { return {now_->a.data(), static_cast<Index>(now_->a.size())}; }
  VectorView seen_lambda() { return {now_->lambda.data(), static_cast<Index>(now_->lambda.size())}; }
  /// The forces that see the last step, "'friction', 'brake'"; "" if none does.
  std::string names() const;

  /// Which forces see the last step, and by how much it changed; "" if none.
  std::string note() const;
  /// Largest change of accelerations and multipliers in one step, of their largest values so far.
  double largest_change() const { return largest_change_; }
  void remember(Archive& archive);

 private:
  /// Where an element's numbers are among all. Elements themselves may be replaced by others of the same sizes.
  struct Place {
    Index first, size;
  };
  struct Generation {
    double t = 0;
    std::vector<double> memory, a, lambda;
    std::vector<const double*> constraints, forces;  ///< places in `memory`
    std::vector<AcceptedStep> last;                  ///< of forces that see it
    std::vector<const double*> places;               ///< in `a` and `lambda`, which `last` points to
  };
  static const double* pointer(const std::vector<const double*>& places, std::size_t i) {
    return i < places.size() ? places[i] : nullptr;
  }
  void bind(Generation& g);
  /// Calls action(slot, memory, place) for every element that keeps numbers.
  template <class Action>
  void for_each(const Action& action) const;
  void let_see(Generation& g, ConstVectorView a, ConstVectorView lambda);
  /// Calls act(state, memory, numbers) for every element that keeps numbers, until one fails.
  template <class Act>
  Status ask(ModelPoint& point, const char* function, std::vector<double>& numbers, const Act& act);
  /// What the elements make of the point, from the numbers shown.
  Status take_on(ModelPoint& point, std::vector<double>& numbers);

  const Assembly& assembly_;
  bool keeps_ = false, sees_ = false, begun_ = false;
  std::vector<Place> of_constraints_, of_forces_;
  std::vector<Index> last_of_;            ///< per force: its place among those that see, or -1
  std::vector<std::vector<Index>> seen_;  ///< of those: numbers of constraints
  Generation generations_[2];
  Generation *now_ = &generations_[0], *before_ = &generations_[1], *shown_ = now_;
  std::vector<double> ground_;                        ///< accelerations of ground
  std::vector<double> other_, a_then_, lambda_then_;  ///< scratch
  double largest_change_ = 0, largest_a_ = 0, largest_lambda_ = 0;
};

}  // namespace trammel
