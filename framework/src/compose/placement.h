// Where the floor of a sub-model is in the frame of the model.
#pragma once

#include <array>

namespace trammel {

using PlaceVector = std::array<double, 3>;

/// Moves by `d` after turning by the Euler parameters `p` (spatial) or by `angle`, rad (planar). What is neither moved nor
/// turned keeps its digits: callers leave it alone.
class Placement {
 public:
  Placement() = default;
  Placement(const PlaceVector& d, const std::array<double, 4>& p);
  Placement(const PlaceVector& d, double angle);

  bool moves() const { return moves_; }
  bool turns() const { return turns_; }
  bool is_identity() const { return !moves_ && !turns_; }

  PlaceVector place(const PlaceVector& x) const;
  PlaceVector direction(const PlaceVector& x) const;
  /// Of a planar one, rad, at most half a turn.
  double angle() const { return angle_; }
  /// Euler parameters of the turn after that by `q`, normalised.
  std::array<double, 4> attitude(const std::array<double, 4>& q) const;

  /// This one, inside of `outer`.
  Placement inside(const Placement& outer) const;

 private:
  PlaceVector d_ = {0, 0, 0};
  std::array<double, 4> p_ = {1, 0, 0, 0};
  std::array<double, 9> A_ = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< by rows
  double angle_ = 0;
  bool moves_ = false, turns_ = false;
};

}  // namespace trammel
