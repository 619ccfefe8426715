// WholeModel: a model as views without internal states see it, and the way between the two.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "model/extended_model.h"
#include "run/plant/body_state.h"

namespace trammel {

/// Whether an analysis integrates the internal states of forces, or leaves them as they are at its start.
enum class InternalStates { move, stay };

/// The model itself where it has no internal states, or where they are asked to stay what they are; else (q, s) and
/// (v, z) of an ExtendedModel.
class WholeModel {
 public:
  /// Coordinates and velocities of `system()`.
  struct Point {
    VectorView q, v;
  };

  /// [setup] `model` outlives it.
  WholeModel(ConstrainedModel& model, bool extended) : model_(model) {
    if (!extended || model.internal_states() == 0) return;
    extended_ = std::make_unique<ExtendedModel>(model);
    q_.assign(static_cast<std::size_t>(extended_->coordinates()), 0.0);
    v_ = q_;
  }
  ConstrainedSystem& system() { return extended_ ? static_cast<ConstrainedSystem&>(*extended_) : model_; }
  const ConstrainedSystem& system() const {
    return extended_ ? static_cast<const ConstrainedSystem&>(*extended_) : model_;
  }
  /// nz, if they are among the coordinates.
  Index states() const { return extended_ ? model_.internal_states() : 0; }

  /// [hot] Room for what stands for `at`; `split` writes it there.
  Point room(const BodyState& at) { return extended_ ? Point{view(q_), view(v_)} : Point{at.q, at.v}; }
  void split(const BodyState& at) const {
    if (!extended_) return;
    std::copy_n(q_.begin(), at.q.size, at.q.data);
    std::copy_n(v_.begin(), at.v.size, at.v.data);
    std::copy_n(v_.begin() + at.v.size, at.z.size, at.z.data);
  }
  /// [hot] What stands for `at`. Integrals of states begin at zero, wherever a motion begins or goes on.
  Point joined(const BodyState& at) {
    if (!extended_) return {at.q, at.v};
    std::copy_n(at.q.data, at.q.size, q_.begin());
    std::fill(q_.begin() + at.q.size, q_.end(), 0.0);
    std::copy_n(at.v.data, at.v.size, v_.begin());
    std::copy_n(at.z.data, at.z.size, v_.begin() + at.v.size);
    return {view(q_), view(v_)};
  }

 private:
  static VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  ConstrainedModel& model_;
  std::unique_ptr<ExtendedModel> extended_;
  std::vector<double> q_, v_;
};

}  // namespace trammel
