// Plugin `conditionally_explicit`: the family of degrees 3 to 6 on second-order and on constrained systems.
#include "constrained_form.h"
#include "order.h"
#include "second_order_form.h"
#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/math/quintic.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::conditionally_explicit {

class ConditionallyExplicit final : public Integrator,
                                    private IntegratorFit,
                                    private IntegratorNotes,
                                    private IntegratorAdvice {
 public:
  struct Parameters {
    Set set;
    Numbers weights;
    Start start;
    Numbers jerk;
    Numbers snap;
    Iteration iteration;
    Solver solver;
    NewtonMatrix newton_matrix;
    bool analytic_jerk;
    bool differenced_jerk;
    double tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, set, "1", "Named weights; \"weights\" given, it has no meaning.")
          .choices("central_differences|alpha_4_3|alpha_2|alpha_1_4|alpha_3_4|alpha_5_4|stabilized|alpha_4_5|ones|top|"
                   "taylor_5|taylor_6|balanced_4|balanced_5|stable_6")
          .otherwise("\"balanced_4\""),
      TRAMMEL_FIELD(Parameters, weights, "1",
                    "alpha, beta, gamma, zeta ...: N - 1 numbers make a method of degree N, 3 to 6; all but the first "
                    "above 0.")
          .optional()
          .count(lowest_degree - 1, highest_degree - 1),
      TRAMMEL_FIELD(Parameters, start, "1",
                    "Derivatives above x'' at the start: from the system, zero as in the paper's tables, or given.")
          .choices("exact|zero|given")
          .otherwise("\"exact\""),
      TRAMMEL_FIELD(Parameters, jerk, "m/s^3",
                    "Start given: x''' at the start, one number per coordinate or one for all.")
          .optional(),
      TRAMMEL_FIELD(Parameters, snap, "m/s^4", "Start given, degree 5 or 6: x'''' at the start.").optional(),
      TRAMMEL_FIELD(Parameters, iteration, "1",
                    "Where x'' depends on x': fixed point, or linearized once per step. Automatic: explicit if it does "
                    "not, fixed point if it does; looked at again as the run goes on.")
          .choices("automatic|fixed_point|linearized")
          .otherwise("\"automatic\""),
      TRAMMEL_FIELD(Parameters, solver, "1",
                    "Constrained form: the full system, or a null-space basis kept through the iterations of a step.")
          .choices("full|null_space")
          .otherwise("\"full\""),
      TRAMMEL_FIELD(Parameters, newton_matrix, "1",
                    "Constrained form: constraints ahead linearized with Phi_q of the step, or of the iterate itself "
                    "(Eq. 90: fewer iterations, a dense matrix).")
          .choices("step|iterate")
          .otherwise("\"step\""),
      TRAMMEL_FIELD(Parameters, analytic_jerk, "1", "Degree 4: the jerk of every step is the derivative of x''.")
          .otherwise("false"),
      TRAMMEL_FIELD(Parameters, differenced_jerk, "1",
                    "Degree 4: the jerk of every step is the difference quotient of x'' over it (section 5); gamma has "
                    "no meaning.")
          .otherwise("false"),
      TRAMMEL_FIELD(
          Parameters, tolerance, "1",
          "Relative change of velocities (second-order form) or positions (constrained form) at which iterations "
          "end; 0: where rounding lets them go no further.")
          .at_least(0)
          .at_most(1e-3)
          .otherwise("0"));

  explicit ConditionallyExplicit(const Parameters& p)
      : o_{family(p),   order_of(family(p), p.analytic_jerk),
           p.start,     p.jerk,
           p.snap,      p.iteration,
           p.solver,    p.newton_matrix,
           p.tolerance, p.analytic_jerk} {
    for (int k = 1; k < o_.family.degree() - 1; ++k) {
      if (!(o_.family.weight(k) > 0)) throw Error::parameter("weights", "all weights but the first must be above 0");
    }
    if (p.start == Start::given && o_.family.degree() > 3 && p.jerk.size == 0) {
      throw Error::parameter("jerk", "\"start\": \"given\" needs \"jerk\"");
    }
    if (p.start == Start::given && o_.family.degree() > 4 && p.snap.size == 0) {
      throw Error::parameter("snap", "\"start\": \"given\" needs \"snap\" for degrees above 4");
    }
    if (p.start != Start::given && p.jerk.size + p.snap.size > 0) {
      throw Error::parameter(p.jerk.size > 0 ? "jerk" : "snap", "is for \"start\": \"given\" only");
    }
    if (p.analytic_jerk && o_.family.degree() != 4) {
      throw Error::parameter("analytic_jerk", "is for methods of degree 4 (Eq. 44)");
    }
    if (p.differenced_jerk && o_.family.degree() != 4) {
      throw Error::parameter("differenced_jerk", "is for methods of degree 4 (section 5)");
    }
    if (p.differenced_jerk && p.analytic_jerk) {
      throw Error::parameter("differenced_jerk", "and \"analytic_jerk\" are two sources of one jerk: give one");
    }
    if (p.newton_matrix == NewtonMatrix::iterate && p.solver == Solver::null_space) {
      throw Error::parameter("newton_matrix", "\"iterate\" is for \"solver\": \"full\"");
    }
  }

  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.also_constrained = true;
    // Without its higher derivatives at the start (and at every restart) the first step is of order 2 only.
    traits.order = o_.start == Start::zero ? std::min(2, o_.order) : o_.order;
    traits.interpolation_order = 5;
    traits.variable_step = false;
    return traits;
  }

  MemorySize memory(const ProblemSize& size) const override {
    return {Layout::size<Kept>(o_.family, size.n), std::max(Layout::size<SecondOrderForm::Work>(size.n),
                                                            Layout::size<ConstrainedForm::Work>(o_, size.n, size.m))};
  }

  bool fits(const Problem& problem, const ConstStateView& state, Refusal& refusal) const override {
    const Numbers* given[] = {&o_.jerk, &o_.snap};
    for (const Numbers* numbers : given) {
      if (numbers->size <= 1 || numbers->size == state.x.size) continue;
      return sdk::refuse(refusal, numbers == given[0] ? "jerk" : "snap",
                         "has " + std::to_string(numbers->size) + " entries; the system has " +
                             std::to_string(state.x.size) + " coordinates");
    }
    return problem.constrained != nullptr ? fits_constrained(refusal) : fits_second_order(refusal);
  }

  Status start(const Problem&, const ConstStateView&, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).forget();
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    const Index n = state.x.size, m = state.lambda.size;
    const auto kept = Layout::place<Kept>(memory.state, o_.family, n);
    const Flags& flag = kept.history.flag;
    if (flag.started != 0 && std::abs(h - flag.step_size) > 1e-8 * std::abs(h)) {
      StepResult result;
      result.status = Status::failure(StatusCode::failed, "the step size changed without a restart", -1, h);
      return result;
    }
    flag.step_size = h;
    if (problem.constrained != nullptr) {
      const auto work = Layout::place<ConstrainedForm::Work>(memory.scratch, o_, n, m);
      return ConstrainedForm(o_, problem, kept, work).attempt(state, h, next);
    }
    const auto work = Layout::place<SecondOrderForm::Work>(memory.scratch, n);
    return SecondOrderForm(o_, problem, kept.history, work).attempt(state, h, next);
  }

  void accept(const Problem&, const ConstStateView&, bool, const Memory& memory) const override {
    Layout::place<Flags>(memory.state).accepted();
  }

  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Index n = from.x.size;
    const History history = Layout::place<Kept>(memory.state, o_.family, n).history;
    const double h = to.t - from.t, s = (t - from.t) / h;
    const Map a = history.d(2), a_tried = history.d(2, true);
    quintic({from.x, from.v, {a.data(), n}}, {to.x, to.v, {a_tried.data(), n}}, h, s, out.x, out.v, out.a);
    if (out.lambda.size > 0) out.lambda.map() = (1 - s) * from.lambda.map() + s * to.lambda.map();
    return Status::success();
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<IntegratorFit, IntegratorNotes, IntegratorAdvice>(id, this, this, this);
  }
  void note(const Memory& memory, char* text, Index capacity) const override {
    text[0] = '\0';
    if (Layout::place<Flags>(memory.state).started == 0) return;
    std::snprintf(text, static_cast<std::size_t>(capacity) + 1, "degree %d, order %d", o_.family.degree(), o_.order);
  }

  const char* advice(const Memory& memory) const override {
    if (Layout::place<Flags>(memory.state).found_late == 0) return nullptr;
    return "accelerations have begun to depend on velocities, which steps since the last look, up to 15, took as "
           "predicted; from "
           "here on they are iterated (\"iteration\": \"fixed_point\" or \"linearized\" does so from the start)";
  }

 private:
  /// Keys of the other form would be without effect: they are refused.
  bool fits_constrained(Refusal& refusal) const {
    const char* const key = o_.analytic_jerk                       ? "analytic_jerk"
                            : o_.iteration != Iteration::automatic ? "iteration"
                                                                   : nullptr;
    if (key == nullptr) return true;
    return sdk::refuse(refusal, key, "is for second-order systems: add a \"formulation\" that offers one");
  }
  bool fits_second_order(Refusal& refusal) const {
    const char* const key = o_.newton_matrix != NewtonMatrix::step ? "newton_matrix"
                            : o_.solver != Solver::full            ? "solver"
                                                                   : nullptr;
    if (key == nullptr) return true;
    return sdk::refuse(
        refusal, key,
        "is for constrained systems without a \"formulation\", solved at index 3; this system is of second "
        "order");
  }

  /// Section 5 of the paper: the jerk of Eq. 44 by a difference quotient in place of Eq. 42,
  ///   x'''(t) = (x''(t) - x''(t-h)) / h.
  /// That is Eq. 42 with gamma = 1. The paper says gamma = 0, with which Eq. 42 gives the quotient to the jerk of the step
  /// before and leaves x'''(t) open.
  static Family family(const Parameters& p) {
    const NamedSet& set = named_sets[static_cast<int>(p.set)];
    const bool named = p.weights.size == 0;
    const int degree = named ? set.degree : static_cast<int>(p.weights.size) + 1;
    double weights[highest_degree - 1];
    std::copy_n(named ? set.weights : p.weights.data, degree - 1, weights);
    if (p.differenced_jerk && degree == 4) weights[2] = 1;
    return Family(weights, degree);
  }

  Options o_;
};

}  // namespace trammel::conditionally_explicit

TRAMMEL_PLUGIN("conditionally_explicit", "1.0.0", "BSD-3-Clause",
               component<conditionally_explicit::ConditionallyExplicit>(
                   Host::any, "conditionally_explicit",
                   "Conditionally explicit methods of degree 3 to 6, also on index-3 systems.",
                   "Fernandez de Bustos et al., Mathematics 12 (2024) 2862"));
