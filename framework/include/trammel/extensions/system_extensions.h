// Optional abilities of systems and of a ConstrainedSystem beyond their own interfaces; the kernel's view of a model
// has all of the latter.
#pragma once

#include "trammel/linalg.h"
#include "trammel/status.h"
#include "trammel/system.h"

namespace trammel {

/// The coordinates of one body among those of all.
struct BodySlice {
  const char* name;  ///< in the run file
  BodyKind kind;
  Index first, count;
};

/// Whose coordinates are which. Coordinates behind those of the last body belong to none: they stand for internal
/// states (constrained_system.h).
class BodyLayout {
 public:
  static constexpr const char* id = "trammel.body_layout/1";

  /// [setup] 2: bodies move in a plane, (x, y, phi) or (x, y); 3: in space, (x, y, z, e0, e1, e2, e3) or (x, y, z).
  virtual Index dimensions() const = 0;
  /// [hot] Number of bodies.
  virtual Index bodies() const = 0;
  /// [hot] 0 <= body < bodies(), by rising `first`, without gaps.
  virtual BodySlice body(Index body) const = 0;

 protected:
  ~BodyLayout() = default;
};

/// Which rows the solves leave out because they depend on others: their multipliers are 0. The choice changes only
/// between steps.
class RowChoice {
 public:
  static constexpr const char* id = "trammel.row_choice/1";

  /// [hot] Number of rows left out.
  virtual Index redundant() const = 0;
  /// [hot] Whether 0 <= row < m is left out.
  virtual bool is_redundant(Index row) const = 0;

 protected:
  ~RowChoice() = default;
};

/// How large a change of the coordinates is. A micrometre is nothing for a crane and everything for a watch:
/// displacements are counted in a unit of length near the model's size, 1024^k m, which is 1 m for models from 0.03 m
/// to 30 m; angles and Euler parameters as they are. It stays for the whole run.
class CoordinateSizes {
 public:
  static constexpr const char* id = "trammel.coordinate_sizes/1";

  /// [hot] The largest |dq_i| in these units (n entries).
  virtual double largest_coordinate(ConstVectorView dq) const = 0;
  /// [hot] The largest |Phi_r| of rows as they would be if the model were drawn in that unit (m entries).
  virtual double largest_row(ConstVectorView Phi) const = 0;

 protected:
  ~CoordinateSizes() = default;
};

/// Solves with several right-hand sides at once. `unknowns` has `columns` vectors of n + m numbers one after another:
/// (f, g) on entry, (x, lambda) on return.
class BlockSolve {
 public:
  static constexpr const char* id = "trammel.block_solve/1";

  /// [hot] With the matrix of ConstrainedSolve::factorize, which is symmetric.
  virtual void solve_block(double* unknowns, Index columns) = 0;

 protected:
  ~BlockSolve() = default;
};

/// Generalized coordinate partitioning: q = (u, w), u dependent, as many as rows that are kept, w independent; Phi_u
/// are u's columns of the kept rows of Phi_q. A partition is a vector of n entries, 1 for independent and 0 for
/// dependent coordinates. All methods work with the last evaluated Jacobian.
class PartitionSolve {
 public:
  static constexpr const char* id = "trammel.partition_solve/1";

  /// [step] Chooses a partition by Gauss elimination with pivoting, Phi_u as far from singular as that gets it, and
  /// writes it into `independent`. `forced` (n entries or empty) has a nonzero entry for each coordinate that has to be
  /// independent. May allocate. `singular`: the coordinates that are left have lower rank than the kept rows (`value`:
  /// their rank), subject is a row without a pivot; `independent` is then unchanged.
  virtual Status choose_partition(ConstVectorView forced, VectorView independent) = 0;
  /// [hot] Factorizes Phi_u. Rows that depend on others at this point are left out for this factorization.
  virtual Status factorize_dependent(ConstVectorView independent) = 0;
  /// [hot] x (n) with Phi_u x_u = r (m entries) and x_w = 0, by the last `factorize_dependent`.
  virtual void solve_dependent(ConstVectorView r, VectorView x) = 0;
  /// [hot] y (m), 0 at rows left out, with Phi_u^T y = f_u, by the last `factorize_dependent`; f has n entries.
  virtual void solve_dependent_transpose(ConstVectorView f, VectorView y) = 0;
  /// [step] |Phi_u|_F |Phi_u^-1|_2 of the last `factorize_dependent`, by inverse iteration from `guess` (m entries, 0:
  /// no guess), which is left at the vector it arrives at. Infinite if rows had to be left out.
  virtual double dependent_condition(VectorView guess) = 0;

