// The built-in ways, ordered by how much they differ from the run's own.
#include "verify/second_way.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/validate.h"

namespace trammel {
namespace {

struct BuiltIn {
  const char* treatment;
  const char* method;
  bool implicit;
};

// Methods of high order with error control, each under treatments it is made for.
constexpr BuiltIn built_in[] = {
    {"projection", "dopri853", false},
    {"coordinate_partitioning", "ddeabm", false},
    {"coordinate_partitioning", "bdf", true},
    {"hybrid", "dopri853", false},
    {"coordinate_partitioning", "rodas43", true},
    {"projection", "ddeabm", false},
    {"hybrid", "ddeabm", false},
    {"coordinate_partitioning", "dopri853", false},
    {"baumgarte", "dopri853", false},
    {"", "hht", true},
    {"coordinate_partitioning", "sdirk4", true},
};

std::string family_of(const std::string& plugin) {
  static const std::map<std::string, std::string> families = {{"adams", "Adams"},
                                                              {"ddeabm", "Adams"},
                                                              {"runge_kutta", "Runge-Kutta"},
                                                              {"bdf", "backward differentiation"},
                                                              {"generalized_alpha", "structural dynamics"},
                                                              {"trapezoidal", "trapezoidal"},
                                                              {"sdirk4", "implicit Runge-Kutta"}};
  const auto found = families.find(plugin);
  return found == families.end() ? plugin : found->second;
}

bool is_implicit(const std::string& family) {
  static const std::vector<std::string> implicit = {"backward differentiation", "structural dynamics", "trapezoidal",
                                                    "implicit Runge-Kutta",     "rosenbrock_nystrom",  "sundials"};
  return std::find(implicit.begin(), implicit.end(), family) != implicit.end();
}

}  // namespace

Way own_way(const RunFile& run, const Catalogue& catalogue) {
  Way way{run.formulation ? run.formulation.type : std::string(), run.integrator.type, ""};
  const Catalogue::Entry* entry = catalogue.find(ComponentKind::integrator, model_host(run, catalogue), way.method);
  if (entry != nullptr) way.family = family_of(entry->plugin->id);
  return way;
}

std::vector<Way> other_ways(const Way& own, bool has_bodies, const Catalogue& catalogue) {
  struct Ranked {
    Way way;
    int rank;
  };
  std::vector<Ranked> ranked;
  const bool stiff = is_implicit(own.family);
  for (const BuiltIn& b : built_in) {
    if (!has_bodies && b.treatment[0] == '\0') continue;  // needs constraints to treat
    Way way{has_bodies ? b.treatment : "", b.method, ""};
    const Catalogue::Entry* method = catalogue.find(ComponentKind::integrator, Host::any, way.method);
    if (method == nullptr) continue;
    if (!way.treatment.empty() && catalogue.find(ComponentKind::formulation, Host::any, way.treatment) == nullptr)
      continue;
    way.family = family_of(method->plugin->id);
    if (std::any_of(ranked.begin(), ranked.end(), [&](const Ranked& r) { return r.way == way; })) continue;
    const bool other_treatment = !has_bodies || way.treatment != own.treatment, other_family = way.family != own.family;
    if (!other_treatment && !other_family) continue;
    if (!has_bodies && !other_family) continue;
    // An implicit method costs a motion that is not stiff its digits, an explicit one a stiff motion its end.
    ranked.push_back(
        {way, (b.implicit == stiff ? 0 : 3) + (other_treatment ? 0 : 1) + (other_family ? 0 : 1) +
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
