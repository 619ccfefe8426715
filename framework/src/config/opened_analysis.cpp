// The common keys of analyses.
#include "config/opened_analysis.h"

#include <algorithm>

#include "config/run_file.h"
#include "config/section_keys.h"

namespace trammel {
namespace {

constexpr const char* of_table[] = {"duration", "constraint_limit", "correction_limit", "determine"};
constexpr const char* read_by_hand[] = {"solver", "conditions", "weights"};

template <class Names>
bool among(const Names& names, const std::string& name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

const std::vector<std::string>& built_in_analyses() {
  static const std::vector<std::string> types = [] {
    for (const ParameterInfo& key : parameter_infos(analysis_table())) {
      if (key.name == "type") return key.choices;
    }
    return std::vector<std::string>();
  }();
  return types;
}

bool type_is_text(const Node& analysis, Problems& problems) {
  const Node* type = analysis.is_object() ? analysis.find("type") : nullptr;
  if (type == nullptr || type->is_text()) return true;
  std::string known;
  for (const std::string& name : built_in_analyses()) known += name + ", ";
  if (!type->is_wrong_expression()) {
    problems.add(
        type->place, "/analysis/type",
        "must be " + known + "or a type that a plugin brings ('trammel plugins' lists them), not " + describe(*type));
  }
  return false;
}

bool is_opened(const Node& analysis) {
  const Node* type = analysis.is_object() ? analysis.find("type") : nullptr;
  return type != nullptr && type->is_text() && !among(built_in_analyses(), type->text);
}

std::vector<ParameterInfo> common_analysis_keys() {
  std::vector<ParameterInfo> keys;
  for (const ParameterInfo& key : parameter_infos(analysis_table())) {
    if (among(of_table, key.name)) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> common_analysis_names() {
  std::vector<std::string> names = {"type"};
  names.insert(names.end(), std::begin(of_table), std::end(of_table));
  names.insert(names.end(), std::begin(read_by_hand), std::end(read_by_hand));
  return names;
}

Node common_part(const Node& analysis) {
  Node common = analysis;
  const std::vector<std::string> names = common_analysis_names();
  common.members.remove_if([&](const Member& member) { return !among(names, member.key); });
  for (Member& member : common.members) {
    if (member.key == "type") member.value.text = "assembly";
  }
  return common;
}

}  // namespace trammel
