// Structure of a multifrontal factorization of a mechanism's KKT matrix: what is eliminated together, in which order,
// and where.
#pragma once

#include <utility>
#include <vector>

#include "trammel/linalg.h"

namespace trammel {

/// Which unknowns of [A Phi_q^T; Phi_q D] couple. Unknowns are the coordinates of all bodies, the rows of all elements
/// and the intrinsic rows of the bodies that have one, in this order.
struct MechanismPattern {
  struct Rows {
    Index first = 0, count = 0;  ///< of an element, among all rows
    std::vector<Index> bodies;   ///< without ground
  };
  Index bodies = 0;
  std::vector<Index> coordinates;        ///< of each body
  std::vector<unsigned char> intrinsic;  ///< of each body: 1 if it has an intrinsic row
  std::vector<Rows> rows;
  std::vector<std::pair<Index, Index>> pairs;  ///< bodies that forces couple
};

/// A run of unknowns and where it begins in a front.
struct FrontSegment {
  Index unknown, count, at;
};

/// A dense matrix, column-major, whose first `pivots` unknowns are eliminated: a body, its intrinsic row and rows of
/// its elements. The others, the border, are eliminated in later fronts, the first of them in the parent.
struct Front {
  Index begin = 0;  ///< of its numbers
  Index size = 0, pivots = 0, stride = 0;
  Index parent = -1;
  Index first_segment = 0, segments = 0, pivot_segments = 0;
  Index first_sum = 0, sums = 0;  ///< blocks of its border that are added to the parent
};

/// A block of a border and the place of its sum, in numbers from the first one of all fronts.
struct FrontSum {
  Index from, to, rows, columns, from_stride, to_stride;
};

class FrontStructure {
 public:
  /// [setup] Rows are eliminated with the first of their bodies that has freedoms left for them, which is cheap, or
  /// (`late`) with the last, which needs only that bodies have mass.
  void analyse(const MechanismPattern& pattern, bool late);

  /// Where the entry (row, column) of the matrix goes, and the stride of its column; blocks of a segment lie together.
  struct Place {
    Index at, stride;
  };
  Place place(Index row, Index column) const;

  const std::vector<Front>& fronts() const { return fronts_; }
  const std::vector<FrontSegment>& segments() const { return segments_; }
  const std::vector<FrontSum>& sums() const { return sums_; }
  Index unknowns() const { return static_cast<Index>(segment_of_.size()); }
  Index numbers() const { return numbers_; }
  Index largest() const { return largest_; }
  /// Multiply-adds of one factorization.
  double work() const { return work_; }

 private:
  struct Span {
    Index unknown, count;
  };
  void add_front(Index front, const std::vector<Index>& pivots, const std::vector<Index>& border,
                 const std::vector<Span>& spans);
  void add_sums();
  Index position_in(const Front& front, Index span) const;

  std::vector<Front> fronts_;
  std::vector<FrontSegment> segments_;
  std::vector<Index> span_of_segment_;
  std::vector<FrontSum> sums_;
  std::vector<Index> segment_of_;  ///< of each unknown: its span
  std::vector<Index> offset_in_;   ///< of each unknown within it
  std::vector<Index> front_of_span_;
  Index numbers_ = 0, largest_ = 0;
  double work_ = 0;
};

}  // namespace trammel
