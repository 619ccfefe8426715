// JSON texts of tables, which are the same as often as models are made.
#pragma once

#include <string>

#include "config/node.h"

namespace trammel {

/// parse_json of one line, read once by each thread; `source` as there. Throws JsonSyntaxError.
const Node& known_json(const std::string& text, const std::string& source);

}  // namespace trammel
