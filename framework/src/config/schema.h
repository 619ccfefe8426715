// JSON Schema (2020-12) of run files, made from the tables of everything discovered.
#pragma once

#include <string>

#include "plugin/catalogue.h"

namespace trammel {

/// The schema as JSON text. It says what `validate` says, except for references by name, uniqueness of names over the
/// four maps, values of expressions, and files.
std::string run_file_schema(const Catalogue& catalogue);

}  // namespace trammel
