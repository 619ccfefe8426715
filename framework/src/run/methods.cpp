// Creating integrator and formulation.
#include "run/methods.h"

#include <fmt/format.h>

#include "run/formulation_choices.h"
#include "trammel/error.h"
#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/extensions/second_order_formulation.h"

namespace trammel {
namespace {

std::vector<std::string> table_keys(const ParameterTable& table) {
  std::vector<std::string> keys;
  for (std::int32_t i = 0; i < table.count; ++i) keys.emplace_back(table.records[i].name);
  return keys;
}

const char* view_name(ViewKind view) {
  return view == ViewKind::ode ? "first-order" : view == ViewKind::second_order ? "second-order" : "constrained";
}

/// Of problems; what a formulation offers for bodies is another matter.
bool lacks_second_order(const Model& model) {
  return model.assembly() == nullptr && model.system().second_order() == nullptr;
}

[[noreturn]] void refuse(const Section& section, const std::string& text) {
  throw Error(ErrorKind::input, message_at(section.node->place, section.path, text));
}

}  // namespace

void Methods::create(PluginHost& host, const RunFile& run, Model& model) {
  PreparedComponent prepared = prepare_component(host, run, run.integrator, ComponentKind::integrator, model.host(),
                                                 &model.resolver(), table_keys(step_control_table()));
  BindContext context = bind_context(run, run.integrator, model.host(), &model.resolver());
  for (const std::string& key : table_keys(prepared.loaded.record->parameters)) context.other_keys.push_back(key);
  control_ = bind(step_control_table(), *run.integrator.node, context);
  integrator_ =
      Component(prepared.loaded, std::move(prepared.parameters), model, "", *run.integrator.node, run.integrator.path);
  const IntegratorTraits traits = integrator().traits();
  const bool bare = traits.also_constrained && model.assembly() != nullptr && !run.formulation;
  view_ = bare ? ViewKind::constrained : traits.view;
  if (view_ == ViewKind::second_order && traits.also_first_order && lacks_second_order(model)) view_ = ViewKind::ode;
  refuse_control_keys(run, traits);
  if (model.assembly() != nullptr && view_ != ViewKind::constrained) {
    create_formulation(host, run, model);
    return refuse_velocity_rows(host, run, model);
  }
  if (!run.formulation) return refuse_velocity_rows(host, run, model);
  if (model.assembly() == nullptr) {
    refuse(run.formulation,
           fmt::format("a system of type '{}' has no constraints: leave the formulation out", run.system.type));
  }
  refuse(run.formulation,
         fmt::format("integrator '{}' treats the constraints itself: leave the formulation out", run.integrator.type));
}

void Methods::create_formulation(PluginHost& host, const RunFile& run, Model& model) {
  if (!run.formulation) {
    refuse(run.integrator,
           fmt::format("integrator '{}' needs a {} view of the model: add a \"formulation\", one of {}",
                       run.integrator.type, view_name(view_), formulations_for(host, run, model, view_)));
  }
  formulation_ = make_component(host, run, run.formulation, ComponentKind::formulation, model, &model.resolver());
  if (view_ == ViewKind::second_order && integrator().traits().also_first_order &&
      find_extension<SecondOrderFormulation>(*formulation()) == nullptr) {
    view_ = ViewKind::ode;
  }
  if (view_ == ViewKind::second_order && find_extension<SecondOrderFormulation>(*formulation()) == nullptr) {
    if (model.assembly()->velocity_rows() > 0) refuse_velocity_rows(host, run, model);  // whatever offers one
    refuse(run.formulation,
           fmt::format("formulation '{}' offers no second-order view, which integrator '{}' needs; those that do: {}",
                       run.formulation.type, run.integrator.type, formulations_for(host, run, model, view_)));
  }
  refuse_stepwise_feedback(run);
}

// With error control the estimate sees what feedback makes of stages, and keeps it below the tolerance.
void Methods::refuse_stepwise_feedback(const RunFile& run) const {
  const auto* feedback = find_extension<StepwiseFeedback>(*formulation());
  if (feedback == nullptr || !(feedback->alpha_h() > 0)) return;
  const auto refuse_it = [&](const std::string& why) {
    const Node* const key = run.formulation.node->find("alpha_h");
    throw Error(ErrorKind::input, message_at(key != nullptr ? key->place : run.formulation.place,
                                             run.formulation.path + (key != nullptr ? "/alpha_h" : ""), why));
  };
  const auto* ends = find_extension<EvaluatesAtEnds>(integrator());
  const std::string& type = run.integrator.type;
  if (integrator().traits().restart_only) {
    refuse_it(
        fmt::format("'{}' begins anew wherever the right-hand side changes, which feedback chosen at each step does: "
                    "give \"alpha\", or take 'ddeabm'",
                    type));
  }
  if (given(control().step) && (ends == nullptr || !ends->at_ends_only())) {
    refuse_it(
        fmt::format("'{}' evaluates rates inside its steps, where the constraints are violated by more than at their "
                    "ends: feedback alpha_h / h makes an error of that which shorter steps do not reduce; give "
                    "\"alpha\", or take a method of Adams ('adams', 'ampc', 'mampc')",
                    type));
  }
}

void Methods::refuse_velocity_rows(PluginHost& host, const RunFile& run, Model& model) const {
  const ConstraintSlot* slot = model.assembly() != nullptr ? model.assembly()->first_with_velocity_rows() : nullptr;
  if (slot == nullptr) return;
  const auto* carrier = formulation() != nullptr ? find_extension<CarriesVelocityRows>(*formulation())
                                                 : find_extension<CarriesVelocityRows>(integrator());
  if (carrier != nullptr && carrier->carries_velocity_rows(view_)) return;
  const std::string who = formulation() == nullptr
                              ? fmt::format("integrator '{}'", run.integrator.type)
                              : fmt::format("the {} view that formulation '{}' gives integrator '{}'", view_name(view_),
                                            run.formulation.type, run.integrator.type);
  refuse(
      formulation() != nullptr ? run.formulation : run.integrator,
      fmt::format("'{}' (type '{}') has rows that hold for velocities only, which {} cannot carry; take an integrator "
                  "of first-order systems ('dopri5', 'ddeabm') under one of the formulations {}, or "
                  "'radau_iia', 'hht', 'generalized_alpha' or 'newmark' without a formulation",
                  slot->name, slot->type, who, formulations_with_velocity_rows(host, run, model)));
}

void Methods::refuse_control_keys(const RunFile& run, const IntegratorTraits& traits) const {
  if (!traits.self_controlled) return;
  for (const char* key : {"controller", "safety", "min_factor", "max_factor", "min_step"}) {
    const Node* given_node = run.integrator.node->find(key);
    const bool means_something =
        std::string(key) == "min_step" && !traits.restart_only;  // SUNDIALS has limits of its own
    if (given_node == nullptr || means_something) continue;
    throw Error(ErrorKind::input, message_at(given_node->place, run.integrator.path + "/" + key,
                                             fmt::format("'{}' chooses its own steps: this key has no meaning for it",
                                                         run.integrator.type)));
  }
}

std::string Methods::name(const RunFile& run) const {
  if (!any()) return "";
  return run.integrator.type + (formulation() != nullptr ? " under " + run.formulation.type : std::string());
}

}  // namespace trammel
