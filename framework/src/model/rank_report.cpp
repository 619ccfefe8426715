// Redundant constraints in words.
#include "model/rank_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "model/some_names.h"

namespace trammel {
namespace {

// Rows nearer (sine of an angle) than this to what the others demand are worth a word at the start.
constexpr double noteworthy_distance = 5e-3;

std::string element_name(const ConstrainedModel& model, Index row) {
  const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
  return slot != nullptr ? slot->name : std::string(model.row_name(row));
}

std::vector<std::string> element_names(const ConstrainedModel& model, const std::vector<Index>& rows) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (Index row : rows) {
    const std::string name = element_name(model, row);
    if (known.insert(name).second) names.push_back(name);
  }
  return names;
}

std::string demand(const ConstrainedModel& model, const std::vector<Index>& rows) {
  const std::vector<std::string> names = element_names(model, rows);
  return fmt::format("{} {}", some_quoted(names), names.size() == 1 ? "demands" : "demand");
}

RedundantSet name_set(const ConstrainedModel& model, const DependentSet& set) {
  RedundantSet named{{}, element_names(model, set.rows), {}, set.reactions_unique, {}, {}};
  std::vector<Index> left_out;
  std::unordered_map<std::string, Index> freedoms;
  for (const DependentRow& dependent : set.dependent) {
    named.rows.emplace_back(model.row_name(dependent.row));
    left_out.push_back(dependent.row);
    ++freedoms[element_name(model, dependent.row)];
  }
  for (Index row : set.rows) named.not_unique.emplace_back(model.row_name(row));
  for (const std::string& name : element_names(model, left_out)) named.weaken.emplace_back(name, freedoms.at(name));
  for (const Index row : left_out) {
    const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
    if (slot != nullptr && slot->effort != nullptr && slot->rows == 1) named.surplus_drivers.push_back(slot->name);
  }
  return named;
}

}  // namespace

std::vector<RedundantSet> redundant_sets(ConstrainedModel& model) {
  std::vector<RedundantSet> sets;
  if (model.rank().redundant() == 0) return sets;
  for (const DependentSet& set : model.rank().dependent_sets()) sets.push_back(name_set(model, set));
  return sets;
}

RedundantRow explain_redundant_row(ConstrainedModel& model, Index row) {
  const DependentRow dependent = model.rank().near_combination(row);
  return {row, dependent.distance, demand(model, dependent.others)};
}

std::string describe(const std::vector<RedundantSet>& sets, Index rows, std::size_t most) {
  std::size_t left_out = 0;
  for (const RedundantSet& set : sets) left_out += set.rows.size();
  std::string text = fmt::format("{} of {} constraint rows are redundant", left_out, rows);
  for (std::size_t i = 0; i < std::min(most, sets.size()); ++i) {
    const RedundantSet& set = sets[i];
    text += fmt::format(
        "; {} {} {} what {} prescribe together{}", set.rows.size() == 1 ? "row" : "rows", some_quoted(set.rows),
        set.rows.size() == 1 ? "repeats" : "repeat", some_quoted(set.elements),
        set.reactions_unique ? "" : "; their reactions are not unique, and the least-squares solution is reported");
    std::vector<std::string> advice;
    for (const auto& [element, freedoms] : set.weaken) {
      const bool driver =
          std::find(set.surplus_drivers.begin(), set.surplus_drivers.end(), element) != set.surplus_drivers.end();
      advice.push_back(driver ? fmt::format("leave the driver '{}' out, for the others move what it moves", element)
                              : fmt::format("release {} in '{}'", counted(freedoms, "freedom", "freedoms"), element));
    }
    if (advice.size() > 3) {
      advice.resize(3);
      advice.emplace_back("and so on");
    }
    text += fmt::format("; to remove the redundancy, {}", fmt::join(advice, ", "));
  }
  if (sets.size() > most) text += fmt::format("; and {} more sets, see summary.json", sets.size() - most);
  return text;
}

std::string near_dependence(ConstrainedModel& model) {
  const RankWatch* watch = model.rank().watch();
  if (watch == nullptr || watch->smallest_kept_row < 0) return "";
  const Index row = watch->smallest_kept_row;
  if (std::sqrt(watch->smallest_kept) > noteworthy_distance || model.assembly().constraint_of_row(row) == nullptr)
    return "";
  const RedundantRow near = explain_redundant_row(model, row);
  if (near.distance > noteworthy_distance) return "";  // near in the metric of very different masses only
  return fmt::format(
      "constraint row '{}' differs by only {:.2g} (sine of an angle) from what {}: a joint axis or point may be "
      "slightly off, or the mechanism is near a singular configuration",
      model.row_name(row), near.distance, near.demand);
}

}  // namespace trammel
