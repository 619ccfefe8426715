// ComponentKind: the kinds of components that this kernel knows, with their names and the ids of their interfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trammel {

enum class ComponentKind : std::int32_t {
  system,
  constraint,
  force,
  formulation,
  integrator,
  function,
  metric,
  writer,
  analysis,
  linear_solver,
  importer
};
inline constexpr std::int32_t component_kind_count = 11;

namespace detail {
inline constexpr const char* kind_ids[component_kind_count] = {
    "trammel.system/1",     "trammel.constraint/1",    "trammel.force/1",   "trammel.formulation/1",
    "trammel.integrator/1", "trammel.function/1",      "trammel.metric/1",  "trammel.writer/1",
    "trammel.analysis/1",   "trammel.linear_solver/1", "trammel.importer/1"};
inline constexpr const char* kind_names[component_kind_count] = {
    "system", "constraint", "force",    "formulation",   "integrator", "function",
    "metric", "writer",     "analysis", "linear_solver", "importer"};
}  // namespace detail

/// As records have it: "trammel.force/1".
constexpr const char* kind_id(ComponentKind kind) { return detail::kind_ids[static_cast<int>(kind)]; }
/// As run files, manifests and messages have it: "force".
constexpr const char* kind_name(ComponentKind kind) { return detail::kind_names[static_cast<int>(kind)]; }

/// Nothing for a kind that this kernel does not know.
constexpr std::optional<ComponentKind> kind_from_id(std::string_view id) {
  for (std::int32_t k = 0; k < component_kind_count; ++k) {
    if (id == detail::kind_ids[k]) return static_cast<ComponentKind>(k);
  }
  return std::nullopt;
}

}  // namespace trammel
