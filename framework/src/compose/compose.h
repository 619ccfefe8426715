// A run file with sub-models, included files or units made a plain one.
#pragma once

#include "config/run_file.h"
#include "plugin/catalogue.h"

namespace trammel {

/// Replaces `run`, where is_composed says so, by one with the same settings that has every part of its sub-models under a
/// name such as "leg[2].knee", every place in the ground's frame and every number in SI. Settings of such names
/// ("system.bodies.leg[2].knee.mass") are applied to it.
/// What is wrong is added to `problems`, with the place and the JSON path where it was written; then `run` stays as it is,
/// and is no model.
void compose(RunFile& run, const Catalogue& catalogue, Problems& problems);

/// The same; throws Error if anything is wrong.
RunFile composed(RunFile run, const Catalogue& catalogue);

}  // namespace trammel
