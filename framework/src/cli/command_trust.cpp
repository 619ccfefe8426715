// `trammel trust`: the folders whose plugins run files may load by naming them.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "plugin/folder_trust.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

struct TrustArguments {
  std::vector<std::filesystem::path> folders;
  bool any_contents = false, remove = false, list = false;
};

std::string libraries_text(const TrustedFolder& entry) {
  if (entry.any_contents) return "whatever it holds";
  std::string names;
  for (const auto& [name, digest] : entry.libraries) names += (names.empty() ? "" : ", ") + plain_words(name);
  return names.empty() ? "no library in it" : names;
}

int print_list() {
  for (const TrustedFolder& entry : trusted_folders()) {
    const std::string distrust = distrust_of(entry.folder);
    fmt::print("{}: {}{}\n", entry.folder.string(), libraries_text(entry), distrust.empty() ? "" : "; " + distrust);
  }
  return 0;
}

int remove_folders(const TrustArguments& options) {
  int code = 0;
  for (const std::filesystem::path& folder : options.folders) {
    if (distrust_folder(folder)) continue;
    fmt::print(stderr, "{}: is not on the list of trusted folders ('trammel trust --list')\n", folder.string());
    code = static_cast<int>(ErrorKind::usage);
  }
  return code;
}

int execute(const TrustArguments& options) {
  if (options.list || options.folders.empty()) {
    if (options.any_contents || options.remove || !options.folders.empty())
      throw Error(ErrorKind::usage, "trammel trust: --list stands alone; --remove and --any-contents need a FOLDER");
    return print_list();
  }
  if (options.remove) return remove_folders(options);
  for (const std::filesystem::path& folder : options.folders) {
    const TrustedFolder entry = trust_folder(folder, options.any_contents);
    fmt::print("{}: trusted: {}\n", entry.folder.string(), libraries_text(entry));
  }
  return 0;
}

}  // namespace

Action declare_trust(CLI::App& app) {
  auto options = std::make_shared<TrustArguments>();
  app.add_option("FOLDER", options->folders,
                 "Folders of plugins: run files that name them may load what is in them now, and it runs with all your "
                 "rights");
  app.add_flag("--any-contents", options->any_contents,
               "Also what comes to be in them later: for folders into which you build plugins yourself");
  CLI::Option* remove = app.add_flag("--remove", options->remove, "Trust them no more");
  app.add_flag("--list", options->list, "Print the trusted folders, as without a FOLDER")->excludes(remove);
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
