// What can be learnt of a plugin library without loading it: whether it is whole, and its GNU build-id.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel {

struct ElfFile {
  std::string fault;                ///< why the file cannot be a loadable library, "" if it can
  std::string build_id;             ///< hexadecimal, "" if the file has no build-id note
  std::vector<std::string> needed;  ///< names of the libraries that are loaded with it
};

/// Reads the program headers and the notes of a 64-bit little-endian ELF file. A truncated library would end the
/// process with SIGBUS while it is loaded, so that every segment is checked against the file's length here. Never
/// throws.
ElfFile inspect_elf(const std::filesystem::path& file);

/// The runtime of a sanitizer (libasan.so.8, libtsan.so.2) that a library needs and this process does not have: it would have
/// to be the first of all. "" if there is none.
std::string missing_runtime(const std::filesystem::path& library);

}  // namespace trammel
