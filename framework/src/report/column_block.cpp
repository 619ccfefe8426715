// Quantising, thinning and base64.
#include "report/column_block.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace trammel {
namespace {

constexpr double levels = 65534;  // 65535 says that there is no number
constexpr std::uint16_t no_number = 65535;

std::size_t width(Coding coding) { return coding == Coding::float64 ? 8 : coding == Coding::float32 ? 4 : 2; }

/// Columns that span many decades, or that everything else is plotted over.
bool kept_exact(std::string_view name) {
  return name == "t" || name == "step" || name == "order" || name == "local_error" || name.starts_with("energy.") ||
         name.starts_with("constraint.");
}

bool beyond_float(double value) { return std::abs(value) > static_cast<double>(std::numeric_limits<float>::max()); }

std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

std::vector<std::size_t> kept_rows(std::size_t rows, std::size_t stride) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < rows; row += stride) kept.push_back(row);
  if (rows != 0 && kept.back() != rows - 1) kept.push_back(rows - 1);
  return kept;
}

class Packer {
 public:
  Packer(const ResultTable& table, std::size_t budget) : table_(table), budget_(budget) {
    exact_ = static_cast<std::size_t>(std::count_if(table.columns.begin(), table.columns.end(), kept_exact));
  }

  ColumnBlock pack() {
    Coding coding = Coding::float64;
    if (!fits(table_.rows, coding)) coding = Coding::float32;
    if (!fits(table_.rows, coding)) coding = Coding::uint16;
    while (!fits(kept_rows(table_.rows, block_.stride).size(), coding) && block_.stride < table_.rows) ++block_.stride;
    rows_ = kept_rows(table_.rows, block_.stride);
    block_.rows = rows_.size();
    block_.bytes.reserve(bytes(block_.rows, coding) + 8 * table_.columns.size());
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      add(i, kept_exact(table_.columns[i]) ? Coding::float64 : coding);
    return std::move(block_);
  }

 private:
  std::size_t bytes(std::size_t rows, Coding coding) const {
    return rows * (8 * exact_ + width(coding) * (table_.columns.size() - exact_));
  }
  bool fits(std::size_t rows, Coding coding) const {
    return base64_length(bytes(rows, coding) + 8 * table_.columns.size()) <= budget_;
  }

  void add(std::size_t index, Coding coding) {
    block_.bytes.resize((block_.bytes.size() + 7) / 8 * 8);  // typed arrays want their alignment
    PackedColumn column;
    column.name = table_.columns[index];
    column.coding = coding;
    column.offset = block_.bytes.size();
    const double* values = table_.column(index);
    if (coding == Coding::float32 && std::any_of(values, values + table_.rows, beyond_float))
      column.coding = Coding::float64;
    if (coding == Coding::uint16) set_range(values, column);
    for (const std::size_t row : rows_) put(values[row], column);
    block_.columns.push_back(std::move(column));
  }

  void set_range(const double* values, PackedColumn& column) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::size_t row : rows_) {
      if (!std::isfinite(values[row])) continue;
      low = std::min(low, values[row]);
      high = std::max(high, values[row]);
    }
    if (low > high) low = high = 0;
    column.low = low;
    column.step = high / levels - low / levels;
  }

  void put(double value, PackedColumn& column) {
    double kept = value;
    if (column.coding == Coding::float64) {
      append(value);
    } else if (column.coding == Coding::float32) {
      const float rounded = static_cast<float>(value);
      kept = static_cast<double>(rounded);
      append(rounded);
    } else {
      const double k = column.step > 0 ? std::round((value - column.low) / column.step) : 0;
      const std::uint16_t level = std::isfinite(value) ? static_cast<std::uint16_t>(k) : no_number;
      kept = column.low + column.step * level;
      append(level);
    }
    if (std::isfinite(value)) column.largest_error = std::max(column.largest_error, std::abs(kept - value));
  }

  template <class T>
  void append(T value) {
    const std::size_t at = block_.bytes.size();
    block_.bytes.resize(at + sizeof value);
    std::memcpy(block_.bytes.data() + at, &value,
                sizeof value);  // the pages' readers and all our targets: little-endian
  }

  const ResultTable& table_;
  const std::size_t budget_;
  std::size_t exact_ = 0;
  std::vector<std::size_t> rows_;
  ColumnBlock block_;
};

template <class T>
T read_at(const std::vector<std::uint8_t>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

ColumnBlock pack_columns(const ResultTable& table, std::size_t budget) { return Packer(table, budget).pack(); }

double unpack(const ColumnBlock& block, std::size_t index, std::size_t row) {
  const PackedColumn& column = block.columns[index];
  const std::size_t at = column.offset + row * width(column.coding);
  if (column.coding == Coding::float64) return read_at<double>(block.bytes, at);
  if (column.coding == Coding::float32) return static_cast<double>(read_at<float>(block.bytes, at));
  const std::uint16_t level = read_at<std::uint16_t>(block.bytes, at);
  return level == no_number ? std::numeric_limits<double>::quiet_NaN() : column.low + column.step * level;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text(base64_length(bytes.size()), '=');
  std::size_t out = 0, i = 0;
  for (; i + 2 < bytes.size(); i += 3, out += 4) {
    const unsigned three =
        static_cast<unsigned>(bytes[i]) << 16 | static_cast<unsigned>(bytes[i + 1]) << 8 | bytes[i + 2];
    text[out] = digits[three >> 18];
    text[out + 1] = digits[three >> 12 & 63];
    text[out + 2] = digits[three >> 6 & 63];
    text[out + 3] = digits[three & 63];
  }
  if (i < bytes.size()) {
    const unsigned second = i + 1 < bytes.size() ? bytes[i + 1] : 0u;
    const unsigned rest = static_cast<unsigned>(bytes[i]) << 16 | second << 8;
    text[out] = digits[rest >> 18];
    text[out + 1] = digits[rest >> 12 & 63];
    if (i + 1 < bytes.size()) text[out + 2] = digits[rest >> 6 & 63];
  }
  return text;
}

const char* coding_name(Coding coding) {
  return coding == Coding::float64 ? "f64" : coding == Coding::float32 ? "f32" : "u16";
}

}  // namespace trammel
