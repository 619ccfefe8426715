// Analyses that plugins bring: which keys of `analysis` they have in common with those of the kernel.
#pragma once

#include <string>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "plugin/catalogue.h"

namespace trammel {

/// The types of the kernel.
const std::vector<std::string>& built_in_analyses();
/// Whether the type, if there is one, is a text; otherwise there is a problem.
bool type_is_text(const Node& analysis, Problems& problems);
/// Whether a plugin would have to bring it.
bool is_opened(const Node& analysis);
/// `duration`, `solver` and others that mean the same in every analysis, as entries of the kernel's table.
std::vector<ParameterInfo> common_analysis_keys();
/// Names of those, of what section_keys.h adds to them, and "type": no parameter of an analysis is called so.
std::vector<std::string> common_analysis_names();
/// Those keys of an analysis that a plugin brings, as one of the kernel's that asks for nothing more.
Node common_part(const Node& analysis);

}  // namespace trammel
