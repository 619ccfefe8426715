// `trammel migrate`: run files of older formats as files of the newest one.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/plugin_options.h"
#include "config/problems.h"
#include "migrate/migration.h"
#include "study/study_file.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct MigrateArguments : PluginOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path target;
};

/// The run files to migrate, in the order in which they are named, each with the cases of studies that use it.
class RunFiles {
 public:
  void add(const std::filesystem::path& file) {
    if (is_study_file(file)) return add_study(file);
    entry(file);
  }

  struct Entry {
    std::filesystem::path file;
    std::vector<UsedWith> uses;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void add_study(const std::filesystem::path& file) {
    Problems problems;
    const StudyFile study = load_study_file(file, problems);
    problems.raise();
    for (const StudyCase& c : study.cases)
      entry(c.base).uses.push_back({fmt::format("case '{}' of {}", c.name, file.string()), c.set});
  }

  Entry& entry(const std::filesystem::path& file) {
    const auto [found, made] = places_.try_emplace(std::filesystem::weakly_canonical(file), entries_.size());
    if (made) entries_.push_back({file, {}});
    return entries_[found->second];
  }

  std::map<std::filesystem::path, std::size_t> places_;
  std::vector<Entry> entries_;
};

int execute(const MigrateArguments& options) {
  RunFiles files;
  for (const std::filesystem::path& file : options.files) files.add(file);
  if (!options.target.empty() && files.entries().size() != 1)
    throw Error(ErrorKind::usage, "-o takes the one file that is written: name one run file");
  // All of them first: where one cannot be migrated, none is written.
  std::vector<Migration> made;
  for (const RunFiles::Entry& entry : files.entries()) made.push_back(migrate(entry.file, options, entry.uses));
  for (const Migration& migration : made) {
    const std::filesystem::path& target = options.target.empty() ? migration.file : options.target;
    if (migration.changes.empty()) fmt::print("{}: has format 2 already\n", migration.file.string());
    if (!migration.changes.empty() || !options.target.empty()) write_migrated(migration.text, target);
    for (const std::string& change : migration.changes) fmt::print("{}\n", change);
  }
  return 0;
}

}  // namespace

Action declare_migrate(CLI::App& app) {
  auto options = std::make_shared<MigrateArguments>();
  app.add_option("FILE", options->files, "Run files, or studies, whose run files are meant")->required();
  app.add_option("-o", options->target, "Write here and leave the file as it is")->type_name("FILE");
  declare_plugin_path(app, *options);
  declare_trust(app, *options);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
