// Studies written as text, and what reading them says.
#pragma once

#include <string>

#include "process.h"
#include "study/study_file.h"

namespace trammel {

/// A folder with `run.json`, some JSON file that exists, and a study.
class StudyText {
 public:
  explicit StudyText(const std::string& text) : file_(folder_.path() / "study.json") {
    write_text(folder_.path() / "run.json", "{}");
    write_text(file_, text);
  }
  /// The study; what is wrong is left in `problems`.
  StudyFile read() { return load_study_file(file_, problems); }

  /// All problems, without the folder's name.
  std::string said() {
    std::string all;
    try {
      read();
      for (const std::string& line : problems.lines()) all += line + "\n";
    } catch (const Error& error) {
      all = error.what();
    }
    const std::string folder = folder_.path().string() + "/";
    for (std::size_t at = all.find(folder); at != std::string::npos; at = all.find(folder))
      all.erase(at, folder.size());
    return all;
  }

  Problems problems;

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

}  // namespace trammel
