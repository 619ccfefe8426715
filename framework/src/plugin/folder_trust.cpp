// The user's list of trusted folders, and what makes a folder unfit to be on it.
#include "plugin/folder_trust.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sha2.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "plugin/file_stamp.h"
#include "plugin/utf8_text.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using TrustJson = nlohmann::ordered_json;

constexpr const char* format_key = "trammel_trust";

/// The "user private group" of Debian and others: of nobody else, with the name of the user.
bool is_own_group(gid_t id) {
  char texts[2][4096];
  passwd user{}, *found_user = nullptr;
  group named{}, *found_group = nullptr;
  if (::getpwuid_r(::geteuid(), &user, texts[0], sizeof texts[0], &found_user) != 0 || found_user == nullptr)
    return false;
  if (::getgrgid_r(id, &named, texts[1], sizeof texts[1], &found_group) != 0 || found_group == nullptr) return false;
  return user.pw_gid == id && std::string_view(user.pw_name) == named.gr_name;
}

/// Who else may change a file, or what a folder holds; "" for nobody. `owners`: its owner counts, too.
std::string other_writer(const fs::path& path, bool owners, bool sticky_is_safe) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return fmt::format("{} cannot be looked at", path.string());
  if (owners && s.st_uid != 0 && s.st_uid != ::geteuid())
    return fmt::format("{} belongs to another user (uid {})", path.string(), s.st_uid);
  // Others may add to such a folder, but neither change nor replace what is there.
  if (sticky_is_safe && S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0) return "";
  if ((s.st_mode & S_IWOTH) != 0) return fmt::format("everybody may write {}", path.string());
  if ((s.st_mode & S_IWGRP) != 0 && !is_own_group(s.st_gid))
    return fmt::format("a group (gid {}) may write {}", s.st_gid, path.string());
  return "";
}

/// Files that the loader may take for libraries: plugins, and what lies beside them for plugins to use.
std::vector<fs::path> libraries_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".so") || name.find(".so.") != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Who else could change what is loaded from there; "" for nobody.
std::string other_writer_of_folder(const fs::path& folder, bool any_contents) {
  std::string other = other_writer(folder, any_contents, false);
  for (fs::path above = folder; other.empty() && above.has_relative_path();) {
    above = above.parent_path();
    other = other_writer(above, any_contents, true);
  }
  for (const fs::path& library : libraries_in(folder)) {
    if (!other.empty()) return other;
    other = other_writer(library, any_contents, true);
  }
  return other;
}

/// SHA-256; "" if the file cannot be read. From memory while the file is as it was.
std::string digest_of(const fs::path& file) {
  struct Known {
    FileStamp stamp;
    std::string digest;
  };
  static std::mutex guard;
  static std::map<std::string, Known> memory;
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = memory.find(file.native());
  if (known != memory.end() && known->second.stamp.holds()) return known->second.digest;
  FileStamp stamp(file.string());
  char text[SHA256_DIGEST_STRING_LENGTH] = "";
  if (SHA256File(file.c_str(), text) == nullptr) return "";
  if (stamp.is_settled()) memory[file.native()] = {std::move(stamp), text};
  return text;
}

std::string quoted_path(const fs::path& file) { return file.empty() ? "the trust file" : file.string(); }

Error unreadable(const std::string& why) {
  return Error(ErrorKind::input, fmt::format("{}: {}; mend it or remove it", quoted_path(trust_file()), why));
}

TrustedFolder entry_from(const TrustJson& json) {
  TrustedFolder entry{json.at("folder").get<std::string>(), json.value("any_contents", false), {}};
  if (!entry.folder.is_absolute()) throw unreadable("a \"folder\" must be an absolute path");
  if (!entry.any_contents) entry.libraries = json.at("libraries").get<std::map<std::string, std::string>>();
  return entry;
}

TrustJson to_trust_json(const std::vector<TrustedFolder>& entries) {
  TrustJson list = TrustJson::array();
  for (const TrustedFolder& entry : entries) {
    TrustJson one = {{"folder", entry.folder.string()}};
    if (entry.any_contents)
      one["any_contents"] = true;
    else
      one["libraries"] = entry.libraries;
    list.push_back(std::move(one));
  }
  return {{format_key, 1}, {"folders", std::move(list)}};
}

/// Of the folder of the trust file, while it is read, changed and written.
class TrustLock {
 public:
  explicit TrustLock(const fs::path& folder) : handle_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (handle_ >= 0) ::flock(handle_, LOCK_EX);
  }
  ~TrustLock() {
    if (handle_ >= 0) ::close(handle_);
  }
  TrustLock(const TrustLock&) = delete;
  TrustLock& operator=(const TrustLock&) = delete;

 private:
  int handle_;
};

