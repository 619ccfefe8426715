// BodyTable: which coordinates every body of a model has, and where they stand among all.
#pragma once

#include <string>
#include <vector>

#include "trammel/system.h"

namespace trammel {

/// Elements read and write the system's coordinates for every body, `local()` of them. A body has the first `width` of
/// these; what elements write for the others is cut off, what they read there is 0.
class BodyTable {
 public:
  /// [setup] Throws Error(plugin) for shapes that the system cannot have.
  BodyTable(const BodySystem& system, Index bodies, const std::string& plugin);

  Index bodies() const { return static_cast<Index>(shapes_.size()); }
  Index local() const { return local_; }
  /// Those that belong to the state of a frame, the first ones; the others are of bodies that deform.
  Index frame_columns() const {
    return local_ < SpatialBodyState::coordinates ? PlanarBodyState::coordinates : SpatialBodyState::coordinates;
  }
  /// Whether a body turns: it has all coordinates of a frame.
  bool turns(Index body) const { return width(body) >= frame_columns(); }
  /// Whether some body has fewer coordinates than others, or more than a frame.
  bool mixed() const { return mixed_; }
  /// Of all bodies.
  Index coordinates() const { return first_.back(); }
  Index reduced_coordinates() const { return reduced_first_.back(); }
  /// Of a body that has most of them; 0 without `reduction()`, as for every body then.
  Index most_reduced() const { return most_reduced_; }
  Index first(Index body) const { return first_[static_cast<std::size_t>(body)]; }
  Index width(Index body) const { return first(body + 1) - first(body); }
  Index reduced_first(Index body) const { return reduced_first_[static_cast<std::size_t>(body)]; }
  Index reduced_width(Index body) const { return reduced_first(body + 1) - reduced_first(body); }
  /// Where a body's square block stands in an array of them, one behind the other; of the number of bodies: their size.
  Index square(Index body) const { return squares_[static_cast<std::size_t>(body)]; }
  Index intrinsic_rows() const { return static_cast<Index>(intrinsic_bodies_.size()); }
  Index intrinsic_body(Index row) const { return intrinsic_bodies_[static_cast<std::size_t>(row)]; }
  Index body_of(Index coordinate) const { return body_of_[static_cast<std::size_t>(coordinate)]; }
  /// Its number among the coordinates of its body.
  Index within(Index coordinate) const { return coordinate - first(body_of(coordinate)); }
  /// Whether it is a displacement; otherwise it turns the body.
  bool displaces(Index coordinate) const { return displaces_[static_cast<std::size_t>(within(coordinate))] != 0; }
  const BodyShape& shape(Index body) const { return shapes_[static_cast<std::size_t>(body)]; }
  const Index* firsts() const { return first_.data(); }
  const Index* reduced_firsts() const { return reduced_first_.data(); }
  const Index* intrinsic_firsts() const { return intrinsic_firsts_.data(); }

  /// [hot] x of one body as elements read it: where it has fewer than `local()` coordinates a copy in `room`.
  ConstVectorView widened(Index body, ConstVectorView x, double* room) const {
    const Index w = width(body);
    if (w == local_) return x.segment(first(body), local_);
    for (Index k = 0; k < w; ++k) room[k] = x[first(body) + k];
    for (Index k = w; k < local_; ++k) room[k] = 0;
    return {room, local_};
  }

 private:
  Index local_;
  bool mixed_ = false;
  Index most_reduced_ = 0;
  std::vector<BodyShape> shapes_;
  std::vector<Index> first_, reduced_first_, squares_, intrinsic_bodies_, intrinsic_firsts_, body_of_;
  std::vector<unsigned char> displaces_;
};

}  // namespace trammel
