// Columns packed into a page: numbers as base64 of typed arrays, rounded and thinned as far as a budget demands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/result_table.h"

namespace trammel {

/// How the values of a column are kept. `uint16`: value = low + step * k, k = 65535 for NaN and infinities.
enum class Coding { float64, float32, uint16 };

struct PackedColumn {
  std::string name;
  Coding coding = Coding::float64;
  double low = 0, step = 0;  ///< of uint16
  double largest_error = 0;  ///< of a value kept, in the column's unit; 0: exact
  std::size_t offset = 0;    ///< bytes from the start of the block
};

struct ColumnBlock {
  std::vector<PackedColumn> columns;
  std::size_t rows = 0;  ///< kept: rows 0, stride, 2 stride, ... and the last
  std::size_t stride = 1;
  std::vector<std::uint8_t> bytes;
};

/// Largest length of a page's numbers, as text: 12 MB.
inline constexpr std::size_t report_budget = 12'000'000;

/// Time, energies, constraint errors, step and order always stay doubles. The other columns take the finest coding with
/// which every row fits into `budget` characters of base64; where uint16 does not suffice, rows are left out.
ColumnBlock pack_columns(const ResultTable& table, std::size_t budget = report_budget);

/// Value `row` (of those kept) of a column, as the page will read it.
double unpack(const ColumnBlock& block, std::size_t column, std::size_t row);

std::string base64(const std::vector<std::uint8_t>& bytes);
const char* coding_name(Coding coding);

}  // namespace trammel
