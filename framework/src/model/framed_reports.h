// FramedReports: what an element on frames of bodies that deform offers beyond its own methods.
#pragma once

#include "model/element_frames.h"
#include "trammel/extensions/drawing.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/static_potential.h"

namespace trammel {

/// What an element offers beyond its own methods, asked at its frames. What is not led on here, ModelFrames refuses by
/// name, with one exception: of derivatives with respect to its numbers (parameter_derivatives.h) the kernel takes
/// differences.
class FramedReports final : public CountedAngles,
                            public ElementChannels,
                            public ReactionPoint,
                            public StateFunctions,
                            public StateLaws,
                            public LawSwitches,
                            public StaticPotential,
                            public Drawing {
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
  bool static_potential(const ElementState& s, double& potential) const override;
  void draw(Sketch& sketch) const override;

 private:
  const ElementFrames& frames_;
  const Extensible& element_;
  const CountedAngles* angles_;
  const ElementChannels* channels_;
  const ReactionPoint* reaction_;
  const StateFunctions* functions_;
  const StateLaws* laws_;
  const LawSwitches* switches_;
  const StaticPotential* potential_;
  const Drawing* drawing_;
};

}  // namespace trammel
