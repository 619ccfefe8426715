// Two runs against each other: the largest difference of every channel, and how the difference grows.
#pragma once

#include <string>
#include <vector>

#include "verify/run_record.h"

namespace trammel {

/// Differences are judged by |a - b| <= relative * size + absolute = relative * scale.
struct Allowance {
  double relative, absolute;
  /// Above 0: `absolute` is no more than this share of the largest value of any channel, of positions and angles of the
  /// largest of them, of their rates of the largest of both: what rounding leaves of zero.
  double rounding = 0;
  double floor = 1e-3;  ///< scales are this share of the largest value of the kind at least
  /// Above 0: of single rows, whose positions and angles have no absolute part; m, the size of the model.
  double length = 0;
};

struct ChannelDifference {
  std::string name;
  double range = 0;  ///< largest less smallest value of the run
  /// The range, or a share of the largest value of such channels, and the absolute part of what is allowed.
  double scale = 0;
  double error = 0;  ///< largest difference
  double t = 0;      ///< where
  double allowed = 0;
  double digits() const;  ///< -log10(error / scale), 0 to 16
};

struct EventDifference {
  std::string name;
  long count = 0, other_count = 0;
  double error = 0;  ///< s, largest difference of the times of those that both have
};

struct Comparison {
  std::vector<ChannelDifference> channels;
  std::vector<EventDifference> events;
  std::vector<std::string> not_compared;
  std::vector<double> t;           ///< rows compared
  std::vector<double> difference;  ///< of each: largest |a - b| relative to the largest value of such channels
  double agree_until = 0;          ///< the last row before the first that is off by more than allowed
  std::size_t skipped = 0;         ///< rows between the two runs' times of one event, where values jump
  bool agrees = true;

  const ChannelDifference* worst() const;  ///< by error / allowed; nullptr: none compared
};

/// A kind of positions, angles or their rates that moves.
struct MovingKind {
  std::string channel;  ///< the one that moves most
  double range = 0;
};

/// The kind that moves least, of the columns' units. Without bodies any channel counts. Range 0: nothing moves.
MovingKind least_moving(const RunRecord& record, bool has_bodies);

/// Columns are what the summary of `a` declares. Rows at equal times; `b` holds columns of `a` (some may be missing). Rows of `a` after the end of `b` are left out.
Comparison compare(const RunRecord& a, const RunRecord& b, const Allowance& allowance);

}  // namespace trammel
