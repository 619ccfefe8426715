// What a model declares of itself, drawings and names, in summary.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "record/declared_names.h"
#include "record/model_drawing.h"

namespace trammel {

/// "drawing" of summary.json, where there is any.
void add_drawing(const ModelDrawing& drawing, nlohmann::ordered_json& summary);
/// "model" and "columns".
void add_names(const DeclaredNames& names, nlohmann::ordered_json& summary);

}  // namespace trammel
