// Frames as an element sees them, and how they vary.
#include "model/element_frames.h"

namespace trammel {

ElementFrames::ElementFrames(const ModelFrames& frames, const BodyFrames* source, Index columns, Index owner_columns,
                             const std::vector<BodyRef>& references)
    : source_(source), f_(columns) {
  for (const BodyRef reference : references) {
    if (frames.is_frame(reference))
      bodies_.push_back({{frames.frame(reference).body}, &frames.frame(reference), owner_columns});
    else
      bodies_.push_back({reference, nullptr, columns});
  }
}

const ElementState& ElementFrames::look(const ElementState& s, View& view) const {
  view.s = s;
  for (Index k = 0; k < count(); ++k) {
    view.bodies[number(k)] = s.bodies[k];
    const Attached& at = bodies_[number(k)];
    if (at.frame == nullptr) continue;
    source_->frame(at.owner.index, at.frame->local.data(), s.bodies[k], &view.states[number(k)]);
    view.bodies[number(k)] = &view.states[number(k)];
  }
  view.s.bodies = view.bodies.data();
  return view.s;
}

void ElementFrames::jacobian(const ElementState& s, Index k, Block& J, double* kappa) const {
  const Attached& at = bodies_[number(k)];
  J.resize(f_, at.columns);
  source_->jacobian(at.owner.index, at.frame->local.data(), s.bodies[k], J.data(), kappa);
}

void ElementFrames::jacobian_gradient(const ElementState& s, Index k, const double* x, Block& out) const {
  const Attached& at = bodies_[number(k)];
  out.resize(f_, at.columns);
  source_->jacobian_gradient(at.owner.index, at.frame->local.data(), s.bodies[k], x, out.data());
}

void ElementFrames::transpose_gradient(const ElementState& s, Index k, const double* y, Block& out) const {
  const Attached& at = bodies_[number(k)];
  out.resize(at.columns, at.columns);
  source_->transpose_gradient(at.owner.index, at.frame->local.data(), s.bodies[k], y, out.data());
}

void ElementFrames::kappa_gradient(const ElementState& s, Index k, Block& out_q, Block& out_v) const {
  const Attached& at = bodies_[number(k)];
  out_q.resize(f_, at.columns), out_v.resize(f_, at.columns);
  source_->kappa_gradient(at.owner.index, at.frame->local.data(), s.bodies[k], out_q.data(), out_v.data());
}

}  // namespace trammel
