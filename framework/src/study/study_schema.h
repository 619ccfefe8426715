// JSON Schema (2020-12) of run files and studies, made from the tables of everything discovered.
#pragma once

#include <string>

#include "plugin/catalogue.h"

namespace trammel {

/// One schema for both: a file with "trammel_study" is a study. For run files it says what run_file_definitions says;
/// for studies what `validate` says, except for references by name, the run files of the cases, and formulas.
std::string input_schema(const Catalogue& catalogue);

}  // namespace trammel
