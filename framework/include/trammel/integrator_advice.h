// Optional ability of integrators: telling the reader of a run that another method would do better.
#pragma once

#include "trammel/integrator.h"

namespace trammel {

/// Methods that notice when they are the wrong ones.
class IntegratorAdvice {
 public:
  static constexpr const char* id = "trammel.integrator_advice/1";

  /// [step] After an accepted step: what the run's reader should know, a string literal, or nullptr. The kernel adds the
  /// time at which a text appeared first and puts it into the warnings of summary.json.
  virtual const char* advice(const Memory& memory) const = 0;

 protected:
  ~IntegratorAdvice() = default;
};

}  // namespace trammel
