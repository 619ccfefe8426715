// Hashes of contents.
#include "config/content_hash.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "config/includes.h"
#include "config/json_source.h"
#include "plugin/elf_file.h"
#include "version.h"

namespace trammel {

void ContentHash::add(std::string_view text) {
  for (const char c : text) mix(static_cast<unsigned char>(c));
  mix(0xff);  // in no UTF-8 text: keeps "ab","c" apart from "a","bc"
}

void ContentHash::add(const RunFile& run) {
  if (is_composed(*run.document)) {  // sub-models are written out later; nothing else decides what becomes of them
    add(to_json(run.written.read()));
    for (const Setting& setting : run.settings) add(setting_text(setting));
  }
  add(run.resolved_json());
  add_files(run.whole_document(), run.folder);
}

std::string ContentHash::text() const { return fmt::format("{:016x}", state_); }

void ContentHash::add_files(const Node& node, const std::filesystem::path& folder) {
  if (node.is_text() && !node.text.empty() && node.text.size() < 1024) {
    std::error_code code;
    const std::filesystem::path file = folder / node.text;
    if (std::filesystem::is_regular_file(file, code)) add(read_text_file(file));
    // Of an included file, as it is seen from here.
    const bool elsewhere = node.place.source != nullptr && node.place.line > 0;
    const std::filesystem::path near =
        elsewhere ? std::filesystem::absolute(*node.place.source).parent_path() / node.text : file;
    if (near != file && std::filesystem::is_regular_file(near, code)) add(read_text_file(near));
  }
  for (const Node& item : node.items) add_files(item, folder);
  for (const Member& member : node.members) add_files(member.value, folder);
}

const std::string& kernel_build_id() {
  static const std::string id = [] {
    Dl_info info;
    const bool known = dladdr(reinterpret_cast<const void*>(&version), &info) != 0 && info.dli_fname != nullptr;
    const std::string found = known ? inspect_elf(info.dli_fname).build_id : "";
    return found.empty() ? std::string(version()) : found;
  }();
  return id;
}

}  // namespace trammel
