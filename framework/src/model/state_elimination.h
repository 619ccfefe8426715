// StateElimination: internal states z eliminated from the matrix of an implicit step, force by force.
#pragma once

#include <vector>

#include "model/internal_linearization.h"
#include "model/linearization.h"
#include "trammel/status.h"

namespace trammel {

/// With z' = g(t, q, v, z), seen as the accelerations of coordinates s with s' = z (extended_model.h), the matrix of an
/// implicit step and its elimination are
///   [ M + c1 C + c0 K     -c1 Q_z  ] [x]   [f]      y = D^-1 (r + G x),  D = I - c1 g_z,  G = c0 g_q + c1 g_v     (1)
///   [ -(c0 g_q + c1 g_v)  D        ] [y] = [r],     (M + c1 C + c0 K - W G) x = f + W r,  W = c1 Q_z D^-1         (2)
/// D is block diagonal, a block for each force, and W G connects bodies of one force only: the structure of the matrix
/// stays. A client of the linearizations; keeps a copy of what `recover` needs, for they may change in between.
class StateElimination {
 public:
  /// Where a block of -W G belongs: its place among `Linearization::pairs()`.
  struct Block {
    std::size_t pair;
    Index offset;  ///< in `numbers()`, c x c, column-major
  };

  /// [setup]
  StateElimination(const Linearization& linearization, const InternalLinearization& internal);
  /// Whether there is nothing to eliminate.
  bool empty() const { return parts_.empty(); }
  /// [step] From the last linearization. `singular`: D is, for the force that `subject` numbers.
  Status compute(double c0, double c1);
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<double>& numbers() const { return reaction_; }

  /// [hot] f += W r.
  void add_states(ConstVectorView r, VectorView f) const;
  /// [hot] f -= W (G x + c0 g_v u); u may be empty. In state space, u are the velocities that follow x.
  void add_reaction(ConstVectorView x, ConstVectorView u, VectorView f) const;
  /// [hot] y = D^-1 (r + G x + c0 g_v u); u may be empty.
  void recover(ConstVectorView r, ConstVectorView x, ConstVectorView u, VectorView y) const;

 private:
  /// One force: offsets of W per body (c x nz), G and c0 g_v per body (nz x c), D^-1 (nz x nz) in `kept_`.
  struct Part {
    std::size_t entry, first_block;
    Index states, first_z, at;
    const std::vector<Index>* bodies;
  };
  double* W(const Part& part, std::size_t body);
  const double* W(const Part& part, std::size_t body) const;
  Index rates(const Part& part, std::size_t body, bool velocity) const;
  Index inverse(const Part& part) const;
  void add_rates(const Part& part, ConstVectorView x, ConstVectorView u, double* sum) const;

  const Linearization& linearization_;
  const InternalLinearization& internal_;
  Index c_;
  std::vector<Part> parts_;
  std::vector<Block> blocks_;
  std::vector<double> reaction_, kept_;
  mutable std::vector<double> rate_;  ///< scratch: one per state of a force
};

}  // namespace trammel
