// What the columns of a run are, as its summary declares them: units, coordinates, what redundancy leaves open.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "verify/run_record.h"

namespace trammel {

class ColumnKinds {
 public:
  enum class Order { position, rate, other };

  explicit ColumnKinds(const VerifyJson& summary);

  /// SI unit; "": nobody declares it.
  const std::string& unit(const std::string& column) const;
  /// Columns of one kind share a scale: those of one unit; numbers without one, of one owner.
  std::string kind(const std::string& column) const;
  /// Positions are coordinates, lengths and angles; rates their first derivatives.
  Order order(const std::string& column) const;
  /// Of a position, the least change that counts as large: `length` (m), or 1 for angles and Euler parameters. 0: of
  /// others.
  double least_scale(const std::string& column, double length) const;
  bool is_energy(const std::string& column) const { return unit(column) == "J"; }
  /// What is left of the motion where rest is only approached: derivatives, and the energies that follow from them.
  bool vanishes_at_rest(const std::string& column) const;
  /// False for columns that say how the run was computed, or that redundant constraints leave open.
  bool is_comparable(const std::string& column) const;

 private:
  bool is_coordinate(const std::string& column) const;

  std::unordered_map<std::string, std::string> units_;
  std::unordered_set<std::string> coordinates_;  ///< of every body, or of the problem
  bool has_bodies_ = false;
  std::unordered_set<std::string> open_;  ///< constraints whose reactions are not unique
};

}  // namespace trammel
