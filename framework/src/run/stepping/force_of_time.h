// ForceOfTime: what a force element does by itself in time, seen from outside as one function of time.
#pragma once

#include <memory>
#include <vector>

#include "model/model.h"
#include "model/start_memory.h"
#include "trammel/function.h"

namespace trammel {

/// A force at frozen positions and velocities, as the scalar sum of w_k Q_k(t) (and of the rates of its internal
/// states) with fixed weights w without any pattern: whatever component changes shows in it. Two states are added up:
/// that of the start, and one beside it at which springs are stretched and bodies move, since factors of t may be
/// multiplied by zero at the start.
class ForceOfTime final : public Function {
 public:
  /// [setup] For force `index` of the model.
  ForceOfTime(const Model& model, std::size_t index);
  ForceOfTime(ForceOfTime&&) = default;  // views point into the vectors, which move as they are
  ForceOfTime(const ForceOfTime&) = delete;
  ForceOfTime& operator=(const ForceOfTime&) = delete;

  /// Order 1 is the element's own derivative with respect to time, at these states.
  Status evaluate(double t, int order, double* value) const override;
  int max_order() const override { return 1; }

  /// [setup] Whether a formula of the force contains t. Functions of its own are searched by themselves.
  static bool formula_of_time(const Model& model, std::size_t index);
  /// [setup] Whether it is code without formulas and functions that gives a derivative with respect to time.
  static bool code_alone(const Model& model, std::size_t index);
  /// [setup] Whether any bit of it differs at so many times.
  bool changes(double from, double to, long looks) const;

  /// What the frozen states are, for whoever asks the element otherwise than for its force; those whose force has no value
  /// are not valid.
  static constexpr int states = 2;
  const ForceSlot& slot() const { return slot_; }
  bool valid(int frozen) const { return frozen_[frozen].valid; }
  Status state(int frozen, double t, ElementState& s) const { return state(frozen_[frozen], t, s); }

 private:
  struct Frozen {
    std::vector<double> states;
    std::vector<const void*> bodies;
    bool valid = true;
  };
  /// With the memory of a motion that begins there.
  Status state(const Frozen& frozen, double t, ElementState& s) const;
  void freeze(const Model& model, double beside, Frozen& frozen) const;
  Status sum(const Frozen& frozen, double t, bool derivative, double& value) const;

  const ForceSlot& slot_;
  Index coordinates_;
  std::vector<double> angles_, z_, weights_;
  std::unique_ptr<StartMemory> memory_;
  mutable std::vector<double> Q_, rates_;
  mutable std::vector<VectorView> blocks_;
  Frozen frozen_[states];
};

/// Whether a formula contains the variable t.
bool mentions_time(const std::string& formula);

}  // namespace trammel
