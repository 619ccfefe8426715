// ForceElement: a generalized force on one to a few bodies, with its gradients, energy and internal states.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/parameters.h"
#include "trammel/status.h"

namespace trammel {

/// Where the element's power goes: Q.v = -d(potential)/dt - dissipation + work.
struct ForceEnergy {
  double potential = 0;    ///< J
  double dissipation = 0;  ///< W taken out by damping
  double work = 0;         ///< W put in from outside
};

/// Gradients that involve the internal states z (nz of them); an empty view or null pointer means "not wanted".
struct InternalGradients {
  const MatrixView* Q_z = nullptr;     ///< k blocks c x nz: dQ/dz
  const MatrixView* rate_q = nullptr;  ///< k blocks nz x c: d(z')/dq
  const MatrixView* rate_v = nullptr;  ///< k blocks nz x c: d(z')/dv
  MatrixView rate_z;                   ///< nz x nz: d(z')/dz
  VectorView rate_t;                   ///< nz: d(z')/dt at fixed q, v, z
};

/// All [hot] methods are const, re-entrant and do not allocate. They ADD to their outputs: several elements share a
/// body. A body has c = 3 (planar) or 7 (spatial) local coordinates; views of ground are empty (data == nullptr).
class ForceElement : public Extensible {
 public:
  static constexpr const char* kind_id = "trammel.force/1";

  /// [setup] Number of attached bodies k >= 0.
  virtual Index body_count() const = 0;
  /// [setup] Attached body number i of the model, or ground.
  virtual BodyRef body(Index i) const = 0;

  /// [hot] Adds the generalized force: k vectors of length c (N along r, N m conjugate to angles or Euler parameters).
  virtual Status force(const ElementState& s, const VectorView* Q) const = 0;

  /// [hot] Adds dQ/dq and dQ/dv: k*k blocks c x c each, out[i*k + j] = d(Q of body i)/d(q or v of body j).
  /// Default: `unsupported`; the kernel then takes differences and the summary says so.
  virtual Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const {
    (void)s, (void)Q_q, (void)Q_v;
    return Status::failure(StatusCode::unsupported, "no exact force gradients");
  }

  /// [hot] Adds dQ/dt at fixed q and v: k vectors. Only forces that depend on time override it.
  virtual Status time_gradient(const ElementState& s, const VectorView* Q_t) const {
    (void)s, (void)Q_t;
    return Status::success();
  }

  /// [step] Potential, dissipation and external power. Default: `unsupported`; all power then counts as work.
  virtual Status energy(const ElementState& s, ForceEnergy& energy) const {
    (void)s, (void)energy;
    return Status::failure(StatusCode::unsupported, "no energy");
  }

  /// [setup] Number of internal first-order states z; they live in the kernel's state vector.
  virtual Index internal_states() const { return 0; }
  /// [setup] Start values of z.
  virtual void initial_internal_states(VectorView z) const { (void)z; }
  /// [hot] Writes dz/dt.
  virtual Status internal_rate(const ElementState& s, VectorView z_rate) const {
    (void)s, (void)z_rate;
    return Status::success();
  }
  /// [hot] Adds the gradients that involve z; asked of elements with internal states only. Default: `unsupported`; the
  /// kernel then takes differences and the summary says so.
  virtual Status internal_gradients(const ElementState& s, const InternalGradients& out) const {
    (void)s, (void)out;
    return Status::failure(StatusCode::unsupported, "no exact gradients of the internal states");
  }

 protected:
  ~ForceElement() = default;
};

}  // namespace trammel
