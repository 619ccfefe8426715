// Warnings and notes of a run.
#include "results/run_remarks.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace trammel {

void RunRemarks::warn_once(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(text);
  }
}

void RunRemarks::predict(const std::string& warning) {
  if (warning.empty()) return;
  warnings_.push_back(warning);
  predictions_.push_back(warning);
}

void RunRemarks::withdraw_predictions() {
  if (predictions_.empty()) return;
  for (const std::string& prediction : predictions_) std::erase(warnings_, prediction);
  add_to_note("warnings about the steps are withdrawn: runs with other steps refuted them");
}

void RunRemarks::add_to_note(const std::string& text) {
  if (text.empty()) return;
  note_ += (note_.empty() ? "" : "; ") + text;
}

void RunRemarks::add_to(nlohmann::ordered_json& summary) const {
  summary["warnings"] = warnings_;
  if (!note_.empty()) summary["integrator_note"] = note_;
}

}  // namespace trammel
