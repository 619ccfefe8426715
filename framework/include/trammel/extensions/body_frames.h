// Optional ability of systems whose bodies deform: frames at named points, and how they vary with the coordinates.
#pragma once

#include "trammel/system.h"

namespace trammel {

/// An element that names a point of the run file instead of a body attaches to the frame there. It sees the frame as it
/// sees a rigid body: place, rotation and their rates (PlanarBodyState or SpatialBodyState), F for short, and writes
/// f = 3 or 7 columns for the frame's coordinates. F is a function of the c coordinates of its owner; the kernel leads
/// columns, forces and contractions on to those by the chain rule, exactly. Bodies of more coordinates than f have to be
/// attached to by such frames; rigid bodies are their own frames and cost nothing. At present the kernel has room for
/// planar bodies of up to six coordinates.
///
/// A frame is fixed in the material: `local` is the point in the undeformed body, 3 numbers (planar: the third is 0).
/// `state` is that of the body, as `kinematics` writes it. Matrices lie column by column without gaps and are written
/// whole. Implemented by a System that hosts bodies.
class BodyFrames {
 public:
  static constexpr const char* id = "trammel.body_frames/1";

  /// [setup] Whether the body deforms and has this point.
  virtual bool has_frame(Index body, const double* local) const = 0;
  /// [hot] F and F'.
  virtual void frame(Index body, const double* local, const void* state, void* frame) const = 0;
  /// [hot] J = F_q (f x c), and kappa (f) = (J v)_q v, so that F'' = J a + kappa. A null pointer: not wanted.
  virtual void jacobian(Index body, const double* local, const void* state, double* J, double* kappa) const = 0;
  /// [hot] (J x)_q for a fixed x of c numbers, nullptr: for v of the state; f x c.
  virtual void jacobian_gradient(Index body, const double* local, const void* state, const double* x,
                                 double* out) const = 0;
  /// [hot] (J^T y)_q for a fixed y of f numbers: c x c.
  virtual void transpose_gradient(Index body, const double* local, const void* state, const double* y,
                                  double* out) const = 0;
  /// [hot] kappa_q and kappa_v: f x c each.
  virtual void kappa_gradient(Index body, const double* local, const void* state, double* out_q,
                              double* out_v) const = 0;

 protected:
  ~BodyFrames() = default;
};

}  // namespace trammel
