// Plugin `@TYPE@`: a treatment of the constraints on acceleration level. EDIT: what it does.
//
//   Phi_q a = gamma - 2 alpha (Phi_q v - nu) - alpha^2 Phi                                                         (1)
#include <trammel/sdk/formulations/index1_formulation.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;

class @CLASS@ final : public sdk::Index1Formulation {
 public:
  struct Parameters {  // EDIT: what users give in the run file
    double alpha;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, alpha, "1/s", "Rate at which violations decay.").at_least(0).otherwise("5"));

  explicit @CLASS@(const Parameters& p) : alpha_(p.alpha) {}

  /// EDIT: the violation (m, rad) that this treatment allows at an accepted step.
  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }

 protected:
  /// What `acceleration_rhs` reads in addition to gamma.
  unsigned extra_parts() const override { return evaluate_Phi | evaluate_jacobian | evaluate_nu; }

  /// EDIT: the right-hand side of Phi_q a = g at the point just evaluated. A treatment that moves states after a step
  /// overrides `correct` (formulation.h) as well.
  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory&, VectorView g) const override {
    system.apply_jacobian(v, g);
    g.map() = system.gamma().map() - 2 * alpha_ * (g.map() - system.nu().map()) -
              alpha_ * alpha_ * system.Phi().map();  // (1)
  }

 private:
  double alpha_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "Accelerations with feedback of constraint violations.",
                                  "Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972) 1-16"));
