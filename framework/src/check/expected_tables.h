// Tables of numbers that files of results are compared with.
#pragma once

#include <filesystem>

namespace trammel::conformance {

/// Fails where the table (CSV) `found` is not that of `expected`: texts letter by letter, numbers to 1e-8 of the larger of 1 and
/// their size.
void require_table(const std::filesystem::path& found, const std::filesystem::path& expected);

}  // namespace trammel::conformance
