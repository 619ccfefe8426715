// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace trammel {

/// Through a temporary file beside it and a rename. Throws Error(compute) naming file and reason.
void write_atomically(const std::filesystem::path& file, const std::string& text);

}  // namespace trammel
