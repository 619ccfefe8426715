// ELF's dynamic symbol table, bounds-checked by reading through streams; layout: System V ABI, chapter 4, and <elf.h>.
#include "check/exported_symbols.h"

#include <elf.h>

#include <fstream>

#include "check/check.h"

namespace trammel::conformance {
namespace {

template <class Record>
std::vector<Record> read_records(std::ifstream& stream, std::uint64_t offset, std::uint64_t count) {
  std::vector<Record> records(count);
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(count * sizeof(Record)));
  if (!stream) fail("its symbol table cannot be read");
  return records;
}

}  // namespace

std::vector<std::string> exported_symbols(const std::filesystem::path& library) {
  std::ifstream stream(library, std::ios::binary);
  const auto header = read_records<Elf64_Ehdr>(stream, 0, 1).front();
  const auto sections = read_records<Elf64_Shdr>(stream, header.e_shoff, header.e_shnum);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& texts = sections[section.sh_link];
    std::vector<char> names = read_records<char>(stream, texts.sh_offset, texts.sh_size);
    names.push_back(0);
    std::vector<std::string> found;
    for (const auto& symbol : read_records<Elf64_Sym>(stream, section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const bool defined = symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
      if (defined && symbol.st_name < names.size()) found.emplace_back(names.data() + symbol.st_name);
    }
    return found;
  }
  fail("it has no table of dynamic symbols");
}

}  // namespace trammel::conformance
