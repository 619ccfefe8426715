// Formulations, functions and problems with one mistake each: type bad_<check>.
#include <trammel/extensions/formulation_extensions.h>
#include <trammel/extensions/function_bounds.h>
#include <trammel/extensions/system_extensions.h>
#include <trammel/function.h>
#include <trammel/sdk/elements/second_order_problem.h>
#include <trammel/sdk/formulations/index1_formulation.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using namespace trammel;

enum class Bug {
  none,
  embedding,
  reference,
  manifold,
  idempotent,
  rechart,
  redundant,
  rates,
  exact_jacobian,
  feedback,
  error,
  turning,  // formulations
  shapes,
  derivatives,
  integral,
  break_points,
  bounds,
  kinks,
  arguments,
  study,  // functions
  mass,
  jacobian,
  power,
  frequency  // problems
};

/// memory.state: how often it was started.
template <Bug bug>
class Treatment final : public sdk::Index1Formulation, private ConstraintFeedback {
 public:
  const void* extension(const char* id) const override {
    if (bug == Bug::feedback) {
      if (const void* own = sdk::offer_extensions<ConstraintFeedback>(id, this)) return own;
    }
    return sdk::Index1Formulation::extension(id);
  }
  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  MemorySize memory(const ConstrainedLayout& system) const override {
    return {1, sdk::Index1Formulation::memory(system).scratch};
  }
  Status start(ConstrainedSystem&, double, ConstVectorView, ConstVectorView, const Memory& memory) const override {
    memory.state[0] += 1;
    return Status::success();
  }
  Status lift(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView q, VectorView v,
              VectorView z) const override {
    const Status status = sdk::Index1Formulation::lift(system, t, y, memory, q, v, z);
    if (bug == Bug::embedding) v.map() *= 1.001;
    return status;
  }
  Correction correct(ConstrainedSystem&, double, VectorView y, VectorView error, const Memory&) const override {
    Correction result;
    if (bug == Bug::idempotent) y[0] += 1.5e-9, result.changed = true;
    if (bug == Bug::error && error.size > 0) error.map() *= 0.5;
    return result;
  }

 protected:
  void acceleration_rhs(const ConstrainedEquations& system, ConstVectorView, const Memory& memory,
                        VectorView g) const override {
    g.map() = system.gamma().map();
    const auto* choice = find_extension<RowChoice>(system);
    if (bug == Bug::reference) g[0] += 0.001, g[1] += 0.002;
    if (bug == Bug::manifold) g[0] += 1e-6;
    if (bug == Bug::rechart && memory.state[0] > 1) g[1] += 0.01;
    if (bug == Bug::rates && system.rheonomic()) g.map().array() += 0.01;
    const auto* layout = find_extension<BodyLayout>(system);
    if (bug == Bug::turning && layout->dimensions() == 3 && system.coordinates() == 3) g[0] += 0.05;
    if (bug == Bug::redundant && choice != nullptr && choice->redundant() > 0) g.map().array() += 0.05;
  }
  /// The Jacobian of a feedback that rhs has not.
  bool exact_feedback(const Memory&, sdk::LinearFeedback& feedback) const override {
    feedback = {1, 1};
    return bug == Bug::exact_jacobian;
  }

 private:
  double alpha() const override { return 1; }
  double beta() const override { return 1; }
};

/// x^2 from 1 on, 0 below.
template <Bug bug>
class Planted final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  Status evaluate(double x, int order, double* value) const override {
    if (bug == Bug::arguments && !(std::abs(x) < 1e100)) std::abort();
    const double on = x > 1 ? (bug == Bug::study ? 1.01 : 1) : 0;
    const double f[4] = {on * x * x, on * 2 * x, on * 2, 0};
    for (int k = 0; k <= (bug == Bug::shapes ? 3 : order); ++k) value[k] = f[k];
    if (bug == Bug::derivatives && order >= 2) value[2] *= 1.01;
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    const double points[2] = {bug == Bug::kinks ? 1.2 : 1, bug == Bug::break_points ? 0.5 : 4};
    for (Index k = 0; k < capacity && k < 2; ++k) x[k] = points[k];
    return 2;
  }
  Status antiderivative(double x, double* value) const override {
    *value = x > 1 ? (bug == Bug::study ? 1.01 : 1) * (x * x * x - 1) / (bug == Bug::integral ? 3.1 : 3) : 0;
    return Status::success();
  }
  /// It grows where it is not 0. The value at a jump is that before it.
  Status bounds(double from, double to, double* range) const override {
    double low[4] = {}, high[4] = {};  // one of the mistakes writes more than was asked for
    evaluate(std::max(from, 0.0), 0, low);
    evaluate(std::max(to, 0.0), 0, high);
    range[0] = low[0], range[1] = bug == Bug::bounds && to - from > 0.5 ? 0.9 * high[0] : high[0];
    return Status::success();
  }
  const void* extension(const char* id) const override {
    if (bug == Bug::none || bug == Bug::bounds)
      return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
    return sdk::offer_extensions<FunctionIntegral>(id, this);
  }
};

