// The motion of a model as glTF 2.0, for other viewers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "report/result_table.h"
#include "report/scene.h"

namespace trammel {

/// Largest size of the animation's numbers; beyond it rows are left out.
inline constexpr std::size_t gltf_budget = 64'000'000;  // bytes

/// A binary file (glb): nodes of the bodies with their shapes, and one animation with the rows of `table`, its time
/// from
/// 0. Springs are lines, other links cylinders. Bodies whose columns `table` has not are left out.
/// Throws Error (input) naming columns if there is no body to show.
std::string glb(const Scene& scene, const ResultTable& table, std::size_t budget = gltf_budget);

/// Reads a run's folder and writes its motion: `.glb`, or `.gltf` with the numbers inside the text. Throws Error: no
/// motion (input), another ending (usage), cannot be written (compute).
void write_gltf(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace trammel
