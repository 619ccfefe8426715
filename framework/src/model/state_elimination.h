// StateElimination: internal states z eliminated from the matrix of an implicit step, force by force.
#pragma once

#include <complex>
#include <vector>

#include "model/internal_linearization.h"
#include "model/linearization.h"
#include "trammel/shift.h"
#include "trammel/status.h"

namespace trammel {

/// With z' = g(t, q, v, z), seen as the accelerations of coordinates s with s' = z (extended_model.h), the matrix of an
/// implicit step and its elimination are
///   [ M + c1 C + c0 K     -c1 Q_z  ] [x]   [f]      y = D^-1 (r + G x),  D = I - c1 g_z,  G = c0 g_q + c1 g_v     (1)
///   [ -(c0 g_q + c1 g_v)  D        ] [y] = [r],     (M + c1 C + c0 K - W G) x = f + W r,  W = c1 Q_z D^-1         (2)
/// D is block diagonal, a block for each force, and W G connects bodies of one force only: the structure of the matrix
/// stays. Scalar: double or std::complex<double>, whose vectors are views of real ones or ComplexView. A client of the
/// linearizations; keeps a copy of what `recover` needs, for they may change in between.
template <class Scalar>
class StateElimination {
 public:
  static constexpr bool is_complex = !std::is_same_v<Scalar, double>;
  using Vector = std::conditional_t<is_complex, ComplexView, VectorView>;
  using ConstVector = std::conditional_t<is_complex, ConstComplexView, ConstVectorView>;
  /// Where a block of -W G belongs: its place among `Linearization::pairs()`.
  struct Block {
    std::size_t pair;
    Index offset;  ///< in `numbers()`, of the pair's size, column-major
  };

  /// [setup]
  StateElimination(const Linearization& linearization, const InternalLinearization& internal);
  /// Whether there is nothing to eliminate.
  bool empty() const { return parts_.empty(); }
  /// [step] From the last linearization. `singular`: D is, of some force.
  Status compute(Scalar c0, Scalar c1);
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Scalar>& numbers() const { return reaction_; }
  /// Calls f(row, column) for every entry of `numbers()`, in the same order.
  template <class F>
  void each_entry(F&& f) const {
    for (const Block& block : blocks_) {
      const Linearization::PairBlock& pair = linearization_.pairs()[block.pair];
      for (Index j = 0; j < pair.columns; ++j) {
        for (Index i = 0; i < pair.rows; ++i) f(pair.row + i, pair.column + j);
      }
    }
  }

  /// [hot] f += W r.
  void add_states(const ConstVector& r, const Vector& f) const;
  /// [hot] f -= W (G x + c0 g_v u); u may be empty. In state space, u are the velocities that follow x.
  void add_reaction(const ConstVector& x, const ConstVector& u, const Vector& f) const;
  /// [hot] y = D^-1 (r + G x + c0 g_v u); u may be empty.
  void recover(const ConstVector& r, const ConstVector& x, const ConstVector& u, const Vector& y) const;

 private:
  /// One force; `at` in `kept_`: W per body (c x nz), G per body (nz x c), c0 g_v per body (nz x c), D^-1 (nz x nz).
  struct Part {
    std::size_t entry, first_block;
    Index states, first_z, at;
    const std::vector<Index>* bodies;
  };
  enum Kind : Index { kind_W, kind_G, kind_velocity, kind_inverse };
  Index place(const Part& part, Kind kind, std::size_t body = 0) const;
  /// rate_ += G x + c0 g_v u, of one force.
  void add_rates(const Part& part, const ConstVector& x, const ConstVector& u) const;
  /// f += factor W rate_, of one force.
  void add_force(const Part& part, double factor, const Vector& f) const;

  const Linearization& linearization_;
  const InternalLinearization& internal_;
  Index c_;
  std::vector<Part> parts_;
  std::vector<Block> blocks_;
  std::vector<Scalar> reaction_, kept_;
  mutable std::vector<Scalar> rate_, work_;  ///< scratch: one per state of a force; its D beside the identity
};

}  // namespace trammel
