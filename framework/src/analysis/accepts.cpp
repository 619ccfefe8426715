// Refusals of what an analysis cannot treat.
#include "analysis/accepts.h"

#include <fmt/format.h>

#include <cmath>

#include "config/problems.h"
#include "model/contacts.h"
#include "trammel/error.h"
#include "trammel/extensions/static_potential.h"

namespace trammel {
namespace {

std::string about_stop(const ElementSlot& slot, const char* what) {
  return fmt::format(
      "'{}' (type '{}') is a rigid stop, which acts on the velocities of dynamics only and not on {}; use the "
      "compliant force 'stop' in its place",
      slot.name, slot.type, what);
}

[[noreturn]] void refuse_stop(const RunFile& run, const ConstraintSlot& slot, const char* what) {
  for (const Section& section : run.constraints) {
    if (section.name == slot.name)
      throw Error(ErrorKind::input, message_at(section.place, section.path, about_stop(slot, what)));
  }
  throw Error(ErrorKind::input, about_stop(slot, what));
}

// Equilibria would lie beyond them, and hops that never end keep a system from settling.
void refuse_stops(const Accepts& accepts, const RunFile& run, const Assembly& assembly) {
  const Contacts stops(assembly);
  if (stops.count() == 0) return;
  if (accepts.rigid_stops == Accepts::Stops::none) refuse_stop(run, stops.slot(0), accepts.what);
  if (!run.start.equilibrium) return;
  const Node& start = *run.document->find("analysis")->find("start");
  throw Error(ErrorKind::input, message_at(start.place, "/analysis/start",
                                           about_stop(stops.slot(0), "a search for an equilibrium") +
                                               ", or start from the given positions"));
}

void refuse_internal_states(const Accepts& accepts, const RunFile& run, const Assembly& assembly) {
  const bool refused = accepts.internal_states == Accepts::States::refused;
  if (!refused && !run.start.equilibrium) return;
  for (const ForceSlot& slot : assembly.forces) {
    if (slot.states == 0) continue;
    const auto refuse = [&](const Node& node, const std::string& path, const std::string& why) {
      throw Error(ErrorKind::input, message_at(node.place, path,
                                               fmt::format("force '{}' (type '{}') has an internal state, which {}",
                                                           slot.name, slot.type, why)));
    };
    if (refused) refuse(*run.system.node, run.system.path, accepts.no_states);
    refuse(*run.document->find("analysis")->find("start"), "/analysis/start",
           "no search for an equilibrium at the start finds; start from the given positions, or from the state that an "
           "analysis of type 'equilibrium' finds");
  }
}

/// Whether a state is looked for that no motion leads to.
bool searches(const RunFile& run) {
  const AnalysisOptions& analysis = run.analysis;
  const bool looks =
      analysis.type == AnalysisType::equilibrium || (analysis.type == AnalysisType::modes && analysis.at == 1);
  return run.start.equilibrium || (looks && analysis.method != EquilibriumMethod::settling);
}

void refuse_last_steps(const Accepts& accepts, const RunFile& run, const Assembly& assembly) {
  if (!searches(run)) return;
  for (const ForceSlot& slot : assembly.forces) {
    if (find_extension<SeesAcceptedStep>(*slot.force) == nullptr) continue;
    const auto refuse = [&](const Node& node, const std::string& path, const std::string& why) {
      throw Error(ErrorKind::input, message_at(node.place, path,
                                               fmt::format("force '{}' (type '{}') depends on accelerations or "
                                                           "multipliers of the last accepted step, which {}",
                                                           slot.name, slot.type, why)));
    };
    const Node& analysis = *run.document->find("analysis");
    if (run.start.equilibrium) {
      refuse(*analysis.find("start"), "/analysis/start",
             "a search for an equilibrium at the start does not have; start from the given positions, or from those "
             "that an analysis of type 'equilibrium' finds by method \"settling\"");
    }
    const Node* method = analysis.find("method");
    refuse(method != nullptr ? *method : analysis, method != nullptr ? "/analysis/method" : "/analysis",
           fmt::format("{} does not have; use \"method\": \"settling\"", accepts.what));
  }
}

// In equilibria of a motion it depends on that motion which way dry friction holds, and how much of it. A memory follows
// rates and turns of the motion, which states at rest do not have.
void refuse_what_rest_hides(const Accepts& accepts, const RunFile& run, const Assembly& assembly) {
  if (!accepts.at_rest) return;
  const auto refuse = [&](const char* kind, const ElementSlot& slot, const char* why) {
    throw Error(ErrorKind::input, message_at(run.system.node->place, run.system.path,
                                             fmt::format("{} '{}' (type '{}') {}, which {} does not have; use dynamics",
                                                         kind, slot.name, slot.type, why, accepts.what)));
  };
  constexpr const char* memory = "keeps a memory that follows the rates of accepted steps";
  for (const ForceSlot& slot : assembly.forces) {
    const auto* friction = find_extension<DryFriction>(*slot.force);
    if (friction != nullptr && friction->dry_friction())
      refuse("force", slot, "has dry friction, whose force depends on the sliding");
    if (find_extension<SeesAcceptedStep>(*slot.force) != nullptr)
      refuse("force", slot, "depends on accelerations or multipliers of the last accepted step");
    if (find_extension<AcceptedMemory>(*slot.force) != nullptr) refuse("force", slot, memory);
  }
  for (const ConstraintSlot& slot : assembly.constraints) {
    if (find_extension<AcceptedMemory>(*slot.constraint) != nullptr) refuse("constraint", slot, memory);
  }
}

void refuse_velocity_rows(const Accepts& accepts, const RunFile& run, const Assembly& assembly) {
  const ConstraintSlot* slot = assembly.first_with_velocity_rows();
  if (slot == nullptr || *accepts.no_velocity_rows == '\0') return;
  const std::string text = fmt::format("'{}' (type '{}') has rows that hold for velocities only, which {}", slot->name,
                                       slot->type, accepts.no_velocity_rows);
  for (const Section& section : run.constraints) {
    if (section.name == slot->name) throw Error(ErrorKind::input, message_at(section.place, section.path, text));
  }
  throw Error(ErrorKind::input, text);
}

}  // namespace

void refuse_unaccepted(const Accepts& accepts, const RunFile& run, const Model& model) {
  const Assembly* assembly = model.assembly();
  if (assembly == nullptr) return;
  refuse_stops(accepts, run, *assembly);
  refuse_internal_states(accepts, run, *assembly);
  refuse_last_steps(accepts, run, *assembly);
  refuse_what_rest_hides(accepts, run, *assembly);
  refuse_velocity_rows(accepts, run, *assembly);
}

void refuse_touching_stops(const Accepts& accepts, const RunFile& run, Plant& plant) {
  constexpr double touching = 1e-9;  // m
  if (accepts.rigid_stops != Accepts::Stops::open || plant.model() == nullptr) return;
  ConstrainedModel& numbers = *plant.model();
  const Contacts stops(numbers.assembly());
  if (stops.count() == 0) return;
  const Observation& o = plant.observation();
  std::vector<double> gaps(static_cast<std::size_t>(stops.count()), 0.0);
  Status status = numbers.evaluate(0, o.q, o.v, o.z, evaluate_Phi);
  if (status) status = stops.gaps(numbers, {gaps.data(), stops.count()});
  for (Index i = 0; i < stops.count(); ++i) {
    if (!status || gaps[static_cast<std::size_t>(i)] <= touching) refuse_stop(run, stops.slot(i), accepts.what);
  }
}

namespace {

void report_unused_rates(const Accepts& accepts, const RunFile& run, const Model& model, const Assembly& assembly,
                         RunRemarks& remarks) {
  const auto warn = [&](const std::string& what) {
    remarks.warn(fmt::format("{} is not used in {}, in which bodies rest; use dynamics", what, accepts.what));
  };
  const std::vector<double>& v = model.v0();
  for (Index b = 0; b < assembly.bodies(); ++b) {
    bool moves = false;
    for (Index i = assembly.table.first(b); i < assembly.table.first(b + 1); ++i)
      moves |= v[static_cast<std::size_t>(i)] != 0;
    if (moves) warn(fmt::format("the initial velocity of body '{}'", assembly.body_names[static_cast<std::size_t>(b)]));
  }
  for (std::size_t i = 0; i < run.start.conditions.size(); ++i) {
    const StartCondition& condition = run.start.conditions[i];
    if (!std::isnan(condition.rate) && condition.rate != 0)
      warn(fmt::format("the rate {:g} of '{}' in /analysis/conditions/{}", condition.rate, condition.of, i));
  }
}

}  // namespace

void report_unused(const Accepts& accepts, const RunFile& run, const Model& model, RunRemarks& remarks) {
  const Assembly* assembly = model.assembly();
  if (accepts.internal_states == Accepts::States::stay && assembly != nullptr) {
    for (const ForceSlot& slot : assembly->forces) {
      if (slot.states == 0) continue;
      remarks.warn(fmt::format(
          "force '{}' (type '{}') has an internal state, which stays at its start in {}: its channels, reactions "
          "and energies are not those of the motion; use dynamics",
          slot.name, slot.type, accepts.what));
    }
  }
  if (searches(run) && assembly != nullptr) {
    const auto warn = [&](const char* kind, const ElementSlot& slot, const Extensible& element) {
      if (find_extension<AcceptedMemory>(element) == nullptr) return;
      remarks.warn(
          fmt::format("{} '{}' (type '{}') keeps what it was at the start while an equilibrium is looked for: "
                      "another motion may end in another equilibrium",
                      kind, slot.name, slot.type));
    };
    for (const ConstraintSlot& slot : assembly->constraints) warn("constraint", slot, *slot.constraint);
    for (const ForceSlot& slot : assembly->forces) warn("force", slot, *slot.force);
  }
  if (accepts.at_rest && assembly != nullptr) report_unused_rates(accepts, run, model, *assembly, remarks);
  if (accepts.methods != Accepts::Methods::reported) return;
  for (const Section* section : {&run.formulation, &run.integrator}) {
    if (!*section) continue;
    remarks.warn(fmt::format("'{}' is not used in {}", section->path.substr(1), accepts.what));
  }
}

}  // namespace trammel
