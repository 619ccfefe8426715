// Files that a run file includes: read as data and put into its document.
#pragma once

#include <filesystem>
#include <string>

#include "config/node.h"

namespace trammel {

/// Puts the files in that the document of `file` includes, and those that they include. `folder`: of `file`, absolute.
/// Of a whole run file: `include` with a file or an array of files, whose objects join those of the document; a key
/// that stands in both is an error. Of a sub-model: {"include": "leg.json"} stands for the file.
/// Everything keeps its place, with the included file's name as seen from where `file` was named.
/// Returns whether anything was included. Throws Error (input): files that are not there, circles, keys that stand twice,
/// other units than those of `document`, `plugins`.
bool merge_includes(Node& document, const std::filesystem::path& file, const std::filesystem::path& folder);

/// Whether a document has sub-models, included files or units, and has to be made a plain one (compose/compose.h) before it
/// is a model.
bool is_composed(const Node& document);
/// Whether a path such as "system.bodies.leg[2].knee.mass" leads to a part of a sub-model, which a document that has them
/// knows under that name when it is a plain one.
bool names_part_of_submodel(const Node& document, const std::string& path);
/// Takes out of a document what makes it a composed one.
void drop_composition(Node& document);

/// Folder of the file that a place is in, where data files named there are looked for.
std::filesystem::path folder_of(const Place& place, const std::filesystem::path& file,
                                const std::filesystem::path& folder);

/// Names the files of shapes in full: pictures are made long after a run, from its resolved run file.
void place_meshes(Node& document, const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace trammel
