// "[KIND/][HOST/]TYPE": at most one kind and one host, in this order, before the type.
#include "cli/type_query.h"

#include <fmt/format.h>

#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel::cli {

std::vector<Catalogue::Entry> entries_matching(const PluginHost& host, const std::string& query) {
  std::optional<ComponentKind> kind;
  std::optional<Host> element_host;
  std::string_view type = query;
  for (std::size_t slash = type.find('/'); slash != std::string_view::npos; slash = type.find('/')) {
    const std::string_view word = type.substr(0, slash);
    type.remove_prefix(slash + 1);
    if (!kind && !element_host && (kind = component_kind_from_name(word))) continue;
    if (!element_host && (element_host = host_from_name(word))) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: '{}' is neither a kind (system, constraint, force, formulation, integrator, "
                    "function, metric, writer, analysis, linear_solver, importer) nor a host (any, planar, spatial)",
                    query, word));
  }
  std::vector<Catalogue::Entry> matches;
  std::vector<std::string> names;
  std::string elsewhere;
  for (const Catalogue::Entry& entry : host.catalogue().entries()) {
    if ((kind && entry.component->kind != *kind) || (element_host && entry.component->host != *element_host)) {
      if (entry.component->type == type && elsewhere.empty()) {
        elsewhere = fmt::format("; there is {}/{}/{}", kind_name(entry.component->kind),
                                host_name(entry.component->host), type);
      }
      continue;
    }
    names.push_back(entry.component->type);
    if (entry.component->type == type) matches.push_back(entry);
  }
  if (matches.empty()) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: no plugin offers this type{}\n{}", query,
                            elsewhere.empty() ? did_you_mean(type, names) : elsewhere, host.search_trace()));
  }
  return matches;
}

}  // namespace trammel::cli
