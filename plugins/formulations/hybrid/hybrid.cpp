// Plugin `hybrid`: stabilization while the constraints hold, partitioning where they do not. E. J. Haug, 7.3.5, after
// T. W. Park; the numbers are those of the book's steps.
//
//   3.  first acceleration from (7.2.1), without stabilization
//   4.  all of q integrated, error control on w and w' only
//   5a. |Phi| and |Phi_q v - nu| within tolerance: y is accepted, and the next accelerations are those of
//       gamma^ = gamma - 2 alpha (Phi_q v - nu) - beta^2 Phi                                                  (7.3.8)
//       with small alpha and beta, the larger at most 0.1 / h: stages violate the constraints by far more than the ends of steps,
//       and feedback as fast as the step would make errors of that; or with alpha = beta = alpha_h / h, where the user
//       chooses alpha_h. Both follow h as step_feedback.h tells.
//   5b. beyond tolerance: Newton's method for u, the velocity equation for u', accelerations with gamma; the partition
//       is looked after
// Rows between the ends of a step are corrected where they are beyond tolerance.
// Where the matrix K of (7.2.1) is ill-conditioned, 5b always: pure partitioning near singular configurations, where
// the terms of (7.3.8) would make the run diverge. The condition |K| |K^-1| is followed by one step of power iteration
// and one of inverse iteration per step of 5a, with the factorization that the next acceleration needs anyway.
#include "condition.h"
#include "trammel/sdk/formulations/partitioned_formulation.h"
#include "trammel/sdk/formulations/step_feedback.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

namespace {

constexpr double largest_alpha_h_of_given = 0.1;  // of alpha and beta of the run file

/// Numbers of this formulation, in PartitionNumbers::own.
struct Own {
  constexpr explicit Own(sdk::StateLayout& at)
      : accepted_steps(at.number()),
        corrected_steps(at.number()),
        fall_backs(at.number()),
        limited_steps(at.number()),
        unseen(at.number()),
        stabilized(at.number()),
        position_limit(at.number()),
        velocity_limit(at.number()),
        chosen(at) {}
  explicit Own(const sdk::PartitionNumbers& part) : Own(sdk::StateLayout::place<Own>(part.own)) {}
  double &accepted_steps, &corrected_steps, &fall_backs;  ///< counted
  double& limited_steps;                    ///< counted among the accepted ones: alpha or beta was above what h allows
  double& unseen;                           ///< steps since the condition was followed
  double& stabilized;                       ///< whether the last step was accepted by 5a
  double &position_limit, &velocity_limit;  ///< the tolerances in force
  sdk::StepFeedback chosen;                 ///< alpha_h / h, or what alpha and beta are limited to

  /// Behind steps that 5a accepts, with the alpha, beta and alpha_h of the run file.
  sdk::LinearFeedback feedback(double alpha, double beta, double alpha_h) const {
    if (alpha_h > 0) return {chosen.alpha, chosen.alpha};
    const double larger = std::max(alpha, beta);
    if (chosen.alpha == 0 || larger <= chosen.alpha) return {alpha, beta};  // no step yet, or slow beside it
    return {chosen.alpha / larger * alpha, chosen.alpha / larger * beta};   // with the same damping ratio
  }
};

}  // namespace

