// ELF program headers and notes, bounds-checked; layout: System V ABI, chapters 4 and 5, and <elf.h>.
#include "plugin/elf_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "plugin/file_bytes.h"

namespace trammel {
namespace {

/// The build-id among the notes of one PT_NOTE segment: each a header, a name and a descriptor padded to four bytes.
std::optional<std::string> find_build_id(const std::vector<char>& notes) {
  const auto padded = [](std::uint64_t n) { return (n + 3) / 4 * 4; };
  std::uint64_t at = 0;
  while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
    Elf64_Nhdr header;
    std::memcpy(&header, notes.data() + at, sizeof header);
    const std::uint64_t name = at + sizeof header;
    const std::uint64_t content = name + padded(header.n_namesz);
    if (content + header.n_descsz > notes.size()) return std::nullopt;
    const bool is_build_id = header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4;
    if (is_build_id && std::memcmp(notes.data() + name, ELF_NOTE_GNU, 4) == 0) {
      std::string text;
      for (std::uint64_t i = 0; i < header.n_descsz; ++i) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(notes[content + i]));
      }
      return text;
    }
    at = content + padded(header.n_descsz);
  }
  return std::nullopt;
}

/// Where in the file an address of the loaded library is; 0: nowhere.
std::uint64_t place_in_file(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
      return s.p_offset + (address - s.p_vaddr);
  }
  return 0;
}

/// DT_NEEDED of the dynamic section; none where anything about it is odd: the loader says so then.
std::vector<std::string> needed_libraries(const FileBytes& reader, const std::vector<Elf64_Phdr>& segments) {
  std::vector<std::string> names;
  const auto dynamic =
      std::find_if(segments.begin(), segments.end(), [](const Elf64_Phdr& s) { return s.p_type == PT_DYNAMIC; });
  if (dynamic == segments.end() || !reader.contains(dynamic->p_offset, dynamic->p_filesz)) return names;
  std::vector<Elf64_Dyn> entries(dynamic->p_filesz / sizeof(Elf64_Dyn));
  if (!reader.read(dynamic->p_offset, entries.data(), entries.size() * sizeof(Elf64_Dyn))) return names;
  std::uint64_t texts = 0;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) texts = place_in_file(segments, entry.d_un.d_ptr);
  }
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag != DT_NEEDED || texts == 0) continue;
    char name[128] = "";
    const std::uint64_t at = texts + entry.d_un.d_val;
    if (at >= reader.size() || !reader.read(at, name, std::min<std::uint64_t>(sizeof name - 1, reader.size() - at)))
      continue;
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

ElfFile inspect_elf(const std::filesystem::path& file) {
  const FileBytes reader(file.c_str());
  Elf64_Ehdr header;
  if (reader.size() == 0) return {"the file is empty or cannot be read", "", {}};
  if (!reader.read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return {"the file is not a shared library (no ELF header)", "", {}};
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return {"the file is not a 64-bit little-endian shared library", "", {}};
  }
  ElfFile result;
  std::vector<Elf64_Phdr> segments;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const std::uint64_t offset = header.e_phoff + static_cast<std::uint64_t>(i) * sizeof segment;
    const bool whole = reader.read(offset, &segment, sizeof segment) &&
                       (segment.p_filesz == 0 || reader.contains(segment.p_offset, segment.p_filesz));
    if (!whole) return {fmt::format("the file is truncated after {} bytes", reader.size()), "", {}};
    segments.push_back(segment);
    if (segment.p_type != PT_NOTE || !result.build_id.empty()) continue;
    std::vector<char> notes(segment.p_filesz);
    if (!reader.read(segment.p_offset, notes.data(), notes.size())) continue;
    result.build_id = find_build_id(notes).value_or("");
  }
  // The section headers come last: not needed for loading, but without them a copy was cut short.
  if (header.e_shoff != 0 && !reader.contains(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize)) {
    return {fmt::format("the file is truncated after {} bytes", reader.size()), "", {}};
  }
  result.needed = needed_libraries(reader, segments);
  return result;
}

std::string missing_runtime(const std::filesystem::path& library) {
  for (const std::string& name : inspect_elf(library).needed) {
    if (!name.starts_with("libasan.so") && !name.starts_with("libtsan.so")) continue;
    void* const there = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (there == nullptr) return name;
    ::dlclose(there);
  }
  return "";
}

}  // namespace trammel
