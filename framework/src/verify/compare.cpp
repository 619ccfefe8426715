// Differences of channels and of the times of events.
#include "verify/compare.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "verify/column_kinds.h"

namespace trammel {
namespace {

using Order = ColumnKinds::Order;

/// The largest values of the channels of each order.
struct Largest {
  double position = 0, rate = 0, all = 0;
  void take(Order order, double size) {
    if (order == Order::position) position = std::max(position, size);
    if (order == Order::rate) rate = std::max(rate, size);
    all = std::max(all, size);
  }
  double of(Order order) const {
    switch (order) {
      case Order::position: return position;
      case Order::rate: return std::max(position, rate);
      default: return all;
    }
  }
};

struct Window {
  double from, to;
};

/// Between the two runs' times of one event values jump in one run and not yet in the other.
std::vector<Window> match_events(const RunRecord& a, const RunRecord& b, double end,
                                 std::vector<EventDifference>& differences) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> times;
  for (const RunEventRecord& e : a.events) {
    if (e.t <= end) times[e.name].first.push_back(e.t);
  }
  for (const RunEventRecord& e : b.events) {
    if (e.t <= end) times[e.name].second.push_back(e.t);
  }
  std::vector<Window> windows;
  for (const auto& [name, pair] : times) {
    const auto& [first, second] = pair;
    EventDifference d{name, static_cast<long>(first.size()), static_cast<long>(second.size()), 0};
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
      d.error = std::max(d.error, std::abs(first[i] - second[i]));
      const double rounding = 1e-12 * std::max(1.0, end);
      windows.push_back({std::min(first[i], second[i]) - rounding, std::max(first[i], second[i]) + rounding});
    }
    differences.push_back(d);
  }
  return windows;
}

double absolute_part(const Allowance& allowance, double largest) {
  return allowance.rounding > 0 ? std::min(allowance.absolute, allowance.rounding * largest) : allowance.absolute;
}

}  // namespace

double ChannelDifference::digits() const {
  if (error == 0) return 16;
  return scale > 0 ? std::clamp(-std::log10(error / scale), 0.0, 16.0) : 0.0;
}

const ChannelDifference* Comparison::worst() const {
  const ChannelDifference* worst = nullptr;
  for (const ChannelDifference& c : channels) {
    if (worst == nullptr || c.error * worst->allowed > worst->error * c.allowed) worst = &c;
  }
  return worst;
}

MovingKind least_moving(const RunRecord& record, bool has_bodies) {
  constexpr double share = 1e-6;  // of the largest value: less is no motion
  const ColumnKinds declared(record.summary);
  std::map<std::string, MovingKind> kinds;
  Largest largest;
  for (std::size_t i = 0; i < record.columns.size(); ++i) {
    const std::string& column = record.columns[i];
    const Order order = declared.order(column);
    if (!declared.is_comparable(column) || declared.is_energy(column)) continue;
    if (has_bodies && order == Order::other) continue;
    double low = 0, high = 0;
    for (std::size_t row = 0; row < record.rows(); ++row) {
      const double value = record.at(row, i);
      low = row == 0 ? value : std::min(low, value), high = row == 0 ? value : std::max(high, value);
    }
    largest.take(order, std::max(std::abs(low), std::abs(high)));
    MovingKind& kind = kinds[declared.kind(column)];
    if (high - low > kind.range) kind = {column, high - low};
  }
  MovingKind least;
  for (const auto& [name, kind] : kinds) {
    const bool moves = kind.range > share * largest.of(declared.order(kind.channel));
    if (moves && (least.range == 0 || kind.range < least.range)) least = kind;
  }
  return least;
}

Comparison compare(const RunRecord& a, const RunRecord& b, const Allowance& allowance) {
  const ColumnKinds declared(a.summary);
  Comparison result;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::map<std::string, double> largest;  // by kind
  Largest of_order;
  const double end = b.t.empty() ? 0 : b.t.back();
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    const auto found = std::find(b.columns.begin(), b.columns.end(), a.columns[i]);
    if (found == b.columns.end() || !declared.is_comparable(a.columns[i])) {
      result.not_compared.push_back(a.columns[i]);
      continue;
    }
    pairs.emplace_back(i, static_cast<std::size_t>(found - b.columns.begin()));
    ChannelDifference c;
    c.name = a.columns[i];
    double low = 0, high = 0, size = 0;
    for (std::size_t row = 0; row < a.rows() && a.t[row] <= end; ++row) {
      const double value = a.at(row, i);
      low = row == 0 ? value : std::min(low, value), high = row == 0 ? value : std::max(high, value);
      size = std::max(size, std::abs(value));
    }
    c.range = high - low;
    double& of_kind = largest[declared.kind(c.name)];
    of_kind = std::max(of_kind, size);
    of_order.take(declared.order(c.name), size);
    result.channels.push_back(c);
  }
  std::vector<double> sizes;             // errors grow with the motion, not with what is conserved in it
  const double floor = allowance.floor;  // what is smaller is a rounding of zero
  for (ChannelDifference& c : result.channels) {
    const double of_kind = largest[declared.kind(c.name)];
    c.scale = std::max(c.range, (declared.is_energy(c.name) ? 1 : floor) * of_kind);  // a conserved total has no range
    sizes.push_back(std::max(c.range, of_kind));
    const double least = allowance.length > 0 ? declared.least_scale(c.name, allowance.length) : 0;
    if (least > 0)
      c.scale = std::max(c.scale, least);
    else if (allowance.relative > 0)
      c.scale += absolute_part(allowance, of_order.of(declared.order(c.name))) / allowance.relative;
    c.allowed = allowance.relative * c.scale;
  }
  const std::vector<Window> windows = match_events(a, b, end, result.events);
  std::size_t other = 0;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    const double t = a.t[row], rounding = 1e-12 * std::max(1.0, std::abs(t));
    while (other < b.rows() && b.t[other] < t - rounding) ++other;
    if (other == b.rows()) break;
    if (b.t[other] > t + rounding) continue;
    const bool jumps =
        std::any_of(windows.begin(), windows.end(), [&](const Window& w) { return t >= w.from && t <= w.to; });
    if (jumps) {
      ++result.skipped;
      continue;
    }
    double largest_here = 0;
    bool allowed = true;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      ChannelDifference& c = result.channels[k];
      double d = std::abs(a.at(row, pairs[k].first) - b.at(other, pairs[k].second));
      if (!(d <= 1e300)) d = 1e300;  // a NaN agrees with nothing
      if (d > c.error) c.error = d, c.t = t;
      if (sizes[k] > 0) largest_here = std::max(largest_here, d / sizes[k]);
      allowed = allowed && d <= c.allowed;
    }
    result.t.push_back(t);
    result.difference.push_back(largest_here);
    if (!allowed) result.agrees = false;
    if (result.agrees) result.agree_until = t;
  }
  return result;
}

}  // namespace trammel