class Hybrid final : public sdk::PartitionedFormulation,
                     public ConstraintFeedback,
                     public StepwiseFeedback,
                     public ToleranceFollower {
  using Part = sdk::PartitionMemory;

 public:
  struct Parameters {
    Texts independent;
    double tolerance;
    sdk::PartitionCriterion criterion;
    double condition_growth;
    std::int64_t repeated_attempts;
    bool restart;
    double alpha;
    double beta;
    double alpha_h;
    double position_tolerance;
    double velocity_tolerance;
    double condition_limit;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_PARTITION_FIELDS(Parameters),
      TRAMMEL_FIELD(Parameters, alpha, "1/s",
                    "Feedback of the velocity violation; small: a moderate error is damped. 5 if left out, unless "
                    "alpha_h is given. In steps of length h both are scaled down until the larger one is 0.1 / h.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, beta, "1/s", "Feedback of the position violation; alpha if left out.")
          .at_least(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, alpha_h, "1",
                    "Instead of alpha and beta: alpha = beta = alpha_h / h, chosen at each step from the last ones; "
                    "at most the integrator's stability limit on the negative real axis. 0: alpha and beta hold.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, position_tolerance, "1",
                    "Largest violation of a position row (unit of length of the model, rad) at which a step is "
                    "accepted as integrated; 0: 1e-7, and a tenth of rtol where that is less.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(
          Parameters, velocity_tolerance, "1",
          "Largest violation of a velocity row (m/s, rad/s) at which a step is accepted as integrated; 0: 1e-5, "
          "and ten times rtol where that is less.")
          .at_least(0)
          .otherwise("0"),
      TRAMMEL_FIELD(Parameters, condition_limit, "1",
                    "Condition of the matrix of (7.2.1), in the model's own units of length and mass, beyond which the "
                    "constraints are solved after every step.")
          .above(1)
          .otherwise("1e5"));

  explicit Hybrid(const Parameters& p)
      : PartitionedFormulation(
            {p.independent, p.tolerance, p.criterion, p.condition_growth, p.repeated_attempts, p.restart}),
        p_(p) {
    if (p.alpha_h > 0 && (given(p.alpha) || given(p.beta))) {
      throw Error::parameter(given(p.alpha) ? "alpha" : "beta", "and \"alpha_h\" exclude each other");
    }
    if (!given(p.alpha)) p_.alpha = 5;
    if (!given(p.beta)) p_.beta = p_.alpha;
  }

  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = true}; }
  const void* extension(const char* id) const override {
    const void* own =
        sdk::offer_extensions<ConstraintFeedback, StepwiseFeedback, ToleranceFollower>(id, this, this, this);
    return own != nullptr ? own : PartitionedFormulation::extension(id);
  }
  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    const Status status = PartitionedFormulation::start(system, t, q, v, memory);
    own_in(memory).chosen.start(t);
    follow(1, memory);
    return status;
  }
  void follow(double rtol, const Memory& memory) const override {
    const Own own = own_in(memory);
    own.position_limit = p_.position_tolerance > 0 ? p_.position_tolerance : std::min(1e-7, 0.1 * rtol);
    own.velocity_limit = p_.velocity_tolerance > 0 ? p_.velocity_tolerance : std::min(1e-5, 10 * rtol);
  }
  double alpha() const override { return p_.alpha; }
  double beta() const override { return p_.beta; }
  double alpha_h() const override { return p_.alpha_h; }
  double largest_alpha_h() const override { return largest_alpha_h_of_given; }

  MemorySize memory(const ConstrainedLayout& system) const override {
    return sdk::MemoryLayout::size<hybrid::Directions>(system, PartitionedFormulation::memory(system));
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    const Index n = system.coordinates();
    const ConstVectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, system.internal_states());
    Part part(system, memory);
    const Own own(part);
    Correction result;
    if (t < part.kept_at) {  // a row inside the last step: the run does not go on from it
      result.status = system.evaluate(t, q, v, z, evaluate_jacobian | evaluate_Phi | evaluate_nu);
      if (!result.status || holds(system, v, part, own)) return result;
      return correct_dependent(system, t, y, error, memory);
    }
    const unsigned expected = own.stabilized != 0 ? evaluate_dynamics | evaluate_jacobian : evaluate_jacobian;
    result.status = system.evaluate(t, q, v, z, expected | evaluate_Phi | evaluate_nu);
    if (!result.status) return result;
    const bool within = holds(system, v, part, own) && !sdk::PartitionChoice::rows_changed(system, part);
    bool singular = false;
    if (within) {  // beyond, it is 5b in any case
      result.status = system.evaluate(t, q, v, z, evaluate_dynamics);
      if (result.status) result.status = system.factorize(ProjectionWeights::mass);
      singular = result.status.code == StatusCode::singular;
      if (!result.status && !singular) return result;
      if (!singular)
        singular =
            !(hybrid::condition(system, part, own.unseen,
                                sdk::MemoryLayout::place<hybrid::Directions>(
                                    memory, system, PartitionedFormulation::memory(system))) <= p_.condition_limit);
      own.unseen = 0;
    } else {
      own.unseen += 1;
    }
    const sdk::LinearFeedback before = own.feedback(p_.alpha, p_.beta, p_.alpha_h);
    own.chosen.follow(t, p_.alpha_h > 0 ? p_.alpha_h : largest_alpha_h_of_given);
    if (within && !singular) {  // 5a
      const sdk::LinearFeedback now = own.feedback(p_.alpha, p_.beta, p_.alpha_h);
      result.changed = now.alpha != before.alpha || now.beta != before.beta;
      own.stabilized = 1;
      own.accepted_steps += 1;
      if (p_.alpha_h == 0 && (now.alpha < p_.alpha || now.beta < p_.beta)) own.limited_steps += 1;
      note_minimal(part, false);
      part.keep(t, q, v);
      return result;
    }
    own.stabilized = 0;
    (singular ? own.fall_backs : own.corrected_steps) += 1;
    return correct_dependent(system, t, y, error, memory);  // 5b
  }

  Index counter_count() const override { return 6; }
  const char* counter_name(Index i) const override {
    constexpr const char* names[] = {"partitions",      "minimal_corrections", "stabilized_steps",
                                     "corrected_steps", "fall_backs",          "limited_steps"};
    return names[i];
  }
  double counter(Index i, const Memory& memory) const override {
    if (i < 2) return PartitionedFormulation::counter(i, memory);
    const Own own = own_in(memory);
    const double counted[] = {own.accepted_steps, own.corrected_steps, own.fall_backs, own.limited_steps};
    return counted[i - 2];
  }

 protected:
  unsigned extra_parts() const override { return evaluate_Phi | evaluate_jacobian | evaluate_nu; }
  bool condition_counts() const override { return true; }

  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView v, const Memory& memory,
                        VectorView g) const override {
    sdk::LinearFeedback feedback;
    if (exact_feedback(memory, feedback) && feedback.alpha + feedback.beta > 0) {
      sdk::stabilize(system, v, feedback.alpha, feedback.beta, g);
    } else {
      g.map() = system.gamma().map();
    }
  }
  bool exact_feedback(const Memory& memory, sdk::LinearFeedback& feedback) const override {
    const Own own = own_in(memory);
    if (own.stabilized != 0) feedback = own.feedback(p_.alpha, p_.beta, p_.alpha_h);
    return true;
  }

 private:
  static Own own_in(const Memory& memory) {
    static_assert(sdk::StateLayout::size<Own>() <= sdk::PartitionNumbers::own_count);
    return Own(sdk::StateLayout::place<sdk::PartitionNumbers>(memory.state));
  }
  /// Whether the last evaluation point is within both tolerances, in the model's unit of length.
  static bool holds(ConstrainedEquations& system, ConstVectorView v, Part& part, const Own& own) {
    system.apply_jacobian(v, part.residual);
    part.residual.map() -= system.nu().map();
    return sdk::largest_violation(system, part.residual) <= own.velocity_limit &&
           sdk::largest_violation(system, system.Phi()) <= own.position_limit;
  }

  Parameters p_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("hybrid", "1.1.0", "BSD-3-Clause",
               component<Hybrid>(Host::any, "hybrid",
                                 "Constraint stabilization within a tolerance, coordinate partitioning beyond it.",
                                 "Haug, Computer Aided Kinematics and Dynamics, 7.3.5"));