template <Bug bug>
class Oscillator final : public System, private FrequencyBound {
  using View = sdk::SecondOrderView<Oscillator, 1>;
  /// Forwards everything; the Jacobian may be wrong.
  class Wrong final : public SecondOrderSystem {
   public:
    explicit Wrong(const Oscillator& problem) : view_(problem) {}
    Index size() const override { return 1; }
    Status acceleration(double t, ConstVectorView x, ConstVectorView v, VectorView a) override {
      return view_.acceleration(t, x, v, a);
    }
    Status apply_mass(ConstVectorView y, VectorView out) override { return view_.apply_mass(y, out); }
    Status linearize(double t, ConstVectorView x, ConstVectorView v) override { return view_.linearize(t, x, v); }
    Status apply_J1(ConstVectorView y, VectorView out) override {
      const Status status = view_.apply_J1(y, out);
      if (bug == Bug::jacobian) out[0] *= 1.01;
      return status;
    }
    Status apply_J2(ConstVectorView y, VectorView out) override { return view_.apply_J2(y, out); }
    Status time_gradient(VectorView out) override { return view_.time_gradient(out); }
    Status prepare(Index first, const Shift* shifts, Index count) override {
      return view_.prepare(first, shifts, count);
    }
    Status solve(Index handle, ConstVectorView r, VectorView z) override { return view_.solve(handle, r, z); }
    ConstVectorView mask() const override { return view_.mask(); }

   private:
    View view_;
  };

 public:
  Oscillator() : view_(*this) {}
  SecondOrderSystem* second_order() override { return &view_; }
  const void* extension(const char* id) const override {
    return bug == Bug::frequency ? sdk::offer_extensions<FrequencyBound>(id, this) : nullptr;
  }
  /// It vibrates with the root of 2.
  double highest_frequency() const override { return 1.2; }
  const char* coordinate_name(Index) const override { return "x"; }
  void initial(VectorView x, VectorView v) const override { x[0] = 1, v[0] = 0; }
  bool energy(double, ConstVectorView x, ConstVectorView v, double& kinetic, double& potential) const override {
    kinetic = (bug == Bug::mass ? 1.1 : 1) * v[0] * v[0];
    potential = (bug == Bug::power ? 1.1 : 1) * 2 * x[0] * x[0];
    return true;
  }
  template <class S>
  void mass(const S&, const S*, S (*M)[1]) const {
    M[0][0] = 2;
  }
  template <class S>
  void force(const S&, const S* x, const S* v, S* Q) const {
    Q[0] = -4.0 * x[0] - 0.3 * v[0];
  }

 private:
  Wrong view_;
};

template <Bug bug>
constexpr ComponentRecord treatment(const char* type) {
  return sdk::component<Treatment<bug>>(Host::any, type, "A formulation with a mistake.");
}
template <Bug bug>
constexpr ComponentRecord function(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "A function with a mistake.");
}
template <Bug bug>
constexpr ComponentRecord problem(const char* type) {
  return sdk::component<Oscillator<bug>>(Host::any, type, "A problem with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_treatments", "1.0.0", "BSD-3-Clause", treatment<Bug::none>("good"),
               treatment<Bug::embedding>("bad_embedding"), treatment<Bug::reference>("bad_reference"),
               treatment<Bug::manifold>("bad_manifold"), treatment<Bug::idempotent>("bad_idempotent"),
               treatment<Bug::rechart>("bad_rechart"), treatment<Bug::redundant>("bad_redundant"),
               treatment<Bug::rates>("bad_rates"), treatment<Bug::exact_jacobian>("bad_exact_jacobian"),
               treatment<Bug::feedback>("bad_feedback"), treatment<Bug::error>("bad_error"),
               treatment<Bug::turning>("bad_turning"), function<Bug::none>("good"), function<Bug::shapes>("bad_shapes"),
               function<Bug::derivatives>("bad_derivatives"), function<Bug::integral>("bad_integral"),
               function<Bug::break_points>("bad_break_points"), function<Bug::bounds>("bad_bounds"),
               function<Bug::kinks>("bad_kinks"), function<Bug::arguments>("bad_arguments"),
               function<Bug::study>("bad_study"), problem<Bug::none>("good"), problem<Bug::mass>("bad_problem_mass"),
               problem<Bug::jacobian>("bad_problem_jacobian"), problem<Bug::power>("bad_problem_power"),
               problem<Bug::frequency>("bad_problem_frequency"));
