// Reference pages in Markdown, from manifests and the plugins' own notes.
#pragma once

#include <string>
#include <vector>

#include "plugin/catalogue.h"

namespace trammel::cli {

/// The records of one kind and type: one, or one per host.
using TypeEntries = std::vector<Catalogue::Entry>;

/// The catalogue grouped by kind and type, in its order. `plugin_id`: only that plugin's types, "" for all.
std::vector<TypeEntries> types_of(const Catalogue& catalogue, const std::string& plugin_id);

/// "constraint/revolute.md", seen from the folder of the reference.
std::string page_name(const TypeEntries& type);

/// The page of one type.
std::string type_page(const TypeEntries& type, const Catalogue& catalogue);

/// The list of all types by kind.
std::string index_page(const std::vector<TypeEntries>& types);
/// The list of the types of one kind, with what all of them share.
std::string kind_page(ComponentKind kind, const std::vector<TypeEntries>& types);

/// The keys of `analysis`, `output` and the study's own metrics, which belong to no plugin.
std::string kernel_page();

}  // namespace trammel::cli
