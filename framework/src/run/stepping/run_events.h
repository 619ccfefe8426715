// RunEvents: the events that a run file asks for - formulas of columns, and the forces they change.
#pragma once

#include <vector>

#include "results/column_expression.h"
#include "results/columns.h"
#include "run/plant/plant.h"

namespace trammel {

class RunEvents {
 public:
  /// [setup] Throws Error(input) with file, line and path: formulas that cannot be read, columns that do not exist.
  RunEvents(Model& model, Plant& plant);

  std::size_t count() const { return formulas_.size(); }
  const RunEvent& event(std::size_t i) const { return events_[i]; }
  /// [step] All formulas at the state the plant observed last, and what decides about their kinks: the switching
  /// functions of event i from a place of their own on.
  void values(VectorView out, double* switches);
  std::size_t switches() const { return switches_; }
  /// Events that cannot happen, in words.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// At the end of a run, of events that are not in `happened`: those that would have stopped it or changed something,
  /// with the values their functions took; in `warnings`, those whose angles seem to be compared with degrees.
  std::string notes(const std::vector<std::string>& happened, std::vector<std::string>& warnings) const;
  /// [setup] Throws Error(input): event i has no value where the run begins.
  [[noreturn]] void refuse(std::size_t i, const std::string& text) const;
  /// [step] Event i happened: forces are made anew with their new keys. May allocate, and throw Error(input).
  void happened(std::size_t i);

 private:
  /// In words, or "".
  std::string never_passes_zero(const RunEvent& event, const ColumnSet& columns, const ColumnExpression& formula) const;

  const std::vector<RunEvent>& events_;
  Model& model_;
  Plant& plant_;
  ColumnSet needed_;
  std::vector<ColumnExpression> formulas_;
  Columns columns_;
  std::vector<double> values_;
  std::vector<std::size_t> first_switch_;
  std::size_t switches_ = 0;
  std::vector<std::string> warnings_;
  struct Range {
    double low = 0, high = 0;
    bool of_angles = false;  ///< all columns of the formula are angles
    bool known = false;
  };
  std::vector<Range> ranges_;
};

}  // namespace trammel
