// Units of a run file: `units` and factors to SI.
#pragma once

#include <optional>
#include <string>

#include "config/problems.h"

namespace trammel {

/// A number times this is in SI. Powers of ten are kept apart: 300 mm are the double nearest to 0.3, as written.
class UnitFactor {
 public:
  constexpr UnitFactor() = default;
  constexpr UnitFactor(double other, int ten) : other_(other), ten_(ten) {}

  double operator()(double x) const;
  UnitFactor operator*(const UnitFactor& right) const { return {other_ * right.other_, ten_ + right.ten_}; }
  UnitFactor power(double exponent) const;
  double value() const { return (*this)(1.0); }
  bool is_one() const { return other_ == 1 && ten_ == 0; }
  bool operator==(const UnitFactor&) const = default;

 private:
  double other_ = 1;
  int ten_ = 0;
};

/// Units in which the numbers of a file are. Time is in s everywhere.
struct Units {
  UnitFactor length, mass, angle, force;

  bool is_si() const { return length.is_one() && mass.is_one() && angle.is_one() && force.is_one(); }
  /// Of a unit such as "N m s/rad" or "kg/m^3"; nothing if it has a word that nobody knows. `exponent` stands for n in
  /// "N/m^n".
  std::optional<UnitFactor> factor(const std::string& unit, double exponent = 1) const;
};

/// Reads the run file's `units`. Force, unless it is given, is that of mass and length: with t and mm it is N.
Units read_units(const Node& units, Problems& problems);

}  // namespace trammel
