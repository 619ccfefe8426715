// Plugin `direct`: the index-1 system as it is. Constraints drift; the kernel stops a run at constraint_limit.
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Direct final : public sdk::Index1Formulation {
 public:
  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }

 protected:
  bool exact_feedback(const Memory&, sdk::LinearFeedback&) const override { return true; }
};

}  // namespace trammel

TRAMMEL_PLUGIN("direct", "1.0.0", "BSD-3-Clause",
               component<Direct>(Host::any, "direct", "Accelerations from the index-1 system, without stabilization.",
                                 "Haug, Computer Aided Kinematics and Dynamics, 7.3"));
