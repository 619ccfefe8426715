// Components, their owners and subjects of failures in words.
#include "run/plant/model_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/element_report.h"

namespace trammel {

std::string component_name(const ConstrainedModel& model, const ModelView& view, Index i) {
  const ModelView::Place place = view.place(i);
  if (place.coordinate >= 0) return std::string(place.rate ? "rate of " : "") + model.coordinate_name(place.coordinate);
  for (const ForceSlot& slot : model.assembly().forces) {
    const Index k = place.state - slot.first_z;
    if (place.state >= 0 && k >= 0 && k < slot.states)
      return fmt::format("{}{}.z.{}", place.rate ? "integral of " : "", slot.name, k);
  }
  return fmt::format("state {}", i);
}

std::string component_owner(const ConstrainedModel& model, const ModelView& view, Index i) {
  const Assembly& assembly = model.assembly();
  const Index coordinate = view.place(i).coordinate;
  if (coordinate < 0) return "";
  const Index body = coordinate < assembly.coordinates() ? assembly.table.body_of(coordinate) : assembly.bodies();
  const auto names_of = [&](const auto& slots, const char* before) {
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t found = 0;
    for (const auto& slot : slots) {
      if (std::find(slot.bodies.begin(), slot.bodies.end(), body) == slot.bodies.end() || found++ >= most) continue;
      text += fmt::format("{}'{}'", text.empty() ? before : ", ", slot.name);
    }
    return text + (found > most ? fmt::format(" and {} more", found - most) : std::string());
  };
  return fmt::format(" of body '{}'{}{}", assembly.body_names[static_cast<std::size_t>(body)],
                     names_of(assembly.constraints, ", held by "), names_of(assembly.forces, ", acted on by "));
}

namespace {

// Corrections of the kernel and of formulations, whose subjects are no components, and index-3 methods: the constraint
// that is off most.
std::string where_not_converged(const ConstrainedModel& model, const ModelView& view, Index component,
                                const std::string& worst) {
  const std::string name = component < 0 ? ""
                                         : fmt::format("'{}'{}", component_name(model, view, component),
                                                       component_owner(model, view, component));
  if (model.constraints() == 0 || (component >= 0 && view.kind() != ViewKind::constrained)) return name;
  const double off = model.Phi().map().lpNorm<Eigen::Infinity>();
  if (off == 0) return name;
  return fmt::format("{}constraint row '{}', which is off most, by {:.3g}", name.empty() ? "" : name + " and ", worst,
                     off);
}

}  // namespace

std::string subject_of(const ConstrainedModel& model, const ModelView& view, const Status& status,
                       const std::string& worst) {
  if (status.code == StatusCode::out_of_domain || status.code == StatusCode::failed ||
      status.code == StatusCode::unsupported) {
    return failed_element(model.point());
  }
  if (status.code == StatusCode::not_converged) return where_not_converged(model, view, status.subject, worst);
  if (status.subject < 0) return "";
  if (status.code == StatusCode::singular) {
    const Assembly& assembly = model.assembly();
    const Index row = status.subject;
    if (row < assembly.rows()) return fmt::format("constraint row '{}'", model.row_name(row));
    return fmt::format(
        "body '{}'",
        assembly.body_names[static_cast<std::size_t>(std::min(row - assembly.rows(), assembly.bodies() - 1))]);
  }
  return fmt::format("'{}'", component_name(model, view, status.subject));
}

}  // namespace trammel
