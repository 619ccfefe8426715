// Plugin `baumgarte`: constraint stabilization by feedback of the position and velocity violation.
//
//   Phi'' + 2 alpha Phi' + beta^2 Phi = 0                                                                         (1)
//   g = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi           on every row, normalisation included         (2)
//
// J. Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972) 1-16. alpha = beta is critical damping: double eigenvalue
// -alpha, so explicit methods with stability limit SL on the negative real axis need alpha h <= SL. alpha and beta are
// numbers, or chosen at each step from its length (step_feedback.h).
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/formulations/step_feedback.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Baumgarte final : public sdk::Index1Formulation, public ConstraintFeedback, public StepwiseFeedback {
 public:
  struct Parameters {
    double alpha;
    double beta;
    double alpha_h;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, alpha, "1/s", "Feedback of the velocity violation; needed without alpha_h.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, beta, "1/s", "Feedback of the position violation; beta = alpha damps critically.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, alpha_h, "1",
                    "Instead of alpha and beta: alpha = beta = alpha_h / h, chosen at each step from the last ones; "
                    "at most the integrator's stability limit on the negative real axis.")
          .above(0)
          .optional());

  explicit Baumgarte(const Parameters& p)
      : alpha_(given(p.alpha) ? p.alpha : 0),
        beta_(given(p.beta) ? p.beta : alpha_),
        alpha_h_(given(p.alpha_h) ? p.alpha_h : 0) {
    if (given(p.alpha) == given(p.alpha_h)) {
      throw Error::parameter("alpha", given(p.alpha) ? "\"alpha\" and \"alpha_h\" exclude each other"
                                                     : "\"alpha\", or \"alpha_h\", is needed");
    }
    if (given(p.beta) && !given(p.alpha)) {
      throw Error::parameter("beta", "\"beta\" goes with \"alpha\"; \"alpha_h\" makes beta = alpha");
    }
  }

  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  const void* extension(const char* id) const override {
    const void* own = sdk::offer_extensions<ConstraintFeedback, StepwiseFeedback>(id, this, this);
    return own != nullptr ? own : Index1Formulation::extension(id);
  }

  double alpha() const override { return alpha_; }
  double beta() const override { return beta_; }
  double alpha_h() const override { return alpha_h_; }

  MemorySize memory(const ConstrainedLayout& system) const override {
    return {sdk::StateLayout::size<sdk::StepFeedback>(), Index1Formulation::memory(system).scratch};
  }
  Status start(ConstrainedSystem&, double t, ConstVectorView, ConstVectorView, const Memory& memory) const override {
    chosen(memory).start(t);
    return Status::success();
  }
  /// y stays; with another alpha the derivatives there are others.
  Correction correct(ConstrainedSystem&, double t, VectorView, VectorView, const Memory& memory) const override {
    Correction result;
    result.changed = alpha_h_ > 0 && chosen(memory).follow(t, alpha_h_);
    return result;
  }

 protected:
  unsigned extra_parts() const override { return evaluate_Phi | evaluate_jacobian | evaluate_nu; }

  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory& memory,
                        VectorView g) const override {
    const sdk::LinearFeedback feedback = in_force(memory);
    sdk::stabilize(system, v, feedback.alpha, feedback.beta, g);  // (2)
  }
  bool exact_feedback(const Memory& memory, sdk::LinearFeedback& feedback) const override {
    feedback = in_force(memory);
    return true;
  }

 private:
  static sdk::StepFeedback chosen(const Memory& memory) {
    return sdk::StateLayout::place<sdk::StepFeedback>(memory.state);
  }
  sdk::LinearFeedback in_force(const Memory& memory) const {
    if (alpha_h_ == 0) return {alpha_, beta_};
    const double alpha = chosen(memory).alpha;
    return {alpha, alpha};
  }

  double alpha_;
  double beta_;
  double alpha_h_;  ///< 0: alpha and beta are given
};

}  // namespace trammel

TRAMMEL_PLUGIN("baumgarte", "1.1.0", "BSD-3-Clause",
               component<Baumgarte>(Host::any, "baumgarte",
                                    "Index-1 system with feedback of constraint violations (Baumgarte stabilization).",
                                    "Baumgarte, Comp. Meth. Appl. Mech. Eng. 1 (1972) 1-16"));
