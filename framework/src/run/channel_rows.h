// Columns by name, for components that ask for them while a run goes on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/columns.h"

namespace trammel {

/// Values of the columns of these names, in their order, at the sample that `now` gives. `make` makes all columns when
/// somebody asks for the first time: in most runs nobody does.
std::function<std::vector<double>(const std::vector<std::string>&)> channel_rows(std::function<Columns()> make,
                                                                                 std::function<Sample()> now);

}  // namespace trammel
