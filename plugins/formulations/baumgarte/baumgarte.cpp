// Plugin `baumgarte`: constraint stabilization by feedback of the position and velocity violation.
//
//   Phi'' + 2 alpha Phi' + beta^2 Phi = 0                                                                         (1)
//   g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi           on every row, normalisation included         (2)
//
// J. Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972) 1-16. alpha = beta is critical damping: double eigenvalue
// -alpha, so explicit methods with stability limit SL on the negative real axis need alpha h <= SL.
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Baumgarte final : public sdk::Index1Formulation, public ConstraintFeedback {
 public:
  struct Parameters {
    double alpha;
    double beta;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, alpha, "1/s", "Feedback of the velocity violation.").at_least(0),
      TRAMMEL_FIELD(Parameters, beta, "1/s", "Feedback of the position violation; beta = alpha damps critically.")
          .at_least(0)
          .otherwise("=alpha"));

  explicit Baumgarte(const Parameters& p) : alpha_(p.alpha), beta_(p.beta) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  const void* extension(const char* id) const override {
    const void* own = sdk::offer_extensions<ConstraintFeedback>(id, this);
    return own != nullptr ? own : Index1Formulation::extension(id);
  }

  double alpha() const override { return alpha_; }
  double beta() const override { return beta_; }

 protected:
  unsigned extra_parts() const override { return evaluate_Phi | evaluate_nu; }

  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory&,
                        VectorView g) const override {
    sdk::stabilize(system, v, alpha_, beta_, g);  // (2)
  }
  bool exact_feedback(const Memory&, sdk::LinearFeedback& feedback) const override {
    feedback = {alpha_, beta_};
    return true;
  }

 private:
  double alpha_;
  double beta_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("baumgarte", "1.0.0", "BSD-3-Clause",
               component<Baumgarte>(Host::any, "baumgarte",
                                    "Index-1 system with feedback of constraint violations (Baumgarte stabilization).",
                                    "Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972) 1-16"));
