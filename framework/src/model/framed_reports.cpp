// What elements report at frames of bodies that deform.
#include "model/framed_reports.h"

#include <cstring>

#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/extensions/unbounded_laws.h"

namespace trammel {

FramedReports::FramedReports(const ElementFrames& frames, const Extensible& element)
    : frames_(frames),
      element_(element),
      angles_(find_extension<CountedAngles>(element)),
      channels_(find_extension<ElementChannels>(element)),
      reaction_(find_extension<ReactionPoint>(element)),
      functions_(find_extension<StateFunctions>(element)),
      laws_(find_extension<StateLaws>(element)),
      switches_(find_extension<LawSwitches>(element)),
      potential_(find_extension<StaticPotential>(element)),
      drawing_(find_extension<Drawing>(element)) {}

const void* FramedReports::find(const char* id) const {
  const auto offered = [&]<class Extension>(const Extension* of_element) -> const Extension* {
    return of_element != nullptr && std::strcmp(id, Extension::id) == 0 ? this : nullptr;
  };
  if (const void* found = offered(angles_)) return found;
  if (const void* found = offered(channels_)) return found;
  if (const void* found = offered(reaction_)) return found;
  if (const void* found = offered(functions_)) return found;
  if (const void* found = offered(laws_)) return found;
  if (const void* found = offered(switches_)) return found;
  if (const void* found = offered(potential_)) return found;
  if (const void* found = offered(drawing_)) return found;
  for (const char* without_state : {DriverEffort::id, DryFriction::id, UnboundedLaws::id, CoordinateZeros::id}) {
    if (std::strcmp(id, without_state) == 0) return element_.extension(id);
  }
  return nullptr;
}

void FramedReports::angles(const ElementState& s, VectorView angle) const {
  ElementFrames::View view;
  angles_->angles(frames_.look(s, view), angle);
}

Status FramedReports::channel_values(const ElementState& s, VectorView out) const {
  ElementFrames::View view;
  return channels_->channel_values(frames_.look(s, view), out);
}

void FramedReports::reaction_point(const ElementState& s, double* point) const {
  ElementFrames::View view;
  reaction_->reaction_point(frames_.look(s, view), point);
}

Status FramedReports::state_function_arguments(const ElementState& s, VectorView value, VectorView rate) const {
  ElementFrames::View view;
  return functions_->state_function_arguments(frames_.look(s, view), value, rate);
}

Status FramedReports::law_places(const ElementState& s, VectorView x, VectorView rate) const {
  ElementFrames::View view;
  return laws_->law_places(frames_.look(s, view), x, rate);
}

Status FramedReports::switch_values(const ElementState& s, VectorView out) const {
  ElementFrames::View view;
  return switches_->switch_values(frames_.look(s, view), out);
}

bool FramedReports::static_potential(const ElementState& s, double& potential) const {
  ElementFrames::View view;
  return potential_->static_potential(frames_.look(s, view), potential);
}

namespace {

/// Leads places fixed in frames on to places fixed in their bodies, as they are without deformation.
class FramedSketch final : public Sketch {
 public:
  FramedSketch(Sketch& sketch, const ElementFrames& frames) : sketch_(sketch), frames_(frames) {}

  const void* extension(const char* id) const override { return sketch_.extension(id); }
  void symbol(Symbol symbol) override { sketch_.symbol(symbol); }
  void point(Index body, const double* xyz) override { sketch_.point(body, in_body(body, xyz).data()); }
  void axis(Index body, const double* xyz) override { sketch_.axis(body, xyz); }
  void curve_point(const double* xyz) override { sketch_.curve_point(in_body(0, xyz).data()); }

 private:
  std::array<double, 3> in_body(Index body, const double* xyz) const {
    std::array<double, 3> place = {xyz[0], xyz[1], xyz[2]};
    if (body < 0 || body >= frames_.count() || !frames_.framed(body)) return place;
    for (std::size_t i = 0; i < place.size(); ++i) place[i] += frames_.local(body)[i];
    return place;
  }

  Sketch& sketch_;
  const ElementFrames& frames_;
};

}  // namespace

void FramedReports::draw(Sketch& sketch) const {
  FramedSketch framed(sketch, frames_);
  drawing_->draw(framed);
}

}  // namespace trammel
