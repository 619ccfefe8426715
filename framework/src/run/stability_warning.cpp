// The warnings about fixed steps in which small motions of the model, or constraint violations, grow although they
// should not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "config/step_control_keys.h"
#include "plugin/breadcrumb.h"
#include "run/simulation_state.h"
#include "stability/highest_frequency.h"
#include "stability/stability.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {
namespace {

/// What the model does about its initial state.
struct FastMotions {
  double frequency = 0;  ///< rad/s, undamped; 0: unknown, or nothing vibrates
  std::vector<std::complex<double>> eigenvalues;
};

FastMotions look(SmallMotions motions) {
  FastMotions found;
  found.frequency = motions.highest_frequency();
  found.eigenvalues = motions.eigenvalues(found.frequency > 0 ? found.frequency : 1);
  return found;
}

/// At the initial state, which has been observed.
FastMotions fast_motions(Plant& plant, const ConstStateView& state) {
  const PlantCounters before = plant.counters;  // those of the run
  FastMotions found;
  if (ConstrainedModel* model = plant.model(); model != nullptr) {
    Linearization& linearization = model->parts().linearization;
    const bool made = linearization.made();
    const std::vector<Index> differenced = linearization.differenced();
    found = look(SmallMotions(*model, plant.observation().a, plant.observation().lambda));
    if (!made) linearization.forget();  // the run itself may need no derivatives
    linearization.differenced() = differenced;
    plant.observe(state);
  } else {
    found = look(SmallMotions(*plant.problem().second_order, state.t, state.x, state.v));
  }
  plant.counters = before;
  return found;
}

std::string text_of(std::complex<double> eigenvalue) {
  return eigenvalue.imag() != 0 ? fmt::format("{:.4g} +- {:.4g} i", eigenvalue.real(), std::abs(eigenvalue.imag()))
                                : fmt::format("{:.4g}", eigenvalue.real());
}

std::string beyond_limit(const std::string& type, double h, double omega, double limit) {
  return fmt::format(
      "steps of {:g} s are beyond the stability limit of '{}': h omega = {:.4g} for the highest frequency of the model "
      "at its start, about {:.4g} rad/s; the limit is {:.4g}, steps of {:.3g} s",
      h, type, h * omega, omega, limit, limit / omega);
}

std::string never_stable(const std::string& type, const StabilityProbe& probe, const StabilityLimit& stability,
                         double h, double omega, double duration) {
  constexpr double noteworthy_factor = 1.02;  // of the amplitude of the fastest motion, over the run
  const bool weak = stability.growth_power > 0.5;
  std::string consequence;
  const double radius_of_fastest = omega > 0 ? probe.spectral_radius({0, h * omega}) : 1;
  if (weak && std::pow(radius_of_fastest, duration / h) < noteworthy_factor) return "";
  if (omega > 0) {
    consequence = fmt::format(
        "; errors of the highest frequency of the model at its start, about {:.4g} rad/s, grow by {:.3g} per step, in "
        "this run to {:.3g} times their size",
        omega, radius_of_fastest - 1, std::pow(radius_of_fastest, duration / h));
  }
  const std::string radius =
      weak ? fmt::format("its spectral radius is 1 + {:.3g} (h omega)^{:.2g} for small h omega", stability.growth,
                         stability.growth_power)
           : fmt::format("its spectral radius is {:.3g} however small the step", 1 + stability.growth);
  return fmt::format("'{}' with these parameters is {} for every step: {}{}", type,
                     weak ? "weakly unstable" : "unstable", radius, consequence);
}

/// Damped motions that the method lets grow noticeably, or "".
std::string damped_growth(const std::string& type, const StabilityProbe& probe,
                          const std::vector<std::complex<double>>& eigenvalues, double h, double duration) {
  constexpr double least_damping = 1e-3, noteworthy_factor = 10;
  double largest = 1;
  std::complex<double> worst;
  for (const std::complex<double>& lambda : eigenvalues) {
    if (!(-lambda.real() > least_damping * std::abs(lambda))) continue;
    const double radius = probe.spectral_radius(h * lambda);
    if (std::isfinite(radius) && radius > largest) largest = radius, worst = lambda;
  }
  const double factor = std::pow(largest, duration / h);
  if (!(factor > noteworthy_factor)) return "";
  return fmt::format(
      "'{}' with these parameters and steps of {:g} s is unstable for a damped motion of the model at its start with "
      "the eigenvalue {} 1/s: its errors grow by {:.3g} per step, in this run to {:.3g} times their size",
      type, h, text_of(worst), largest - 1, factor);
}

/// Methods that do not damp what is infinitely fast keep whatever disturbs multipliers at index 3, or "".
std::string undamped_constraints(const std::string& type, const StabilityProbe& probe, bool reducible) {
  constexpr double infinite = 1e8, damping = 1e-6;
  const double radius = probe.spectral_radius({0, infinite});
  if (!std::isfinite(radius) || radius < 1 - damping) return "";
  return fmt::format(
      "'{}' with these parameters does not damp infinitely fast motions (spectral radius {:.6g}), and constraints are "
      "such at index "
      "3: every disturbance of the multipliers stays, and velocities may run away from the constraints; take damping "
      "('hht' with "
      "\"alpha\" below 0, 'generalized_alpha' with \"rho_infinity\" below 1){}",
      type, radius, reducible ? ", or \"formulation\": \"coordinate_partitioning\"" : "");
}

/// How a method with fixed steps on first-order views lets motions of the model grow.
class FirstOrderGrowth {
 public:
  FirstOrderGrowth(const Integrator& integrator, double h)
      : formula_(find_extension<LinearStability>(integrator)), h_(h) {
    if (formula_ == nullptr) probe_.emplace(integrator, h);
  }
  bool known() const { return formula_ != nullptr || probe_->status().ok(); }

