// ConstrainedLayout: sizes and names of a ConstrainedSystem. The first of its roles.
#pragma once

#include "trammel/extension.h"
#include "trammel/linalg.h"

namespace trammel {

/// n coordinates q (velocities v = dq/dt), m rows (intrinsic ones last), nz internal states z. All of it stays as it is for
/// the whole run, except the mask.
class ConstrainedLayout : public Extensible {
 public:
  /// [setup] n, the length of q, v and a.
  virtual Index coordinates() const = 0;
  /// [setup] m, the length of Phi and lambda, intrinsic rows included.
  virtual Index constraints() const = 0;
  /// [setup] nz, the length of z.
  virtual Index internal_states() const = 0;
  /// [setup] "crank.x" for 0 <= i < n; valid as long as the view. For messages.
  virtual const char* coordinate_name(Index i) const = 0;
  /// [setup] "pin[2]", "crank.normalisation" for 0 <= i < m; valid as long as the view. For messages.
  virtual const char* row_name(Index i) const = 0;
  /// [setup] Whether Phi depends on time.
  virtual bool rheonomic() const = 0;
  /// [step] Weight of each coordinate and, behind them, of each velocity in error norms (1 or 0): 2 n entries, or none:
  /// all count.
  virtual ConstVectorView mask() const { return {}; }

 protected:
  ~ConstrainedLayout() = default;
};

}  // namespace trammel
