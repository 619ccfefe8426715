// JSON Schema (2020-12) of run files, made from the tables of everything discovered.
#pragma once

#include "config/parameter_schema.h"
#include "plugin/catalogue.h"

namespace trammel {

/// The definitions ($defs) of a schema, the whole run file being "run". They say what `validate` says, except for
/// references by name, uniqueness of names over the four maps, values of expressions, and files.
SchemaJson run_file_definitions(const Catalogue& catalogue);

}  // namespace trammel
