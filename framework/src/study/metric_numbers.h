// Where a study names numbers of its metrics, and whether there are such numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/case_record.h"
#include "study/study_file.h"

namespace trammel {

/// A place of the study that names a metric, or one of its further numbers: "peak.time".
struct MetricReference {
  std::string name;
  Place place;
  std::string path;
  bool of_cases;  ///< it has to be a number of each case, not one of several cases together
};

/// All of them: expectations, `best`, columns of the table, `of` of metrics of several cases.
std::vector<MetricReference> metric_references(const StudyFile& study);

/// What is wrong with a reference that can be told before any case runs; "": nothing.
std::string wrong_reference(const StudyFile& study, const MetricReference& reference);

/// Numbers of metrics that are plugins' are known when the metric was taken for the first time.
class NumbersOfMetrics {
 public:
  explicit NumbersOfMetrics(const StudyFile& study);

  /// Throws Error(input): the record of case `i` has a metric, but not that number of it which the study names.
  void require(std::size_t i, const StudyJson& record);

 private:
  const StudyFile& study_;
  std::vector<MetricReference> open_;
};

/// Whether the cases differ by numbers alone: what they have in common decides which channels there are.
bool of_one_kind(const StudyFile& study);
/// What cases have in common that differ by numbers alone.
std::string kind_of(const StudyCase& c);

}  // namespace trammel
