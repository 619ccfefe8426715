// Enumeration of a study's cases.
#pragma once

#include <filesystem>
#include <vector>

#include "study/sampling.h"
#include "study/study_file.h"

namespace trammel {

/// Every entry of `cases` with every combination of the values of `vary` (the last key running fastest); each of the
/// two may be left out, and a study with neither has one case, "base". Each of them with every point of `sampling`,
/// unless that is nullptr. Settings are applied in the order `set`, those of the case, those of `vary`, those of the
/// sample. Relative run files start at `folder`. What is wrong is added to `problems`.
std::vector<StudyCase> enumerate_cases(const Node& document, const std::filesystem::path& folder,
                                       const Sampling* sampling, Keep keep, Problems& problems);

}  // namespace trammel
