// Parts of a study: what one array job of a cluster has done, as a file of its own that only it writes.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "study/case_record.h"

namespace trammel {

/// DIR/parts/NAME.jsonl: a line "INDEX RECORD" per case, added as cases end. A line that a kill or a full disk cut off
/// counts as none.
class PartFile {
 public:
  /// Goes on with the file, or makes it. Throws Error(compute).
  PartFile(const std::filesystem::path& folder, const std::string& name);

  void add(std::size_t index, const StudyJson& record);
  /// What was added is in the file. Throws Error(compute).
  void flush();

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
};

/// Records of all parts by case and key: parts of an earlier job may have other cuts of the cases, and other versions of
/// them. Of several records the finished one counts, whichever file has it.
using PartRecords = std::map<std::pair<std::size_t, std::string>, StudyJson>;
PartRecords read_parts(const std::filesystem::path& folder);
/// Parts whose records are all in the store.
void remove_parts(const std::filesystem::path& folder);

}  // namespace trammel