  /// Of the motion that the method lets grow most beyond its own growth, "" if that is of no consequence.
  std::string warning(const std::string& type, const FastMotions& motions, double duration) const {
    constexpr double noteworthy_factor = 100;  // one that acts is wrong by then
    double largest = 1;
    std::complex<double> worst;
    const auto judge = [&](std::complex<double> mu) {
      const std::complex<double> z = h_ * mu;
      const double radius = this->radius(z);
      if (!std::isfinite(radius) || std::abs(z) == 0) return;
      const double excess = radius / std::exp(std::max(0.0, z.real()));
      if (excess > largest) largest = excess, worst = mu;
    };
    for (const std::complex<double>& mu : motions.eigenvalues) judge(mu);
    if (motions.frequency > 0) judge({0, motions.frequency});
    const double factor = std::pow(largest, duration / h_);
    if (!(factor > noteworthy_factor)) return "";
    return fmt::format(
        "steps of {:g} s are beyond the stability limit of '{}' for a motion of the model at its start with the "
        "eigenvalue {} 1/s "
        "(h omega = {:.4g}): it grows by {:.3g} per step, in this run to {} its size; take steps below {:.2g} s",
        h_, type, text_of(worst), h_ * std::abs(worst), largest - 1,
        factor < 1e100 ? fmt::format("{:.3g} times", factor) : std::string("more than 1e100 times"),
        stable_step(worst, duration));
  }

 private:
  double radius(std::complex<double> z) const {
    return formula_ != nullptr ? formula_->spectral_radius(z.real(), z.imag()) : probe_->spectral_radius(z);
  }
  /// Largest h / 1.1^k at which the motion grows by less than a tenth in the run.
  double stable_step(std::complex<double> mu, double duration) const {
    double h = h_;
    for (int i = 0; i < 200; ++i, h /= 1.1) {
      const double growth = std::log(radius(h * mu)) - std::max(0.0, h * mu.real());
      if (!(growth * duration / h > 0.1)) break;
    }
    return h;
  }

  const LinearStability* formula_;
  std::optional<StabilityProbe> probe_;
  double h_;
};

/// Stages violate the constraints by far more than the ends of steps. Feedback as fast as the step makes errors of that,
/// which step control answers with shorter steps and these with faster feedback: of the slider-crank under dopri5 366
/// steps at alpha_h = 0.1, 9900 at 0.5, 550 000 at 1. "" where that is no matter.
std::string fast_feedback(const std::string& type, const Integrator& integrator, double alpha_h) {
  constexpr double fast = 0.25;
  const auto* ends = find_extension<EvaluatesAtEnds>(integrator);
  if (!(alpha_h > fast) || (ends != nullptr && ends->at_ends_only())) return "";
  return fmt::format(
      "'{}' evaluates rates inside its steps, where the constraints are violated by more than at their "
      "ends: with \"alpha_h\" above {:g} step control answers to the feedback, and steps get far shorter "
      "than the motion needs; take a smaller \"alpha_h\", \"alpha\" in its place, or 'ddeabm'",
      type, fast);
}

}  // namespace

