// Asking every component for something that does not exist.
#include "plugin/extension_probe.h"

#include <fmt/format.h>

#include "plugin/breadcrumb.h"
#include "trammel/analysis.h"
#include "trammel/constraint.h"
#include "trammel/error.h"
#include "trammel/force.h"
#include "trammel/formulation.h"
#include "trammel/function.h"
#include "trammel/importer.h"
#include "trammel/integrator.h"
#include "trammel/kkt_solver.h"
#include "trammel/metric.h"
#include "trammel/system.h"
#include "trammel/writer.h"

namespace trammel {
namespace {

constexpr const char* nobodys_id = "trammel.nobody_knows_this/0";

const Extensible& extensible(ComponentKind kind, const void* object) {
  switch (kind) {
    case ComponentKind::system: return *static_cast<const System*>(object);
    case ComponentKind::constraint: return *static_cast<const Constraint*>(object);
    case ComponentKind::force: return *static_cast<const ForceElement*>(object);
    case ComponentKind::formulation: return *static_cast<const Formulation*>(object);
    case ComponentKind::integrator: return *static_cast<const Integrator*>(object);
    case ComponentKind::function: return *static_cast<const Function*>(object);
    case ComponentKind::metric: return *static_cast<const Metric*>(object);
    case ComponentKind::linear_solver: return *static_cast<const KktSolver*>(object);
    case ComponentKind::writer: return *static_cast<const Writer*>(object);
    case ComponentKind::importer: return *static_cast<const Importer*>(object);
    case ComponentKind::analysis: break;
  }
  return *static_cast<const Analysis*>(object);
}

}  // namespace

void refuse_any_extension(ComponentKind kind, const void* object, const std::string& plugin,
                          const std::string& element) {
  const Extensible& component = extensible(kind, object);
  const void* answer = guarded(plugin, element, "extension", [&] { return component.extension(nobodys_id); });
  if (answer == nullptr) return;
  throw Error(
      ErrorKind::plugin,
      fmt::format("plugin '{}'{}, extension: it answers the id '{}', which does not exist; it must return nullptr "
                  "for every id that it does not know",
                  plugin, element.empty() ? "" : ", '" + element + "'", nobodys_id));
}

}  // namespace trammel
