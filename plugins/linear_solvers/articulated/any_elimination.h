// AnyElimination: the elimination for a model's bodies, spatial or planar.
#pragma once

#include <memory>

#include "trammel/extensions/factor_services.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/extensions/host_services.h"

namespace trammel::articulated {

/// What does not depend on the size of twists.
class AnyElimination {
 public:
  virtual ~AnyElimination() = default;
  /// [setup] Throws on no memory; a failure says why.
  virtual Status analyse(const KktMatrix& k, const KktElements* elements) = 0;
  virtual Status factorize(const KktMatrix& k, bool to_rounding) = 0;
  virtual Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) = 0;
  virtual const RankWatch& watch() const = 0;
  virtual double cost() const = 0;
};

/// [setup]
/// `workers`: threads that it may use, or nullptr.
std::unique_ptr<AnyElimination> make_elimination(const TwistForm& form, const BlockFactors& services,
                                                 const Workers* workers);

}  // namespace trammel::articulated
