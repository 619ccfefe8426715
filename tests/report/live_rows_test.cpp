// Rows of a run that goes on: what is new, and what stays when there are too many.
#include "view/live_rows.h"

#include <doctest/doctest.h>

#include <cstring>

namespace trammel {
namespace {

std::vector<double> numbers(const LiveRows::Part& part) {
  std::vector<double> values(part.bytes.size() / sizeof(double));
  std::memcpy(values.data(), part.bytes.data(), part.bytes.size());
  return values;
}

void add(LiveRows& rows, ChannelObserver::At at, double t) {
  const double values[] = {10 * t, -t};
  rows.sample(at, t, 0, {values, 2});
}

TEST_CASE("rows come in order, once each") {
  LiveRows rows({"x", "y"});
  CHECK(rows.names() == std::vector<std::string>{"t", "x", "y"});
  add(rows, ChannelObserver::At::start, 0);
  add(rows, ChannelObserver::At::output, 0);  // the start is a row as well
  add(rows, ChannelObserver::At::step, 0.5);  // no row
  add(rows, ChannelObserver::At::output, 1);
  CHECK(rows.rows() == 2);
  CHECK(numbers(rows.since(0)) == std::vector<double>{0, 0, 0, 1, 10, -1});
  const LiveRows::Part second = rows.since(1);
  CHECK(second.first == 1);
  CHECK(second.count == 1);
  CHECK(numbers(second) == std::vector<double>{1, 10, -1});
  CHECK(rows.since(2).count == 0);
  CHECK(rows.since(1000).count == 0);
  CHECK(rows.since(-5).count == 2);
}

TEST_CASE("too many rows are thinned out evenly") {
  LiveRows rows({"x", "y"}, 30);  // ten rows
  for (int k = 0; k < 100; ++k) add(rows, k == 0 ? ChannelObserver::At::start : ChannelObserver::At::output, k);
  CHECK(rows.rows() == 100);
  const LiveRows::Part all = rows.since(0);
  CHECK(all.stride == 16);
  const std::vector<double> values = numbers(all);
  REQUIRE(values.size() == 3 * static_cast<std::size_t>(all.count));
  REQUIRE(all.count == 7);
  for (std::size_t k = 0; k < 7; ++k) {
    CHECK(values[3 * k] == 16.0 * static_cast<double>(k));
    CHECK(values[3 * k + 1] == 160.0 * static_cast<double>(k));
  }
  CHECK(rows.since(17).first == 32);
}

}  // namespace
}  // namespace trammel
