// Equilibria by other methods, assembly by another linear solver.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/validate.h"
#include "trammel/error.h"
#include "verify/column_kinds.h"
#include "verify/verify_other.h"

namespace trammel {
namespace {

const char* method_name(EquilibriumMethod method) {
  return method == EquilibriumMethod::settling ? "settling"
         : method == EquilibriumMethod::newton ? "newton"
                                               : "minimum_potential";
}

/// Where rest is only approached, what is left of the motion is no channel of the result.
RunRecord without_rates(const RunRecord& record) {
  RunRecord kept;
  kept.summary = record.summary, kept.t = record.t, kept.completed = record.completed;
  const ColumnKinds declared(record.summary);
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < record.columns.size(); ++i) {
    if (declared.vanishes_at_rest(record.columns[i])) continue;
    columns.push_back(i);
    kept.columns.push_back(record.columns[i]);
  }
  for (std::size_t row = 0; row < record.rows(); ++row) {
    for (const std::size_t i : columns) kept.values.push_back(record.at(row, i));
  }
  return kept;
}

/// The largest length in the value of a key.
double largest_number(const Node& node) {
  double largest = node.is_number() && std::isfinite(node.number) ? std::abs(node.number) : 0;
  for (const Node& item : node.items) largest = std::max(largest, largest_number(item));
  return largest;
}

/// The largest length that the drawing gives, as the components declare their units; 1 m where there is none.
double largest_length(const RunFile& run, const Catalogue& catalogue) {
  double largest = 0;
  const auto look = [&](const Section& section, const std::vector<ParameterInfo>& table) {
    for (const ParameterInfo& p : table) {
      const Node* value = p.unit == "m" || p.unit == "m over s" ? section.node->find(p.name) : nullptr;
      if (value != nullptr) largest = std::max(largest, largest_number(*value));
    }
  };
  const Host host = model_host(run, catalogue);
  const auto component = [&](ComponentKind kind, const Section& section) {
    if (const Catalogue::Entry* entry = catalogue.find(kind, host, section.type))
      look(section, entry->component->parameters);
  };
  for (const Section& constraint : run.constraints) component(ComponentKind::constraint, constraint);
  for (const Section& force : run.forces) component(ComponentKind::force, force);
  for (const Section& point : run.points) look(point, parameter_infos(point_table()));
  if (const Catalogue::Entry* system = catalogue.find(ComponentKind::system, host, run.system.type)) {
    for (const Section& body : run.bodies) look(body, system->component->body_parameters);
  }
  return largest > 0 ? largest : 1;
}

class StaticVerifier {
 public:
  StaticVerifier(const RunFile& run, const PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                 VerifyObserver& observer)
      : own_(without_rates(own)), order_(order), observer_(observer), length_(largest_length(run, host.catalogue())) {}

  RunRecord go(const std::string& what, const std::vector<std::string>& set, const char* folder) {
    observer_.begin(what);
    RunOrder again{order_.file, order_.set, order_.plugins, order_.folder / "verification" / folder, {}, {}, 0};
    again.set.insert(again.set.end(), set.begin(), set.end());
    RunRecord ended = collect(again, observer_);
    if (ended.interrupted) throw Error(ErrorKind::compute, "interrupted during " + what);
    result.ways.push_back({what, ended.completed ? "" : ended.message, {}});
    if (!ended.completed) return ended;
    return without_rates(read_record_of(again.folder));
  }

  /// A single row: its values are their own scale.
  Comparison difference(const RunRecord& a, const RunRecord& b, double relative) const {
    return compare(a, b, {relative, absolute, 1, length_});
  }

  const RunRecord& own() const { return own_; }
  Verification result;

  static constexpr double absolute = 1e-6;  // of what is no position and no angle, in its unit

 private:
  const RunRecord own_;
  const VerifyOrder& order_;
  VerifyObserver& observer_;
  double length_;
};

}  // namespace

