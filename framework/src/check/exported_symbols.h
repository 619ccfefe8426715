// The symbols that a shared library offers to others, read from its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel::conformance {

/// Defined global and weak symbols of the dynamic symbol table; the library is not loaded. Throws Failed if the file
/// has no such table.
std::vector<std::string> exported_symbols(const std::filesystem::path& library);

}  // namespace trammel::conformance
