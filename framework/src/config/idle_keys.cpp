// Which key of `analysis` belongs to which analysis.
#include "config/idle_keys.h"

#include <algorithm>
#include <iterator>

namespace trammel {
namespace {

bool seeks_equilibrium(const AnalysisOptions& o) {
  return o.type == AnalysisType::equilibrium || (o.type == AnalysisType::modes && o.at == 1);
}
/// The method, `equilibrium` having a default and modes a way of their own.
EquilibriumMethod method_of(const AnalysisOptions& o) {
  if (!seeks_equilibrium(o)) return EquilibriumMethod::none;
  return o.method == EquilibriumMethod::none && o.type == AnalysisType::equilibrium
             ? EquilibriumMethod::minimum_potential
             : o.method;
}
bool settles(const AnalysisOptions& o) { return method_of(o) == EquilibriumMethod::settling; }
bool minimizes(const AnalysisOptions& o) { return method_of(o) == EquilibriumMethod::minimum_potential; }
bool has_method(const AnalysisOptions& o) { return method_of(o) != EquilibriumMethod::none; }
bool integrates(const AnalysisOptions& o) { return o.type == AnalysisType::dynamics; }
bool takes_modes(const AnalysisOptions& o) { return o.type == AnalysisType::modes; }

struct Owner {
  const char* key;
  bool (*owns)(const AnalysisOptions&);
  const char* name;
};

constexpr Owner owners[] = {
    {"method", seeks_equilibrium, "analyses of type 'equilibrium', and 'modes' with \"at\": \"equilibrium\""},
    {"optimizer", minimizes, "the search for an equilibrium by method 'minimum_potential'"},
    {"damping", settles, "the search for an equilibrium by method 'settling'"},
    {"velocity_tolerance", settles, "the search for an equilibrium by method 'settling'"},
    {"acceleration_tolerance", has_method, "the search for an equilibrium by a \"method\""},
    {"at", takes_modes, "analyses of type 'modes'"},
    {"start", integrates, "analyses of type 'dynamics'"},
    {"events", integrates, "analyses of type 'dynamics'"},
    {"matrices", takes_modes, "analyses of type 'modes'"},
};

std::string way(const Node& analysis, const AnalysisOptions& options) {
  constexpr const char* methods[] = {"minimum_potential", "settling", "newton"};
  std::string text = "an analysis of type '" + analysis.find("type")->text + "'";
  if (has_method(options)) text += std::string(" by method '") + methods[static_cast<int>(method_of(options))] + "'";
  return text;
}

}  // namespace

std::vector<ParameterInfo> own_analysis_keys(const std::string& type) {
  const std::vector<ParameterInfo> all = parameter_infos(analysis_table());
  const std::vector<std::string>& types = all.front().choices;
  AnalysisOptions options{};
  options.type = static_cast<AnalysisType>(std::find(types.begin(), types.end(), type) - types.begin());
  std::vector<ParameterInfo> keys;
  for (const ParameterInfo& key : all) {
    const bool used = std::all_of(std::begin(owners), std::end(owners), [&](const Owner& owner) {
      // By any of its methods, and wherever modes are taken.
      for (const auto method : {EquilibriumMethod::none, EquilibriumMethod::minimum_potential,
                                EquilibriumMethod::settling, EquilibriumMethod::newton}) {
        options.method = method, options.at = 1;
        if (key.name != owner.key || owner.owns(options)) return true;
      }
      return false;
    });
    if (used && key.name != "type") keys.push_back(key);
  }
  return keys;
}

void check_analysis_keys(const Node& analysis, const AnalysisOptions& options, Problems& problems) {
  const bool over_time = options.type == AnalysisType::dynamics || options.type == AnalysisType::kinematics ||
                         options.type == AnalysisType::inverse_dynamics;
  if (over_time && !given(options.duration)) {
    problems.add(
        analysis.place, "/analysis",
        "missing key 'duration' for an analysis of type '" + analysis.find("type")->text + "': simulated time, s");
  }
  for (const Owner& owner : owners) {
    const Member* given = analysis.find_member(owner.key);
    if (given == nullptr || owner.owns(options)) continue;
    problems.add(given->place, std::string("/analysis/") + owner.key,
                 "means nothing in " + way(analysis, options) + "; it belongs to " + owner.name);
  }
}

}  // namespace trammel
