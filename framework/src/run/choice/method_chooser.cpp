// The rules of the choice.
#include "run/choice/method_chooser.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/step_control_keys.h"
#include "model/lone_integrator.h"
#include "trammel/error.h"
#include "trammel/extensions/carries_velocity_rows.h"

namespace trammel {
namespace {

// Up to here the dense matrices of partitioning cost less than the sparse ones of index 3, whose steps take twice the
// evaluations. Beams of 20 and 80 links and the HMMWV tell (docs/which_method.md).
constexpr long most_dense_freedoms = 40;
// Below it rounding of stiff velocities on index 3 is not small any more: a beam of 20 links fails at 1e-8.
constexpr double tightest_on_index_3 = 1e-7;

double tolerance_of(const Section& section, const char* key, double otherwise) {
  const Node* node = section ? section.node->find(key) : nullptr;
  if (node == nullptr) return otherwise;
  double least = node->is_number() ? node->number : otherwise;
  for (const Node& item : node->items) least = std::min(least, item.number);
  return least;
}

std::string resolved_text(const MotionDemand& demand) {
  constexpr double turn = 6;
  return demand.radians < turn ? std::string("less than a turn has to be resolved")
                               : fmt::format("{:.2g} rad have to be resolved", demand.radians);
}

/// The formulation for a stiff motion, and why it is not that for most, or "".
MethodTypes stiff_types(const ModelFacts& facts, std::string& why) {
  MethodTypes types{"", "radau_iia"};
  if (!facts.bodies) return types;
  if (facts.velocity_rows > 0)
    why = "; rows that hold for velocities only are carried on index 3, without a formulation";
  else if (facts.freedom > most_dense_freedoms && facts.rtol >= tightest_on_index_3)
    why = fmt::format("; {} degrees of freedom, for which the sparse matrices of index 3 are cheaper", facts.freedom);
  else if (facts.freedom > 0)
    types.formulation = "coordinate_partitioning";
  return types;
}

}  // namespace

MethodChooser::MethodChooser(PluginHost& host, const RunFile& run, Model& model)
    : host_(host), run_(run), model_(model), facts_(sizes_of(model)) {
  facts_.duration = run.analysis.duration;
  facts_.rtol = tolerance_of(run.integrator, "rtol", facts_.rtol);
  facts_.atol = tolerance_of(run.integrator, "atol", facts_.atol);
}

bool MethodChooser::needs_start() const { return is_automatic(run_.integrator); }

void MethodChooser::look(ModelStart* start) {
  const double T = given(facts_.duration) ? facts_.duration : 1;
  if (start != nullptr) {
    ConstrainedModel& model = *start->model.numbers;
    const BodyState at = start->model.at.view();
    facts_.freedom = model.coordinates() - model.constraints() + model.rank().redundant();
    facts_.demand = demand_at(model, 0, at.q, at.v, at.z, T, facts_.rtol, facts_.atol);
  } else {
    System& system = model_.system();
    const Index n = facts_.second_order ? system.second_order()->size() : system.ode()->size();
    std::vector<double> x(static_cast<std::size_t>(n)), x_dot(x);
    system.initial({x.data(), n}, {x_dot.data(), n});
    facts_.demand = demand_of_problem(system, 0, {x.data(), n}, {x_dot.data(), n}, T, facts_.rtol, facts_.atol);
  }
  work_ = estimate_work(facts_.demand, T, facts_.rtol);
}

// If none is, the message that the first one is missing is the one to read.
std::string MethodChooser::first_installed(ComponentKind kind, const std::vector<std::string>& types) const {
  for (const std::string& type : types) {
    if (host_.catalogue().find(kind, model_.host(), type) != nullptr) return type;
  }
  return types.front();
}

std::optional<std::string> MethodChooser::formulation_for(const RunFile& run, std::string& reason) const {
  const bool asked = is_automatic(run.formulation);
  if (!facts_.bodies) return std::nullopt;
  IntegratorTraits traits;
  try {
    traits = lone_integrator(run, run.integrator, host_).as<Integrator>().traits();
  } catch (const Error&) {
    return std::nullopt;  // wrong keys, which are refused with their place when it is made
  }
  const std::string& type = run.integrator.type;
  const bool bare = traits.view == ViewKind::constrained || (traits.also_constrained && !asked);
  if (bare) {
    if (asked) reason = fmt::format("'{}' treats the constraints itself, without a formulation", type);
    return std::nullopt;
  }
  if (facts_.velocity_rows > 0 && traits.also_constrained) {
    reason = fmt::format("rows that hold for velocities only, which '{}' carries without a formulation", type);
    return std::nullopt;
  }
  if (traits.view == ViewKind::second_order) {
    reason = fmt::format("'{}' is for second-order systems", type);
    return "coordinate_partitioning";
  }
  reason = fmt::format("'{}' is for first-order systems", type);
  return explicit_formulation();
}

std::string MethodChooser::explicit_formulation() const {
  // Turns of screws are counted from accepted states, which joint coordinates run ahead of (docs/roadmap.md).
  const auto counts_turns = [](const ConstraintSlot& slot) { return slot.type == "screw"; };
  const std::vector<ConstraintSlot>& constraints = model_.assembly()->constraints;
  if (std::any_of(constraints.begin(), constraints.end(), counts_turns)) return "projection";
  return first_installed(ComponentKind::formulation, {"recursive", "projection"});
}

MethodTypes MethodChooser::pick_both(const RunFile& run, std::string& reason) const {
  const bool open = is_automatic(run.formulation) || !run.formulation;
  const MotionDemand& demand = facts_.demand;
  MethodTypes types{open ? std::string() : run.formulation.type, ""};
  const bool stiff = work_.stiff();
  if (!demand.known) {
    reason = "an explicit method, because the equations do not give their derivatives";
  } else if (stiff) {
    reason = fmt::format("stiff: {}, while {}; an explicit method is expected to take {} times the work",
                         fastest_text(demand), resolved_text(demand), one_digit(work_.factor()));
  } else {
    constexpr double still = 1e-6;  // 1/s, rounding
    reason = fmt::format("not stiff: {}, and {}", resolved_text(demand),
                         std::abs(demand.fastest) > still ? "the fastest is " + fastest_text(demand)
                                                          : std::string("nothing vibrates or dies out"));
  }
  if (stiff) {
    std::string why;
    const MethodTypes found = stiff_types(facts_, why);
    types.integrator = found.integrator;
    if (open) types.formulation = found.formulation, reason += why;
    return types;
  }
  types.integrator = first_installed(ComponentKind::integrator, {"dopri853", "ddeabm", "radau_iia"});
  if (open && facts_.bodies) types.formulation = explicit_formulation();
  return types;
}

MethodChoice MethodChooser::choose(RunFile& run) const {
  MethodChoice choice;
  MethodTypes& types = choice.types;
  types = {run.formulation ? run.formulation.type : std::string(), run.integrator.type};
  if (is_automatic(run.integrator)) {
    types = pick_both(run, choice.reason);
  } else {
    const std::optional<std::string> found = formulation_for(run, choice.reason);
    if (!found && !is_automatic(run.formulation)) return {};
    types.formulation = found.value_or("");
  }
  if (choice.reason.empty()) choice.reason = "there are no constraints to treat";
  if (is_automatic(run_.integrator) && run_.integrator.node->find("rtol") == nullptr &&
      run_.integrator.node->find("atol") == nullptr)
    choice.reason +=
        fmt::format("; steps follow rtol {:g} and atol {:g}, which were left out", facts_.rtol, facts_.atol);
  put_method(run, types);
  choice.text = method_text(run);
  return choice;
}

std::string stiff_method_text(const ModelFacts& facts) {
  std::string why;
  const MethodTypes types = stiff_types(facts, why);
  const std::string formulation =
      types.formulation.empty() ? "no formulation" : fmt::format("\"formulation\": \"{}\"", types.formulation);
  return fmt::format("\"integrator\": {{\"type\": \"{}\", \"rtol\": {:g}, \"atol\": {:g}}} with {}", types.integrator,
                     facts.rtol, facts.atol, formulation);
}

}  // namespace trammel