void write_trust(const std::vector<TrustedFolder>& entries) {
  const fs::path file = trust_file();
  const fs::path draft = file.string() + ".new";
  std::error_code ignored;
  fs::remove(draft, ignored);
  const int handle = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string text = to_trust_json(entries).dump(2, ' ', false, TrustJson::error_handler_t::replace) + "\n";
  const bool written = handle >= 0 && ::write(handle, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (handle >= 0) ::close(handle);
  if (!written || std::rename(draft.c_str(), file.c_str()) != 0)
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", file.string()));
}

/// The trust file's folder, made if it is missing.
fs::path trust_place() {
  const fs::path file = trust_file();
  if (file.empty()) {
    throw Error(
        ErrorKind::usage,
        "there is no place for a list of trusted folders: neither XDG_CONFIG_HOME nor HOME is an absolute path");
  }
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw Error(ErrorKind::compute, fmt::format("{}: {}", file.parent_path().string(), error.message()));
  return file.parent_path();
}

bool same_folder(const TrustedFolder& entry, const fs::path& canonical) { return entry.folder == canonical; }

}  // namespace

fs::path trust_file() {
  const auto folder_of = [](const char* variable) {
    const char* text = std::getenv(variable);
    const fs::path path = text == nullptr ? "" : text;
    return path.is_absolute() ? path : fs::path();
  };
  fs::path base = folder_of("XDG_CONFIG_HOME");
  if (base.empty() && !folder_of("HOME").empty()) base = folder_of("HOME") / ".config";
  return base.empty() ? base : base / "trammel" / "trusted_folders.json";
}

std::vector<TrustedFolder> trusted_folders() {
  std::vector<TrustedFolder> entries;
  const fs::path file = trust_file();
  std::error_code missing;
  if (file.empty() || !fs::exists(file, missing)) return entries;
  const std::string other = other_writer(file, true, true);
  if (!other.empty()) throw unreadable(other);
  try {
    std::ifstream stream(file);
    const TrustJson json = TrustJson::parse(stream);
    if (json.at(format_key) != 1) throw unreadable(fmt::format("\"{}\" must be 1", format_key));
    for (const TrustJson& entry : json.at("folders")) entries.push_back(entry_from(entry));
  } catch (const nlohmann::json::exception&) {
    throw unreadable("it is not a list of trusted folders");
  }
  std::sort(entries.begin(), entries.end(),
            [](const TrustedFolder& a, const TrustedFolder& b) { return a.folder < b.folder; });
  return entries;
}

TrustedFolder trust_folder(const fs::path& folder, bool any_contents) {
  std::error_code error;
  TrustedFolder entry{fs::canonical(folder, error), any_contents, {}};
  if (error || !fs::is_directory(entry.folder))
    throw Error(ErrorKind::usage, fmt::format("{}: there is no such folder", folder.string()));
  const std::string other = other_writer_of_folder(entry.folder, any_contents);
  if (!other.empty()) {
    throw Error(ErrorKind::input, fmt::format("{}: is not trusted: {}, so that others decide what is loaded from there",
                                              entry.folder.string(), other));
  }
  for (const fs::path& library : libraries_in(entry.folder)) {
    if (any_contents) break;
    const std::string digest = digest_of(library);
    if (digest.empty()) throw Error(ErrorKind::input, fmt::format("{}: cannot be read", library.string()));
    entry.libraries[library.filename().string()] = digest;
  }
  const TrustLock lock(trust_place());
  std::vector<TrustedFolder> entries = trusted_folders();
  std::erase_if(entries, [&](const TrustedFolder& one) { return same_folder(one, entry.folder); });
  entries.push_back(entry);
  write_trust(entries);
  return entry;
}

bool distrust_folder(const fs::path& folder) {
  std::error_code ignored;
  const fs::path given = fs::weakly_canonical(folder, ignored), as_written = fs::absolute(folder).lexically_normal();
  const TrustLock lock(trust_place());
  std::vector<TrustedFolder> entries = trusted_folders();
  const std::size_t gone = std::erase_if(
      entries, [&](const TrustedFolder& one) { return same_folder(one, given) || same_folder(one, as_written); });
  if (gone > 0) write_trust(entries);
  return gone > 0;
}

std::string distrust_of(const fs::path& canonical) {
  std::vector<TrustedFolder> entries;
  if (canonical.empty()) return "cannot be looked at";
  try {
    entries = trusted_folders();
  } catch (const Error& error) {
    return fmt::format("is not trusted, as the list of trusted folders is not: {}", error.what());
  }
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const TrustedFolder& one) { return same_folder(one, canonical); });
  if (entry == entries.end()) return "is not trusted";
  const std::string other = other_writer_of_folder(canonical, entry->any_contents);
  if (!other.empty()) return fmt::format("is not trusted any more: {}", other);
  if (entry->any_contents) return "";
  for (const fs::path& library : libraries_in(canonical)) {
    const std::string name = library.filename().string();
    const auto known = entry->libraries.find(name);
    if (known == entry->libraries.end())
      return fmt::format("is not trusted any more: '{}' was not there when you trusted it", plain_words(name));
    if (digest_of(library) != known->second)
      return fmt::format("is not trusted any more: '{}' has changed since you trusted it", plain_words(name));
  }
  return "";
}

std::string shell_word(const std::string& text) {
  const auto harmless = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./+,:@%").find(c) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string plain_words(const std::string& text) {
  std::string plain;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_sequence(bytes + i, text.size() - i, false);
    plain += length == 0 ? "?" : text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  return plain;
}

}  // namespace trammel
