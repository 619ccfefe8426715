// Whether the user trusts the plugins of a folder: a plugin is code, and a run file may name any folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trammel {

/// A folder that the user trusts.
struct TrustedFolder {
  std::filesystem::path folder;                  ///< canonical
  bool any_contents = false;                     ///< whatever it comes to hold
  std::map<std::string, std::string> libraries;  ///< otherwise: SHA-256 of each library in it, by file name
};

/// trammel/trusted_folders.json below $XDG_CONFIG_HOME, or below $HOME/.config; "" if neither is an absolute path.
std::filesystem::path trust_file();

/// Of the trust file, sorted by folder; none if it does not exist. Throws Error(input): it cannot be read, is no such
/// file, or others than the user may write it.
std::vector<TrustedFolder> trusted_folders();

/// Records a folder as it is, or whatever it comes to hold. Throws Error(usage): there is no such folder or no trust
/// file; Error(input): others may write the folder; Error(compute): the file cannot be written. Returns the entry.
TrustedFolder trust_folder(const std::filesystem::path& folder, bool any_contents);
/// False: it was not there. Folders that do not exist any more can be taken out as well.
bool distrust_folder(const std::filesystem::path& folder);

/// Why nothing in a folder may be loaded that a run file names: words that go on from "the folder ..."; "" if the user
/// trusts it, as it is now. `canonical`: without symbolic links.
std::string distrust_of(const std::filesystem::path& canonical);

/// Text as a word of a shell's command line, for people to copy.
std::string shell_word(const std::string& text);
/// A text that somebody else wrote, with '?' for all that is no printable character.
std::string plain_words(const std::string& text);

}  // namespace trammel
