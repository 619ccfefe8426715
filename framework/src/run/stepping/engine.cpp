// The loop around attempted steps.
#include "run/stepping/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plugin/breadcrumb.h"
#include "run/plant/counted_second_order.h"
#include "run/stepping/proportional_tolerance.h"
#include "run/stepping/step_rules.h"

namespace trammel {
namespace {

constexpr double default_rtol = 1e-6, default_atol = 1e-8;

std::vector<double> to_vector(const Numbers& numbers, double otherwise) {
  if (numbers.size == 0) return {otherwise};
  return {numbers.data, numbers.data + numbers.size};
}

}  // namespace

Engine::Engine(const EngineParts& parts, double t_end)
    : plant_(parts.plant),
      integrator_(parts.integrator),
      integrator_type_(parts.integrator_type),
      plugin_(parts.integrator_plugin),
      control_(parts.control),
      traits_(parts.integrator.traits()),
      plan_(parts.control, traits_, parts.times, t_end),
      adviser_(find_extension<IntegratorAdvice>(parts.integrator)),
      channels_(find_extension<IntegratorChannels>(parts.integrator)),
      size_(parts.plant.size()),
      problem_(parts.plant.problem()),
      t_end_(t_end),
      rtol_(to_vector(control_.rtol, default_rtol)),
      atol_(to_vector(control_.atol, default_atol)),
      measure_({}, 0),
      state_(size_, parts.plant.view()),
      previous_(size_, parts.plant.view()),
      attempted_(size_, parts.plant.view()),
      next_(size_, parts.plant.view()),
      slopes_(size_, parts.plant.view()),
      defects_(size_, parts.plant.view(), parts.control.defect_control, given(parts.control.step)),
      monitor_(parts.plant.model(), parts.run_events),
      duration_(t_end) {
  fixed_ = given(control_.step);
  problem_.tolerances = {{rtol_.data(), static_cast<Index>(rtol_.size())},
                         {atol_.data(), static_cast<Index>(atol_.size())},
                         control_.norm == ErrorNorm::max};
  const Index controlled = state_.controlled().size;
  refuse_step_keys(control_, integrator_, integrator_type_, problem_.tolerances, controlled);
  if (wants_proportional_tolerance(traits_)) make_proportional(rtol_, atol_);
  measure_ = ErrorMeasure(problem_.tolerances, controlled);
  controller_ = StepController(control_, traits_.error_order);
  error_.assign(traits_.error_order > 0 ? static_cast<std::size_t>(controlled) : 0, 0.0);
  mask_.assign(static_cast<std::size_t>(controlled), 1.0);
  const MemorySize memory = integrator_.memory(size_);
  memory_state_.assign(static_cast<std::size_t>(memory.state), 0.0);
  memory_scratch_.assign(static_cast<std::size_t>(memory.scratch), 0.0);
  memory_ = {memory_state_.data(), memory_scratch_.data()};
}

double Engine::loosest_rtol() const {
  const std::vector<double> given = to_vector(control_.rtol, default_rtol);
  return *std::max_element(given.begin(), given.end());
}

double Engine::loosest_atol() const {
  const std::vector<double> given = to_vector(control_.atol, default_atol);
  return *std::max_element(given.begin(), given.end());
}

bool Engine::finished() const { return t() >= t_end_ - same_time(); }

bool Engine::fail(const std::string& message, bool by_plugin) {
  failure_ = {.happened = true, .by_plugin = by_plugin, .message = message};
  return false;
}

std::string Engine::explain(const Status& status) const {
  if (status.code == StatusCode::not_finite) {
    const std::string culprit = plant_.find_not_finite();
    if (!culprit.empty()) return culprit;
  }
  const std::string subject = plant_.subject(status), what = status.what;
  if (status.code == StatusCode::failed && what.ends_with(':')) return what.substr(0, what.size() - 1);  // a sentence
  const bool conditioned = status.code == StatusCode::singular && status.subject < 0 && status.value > 1;
  const bool iterated = status.code == StatusCode::not_converged && status.value != 0;
  const std::string number = conditioned ? fmt::format(" (condition {:.2g})", status.value)
                             : iterated  ? fmt::format(" (last change {:.3g})", status.value)
                                         : std::string();
  return fmt::format("{}{}{}{}{}", status.what, *status.what != '\0' ? " " : "", status_name(status.code), number,
                     subject.empty() ? "" : " at " + subject);
}

bool Engine::start() {
  floating_point_ = FloatingPointMode::current();
  state_.view.t = 0;
  Status status = plant_.start(state_.view);
  if (!status) return fail(fmt::format("the start at t = 0 failed: {}", explain(status)));
  if (!fixed_) refuse_unreachable_tolerances(control_, problem_.tolerances, plant_, state_.controlled(), mask());
  status = guarded(plugin_, "", "start", [&] { return integrator_.start(problem_, state_.view, memory_); });
  if (!status) return fail(fmt::format("integrator '{}' could not start: {}", integrator_type_, explain(status)));
  previous_.copy_from(state_);
  attempted_.copy_from(state_);
  min_step_ = given(control_.min_step) ? control_.min_step : 16 * 2.3e-16 * std::max(1.0, t_end_);
  h_ = fixed_ ? control_.step : std::max(choose_first_step(), min_step_);
  status = plant_.observe(state_.view);
  if (!status) return fail(fmt::format("the initial state cannot be evaluated: {}", explain(status)));
  if (const std::string text = plan_.about_fixed_steps(t_end_); !text.empty()) warnings_.push_back(text);
  if (!start_events()) return false;
  if (monitor_.any()) plant_.observe(state_.view);
  limit_turning();
  defects_.restart(plant_);
  return true;
}

// Angles that count turns follow the nearest branch from one accepted step to the next.
void Engine::limit_turning() {
  const double limit = plant_.turning_step(), ahead = std::min(limit, plant_.forecast_step());
  const Observation& now = plant_.observation();
  const double rate = monitor_.any() && now.v.size > 0 ? EventSamples::fastest(plant_.model(), now.v.data) : 0;
  plan_.limit_turning(rate > 0 ? std::min(ahead, EventSamples::most_turn / rate) : ahead);
  if (!fixed_ || control_.step <= limit || turning_warned_) return;
  turning_warned_ = true;
  warnings_.push_back(
      fmt::format("at t = {:.6g} bodies turn so fast that a fixed step of {:g} s may lose count of the turns "
                  "of joint angles; steps up to {:.3g} s are safe",
                  t(), control_.step, limit));
}

std::string Engine::about_zero_tolerance() const {
  const bool zero = std::find(atol_.begin(), atol_.end(), 0.0) != atol_.end();
  return zero && !fixed_ ? "; with an \"atol\" of 0 a component that passes through zero has to be exact there" : "";
}

void Engine::ask_advice() {
  const char* text = adviser_ != nullptr && advice_ < 0 ? adviser_->advice(memory_) : nullptr;
  if (text == nullptr) return;
  advice_ = static_cast<int>(warnings_.size());
  warnings_.push_back(fmt::format("at t = {:.6g}: {}", t(), text));
}

double Engine::choose_first_step() {
  const double largest = given(control_.max_step) ? std::min(control_.max_step, t_end_) : t_end_;
  if (given(control_.initial_step)) return std::min(control_.initial_step, largest);
  if (problem_.constrained != nullptr) return std::min(largest, 1e-4 * t_end_);
  if (problem_.second_order != nullptr) {
    FirstOrderForm form(*problem_.second_order);
    const Index n = form.size();
    std::vector<double> y(state_.controlled().data, state_.controlled().data + n),
        work(static_cast<std::size_t>(3 * n));
    return first_step(form, t(), {y.data(), n}, measure_, traits_.error_order, largest, {work.data(), n},
                      {work.data() + n, n}, {work.data() + 2 * n, n});
  }
  slopes_.forget();
  // Methods that choose their own order begin with the first.
  const int order = traits_.self_controlled ? 1 : traits_.error_order;
  return first_step(*problem_.ode, t(), state_.view.x, measure_, order, largest, slopes_.first(), next_.view.x,
                    slopes_.second());
}

ConstVectorView Engine::mask() {
  if (problem_.ode != nullptr) return problem_.ode->mask();
  if (problem_.second_order != nullptr) {
    const ConstVectorView half = problem_.second_order->mask();
    std::copy(half.data, half.data + half.size, mask_.begin());
    std::copy(half.data, half.data + half.size, mask_.begin() + half.size);
  }
  return {mask_.data(), static_cast<Index>(mask_.size())};
}

bool Engine::can_land_at(double t) const {
  return !plan_.ends_on_grid_only() || plan_.on_grid(t) || t >= t_end_ - same_time();
}

bool Engine::advance() {
  if (failure_.happened || finished()) return false;
  const PhaseScope scope(plugin_.c_str(), "", "step");
  try {
    return advance_unguarded();
  } catch (...) {
    // Whatever ran last has left its name.
    rethrow_named(breadcrumb.plugin.load(), breadcrumb.element.load(), "step");
  }
}

bool Engine::advance_unguarded() {
  if (pending_ && !resume()) return false;
  const long rejections_allowed = 200;  // in a row: beyond that no controller is converging
  for (long tries = 0; tries < rejections_allowed; ++tries) {
    const Target target = plan_.next(t(), h_, t_end_);
    // The step proposed, not the rest up to a goal: that may be as short as it is.
    const double smallest = 16 * 2.3e-16 * std::max(1.0, t_end_);
    constexpr long steps_of_a_start = 20;  // methods that control themselves begin with short steps that grow
    const bool too_small = h_ < min_step_ && (!traits_.self_controlled || plan_.segment_steps() >= steps_of_a_start);
    if (!fixed_ && (too_small || plan_.turning_limit() < smallest) && target.h < t_end_ - t()) {
      const Index worst = error_.empty() ? -1
                                         : measure_.dominant({error_.data(), static_cast<Index>(error_.size())},
                                                             state_.controlled(), attempted_.controlled(), mask());
      return fail(
          fmt::format("the step size fell below {:.3g} at t = {:.9g}{}; try another integrator for stiff or "
                      "discontinuous problems, looser tolerances, or a look at the model there{}",
                      min_step_, t(),
                      worst >= 0 ? fmt::format("; '{}'{} has the dominant error", plant_.component_name(worst),
                                               plant_.component_owner(worst))
                                 : std::string(),
                      about_zero_tolerance()));
    }
    if (attempt(target)) return true;
    if (failure_.happened) return false;
  }
  return fail(fmt::format("{} attempts in a row failed at t = {:.9g}", rejections_allowed, t()));
}

bool Engine::attempt(const Target& target) {
  if (target.anew) {
    const Status begun = integrator_.start(problem_, state_.view, memory_);
    if (!begun) return fail(fmt::format("restart at t = {:.9g} failed: {}", t(), explain(begun)));
  }
  plant_.begin_attempt();
  const VectorView error{error_.data(), static_cast<Index>(error_.size())};
  attempted_.view.t = plan_.left_of_break(target.t);
  const double h =
      attempted_.view.t < target.t && (traits_.variable_step || target.anew) ? attempted_.view.t - t() : target.h;
  plant_.counters.earliest = std::numeric_limits<double>::infinity(),
  plant_.counters.latest = -plant_.counters.earliest;
  const StepResult result = integrator_.attempt(problem_, state_.view, h, attempted_.view, error, memory_);
  Status status = result.status;
  // Self-controlled methods may have taken a shorter step; all others end where they were told to.
  const bool as_told = result.h == 0 || result.h == h;
  const double taken = as_told ? h : result.h;
  if (!as_told) attempted_.view.t = t() + taken;
  statistics_.newton_iterations += result.newton_iterations;
  if (status && !(attempted_.controlled().map().allFinite())) {
    const ConstVectorView y = attempted_.controlled();
    for (Index i = 0; i < y.size && status; ++i) {
      if (!std::isfinite(y[i])) status = Status::failure(StatusCode::not_finite, "state", i, y[i]);
    }
  }
  if (!status) {
    retry(taken, status);
    return false;
  }
  if (fixed_ && !stays_inside(target)) return false;
  if (result.rejected) {
    reject(result.h_next < taken && result.h_next > 0 ? result.h_next : 0.5 * taken);
    return false;
  }

  // What is asked inside the step later, its slope at the end among it, stays before a break point.
  next_.copy_from(attempted_);
  if (as_told) next_.view.t = target.t;
  const Correction correction = plant_.correct(next_.view, error);
  if (!correction.status) {
    retry(taken, correction.status);
    return false;
  }
  const double proposed = h_;
  if (!fixed_ && !traits_.self_controlled) {
    error_norm_ = measure_.norm(error, state_.controlled(), attempted_.controlled(), mask());
    if (!(error_norm_ <= 1)) {
      if (!std::isfinite(error_norm_)) {
        retry(h, Status::failure(StatusCode::not_finite, "error estimate"));
        return false;
      }
      reject(controller_.rejected(h, error_norm_));
      return false;
    }
    h_ = controller_.accepted(h, error_norm_);
    if (target.t == plan_.landing()) h_ = std::max(h_, proposed);
  } else if (traits_.self_controlled && result.h_next > 0) {
    h_ = result.h_next;
  }
  if (!fixed_) {
    const double estimate = !traits_.self_controlled ? error_norm_
                            : traits_.error_order > 0
                                ? measure_.norm(error, state_.controlled(), attempted_.controlled(), mask())
                                : -1;
    const double instead = defects_.look({problem_, integrator_, plant_, measure_, mask(), memory_, state_, attempted_,
                                          estimate, statistics_.steps, duration_});
    if (instead > 0) {
      controller_.failed(taken);
      reject(instead);
      return false;
    }
    // A step that was cut off at a goal bounds none.
    h_ = std::min(h_, std::max({defects_.largest_next(), proposed, min_step_}));
  }
  last_h_ = taken;
  last_order_ = result.order > 0 ? result.order : traits_.order;
  return accept(correction, target);
}

// Methods with stages outside their step see functions behind a jump as they are before it, or the other way round.
bool Engine::stays_inside(const Target& target) {
  const double earliest = plant_.counters.earliest, latest = plant_.counters.latest;
  const double jump = plan_.jump_outside(t(), target.t, earliest, latest);
  if (!std::isfinite(jump)) return true;
  return fail(
      fmt::format("'{}' evaluates forces outside its steps (that from t = {:.9g} to {:.9g} at t = {:.9g}), across the "
                  "jump of a function of time at t = {:.9g}; take a method that stays inside, such as 'rk4'",
                  integrator_type_, t(), target.t, jump > t() ? latest : earliest, jump));
}

void Engine::reject(double h_next) {
  integrator_.reject(memory_);
  ++statistics_.rejected;
  h_ = h_next;
  if (!plant_.rollback(state_.view)) return;
  ++statistics_.restarts;
  integrator_.start(problem_, state_.view, memory_);
  controller_.restart();
}

void Engine::retry(double h, const Status& status) {
  // The model is still where the attempt ended.
  const std::string reason = fixed_ ? explain(status) : std::string();
  reject(h);
  if (fixed_) {
    fail(fmt::format("the step from t = {:.9g} to {:.9g} failed: {}; try a smaller step or a stable method", t(),
                     t() + h, reason));
    return;
  }
  h_ = controller_.failed(h);
  if (h_ < min_step_) {
    fail(
        fmt::format("no step from t = {:.9g} succeeds: {}; try looser tolerances, another integrator or "
                    "formulation, or a look at the model there{}",
                    t(), explain(status), about_zero_tolerance()));
  }
}

bool Engine::accept(const Correction& correction, const Target& target) {
  std::swap(previous_, state_);
  state_.copy_from(next_);
  ++statistics_.steps;
  integrator_.accept(problem_, state_.view, correction.changed, memory_);
  plant_.accepted();
  Status status;
  if (t() > t_end_ + same_time()) {
    // A step on an equidistant grid went past the end: the run ends at its end, on the interpolant.
    status = interpolate(t_end_, next_.view);
    if (!status) return fail(fmt::format("the state at the end cannot be interpolated: {}", explain(status)));
    next_.view.t = t_end_;
    state_.copy_from(next_);
  }
  plan_.step_taken(target, t());
  if (!look_for_events(correction.restart)) return false;
  if (fixed_) {
    std::string text = defects_.watch(plant_, previous_.view, state_.view);
    if (!text.empty()) warnings_.push_back(std::move(text));
  }
  pending_ = pending_ || plan_.left_of_break(t()) != t();
  if (before_observation_) status = before_observation_();
  if (!status)
    return fail(fmt::format("the energy balance cannot be evaluated before t = {:.9g}: {}", t(), explain(status)));
  pending_ = pending_ || correction.restart;  // in another chart the motion goes on
  status = plant_.observe(state_.view);
  if (!status) return fail(fmt::format("the state at t = {:.9g} cannot be evaluated: {}", t(), explain(status)));
  if (!contacts_hold(t())) return false;
  plant_.settle();
  limit_turning();
  ask_advice();
  const double violation = plant_.violation();
  if (plant_.constraint_limit() > 0 && !(violation <= plant_.constraint_limit())) {
    return fail(
        fmt::format("constraint violation {:.3g} exceeds the limit {} at t = {:.9g}, most at '{}'; try formulation "
                    "'projection' or 'coordinate_partitioning', smaller steps or tolerances, or another "
                    "analysis.constraint_limit",
                    violation, plant_.constraint_limit_text(), t(), plant_.worst_constraint()));
  }
  if (const char* what = floating_point_.difference(FloatingPointMode::current())) {
    floating_point_.restore();
    return fail(
        fmt::format("a plugin changed the processor's floating-point mode ({}) before t = {:.9g}; integrator plugin "
                    "'{}', see summary.json for the others",
                    what, t(), plugin_),
        true);
  }
  return true;
}

std::string Engine::note() const {
  const auto* notes = find_extension<IntegratorNotes>(integrator_);
  if (notes == nullptr) return "";
  std::array<char, 400> text{};
  notes->note(memory_, text.data(), static_cast<Index>(text.size() - 1));
  return text.data();
}

Statistics Engine::statistics() const {
  Statistics all = statistics_;
  all.evaluations = plant_.counters.evaluations;
  all.jacobians = plant_.counters.jacobians;
  all.factorizations = plant_.counters.factorizations;
  if (const ConstrainedModel* model = plant_.model()) {
    if (problem_.ode != nullptr) {
      all.jacobians = model->point().jacobians, all.factorizations = model->kkt().factorizations;
    }
    all.constraint_projections = model->projections();
  }
  return all;
}

}  // namespace trammel
