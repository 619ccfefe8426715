// LiveRows: the rows of a run that goes on, for those who ask again and again for what is new.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "trammel/host/simulation.h"

namespace trammel {

/// Filled by the run's thread, read by others.
class LiveRows final : public ChannelObserver {
 public:
  /// Numbers kept at most, 64 MB; beyond them every second row goes, over and over.
  static constexpr std::size_t most = 8'000'000;

  explicit LiveRows(std::vector<std::string> names, std::size_t limit = most);

  void sample(At at, double t, double h, ConstVectorView values) override;

  struct Part {
    long stride = 1;    ///< of the rows that are kept
    long first = 0;     ///< number in the run of the first of these, a multiple of the stride
    long count = 0;     ///< how many there are
    std::string bytes;  ///< t and the channels of each, doubles
  };
  /// Rows number `from` on, so many that they are some megabytes at most.
  Part since(long from) const;
  long rows() const;
  /// "t", then the channels.
  const std::vector<std::string>& names() const { return names_; }

 private:
  void thin_out();

  const std::vector<std::string> names_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::vector<double> values_;  ///< row by row
  long stride_ = 1, seen_ = 0;
};

}  // namespace trammel
