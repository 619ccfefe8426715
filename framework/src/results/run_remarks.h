// RunRemarks: what a run's reader should know - warnings, those that are only predictions, and a note on the method.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace trammel {

class RunRemarks {
 public:
  const std::vector<std::string>& warnings() const { return warnings_; }
  void warn(const std::string& text) { warnings_.push_back(text); }
  void warn(const std::vector<std::string>& texts) { warnings_.insert(warnings_.end(), texts.begin(), texts.end()); }
  /// Before all others.
  void warn_first(const std::vector<std::string>& texts) {
    warnings_.insert(warnings_.begin(), texts.begin(), texts.end());
  }
  /// What may be found several times.
  void warn_once(const std::vector<std::string>& texts);

  /// A warning of what is to be expected, which the check of fixed steps may refute; "" is none.
  void predict(const std::string& warning);
  /// These warnings are predictions.
  void may_refute(const std::vector<std::string>& warnings) {
    predictions_.insert(predictions_.end(), warnings.begin(), warnings.end());
  }
  bool predicts() const { return !predictions_.empty(); }
  /// Takes back the predictions, which did not come true, and says so in the note.
  void withdraw_predictions();

  const std::string& note() const { return note_; }
  void begin_note(const std::string& text) { note_ = text; }
  void add_to_note(const std::string& text);

  /// "warnings" and "integrator_note" of summary.json.
  void add_to(nlohmann::ordered_json& summary) const;

 private:
  std::vector<std::string> warnings_, predictions_;
  std::string note_;  ///< of the integrator and of events, or ""
};

}  // namespace trammel