 protected:
  ~PartitionSolve() = default;
};

/// How well the independent coordinates of a partition determine the dependent ones, in a measure without units.
/// Coordinate i is measured in changes of scale_i: 1 for angles and Euler parameters, a length of the model for
/// displacements. Small errors of w come back in u multiplied by at most
///   |C_u^-1 Phi_u^-1 Phi_w C_w|_2,  C = diag(scale),                                                                    (1)
/// to which the lengths of constraint rows do not matter. The condition of Phi_u says nothing about it: it is 1 for a
/// single row, and that of blocks that shrink together stays.
class PartitionQuality {
 public:
  static constexpr const char* id = "trammel.partition_quality/1";

  /// [step] Writes scale (n) at the last evaluated Jacobian.
  virtual void scales(VectorView scale) const = 0;
  /// [step] As PartitionSolve::choose_partition, by pivots of Phi_q C with rows of unit length.
  virtual Status choose_scaled(ConstVectorView scale, ConstVectorView forced, VectorView independent) = 0;
  /// [step] (1) to a few percent for the Phi_u of the last `factorize_dependent(independent)` and the Jacobian of the
  /// last evaluation, by power iteration from `probe` (n entries, 0: none), which is left at the direction it arrives
  /// at. Infinite if rows had to be left out.
  virtual double amplification(ConstVectorView scale, ConstVectorView independent, VectorView probe) = 0;

 protected:
  ~PartitionQuality() = default;
};

/// The equations of motion reduced to the independent coordinates of a partition, M^ w'' = Q^, with all their
/// derivatives at once (sdk/formulations/state_space.h has the equations). d: number of independent coordinates.
class StateSpaceDerivatives {
 public:
  static constexpr const char* id = "trammel.state_space_derivatives/1";

  /// [setup] Makes room for d columns.
  virtual void make_room(Index d) = 0;
  /// [step] At the last evaluation point, which has had evaluate_dynamics | evaluate_nu, factorize_dependent, and
  /// linearize with these accelerations and multipliers: M^, M^ J1, M^ J2 (d x d, stride d) and M^ d(w'')/dt (d).
  virtual Status reduce(ConstVectorView independent, ConstVectorView a, ConstVectorView lambda, MatrixView M,
                        MatrixView MJ1, MatrixView MJ2, VectorView MJt) = 0;

 protected:
  ~StateSpaceDerivatives() = default;
};

/// Of a System that is a second-order problem: how fast its undamped motion can vibrate, for warnings about steps
/// beyond a method's limit of stability.
class FrequencyBound {
 public:
  static constexpr const char* id = "trammel.frequency_bound/1";

  /// [setup] Upper bound of the angular frequency, rad/s, for the whole run.
  virtual double highest_frequency() const = 0;

 protected:
  ~FrequencyBound() = default;
};

/// Of a System that hosts bodies: SI units of the output columns of its BodySystem, "m/s", "rad/s^2". Without it the
/// columns that are coordinates have the coordinates' units, and nobody knows those of the others.
class BodyColumnUnits {
 public:
  static constexpr const char* id = "trammel.body_column_units/1";

  /// [setup] Of BodySystem::column_name(k), a literal.
  virtual const char* column_unit(Index k) const = 0;
  /// [setup] Of BodySystem::acceleration_column_name(k), a literal.
  virtual const char* acceleration_column_unit(Index k) const = 0;

 protected:
  ~BodyColumnUnits() = default;
};

}  // namespace trammel
