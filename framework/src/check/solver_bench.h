// KKT matrices of models for checks of linear solvers, and what their systems have for solutions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/cases.h"
#include "check/element_point.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/kkt_solver.h"

namespace trammel::conformance {

/// A KKT matrix with numbers of its own: those of a model at one of its points.
class OwnMatrix {
 public:
  explicit OwnMatrix(const KktMatrix& matrix);
  OwnMatrix(const OwnMatrix&) = delete;

  const KktMatrix& operator*() const { return k_; }
  Index rows() const { return k_.rows + k_.intrinsic_rows; }
  void drop(Index row) { dropped_[static_cast<std::size_t>(row)] = 1; }
  bool dropped(Index row) const { return row < k_.rows && dropped_[static_cast<std::size_t>(row)] != 0; }
  /// W = I from here on.
  void forget_weights() { k_.weight = nullptr; }
  /// One entry of every array that solvers may work on.
  void spoil(double value);

 private:
  KktMatrix k_;
  std::vector<double> Phi_q_, reduced_, intrinsic_, weight_;
  std::vector<unsigned char> dropped_;
  std::vector<char> states_;
};

/// A right-hand side of a matrix and its solution by a dense factorization.
struct Reference {
  Reference(const OwnMatrix& matrix, Random& random);

  MatrixXd K;  ///< [W Phi_q^T; Phi_q 0], 1 on the diagonal of dropped rows
  VectorXd f, g, x, lambda;
};

/// A model in motion.
class SolverBench {
 public:
  /// Of a run file, which may name a linear solver: the bench has its own.
  SolverBench(const std::filesystem::path& file, PluginHost& host);
  /// Of the text of a system.
  SolverBench(const std::string& system, PluginHost& host);

  /// The matrix at a random state near the start, with the rows left out that depend on others at the start.
  OwnMatrix matrix(Random& random);
  /// Rows that depend on others at the start are left out from here on.
  void leave_out_dependent_rows();
  /// The elements behind the rows, at the state of the last `matrix`.
  const KktElements& elements();
  /// The first row of a constraint and their number.
  std::pair<Index, Index> rows_of(const std::string& constraint) const;
  const CaseModel& model() const { return model_; }

 private:
  CaseModel model_;
};

/// Text of a system: a random tree of bodies with some rods between them.
std::string random_system(Random& random, bool planar, bool mixed);
/// Trees of joints of many kinds, some of them in pairs between the same two bodies, with rods that close loops.
std::string jointed_system(Random& random, bool planar);
/// Bodies side by side that nothing, or a rod to the ground, holds.
std::string loose_bodies(int count, bool planar, bool on_rods);
/// Two bodies with a joint that is there twice, "once" and "again"; a body without inertia that a joint holds.
extern const char* const repeated_joint_system;
extern const char* const massless_system;
/// Rods that are parallel but for some thousandth: rows that hardly differ, and count all the same.
extern const char* const leaning_rods_system;
extern const char* const leaning_spatial_rods_system;

/// A linear solver as a run file creates it, for a bench.
class CreatedSolver {
 public:
  /// `json`: the section.
  CreatedSolver(const std::string& json, const SolverBench& bench);
  KktSolver& operator*() const { return component_.as<KktSolver>(); }
  KktSolver* operator->() const { return &component_.as<KktSolver>(); }

  /// False: it does not take this matrix, which it may say.
  bool analyse(const OwnMatrix& matrix) const;
  /// Before that: hands it the elements, where it works on them. False: it does not.
  bool attach(SolverBench& bench) const;
  /// Solves for both; every entry is written.
  void solve(const OwnMatrix& matrix, const Reference& reference, VectorXd& x, VectorXd& lambda) const;

 private:
  RunFile run_;
  Component component_;
};

/// Distinct sections of the cases with this solver; at least one, {"type": ...}.
std::vector<std::string> solver_sections(const Subject& subject);

/// Takes all memory away that the heap could give, until it ends.
class NoHeap {
 public:
  NoHeap();
  ~NoHeap() { give_back(); }
  NoHeap(const NoHeap&) = delete;
  void give_back();

 private:
  struct Block {
    Block* next;
  };
  Block* taken_ = nullptr;
  std::uint64_t limit_ = 0;
  bool given_back_ = false;
};

}  // namespace trammel::conformance
