// Plugin `radau_iia`: the Radau IIA method of order 5 on first-order and second-order views and on index 3.
//
// Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.5 (method) and IV.8 (implementation).
#include "constrained_form.h"
#include "first_order_form.h"
#include "iteration.h"
#include "second_order_form.h"
#include "step_size.h"
#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/method_family.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::radau {

class RadauIia final : public Integrator, private IntegratorNotes, private CarriesVelocityRows {
 public:
  enum class Control : std::int32_t { variable, fixed };

  struct Parameters {
    Control control;
    double newton_tolerance;
    double slowest_contraction;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, control, "1", "Step controlled by the error, or fixed.")
          .choices("variable|fixed")
          .otherwise("\"variable\""),
      TRAMMEL_FIELD(
          Parameters, newton_tolerance, "1",
          "Error of the Newton iteration, as a part of the run's tolerances; fixed steps iterate to rounding.")
          .above(0)
          .otherwise("0.003"),
      TRAMMEL_FIELD(Parameters, slowest_contraction, "1",
                    "Jacobians are kept for the next step where the Newton iteration contracts at least by this.")
          .at_least(0)
          .at_most(1)
          .otherwise("0.05"));

  explicit RadauIia(const Parameters& p) : p_(p) {}

  IntegratorTraits traits() const override {
    const bool fixed = p_.control == Control::fixed;
    IntegratorTraits traits;
    traits.view = ViewKind::second_order;
    traits.also_constrained = traits.also_first_order = true;
    traits.order = 5;
    traits.error_order = fixed ? 0 : 3;
    traits.interpolation_order = 3;
    traits.self_controlled = !fixed;
    traits.implicit = true;
    return traits;
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<MethodFamily, IntegratorNotes, CarriesVelocityRows>(
        id, &sdk::implicit_runge_kutta_family, this, this);
  }

  MemorySize memory(const ProblemSize& size) const override {
    const Index scratch = size.view == ViewKind::constrained    ? Layout::size<Scratch<ConstrainedForm>>(size)
                          : size.view == ViewKind::second_order ? Layout::size<Scratch<SecondOrderForm>>(size)
                                                                : Layout::size<Scratch<FirstOrderForm>>(size);
    return {Layout::size<Start>(size.n), scratch, Layout::size<Cached>(size)};
  }

  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    Layout::place<Record>(memory.cache).forget();
    Layout::place<Start>(memory.state, state.x.size).known = 0;
    return Status::success();
  }

  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    StepResult result;
    result.h = h;
    result.order = 5;
    if (problem.constrained != nullptr) {
      step<ConstrainedForm>(problem, state, h, next, error, memory, result);
    } else if (problem.second_order != nullptr) {
      step<SecondOrderForm>(problem, state, h, next, error, memory, result);
    } else {
      step<FirstOrderForm>(problem, state, h, next, error, memory, result);
    }
    return result;
  }

  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override {
    const auto record = Layout::place<Cached>(memory.cache, size_of(problem, state));
    for (std::size_t i = 0; i < stages; ++i) record.accepted[i].map() = record.tried[i].map();
    record.accepted_step = record.tried_step;
    record.accepted_error = std::max(record.tried_error, StepSize::least_remembered);
    record.rejected = record.fresh = 0;
    if (record.contraction > p_.slowest_contraction) record.linearized = 0;
    // The last stage is the end of the step, and its derivative what the iteration makes of f there.
    const auto start = Layout::place<Start>(memory.state, state.x.size);
    start.known = !changed;
    start.derivative.map() = record.tried[2].segment(0, state.x.size).map();
  }
  void reject(const Memory& memory) const override { Layout::place<Record>(memory.cache).rejected = 1; }

  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Stages U = Layout::place<Cached>(memory.cache, size_of(problem, from)).tried;
    const double h = to.t - from.t, s = (t - from.t) / h;
    const Index n = from.x.size;
    if (problem.ode != nullptr) {
      out.x.map() = from.x.map() + h * combined(integral_weights(s), U, n);
      return Status::success();
    }
    out.x.map() = from.x.map() + s * h * from.v.map() + h * h * combined(second_integral_weights(s), U, n);
    out.v.map() = from.v.map() + h * combined(integral_weights(s), U, n);
    if (problem.constrained != nullptr) ConstrainedForm::interpolate(from, to, h, s, U, out);
    return Status::success();
  }

  void note(const Memory& memory, char* text, Index capacity) const override {
    text[0] = '\0';
    if (Layout::place<Record>(memory.cache).differenced != 0) {
      std::snprintf(text, static_cast<std::size_t>(capacity),
                    "Jacobians of the right-hand side are difference quotients: the view offers no exact one");
    }
  }

 private:
  bool carries_velocity_rows(ViewKind view) const override { return view == ViewKind::constrained; }
  static ProblemSize size_of(const Problem& problem, const ConstStateView& state) {
    const ViewKind view = problem.ode != nullptr            ? ViewKind::ode
                          : problem.second_order != nullptr ? ViewKind::second_order
                                                            : ViewKind::constrained;
    return {state.x.size, state.lambda.size, view};
  }

  template <class Form>
  struct Scratch {
    Scratch(Layout& at, const ProblemSize& size) : form(at, size), iteration(at, size) {}
    typename Form::Work form;
    typename Iteration<Form>::Work iteration;
  };

  template <class Form>
  void step(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView error,
            const Memory& memory, StepResult& result) const {
    const bool fixed = p_.control == Control::fixed;
    const ProblemSize size = size_of(problem, state);
    const auto record = Layout::place<Cached>(memory.cache, size);
    const auto scratch = Layout::place<Scratch<Form>>(memory.scratch, size);
    Form form(problem, state, h, Layout::place<Start>(memory.state, size.n), record, scratch.form);
    Iteration<Form> iteration(form, record, scratch.iteration);
    Status& status = result.status;
    status = form.begin();
    if (status) status = iteration.solve(h, {p_.newton_tolerance, fixed});
    result.newton_iterations = iteration.iterations();
    if (!fixed && status.code == StatusCode::not_converged) {
      result.status = Status::success();
      result.rejected = true;
      result.h_next = h * iteration.shorter();
      record.proposed = 0;
      next.x.map() = state.x.map();
      if (next.v.size > 0) next.v.map() = state.v.map();
      return;
    }
    if (status) status = form.finish(iteration.stages_at_end(), next);
    record.tried_step = h;
    record.tried_error = 0;
    if (!status || fixed) return;
    if (state.x.size == 0) result.h_next = h * StepSize::most;  // nothing is free, and nothing bounds the step
    if (error.size == 0) return;
    status = form.estimate(iteration.stages_at_end(), error);
    double e = status ? form.error_norm(error) : 0;
    const bool first = record.accepted_step == 0;
    if (status && e >= 1 && (first || record.rejected != 0)) {
      status = form.estimate_again(iteration.stages_at_end(), error);
      e = status ? form.error_norm(error) : 0;
    }
    if (status && !std::isfinite(e)) status = Status::failure(StatusCode::not_finite, "error estimate");
    if (!status) return;
    record.tried_error = e;
    const double factor = StepSize::by_error(e, iteration.iterations(), Iteration<Form>::most_iterations);
    if (e >= 1) {
      result.rejected = true;
      result.h_next = h * (first ? 0.1 : std::min(factor, 0.9));
      record.proposed = 0;
      return;
    }
    const double kept = record.contraction <= p_.slowest_contraction ? Form::kept_step : 1;
    result.h_next = h * StepSize::next(record, h, e, factor, kept);
    // A step that was cut off at a goal bounds none.
    if (std::abs(h) < 0.999 * std::abs(record.proposed)) {
      if (std::abs(result.h_next) < std::abs(record.proposed)) result.h_next = record.proposed;
    }
    record.proposed = result.h_next;
  }

  Parameters p_;
};

}  // namespace trammel::radau

TRAMMEL_PLUGIN("radau_iia", "1.0.0", "BSD-3-Clause",
               component<trammel::radau::RadauIia>(
                   Host::any, "radau_iia",
                   "Radau IIA method of order 5, L-stable, step control by an embedded formula.",
                   "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.5, IV.8"));
