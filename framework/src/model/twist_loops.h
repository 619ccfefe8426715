// TwistLoops: the rows that close loops in an implicit matrix that is eliminated along a tree, and the factor of (4) in
// linalg/twist_program.h.
#pragma once

#include <vector>

#include "linalg/frontal_lu.h"
#include "linalg/twist_program.h"
#include "model/twist_tree.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/kkt_solver.h"

namespace trammel {

/// Fronts with joints in place of bodies. `S`: SpatialSize or PlanarSize.
template <class S>
class TwistLoops {
 public:
  /// [setup]
  void build(const TwistTree& tree, const Assembly& assembly);
  bool empty() const { return ends_.empty(); }
  /// [step] Rows of the joints at their bodies, and a matrix of zeros; all rows of `kkt` are there.
  void find_rows(const KktMatrix& kkt, const TwistForm& form);
  /// [hot] Where the elimination finds them.
  void show(TwistTreeView<S>& view);
  /// [step] After the elimination.
  Status factorize();
  /// [hot] The right-hand side from all rows' g, to go on with; then the multipliers.
  double* right_side(const double* g, const double* sigma);
  void solve() { factor_.solve(right_.data()); }
  /// [hot] The multipliers among all, and what they take from those of intrinsic rows.
  void hand_out(double* lambda, double* mu) const;

 private:
  /// The rows of a loop at one of its bodies.
  struct End {
    Index first_cut;        ///< among the rows of all loops
    Index block;            ///< of the KKT matrix
    std::size_t first_row;  ///< among the rows of all ends
    std::size_t carried;    ///< first of the link's
  };

  FrontalLu factor_;
  std::vector<End> ends_;
  std::vector<TwistRows> end_rows_;
  std::vector<double> end_twists_, end_along_, rows_, columns_, answers_, numbers_, right_;
  std::vector<Index> places_, cut_row_of_;
};

}  // namespace trammel
