// Asking the elements of a model how they are drawn.
#pragma once

#include "model/model.h"
#include "record/model_drawing.h"

namespace trammel {

/// [setup] What all elements tell; those that have nothing to show and hold their bodies nowhere are left out. Throws
/// Error(plugin): what an element throws. `q`: where the bodies are at the end; empty, or that of the start: where their
/// velocities lead within `duration` (s).
ModelDrawing drawing_of(const Model& model, ConstVectorView q = {}, double duration = 0);

}  // namespace trammel
