// FramedConstraint, FramedForce: elements on frames of bodies that deform, as the kernel sees elements on bodies.
#pragma once

#include <array>
#include <vector>

#include "model/model_frames.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel {

/// The frames of one element: from bodies to frames and back. With y = J x, A = J a + kappa, f columns per frame:
///   Phi_q = Phi_F J                    (Phi_q x)_q = (Phi_F y)_F J + Phi_F (J x)_q                             (1)
///   gamma = gamma_F - Phi_F kappa      (Phi_q^T l)_q = J^T (Phi_F^T l)_F J + (J^T Phi_F^T l)_q                   (2)
///   Phi_q a - gamma = Phi_F A - gamma_F =: h(F, F', A):
///     d/dq = h_F J + h_F' (J v)_q + Phi_F ((J a)_q + kappa_q),  d/dv = h_F' J + Phi_F kappa_v                  (3)
///   Q = J^T Q_F,  Q_q = J^T (Q_F,F J + Q_F,F' (J v)_q) + (J^T Q_F)_q,  Q_v = J^T Q_F,F' J                       (4)
/// A. A. Shabana, Dynamics of Multibody Systems (2013), 5.2 to 5.4 (J of a point of a deformable body).
class ElementFrames {
 public:
  static constexpr Index most_bodies = 4, most_rows = 8, widest = SpatialBodyState::coordinates;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, widest, widest>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_rows, widest>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, widest, 1>;

  /// What one evaluation sees: the states of frames and, as J is asked for, how they vary.
  struct View {
    union State {
      PlanarBodyState planar;
      SpatialBodyState spatial;
    };
    std::array<State, most_bodies> states;
    std::array<const void*, most_bodies> bodies;
    ElementState s;
  };

  /// [setup] Attached body number k is `references[k]`.
  /// `columns`: f; `owner_columns`: c of bodies that deform.
  ElementFrames(const ModelFrames& frames, const BodyFrames* source, Index columns, Index owner_columns,
                const std::vector<BodyRef>& references);

  Index count() const { return static_cast<Index>(bodies_.size()); }
  BodyRef body(Index k) const { return bodies_[number(k)].owner; }
  bool framed(Index k) const { return bodies_[number(k)].frame != nullptr; }
  bool ground(Index k) const { return bodies_[number(k)].owner.index < 0; }
  /// f of a frame; of others what the kernel's views have.
  Index f() const { return f_; }
  Index c(Index k) const { return bodies_[number(k)].columns; }

  /// [hot] The element's own state at `s`, which lives as long as `view`.
  const ElementState& look(const ElementState& s, View& view) const;
  void jacobian(const ElementState& s, Index k, Block& J, double* kappa) const;
  void jacobian_gradient(const ElementState& s, Index k, const double* x, Block& out) const;
  void transpose_gradient(const ElementState& s, Index k, const double* y, Block& out) const;
  void kappa_gradient(const ElementState& s, Index k, Block& out_q, Block& out_v) const;

 private:
  static std::size_t number(Index k) { return static_cast<std::size_t>(k); }
  struct Attached {
    BodyRef owner;
    const ModelFrames::Frame* frame;
    Index columns;
  };

  const BodyFrames* source_;
  Index f_;
  std::vector<Attached> bodies_;
};

/// What an element offers beyond its own methods, asked at its frames.
class FramedReports final : public CountedAngles,
                            public ElementChannels,
                            public ReactionPoint,
                            public StateFunctions,
                            public StateLaws,
                            public LawSwitches {
 public:
  FramedReports(const ElementFrames& frames, const Extensible& element);
  const void* find(const char* id) const;

  Index angle_count() const override { return angles_->angle_count(); }
  void initial_angles(VectorView angle) const override { angles_->initial_angles(angle); }
  void angles(const ElementState& s, VectorView angle) const override;
  Index channel_count() const override { return channels_->channel_count(); }
  const char* channel_name(Index i) const override { return channels_->channel_name(i); }
  const char* channel_unit(Index i) const override { return channels_->channel_unit(i); }
  Status channel_values(const ElementState& s, VectorView out) const override;
  Index reaction_body() const override { return reaction_->reaction_body(); }
  void reaction_point(const ElementState& s, double* point) const override;
  Index state_function_count() const override { return functions_->state_function_count(); }
  const Function* state_function(Index i) const override { return functions_->state_function(i); }
  Status state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const override;
  Index law_count() const override { return laws_->law_count(); }
  Index law_argument_count() const override { return laws_->law_argument_count(); }
  Status law_places(const ElementState& s, VectorView x, VectorView rate) const override;
  Status law(Index i, const double* x, const double* rate, double t, double* force) const override {
    return laws_->law(i, x, rate, t, force);
  }
  Status law_bounds(Index i, const Box& box, double* force) const override { return laws_->law_bounds(i, box, force); }
  Index switch_count() const override { return switches_->switch_count(); }
  const char* switch_name(Index i) const override { return switches_->switch_name(i); }
  Status switch_values(const ElementState& s, VectorView out) const override;

 private:
  const ElementFrames& frames_;
  const CountedAngles* angles_;
  const ElementChannels* channels_;
  const ReactionPoint* reaction_;
  const DriverEffort* effort_;
  const StateFunctions* functions_;
  const StateLaws* laws_;
  const LawSwitches* switches_;
};

class FramedConstraint final : public Constraint {
 public:
  /// [setup] `element` outlives it.
  FramedConstraint(const Constraint& element, ElementFrames frames)
      : element_(element), frames_(std::move(frames)), reports_(frames_, element), rows_(element.rows()) {}
  FramedConstraint(const FramedConstraint&) = delete;
  FramedConstraint& operator=(const FramedConstraint&) = delete;

  Index rows() const override { return rows_; }
  Index body_count() const override { return frames_.count(); }
  BodyRef body(Index i) const override { return frames_.body(i); }
  bool rheonomic() const override { return element_.rheonomic(); }
  const void* extension(const char* id) const override { return reports_.find(id); }

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
