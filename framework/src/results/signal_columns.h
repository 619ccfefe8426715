// Columns of signals: each by its own name.
#pragma once

#include "results/column_groups.h"

namespace trammel {

/// [setup] Nothing if the run file has no signals. `groups`: makes the other groups anew, from which signals take channels.
/// Throws Error(input) with the place of a signal that names no column.
void add_signal_group(const Model& model, ConstrainedModel* numbers, const std::function<void(const AddGroup&)>& groups,
                      const AddGroup& add);

}  // namespace trammel
