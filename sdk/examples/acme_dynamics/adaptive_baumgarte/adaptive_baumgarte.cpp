// Plugin `acme.adaptive_baumgarte`: constraint stabilization whose feedback follows the violation.
//
//   g = gamma - 2 alpha (Phi_q v - nu) - alpha^2 Phi          alpha = beta: critical damping                         (1)
// After C. O. Chang, P. E. Nikravesh, Trans. ASME (J. Mechanisms, Transmissions, Automation in Design) 107 (1985)
// 488-492: alpha = beta, and their size is chosen anew during the run. The rule here is our own (README.md says why):
//   e = max(|Phi|, |Phi_q v - nu| / alpha)   at the end of each step                                                 (2)
//   alpha <- alpha clamp(sqrt(e / target), 1/2, 2),   within alpha_min <= alpha <= alpha_max and alpha h <= reach    (3)
// unless e lies between target / 4 and 4 target. The root, since with a disturbance d per unit of time Phi settles at
// about d / alpha^2.
#include <trammel/extensions/formulation_extensions.h>
#include <trammel/sdk/formulations/index1_formulation.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <algorithm>
#include <cmath>

namespace acme::adaptive_baumgarte {
namespace {

using namespace trammel;

class AdaptiveBaumgarte final : public sdk::Index1Formulation, ConstraintFeedback, FormulationCounters {
 public:
  struct Parameters {
    double target;
    double initial;
    double minimum;
    double maximum;
    double reach;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, target, "m or rad", "Violation that the feedback aims at.").above(0).otherwise("1e-7"),
      TRAMMEL_FIELD(Parameters, initial, "1/s", "Feedback alpha = beta at the start.").above(0).otherwise("10"),
      TRAMMEL_FIELD(Parameters, minimum, "1/s", "Smallest alpha.").above(0).otherwise("1"),
      TRAMMEL_FIELD(Parameters, maximum, "1/s", "Largest alpha.").above(0).otherwise("500"),
      TRAMMEL_FIELD(Parameters, reach, "1",
                    "Largest alpha h, below the integrator's limit of stability on the negative real axis.")
          .above(0)
          .otherwise("0.5"));

  explicit AdaptiveBaumgarte(const Parameters& p) : p_(p) {
    if (p.maximum < p.minimum) throw Error::parameter("maximum", "must not be below 'minimum'");
    if (p.initial < p.minimum || p.initial > p.maximum) {
      throw Error::parameter("initial", "must lie between 'minimum' and 'maximum'");
    }
  }

  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<ConstraintFeedback, FormulationCounters>(id, this, this);
  }
  /// For the kernel's warning about steps too long for the feedback: the alpha of the first step. Later ones are held
  /// to alpha h <= reach, whatever the step, so `maximum` says nothing of them.
  double alpha() const override { return p_.initial; }
  double beta() const override { return p_.initial; }

  MemorySize memory(const ConstrainedLayout& system) const override {
    return {sdk::StateLayout::size<Kept>(), Index1Formulation::memory(system).scratch};
  }
  Status start(ConstrainedSystem&, double t, ConstVectorView, ConstVectorView, const Memory& memory) const override {
    const Kept kept = kept_in(memory);
    if (kept.feedback == 0) kept.feedback = p_.initial;
    kept.before = t;
    return Status::success();
  }

  /// y stays; but with another alpha derivatives at y are others, which `changed` tells the integrator.
  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView,
                     const Memory& memory) const override {
    const Index n = system.coordinates();
    const Kept kept = kept_in(memory);
    const VectorView rate = sdk::StateLayout::place<Work>(memory.scratch, system).rows;
    Correction result;
    result.status = system.evaluate(t, y.segment(0, n), y.segment(n, n), y.segment(2 * n, system.internal_states()),
                                    evaluate_Phi | evaluate_jacobian | evaluate_nu);
    if (!result.status) return result;
    system.apply_jacobian(y.segment(n, n), rate);
    const double old = kept.feedback, h = std::abs(t - kept.before);
    const double e = std::max(system.Phi().map().norm(), (rate.map() - system.nu().map()).norm() / old);  // (2)
    double alpha = old;
    if (e > 4 * p_.target || e < p_.target / 4) alpha *= std::clamp(std::sqrt(e / p_.target), 0.5, 2.0);
    alpha = std::clamp(alpha, p_.minimum, p_.maximum);
    if (h > 0) alpha = std::min(alpha, p_.reach / h);  // (3)
    kept.before = t;
    kept.changes += alpha != old;
    kept.feedback = alpha;
    result.changed = alpha != old;
    return result;
  }

  Index counter_count() const override { return 1; }
  const char* counter_name(Index) const override { return "feedback_changes"; }
  double counter(Index, const Memory& memory) const override { return kept_in(memory).changes; }

 protected:
  unsigned extra_parts() const override { return evaluate_Phi | evaluate_jacobian | evaluate_nu; }
  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory& memory,
                        VectorView g) const override {
    const double alpha = kept_in(memory).feedback;
    sdk::stabilize(system, v, alpha, alpha, g);  // (1)
  }

 private:
  struct Kept {
    explicit Kept(sdk::StateLayout& at) : feedback(at.number()), before(at.number()), changes(at.number()) {}
    double& feedback;  ///< alpha = beta in force
    double& before;    ///< time of the last correction
    double& changes;   ///< counted
  };
  static Kept kept_in(const Memory& memory) { return sdk::StateLayout::place<Kept>(memory.state); }

  Parameters p_;
};

}  // namespace
}  // namespace acme::adaptive_baumgarte

TRAMMEL_PLUGIN("acme.adaptive_baumgarte", "1.0.0", "BSD-3-Clause",
               component<acme::adaptive_baumgarte::AdaptiveBaumgarte>(
                   Host::any, "acme.adaptive_baumgarte",
                   "Constraint stabilization whose feedback follows the violation.",
                   "Chang, Nikravesh, J. Mechanisms, Transmissions, Automation in Design 107 (1985) 488-492"));