Verification verify_equilibrium(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                                VerifyObserver& observer) {
  StaticVerifier verifier(run, host, own, order, observer);
  Verification& result = verifier.result;
  const EquilibriumMethod method =
      run.analysis.method == EquilibriumMethod::none ? EquilibriumMethod::minimum_potential : run.analysis.method;
  result.analysis = "equilibrium";
  result.own = std::string("equilibrium by ") + method_name(method);
  std::vector<EquilibriumMethod> others = {EquilibriumMethod::newton, EquilibriumMethod::minimum_potential,
                                           EquilibriumMethod::settling};
  std::erase(others, method);
  const auto tolerance = [](EquilibriumMethod a, EquilibriumMethod b) {
    return a == EquilibriumMethod::settling || b == EquilibriumMethod::settling ? 1e-3 : 1e-5;
  };
  result.limit =
      "1e-5 of the largest value of a channel's kind (of positions the model's length, of angles 1 rad at least), 1e-3 "
      "where one of the two settled; other channels also 1e-6 in their unit";
  struct Found {
    EquilibriumMethod method;
    RunRecord record;
  };
  std::vector<Found> found;
  for (const EquilibriumMethod other : others) {
    std::vector<std::string> set = {std::string("analysis.method=") + method_name(other)};
    for (const char* key : {"optimizer", "damping", "velocity_tolerance"}) {
      if (run.document->find("analysis")->find(key) != nullptr) set.push_back(fmt::format("analysis.{}=null", key));
    }
    RunRecord record =
        verifier.go(std::string("equilibrium by ") + method_name(other), set, found.empty() ? "second" : "third");
    if (!record.completed) continue;
    found.push_back({other, std::move(record)});
    const Comparison comparison = verifier.difference(verifier.own(), found.back().record, tolerance(method, other));
    if (found.size() == 1 || comparison.agrees) {
      result.comparison = comparison;
      result.compared = result.ways.back().what;
    }
    if (comparison.agrees) {
      result.verdict = found.size() == 1 ? Verdict::agrees : Verdict::confirmed;
      result.text = fmt::format(
          "{:.1f} digits hold in all channels{}", result.digits(),
          found.size() == 1 ? "" : std::string("; ") + method_name(found[0].method) + " found another equilibrium");
      return result;
    }
  }
  if (found.empty()) {
    result.text = "no second way exists: no other method found an equilibrium";
    return result;
  }
  result.verdict = Verdict::disagrees;
  const ChannelDifference worst =
      result.comparison.worst() != nullptr ? *result.comparison.worst() : ChannelDifference{};
  const std::string where = fmt::format("{} differs by {:.3g}", worst.name, worst.error);
  if (found.size() == 2 &&
      verifier.difference(found[0].record, found[1].record, tolerance(found[0].method, found[1].method)).agrees) {
    result.text = fmt::format("{} and {} find the same equilibrium, the run another one: {}",
                              method_name(found[0].method), method_name(found[1].method), where);
  } else {
    result.text = "the other way finds another equilibrium: " + where + "; the mechanism may have several";
  }
  return result;
}

Verification verify_assembly(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                             VerifyObserver& observer) {
  StaticVerifier verifier(run, host, own, order, observer);
  Verification& result = verifier.result;
  result.analysis = result.own = run.opened_analysis ? run.opened_analysis.type : "assembly";
  result.limit =
      "1e-8 of the largest value of a channel's kind (of positions the model's length, of angles 1 rad at least), of "
      "other channels also 1e-6 in their unit; rows met to 1e-9";
  const char* other = run.solver.type == "dense" ? "sparse" : "dense";
  const RunRecord second = verifier.go(fmt::format("{} with the linear solver '{}'", result.own, other),
                                       {fmt::format("analysis.solver={}", other)}, "second");
  if (!second.completed) {
    result.text = "no second way exists: " + result.ways.back().failure;
    return result;
  }
  result.compared = result.ways.back().what;
  result.comparison = verifier.difference(verifier.own(), second, 1e-8);
  const double left = own.summary["max"].value("constraint_position", 0.0);
  const bool met = left <= 1e-9 * std::max<double>(1, own.summary["dimensions"].value("constraints", 1));
  result.verdict = result.comparison.agrees && met ? Verdict::agrees : Verdict::disagrees;
  result.text = fmt::format("{:.1f} digits hold in all channels; evaluated again, the rows are violated by {:.2g}",
                            result.digits(), left);
  return result;
}

}  // namespace trammel
