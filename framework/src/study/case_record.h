// What is known about one case: written by its process as case.json, read by the study, recognised by its key.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/catalogue.h"
#include "study/study_file.h"

namespace trammel {

using StudyJson = nlohmann::ordered_json;

/// Hash of everything a case's result depends on, apart from the plugins: its resolved run file and the files that
/// names, the metrics that are taken during the run, their references, and the kernel library. Throws Error (input).
std::string case_key(const StudyFile& study, const StudyCase& c);

/// Cases that others are compared with (`against`): they run first, and are not compared themselves.
bool is_reference(const StudyFile& study, const StudyCase& c);

/// DIR/cases/NAME.
std::filesystem::path case_folder(const std::filesystem::path& study_folder, const StudyCase& c);

/// case.json of a finished case with this key whose plugins are the ones that would be found now; null if there is
/// none.
StudyJson read_finished(const std::filesystem::path& folder, const std::string& key, const Catalogue& catalogue);

/// case.json, whatever it says; null if there is none that can be read.
StudyJson read_record(const std::filesystem::path& folder);

}  // namespace trammel
