// What the elimination of an implicit matrix along a tree of bodies works on; compiled once per instruction set.
#pragma once

#include "trammel/linalg.h"

// A body's unknown is its twist t, and t_p that of its parent; A, A_cp, A_pc, A_pp are the blocks of the implicit matrix, J its
// rows, J [D F] = [I 0], and X t_p + D g + F u are the twists that they allow, with J_p = -J X (X: a rigid shift, or what the
// rows make of it). With B = A X + A_cp the rows of F^T and X^T times the body's equation give
//   F^T A F u + F^T B t_p = F^T (f - A D g)                                                                       (1)
//   (A_pp + A_pc X + X^T B) t_p + (A_pc + X^T A) F u = f_p + X^T f - (A_pc + X^T A) D g                           (2)
// where the multipliers have dropped out. They are D^T (f - A t - A_cp t_p) afterwards. This is articulated elimination
// (Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, 7.2) of a matrix that need not be symmetric.
//
// Rows R of loops, with multipliers l, are carried along to the root. A link has them as R t and as C l in its equation:
//   u = V^T (f - A D g) - (V^T B) t_p - (V^T C) l,  V^T = (F^T A F)^-1 F^T
//   parent:  R_p += R X - R F (V^T B),  C_p += X^T C - (A_pc + X^T A) F (V^T C)                                   (3)
//   loops:   -R F (V^T C) l = g - R (D g + F V^T (f - A D g)),  the sum over all links that carry them            (4)
namespace trammel {

/// Twists and wrenches: 8 numbers (linear, 0, angular, 0), 4 planar.
struct SpatialSize {
  static constexpr int size = 6, stride = 8, block = 64;
};
struct PlanarSize {
  static constexpr int size = 3, stride = 4, block = 12;
};

/// A body of the tree; parents come first.
struct TwistLink {
  Index body, parent;  ///< parent: link, -1: ground, or nothing
  Index rows, first_row;
  Index coupling;                        ///< number of the pair of blocks A_cp, A_pc; -1: they are zero
  Index general;                         ///< number of an X that is no rigid shift, or -1
  Index first_carried = 0, carried = 0;  ///< rows of loops
};

/// What elimination and solves keep for a link.
template <class S>
struct TwistNode {
  double basis[S::size][S::stride];  ///< D, F
  double moved[S::size][S::stride];  ///< A F
  double dual[S::size][S::stride];   ///< V = F (F^T A F)^-T: u = V^T (..)
  double reply[S::size][S::stride];  ///< V^T B, one wrench for each u
  double shift[4];
  double diagonal[S::stride];                ///< bound of that of A before children took off what they can move
  double force[S::stride], held[S::stride];  ///< f, D g + F w
  double twist[S::stride];
};

template <class S>
struct TwistTreeView {
  const TwistLink* links;
  Index count;
  TwistNode<S>* nodes;
  double* diagonal;         ///< blocks by body, with what the children add
  const double* couplings;  ///< pairs of blocks A_cp, A_pc
  const double* generals;   ///< columns of X, size x stride each
  // Carried rows of all links, each with its number among the rows of loops and its place with the parent.
  const Index *cut, *above;
  double *rows, *columns;  ///< R, C
  double* answers;         ///< V^T C, S::size numbers each
  // Matrix of (4): where the entry of two rows that one link carries stands, by links without gaps.
  const Index* places;
  double* loops;
};

/// What intrinsic rows say, and how other rows change along n (implicit_twists.h): numbers by body and by row of the links.
struct TwistKnown {
  const double *sigma, *along_child, *along_parent;
};

struct TwistKernels {
  /// The link where a pivot is rounding, or -1.
  Index (*eliminate_spatial)(const TwistTreeView<SpatialSize>& tree);
  Index (*eliminate_planar)(const TwistTreeView<PlanarSize>& tree);
  /// From `force` of the nodes and g, one number per row, to the right-hand side of (4), which has g of the loops before.
  void (*gather_spatial)(const TwistTreeView<SpatialSize>& tree, const double* g, double* loops);
  void (*gather_planar)(const TwistTreeView<PlanarSize>& tree, const double* g, double* loops);
  /// From the multipliers of loops to `twist` and the multipliers of the other rows.
  void (*spread_spatial)(const TwistTreeView<SpatialSize>& tree, const double* loops, double* lambda);
  void (*spread_planar)(const TwistTreeView<PlanarSize>& tree, const double* loops, double* lambda);
  /// Takes from `force` what sigma moves.
  void (*take_known)(const TwistTreeView<SpatialSize>& tree, const TwistKnown& known);
  /// mu -= n^T (A x + Phi_q^T lambda), without rows of loops.
  void (*take_multipliers)(const TwistTreeView<SpatialSize>& tree, const TwistKnown& known, const double* lambda,
                           double* mu);
};

/// The fastest that this machine can run.
const TwistKernels& twist_kernels();

}  // namespace trammel
