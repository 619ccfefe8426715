// Level 2 of all kinds that are created from run files: keys that no case gives, with which nothing was looked at.
#include <fmt/ranges.h>

#include <algorithm>

#include "check/cases.h"
#include "config/json_source.h"
#include "config/plugin_cases.h"

namespace trammel::conformance {
namespace {

void every_key(Subject& subject) {
  std::vector<std::string> left;
  for (const ParameterInfo& p : subject.component->parameters) left.push_back(p.name);
  if (left.empty()) skip("it has no keys");
  if (subject.cases.empty() && subject.studies.empty()) skip("no case uses it: it is made with its defaults only");
  const auto strike = [&](const std::filesystem::path& file) {
    const Node document = read_json_file(file);
    std::vector<TypedNode> uses;
    find_typed(document, "", subject.component->type, uses);
    for (const TypedNode& use : uses) {
      left.erase(std::remove_if(left.begin(), left.end(),
                                [&](const std::string& key) { return use.node->find(key) != nullptr; }),
                 left.end());
    }
  };
  for (const std::filesystem::path& file : subject.cases) strike(file);
  for (const std::filesystem::path& file : subject.studies) strike(file);
  if (!left.empty())
    skip("no case gives {}: what {} makes of it was not looked at", fmt::join(left, ", "), subject.component->type);
}

}  // namespace

void add_key_check(std::vector<Check>& checks) {
  checks.push_back({"contract.keys", Level::contract, "its cases give every key that it has",
                    "a key was added and no case", every_key, ""});
}

}  // namespace trammel::conformance