// Methods on second-order and constrained views, which are meant for undamped vibrations: their limit on the imaginary
// axis, then damped motions. Methods on first-order views damp or feed undamped vibrations a little whatever the step;
// what counts is how much each motion grows in the run.
void Simulation::State::warn_of_instability() {
  const PhaseScope scope(methods.integrator_plugin().c_str(), run.integrator.type.c_str(), "search of stability");
  const double h = methods.control().step;
  const bool constrained = methods.view() == ViewKind::constrained;
  if (constrained && methods.integrator().traits().implicit) {
    const StabilityProbe probe(methods.integrator(), given(h) ? h : 1);
    const std::string text =
        probe.status() ? undamped_constraints(run.integrator.type, probe, model->assembly()->velocity_rows() == 0) : "";
    if (!text.empty()) remarks.warn(text);
  }
  if (!given(h)) return;
  if (methods.view() == ViewKind::ode) {
    if (plant->model() == nullptr) return;
    const FirstOrderGrowth method(methods.integrator(), h);
    if (!method.known()) return;
    const FastMotions motions = fast_motions(*plant, engine->state());
    remarks.predict(method.warning(run.integrator.type, motions, engine->t_end()));
    return;
  }
  const StabilityProbe probe(methods.integrator(), h);
  if (!probe.status()) return;
  RayOptions ray;
  ray.until = 8;
  ray.points = 80;
  const double rounding = ray.tolerance;
  const StabilityLimit stability = find_stability_limit(probe, ray);
  if (stability.unlimited) return;
  FastMotions motions = fast_motions(*plant, engine->state());
  if (const auto* bound = find_extension<FrequencyBound>(model->system()))
    motions.frequency = bound->highest_frequency();
  const std::string& type = run.integrator.type;
  std::string text;
  if (stability.limit == 0) {
    text = never_stable(type, probe, stability, h, motions.frequency, engine->t_end());
  } else if (h * motions.frequency > stability.limit &&
             probe.spectral_radius({0, h * motions.frequency}) > 1 + rounding) {
    text = beyond_limit(type, h, motions.frequency, stability.limit);
  } else {
    text = damped_growth(type, probe, motions.eigenvalues, h, engine->t_end());
  }
  remarks.predict(text);
}

// Stabilized constraints obey Phi'' + 2 alpha Phi' + beta^2 Phi = 0, whose solutions a method with fixed steps must not
// let grow: the roots of s^2 + 2 alpha s + beta^2, times h, have to lie in its stability region.
void Simulation::State::warn_of_unstable_feedback() {
  constexpr double noteworthy_growth = 1e-9;  // beyond the rounding of the largest root
  if (methods.formulation() == nullptr) return;
  const double h = methods.control().step;
  const auto* stepwise = find_extension<StepwiseFeedback>(*methods.formulation());
  if (!given(h)) {
    const std::string text =
        stepwise != nullptr ? fast_feedback(run.integrator.type, methods.integrator(), stepwise->alpha_h()) : "";
    if (!text.empty()) remarks.warn(text);
    return;
  }
  const auto* feedback = find_extension<ConstraintFeedback>(*methods.formulation());
  const auto* stability = find_extension<LinearStability>(methods.integrator());
  if (feedback == nullptr || stability == nullptr) return;
  const double chosen = stepwise != nullptr ? stepwise->alpha_h() / h : 0;
  const double limit = stepwise != nullptr ? stepwise->largest_alpha_h() / h : 0;
  const double larger = std::max(feedback->alpha(), feedback->beta());
  const double share = limit > 0 && larger > limit ? limit / larger : 1;
  const auto in_force = [&](double given) { return chosen > 0 ? chosen : share * given; };
  const std::complex<double> alpha = in_force(feedback->alpha()), beta = in_force(feedback->beta());
  const std::complex<double> split = std::sqrt(alpha * alpha - beta * beta);
  for (const std::complex<double>& root : {-alpha - split, -alpha + split}) {
    const double radius = stability->spectral_radius(h * root.real(), h * root.imag());
    if (radius <= 1 + noteworthy_growth) continue;
    remarks.predict(
        fmt::format("the stabilization (alpha {:g}, beta {:g}) is unstable with steps of {:g} s: h times its roots, "
                    "{}, lies outside the "
                    "stability region of '{}', and constraint violations grow by {:.4g} per step; take smaller steps "
                    "or a smaller alpha",
                    alpha.real(), beta.real(), h, text_of(h * root), run.integrator.type, radius));
    return;
  }
}

}  // namespace trammel
