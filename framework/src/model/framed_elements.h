// FramedConstraint, FramedForce: elements on frames of bodies that deform, as the kernel sees elements on bodies.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/framed_reports.h"
#include "trammel/constraint.h"
#include "trammel/force.h"

namespace trammel {

class FramedConstraint;

/// Coordinates of a joint, at its frames.
class FramedCoordinates final : public JointCoordinates {
 public:
  /// [setup] `joint` outlives it; `rows`: its coordinates, led on.
  FramedCoordinates(const JointCoordinates& joint, std::vector<std::unique_ptr<const FramedConstraint>> rows);
  ~FramedCoordinates();
  FramedCoordinates(const FramedCoordinates&) = delete;
  FramedCoordinates& operator=(const FramedCoordinates&) = delete;

  Index coordinate_count() const override { return joint_.coordinate_count(); }
  const char* coordinate_name(Index i) const override { return joint_.coordinate_name(i); }
  const Constraint& coordinate(Index i) const override;

 private:
  const JointCoordinates& joint_;
  std::vector<std::unique_ptr<const FramedConstraint>> rows_;
};

class FramedConstraint final : public Constraint {
 public:
  /// [setup] `element` outlives it.
  FramedConstraint(const Constraint& element, ElementFrames frames, std::unique_ptr<const FramedCoordinates> joint)
      : element_(element),
        frames_(std::move(frames)),
        reports_(frames_, element),
        joint_(std::move(joint)),
        rows_(element.rows()) {}
  FramedConstraint(const FramedConstraint&) = delete;
  FramedConstraint& operator=(const FramedConstraint&) = delete;

  Index rows() const override { return rows_; }
  Index body_count() const override { return frames_.count(); }
  BodyRef body(Index i) const override { return frames_.body(i); }
  bool rheonomic() const override { return element_.rheonomic(); }
  const void* extension(const char* id) const override;

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override;
  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override;
  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override;
  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override;
  Status time_derivatives(const ElementState& s, const ConstVectorView* a,
                          const ConstraintTimeDerivatives& out) const override;

 private:
  struct Blocks;
  Status frame_rows(const ElementState& at_frames, Blocks& blocks) const;

  const Constraint& element_;
  ElementFrames frames_;
  FramedReports reports_;
  std::unique_ptr<const FramedCoordinates> joint_;
  Index rows_;
};

class FramedForce final : public ForceElement {
 public:
  /// [setup] `element` outlives it.
  FramedForce(const ForceElement& element, ElementFrames frames)
      : element_(element), frames_(std::move(frames)), reports_(frames_, element) {}
  FramedForce(const FramedForce&) = delete;
  FramedForce& operator=(const FramedForce&) = delete;

  Index body_count() const override { return frames_.count(); }
  BodyRef body(Index i) const override { return frames_.body(i); }
  const void* extension(const char* id) const override { return reports_.find(id); }

  Status force(const ElementState& s, const VectorView* Q) const override;
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const override;
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const override;
  Status energy(const ElementState& s, ForceEnergy& energy) const override;
  Index internal_states() const override { return element_.internal_states(); }
  void initial_internal_states(VectorView z) const override { element_.initial_internal_states(z); }
  /// Their gradients the kernel takes by differences.
  Status internal_rate(const ElementState& s, VectorView z_rate) const override;

 private:
  /// Calls the element with vectors at frames, `call(state, vectors)`, and adds J^T of them to `out`.
  template <class Call>
  Status lead_on(const ElementState& s, const VectorView* out, const Call& call) const;

  const ForceElement& element_;
  ElementFrames frames_;
  FramedReports reports_;
};

}  // namespace trammel
