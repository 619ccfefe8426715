// RowChecksum: of a case's rows in study.db, whatever the order of their columns, so that a number that changed on the
// disk is found.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace trammel {

class RowChecksum {
 public:
  /// What a value stands for: a table's column.
  static std::uint64_t place(std::string_view table, std::string_view name) { return hash(name, hash(table, 0)); }

  void add(std::uint64_t place, std::int64_t value) { sum_ += mixed(place ^ mixed(static_cast<std::uint64_t>(value))); }
  void add(std::uint64_t place, double value) {
    const double positive = value == 0 ? 0.0 : value;  // SQLite may drop the sign
    std::uint64_t bits;
    std::memcpy(&bits, &positive, sizeof bits);
    sum_ += mixed(place ^ mixed(bits + 1));
  }
  void add(std::uint64_t place, std::string_view text) { sum_ += mixed(place ^ hash(text, 2)); }
  void add_nan(std::uint64_t place) { sum_ += mixed(place ^ 3); }

  /// As SQLite's integers hold it.
  std::int64_t value() const { return static_cast<std::int64_t>(sum_); }

 private:
  /// The last step of SplitMix64: every bit of the number matters to every bit of the result.
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  static std::uint64_t hash(std::string_view text, std::uint64_t seed) {
    std::uint64_t h = mixed(seed ^ text.size());
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + i, text.size() - i < 8 ? text.size() - i : 8);
      h = mixed(h ^ word);
    }
    return h;
  }

  std::uint64_t sum_ = 0;
};

}  // namespace trammel
