// A study's tables: for people on the terminal and in study.md, for programs in study.csv and study.json.
#pragma once

#include <filesystem>
#include <string>

#include "study/study.h"

namespace trammel {

/// Writes study.csv, study.json and study.md into the folder. Throws Error (compute).
void write_study(const StudyFile& study, const StudyResult& result, const std::filesystem::path& folder);

/// What the terminal shows: the cases, the orders, the expectations, and what was not expected.
std::string study_text(const StudyFile& study, const StudyResult& result);

}  // namespace trammel
