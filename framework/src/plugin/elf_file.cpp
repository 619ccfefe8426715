// ELF program headers and notes, bounds-checked; layout: System V ABI, chapters 4 and 5, and <elf.h>.
#include "plugin/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

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

}  // namespace

ElfFile inspect_elf(const std::filesystem::path& file) {
  const FileBytes reader(file.c_str());
  Elf64_Ehdr header;
  if (reader.size() == 0) return {"the file is empty or cannot be read", ""};
  if (!reader.read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return {"the file is not a shared library (no ELF header)", ""};
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return {"the file is not a 64-bit little-endian shared library", ""};
  }
  ElfFile result;
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const std::uint64_t offset = header.e_phoff + static_cast<std::uint64_t>(i) * sizeof segment;
    const bool whole = reader.read(offset, &segment, sizeof segment) &&
                       (segment.p_filesz == 0 || reader.contains(segment.p_offset, segment.p_filesz));
    if (!whole) return {fmt::format("the file is truncated after {} bytes", reader.size()), ""};
    if (segment.p_type != PT_NOTE || !result.build_id.empty()) continue;
    std::vector<char> notes(segment.p_filesz);
    if (!reader.read(segment.p_offset, notes.data(), notes.size())) continue;
    result.build_id = find_build_id(notes).value_or("");
  }
  // The section headers come last: not needed for loading, but without them a copy was cut short.
  if (header.e_shoff != 0 && !reader.contains(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize)) {
    return {fmt::format("the file is truncated after {} bytes", reader.size()), ""};
  }
  return result;
}

}  // namespace trammel
