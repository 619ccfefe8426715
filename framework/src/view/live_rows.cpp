// Keeping and handing out rows.
#include "view/live_rows.h"

#include <algorithm>
#include <cstring>

namespace trammel {
namespace {

std::vector<std::string> with_time(std::vector<std::string> names) {
  names.insert(names.begin(), "t");
  return names;
}

}  // namespace

LiveRows::LiveRows(std::vector<std::string> names, std::size_t limit)
    : names_(with_time(std::move(names))), limit_(limit) {}

void LiveRows::sample(At at, double t, double, ConstVectorView values) {
  if (at != At::start && at != At::output) return;
  const std::lock_guard lock(mutex_);
  if (at == At::output && seen_ == 1 && t == values_[0]) return;  // the start has been seen
  if (seen_++ % stride_ != 0) return;
  values_.push_back(t);
  values_.insert(values_.end(), values.data, values.data + values.size);
  if (values_.size() > limit_) thin_out();
}

void LiveRows::thin_out() {
  const std::size_t width = names_.size(), kept = (values_.size() / width + 1) / 2;
  for (std::size_t row = 1; row < kept; ++row)
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(2 * row * width), width,
                values_.begin() + static_cast<std::ptrdiff_t>(row * width));
  values_.resize(kept * width);
  stride_ *= 2;
}

LiveRows::Part LiveRows::since(long from) const {
  constexpr std::size_t largest = 4'000'000;  // bytes
  const std::lock_guard lock(mutex_);
  const std::size_t width = names_.size(), rows = values_.size() / width;
  const std::size_t first = std::min(rows, static_cast<std::size_t>((std::max(0L, from) + stride_ - 1) / stride_));
  const std::size_t count = std::min(rows - first, std::max<std::size_t>(1, largest / (width * sizeof(double))));
  Part part;
  part.stride = stride_;
  part.first = static_cast<long>(first) * stride_;
  part.count = static_cast<long>(count);
  part.bytes.resize(count * width * sizeof(double));
  if (count > 0) std::memcpy(part.bytes.data(), values_.data() + first * width, part.bytes.size());
  return part;
}

long LiveRows::rows() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

}  // namespace trammel
