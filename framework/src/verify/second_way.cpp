// The built-in ways, ordered by how much they differ from the run's own.
#include "verify/second_way.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/lone_integrator.h"
#include "trammel/error.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel {
namespace {

struct BuiltIn {
  const char* treatment;
  const char* method;
};

// Methods of high order with error control, each under treatments it is made for.
constexpr BuiltIn built_in[] = {
    {"projection", "dopri853"},
    {"coordinate_partitioning", "ddeabm"},
    {"coordinate_partitioning", "bdf"},
    {"hybrid", "dopri853"},
    {"coordinate_partitioning", "rodas43"},
    {"projection", "ddeabm"},
    {"hybrid", "ddeabm"},
    {"coordinate_partitioning", "dopri853"},
    {"baumgarte", "dopri853"},
    {"", "hht"},
    {"coordinate_partitioning", "sdirk4"},
};

/// Fills in what the method says of itself. One that cannot be had says nothing: its type is then its family.
void ask(const RunFile& run, const Section& section, PluginHost& host, Way& way) {
  way.family = way.method;
  try {
    const Component method = lone_integrator(run, section, host);
    const Integrator& integrator = method.as<Integrator>();
    const auto* declared = find_extension<MethodFamily>(integrator);
    way.family = declared != nullptr ? declared->family() : method.plugin_id();
    way.implicit = integrator.traits().implicit;
  } catch (const Error&) {
  }
}

/// The method with its defaults.
void ask(const RunFile& run, PluginHost& host, Way& way) {
  Node node;
  node.kind = Node::Kind::object;
  Section section;
  section.type = way.method, section.node = &node;
  ask(run, section, host, way);
}

}  // namespace

Way own_way(const RunFile& run, PluginHost& host) {
  Way way{run.formulation ? run.formulation.type : std::string(), run.integrator.type, "", false};
  ask(run, run.integrator, host, way);
  return way;
}

std::vector<Way> other_ways(const RunFile& run, const Way& own, bool has_bodies, PluginHost& host) {
  const Catalogue& catalogue = host.catalogue();
  struct Ranked {
    Way way;
    int rank;
  };
  std::vector<Ranked> ranked;
  for (const BuiltIn& b : built_in) {
    if (!has_bodies && b.treatment[0] == '\0') continue;  // needs constraints to treat
    Way way{has_bodies ? b.treatment : "", b.method, "", false};
    if (catalogue.find(ComponentKind::integrator, Host::any, way.method) == nullptr) continue;
    if (!way.treatment.empty() && catalogue.find(ComponentKind::formulation, Host::any, way.treatment) == nullptr)
      continue;
    ask(run, host, way);
    if (std::any_of(ranked.begin(), ranked.end(), [&](const Ranked& r) { return r.way == way; })) continue;
    const bool other_treatment = !has_bodies || way.treatment != own.treatment, other_family = way.family != own.family;
    if (!other_treatment && !other_family) continue;
    if (!has_bodies && !other_family) continue;
    // An implicit method costs a motion that is not stiff its digits, an explicit one a stiff motion its end.
    ranked.push_back(
        {way, (way.implicit == own.implicit ? 0 : 3) + (other_treatment ? 0 : 1) + (other_family ? 0 : 1) +
                  (has_bodies && way.treatment.empty() ? 2 : 0)});  // of second order: slow at tight tolerances
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  std::vector<Way> ways;
  for (const Ranked& r : ranked) ways.push_back(r.way);
  return ways;
}

std::vector<std::string> settings_of(const Way& way, const Tolerance& tolerance, double max_step,
                                     bool has_formulation) {
  std::vector<std::string> set;
  if (!way.treatment.empty()) {
    set.push_back(fmt::format(R"(formulation={{"type":"{}"}})", way.treatment));
  } else if (has_formulation) {
    set.emplace_back("formulation=null");
  }
  set.push_back(fmt::format(R"(integrator={{"type":"{}","rtol":{:.3g},"atol":{:.3g},"max_step":{:.17g}}})", way.method,
                            tolerance.rtol, tolerance.atol, max_step));
  return set;
}

}  // namespace trammel
