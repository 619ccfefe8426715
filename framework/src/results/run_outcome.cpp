// The outcome in summary.json and for people.
#include "results/run_outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "results/json_number.h"

namespace trammel {
namespace {

const char* status_word(RunStatus status) {
  constexpr const char* words[] = {"completed", "failed", "interrupted"};
  return words[static_cast<int>(status)];
}

}  // namespace

void RunTiming::add_to(nlohmann::ordered_json& summary) const {
  summary["timing"] = {{"setup_s", setup_s}, {"solve_s", solve_s}, {"output_s", output_s}};
}

void FinalState::add_to(nlohmann::ordered_json& summary) const {
  summary["final"]["t"] = json_number(t);
  nlohmann::ordered_json::object_t values;  // names are unique: appended without the search that operator[] makes
  for (const auto& [name, value] : channels) values.push_back({name, json_number(value)});
  summary["final"]["channels"] = std::move(values);
}

void RunOutcome::add_to(nlohmann::ordered_json& summary) const {
  summary["status"] = status_word(status_);
  summary["message"] = message_;
}

std::string RunOutcome::to_text(const FinalState& end) const {
  return fmt::format("  Outcome    {}{}{}\n", status_word(status_),
                     end.over_time ? fmt::format(" at t = {:.6g} s", end.t) : std::string(),
                     message_.empty() ? "" : ": " + message_);
}

}  // namespace trammel
