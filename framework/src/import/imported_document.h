// ImportedDocument: the run file that an importer says piece by piece, with its comments, and what it could not say.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/node.h"
#include "trammel/importer.h"

namespace trammel {

/// A note with texts of its own.
struct OwnedImportNote {
  ImportLoss loss;
  int line;
  std::string file, tag, text;

  /// Counts as lost: `lost` and `constraint`.
  bool is_loss() const { return loss == ImportLoss::lost || loss == ImportLoss::constraint; }
  /// "robot.urdf:12: <limit>: lost: ..."
  std::string words() const;
};

/// Where a part of the run file comes from.
struct OwnedImportSource {
  std::string path, file, tag;
  int line;

  /// "robot.urdf:12: <limit>: "
  std::string words() const;
};

/// A coordinate with limits.
struct OwnedImportRange {
  std::string channel, joint;
  double lower, upper;
  OwnedImportSource source;
};

/// Keeps the order in which values come. Mistakes of the importer (a place twice, no JSON) are kept and told by `check`:
/// nothing is thrown through the plugin that calls.
class ImportedDocument final : public ImportedFile {
 public:
  void put(const char* path, const char* json, const char* comment) override;
  void note(const ImportNote& note) override;
  void source(const ImportSource& source) override;
  void range(const ImportRange& range) override;
  void reads(const char* file) override;

  /// Throws Error(plugin) with the first mistake, if there was one, or if there is no system.
  void check(const std::string& plugin) const;
  const std::vector<OwnedImportNote>& notes() const { return notes_; }
  const std::vector<OwnedImportRange>& ranges() const { return ranges_; }
  const std::vector<std::string>& files() const { return files_; }
  /// Of the parts that a message of the kernel names, by their path or as 'name', in the order of the document.
  std::vector<OwnedImportSource> named_in(const std::string& message) const;
  std::size_t count(ImportLoss loss) const;
  /// The value at a JSON pointer, or nullptr.
  const Node* find(const std::string& path) const;
  /// Of the object at `path`, or 0.
  std::size_t members(const std::string& path) const;
  std::vector<std::string> keys(const std::string& path) const;
  /// Puts `json` in place of what is at `path`, or behind the other keys of its object.
  void replace(const std::string& path, const std::string& json);
  /// The run file as people read it: short values on a line, comments above what they are about. `leave_out`: names of
  /// sections that are not written; `heading`: lines of comments on top.
  std::string text(const std::string& heading, const std::vector<std::string>& leave_out = {}) const;

 private:
  struct Entry {
    std::string key, comment;
    Node value;                  ///< of a leaf
    std::vector<Entry> entries;  ///< of an object that was made on the way, or put as {}
    bool leaf = false;
  };

  Entry* entry(const std::string& path, bool make);
  const Entry* entry(const std::string& path) const;
  void mistake(const std::string& text);
  static void write(const Entry& entry, std::size_t indent, std::string& out);

  Entry root_;
  std::vector<OwnedImportNote> notes_;
  std::vector<OwnedImportSource> sources_;
  std::vector<OwnedImportRange> ranges_;
  std::vector<std::string> files_;
  std::string mistake_;
};

/// A value as text: on one line where it fits into `width` columns behind `column`, else an entry a line.
std::string laid_out(const Node& node, std::size_t indent, std::size_t column);

}  // namespace trammel
