// What is known about one case: written by its process as case.json, read by the study, recognised by its key.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/catalogue.h"
#include "study/study_file.h"

namespace trammel {

using StudyJson = nlohmann::ordered_json;

/// A metric's number in a record: null is NaN, "inf" and "-inf" are what they say; without an entry it was not computed.
StudyJson metric_number(double value);
/// And back; NaN where it is no number.
double number_of(const StudyJson& value);

/// Of a record, on its way to the study: what is wrong is a metric of the study, whatever the case's numbers.
inline constexpr const char* wrong_study_key = "wrong_study";

/// Hashes of everything a case's result depends on, apart from the plugins: its resolved run file and the files that
/// names, the metrics that are taken during the run, their references, limits, and the kernel library.
class CaseKeys {
 public:
  explicit CaseKeys(const StudyFile& study) : study_(study) {}
  /// Throws Error (input).
  std::string of(const StudyCase& c);

 private:
  const std::string& without_sample(const StudyCase& c);

  const StudyFile& study_;
  std::map<std::string, std::string> known_;  ///< by run file and settings: points of a sample share all but numbers
};

/// Cases that others are compared with (`against`): they run first, and are not compared themselves.
bool is_reference(const StudyFile& study, const StudyCase& c);

/// DIR/cases/NAME.
std::filesystem::path case_folder(const std::filesystem::path& study_folder, const StudyCase& c);

/// case.json of a finished case with this key whose plugins are the ones that would be found now; null if there is
/// none.
StudyJson read_finished(const std::filesystem::path& folder, const std::string& key, const Catalogue& catalogue);

/// Whether all plugins of a record are the ones that would be found now.
bool same_plugins(const StudyJson& record, const Catalogue& catalogue);

/// What a worker, or whoever buried it, answered about a case. Where the worker could not write the finished case's
/// case.json, of a study that keeps files, that is done here. Throws Error(compute).
StudyJson complete_record(const StudyFile& study, const std::filesystem::path& folder, std::size_t index,
                          const std::string& key, const std::string& answer);

/// case.json, whatever it says; null if there is none that can be read.
StudyJson read_record(const std::filesystem::path& folder);

}  // namespace trammel
