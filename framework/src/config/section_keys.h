// Keys of a run file's sections that no parameter table describes, because their values are read by hand: one table for
// the reader, the JSON schema, `trammel describe` and the reference.
#pragma once

#include <string>
#include <vector>

namespace trammel {

/// A section of the run file, or the whole of it.
enum class RunFilePart { run_file, system, submodels, body, analysis, output, report };

struct SectionKey {
  const char* name;         ///< below the section: "events", "events.NAME.when", "conditions[].of"
  const char* type;         ///< in words
  const char* unit;         ///< "1" for none
  const char* description;  ///< one sentence, ending in a full stop
  bool optional = true;
  const char* default_json = nullptr;  ///< JSON text
};

/// In the order in which they are shown.
const std::vector<SectionKey>& section_keys(RunFilePart part);
/// Names of those right below `parent` ("": below the section itself; "events.NAME").
const std::vector<std::string>& keys_below(RunFilePart part, const std::string& parent = "");
/// Its description; `name` must be in the table.
const char* key_description(RunFilePart part, const std::string& name);

}  // namespace trammel
