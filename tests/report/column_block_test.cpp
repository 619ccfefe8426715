// Packing: codings by budget, errors within what is stated, rows left out evenly.
#include "report/column_block.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

namespace trammel {
namespace {

/// Columns t, step, a.x, a.y, ... of `count` random walks.
ResultTable walks(std::size_t rows, std::size_t count) {
  ResultTable table;
  table.rows = rows;
  table.columns = {"t", "step"};
  for (std::size_t k = 0; k < count; ++k) table.columns.push_back("a.q" + std::to_string(k));
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    double value = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      value = i == 0 ? 0.1 * static_cast<double>(row) : value + normal(random);
      table.values.push_back(value);
    }
  }
  return table;
}

Coding coding_of(const ColumnBlock& block, const char* name) {
  for (const PackedColumn& column : block.columns) {
    if (column.name == name) return column.coding;
  }
  FAIL("no column " << name);
  return Coding::float64;
}

TEST_CASE("everything exact where there is room") {
  const ResultTable table = walks(100, 5);
  const ColumnBlock block = pack_columns(table);
  REQUIRE(block.rows == 100);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    CHECK(block.columns[i].coding == Coding::float64);
    CHECK(block.columns[i].largest_error == 0);
    for (std::size_t row = 0; row < 100; ++row) CHECK(unpack(block, i, row) == table.column(i)[row]);
  }
}

TEST_CASE("the budget decides the coding, and holds") {
  const ResultTable table = walks(1000, 50);
  struct Expected {
    std::size_t budget;
    Coding coding;
    std::size_t stride;
  };
  // Base64 makes 4 characters of 3 bytes; 1000 rows of 50 columns are 400, 200 or 100 thousand bytes and t, step 16.
  // 20000 characters are 15000 bytes: 125 rows of 116 bytes beside 52 columns' alignment, and every 8th would be 126.
  for (const Expected& e : {Expected{600'000, Coding::float64, 1}, Expected{300'000, Coding::float32, 1},
                            Expected{160'000, Coding::uint16, 1}, Expected{80'000, Coding::uint16, 2},
                            Expected{20'000, Coding::uint16, 9}}) {
    CAPTURE(e.budget);
    const ColumnBlock block = pack_columns(table, e.budget);
    CHECK(base64(block.bytes).size() <= e.budget);
    CHECK(coding_of(block, "a.q0") == e.coding);
    CHECK(coding_of(block, "t") == Coding::float64);
    CHECK(coding_of(block, "step") == Coding::float64);
    CHECK(block.stride == e.stride);
    CHECK(unpack(block, 0, 0) == table.column(0)[0]);
    CHECK(unpack(block, 0, block.rows - 1) == table.column(0)[999]);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PackedColumn& column = block.columns[i];
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t k = 0; k < block.rows; ++k) {
        const double value = table.column(i)[std::min<std::size_t>(k * block.stride, 999)];
        low = std::min(low, value), high = std::max(high, value);
        // The error that is stated is kept, and is half a step at most (and rounding of the product).
        CHECK(std::abs(unpack(block, i, k) - value) <= column.largest_error);
      }
      if (column.coding == Coding::uint16) CHECK(column.largest_error <= 7.7e-6 * (high - low));
      if (column.coding == Coding::float32)
        CHECK(column.largest_error <= 6e-8 * std::max(std::abs(low), std::abs(high)));
    }
  }
}

TEST_CASE("constants, numbers that are none, and numbers beyond single precision") {
  ResultTable table;
  table.columns = {"t", "a.x", "a.y", "a.z"};
  table.rows = 3;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  table.values = {0, 1, 2, 5, 5, 5, nan, -inf, 3, 1e300, -1e300, 0};
  const ColumnBlock tight = pack_columns(table, 110);
  REQUIRE(coding_of(tight, "a.x") == Coding::uint16);
  CHECK(unpack(tight, 1, 1) == 5);
  CHECK(std::isnan(unpack(tight, 2, 0)));
  CHECK(std::isnan(unpack(tight, 2, 1)));
  CHECK(unpack(tight, 2, 2) == 3);
  CHECK(unpack(tight, 3, 0) == doctest::Approx(1e300));
  const ColumnBlock middle = pack_columns(table, 125);
  REQUIRE(coding_of(middle, "a.x") == Coding::float32);
  CHECK(unpack(middle, 3, 1) == -1e300);  // this column stays a double
}

TEST_CASE("base64 of RFC 4648, section 10") {
  const auto of = [](const char* text) { return base64({text, text + std::char_traits<char>::length(text)}); };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foo") == "Zm9v");
  CHECK(of("foobar") == "Zm9vYmFy");
}

TEST_CASE("results.csv of a killed run: the unfinished row is left out") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "trammel_report_table_test.csv";
  const auto read = [&](const char* text) {
    std::ofstream(file) << text;
    return read_results(file);
  };
  const ResultTable cut = read("t,x\n0,1\n0.5,nan\n1,-in");
  CHECK(cut.rows == 2);
  CHECK(cut.cut);
  CHECK(cut.column(0)[1] == 0.5);
  CHECK(std::isnan(cut.column(1)[1]));
  const ResultTable header = read("t,x\n");
  CHECK(header.rows == 0);
  CHECK_FALSE(header.cut);
  CHECK_THROWS(read(""));
  CHECK_THROWS(read("t,x\n0,1,2\n"));
  CHECK_THROWS(read("t,x\n0\n"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace trammel
