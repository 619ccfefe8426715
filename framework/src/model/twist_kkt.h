// TwistKkt: a real KKT matrix of implicit steps in twists, eliminated along the tree of the bodies.
#pragma once

#include <vector>

#include "linalg/twist_program.h"
#include "model/any_twist_kkt.h"
#include "model/linearization.h"
#include "model/twist_loops.h"
#include "model/twist_tree.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/extensions/implicit_twists.h"

namespace trammel {

/// As ImplicitKkt, for models of rigid bodies without loops whose system has ImplicitTwists. The blocks are formed at the
/// model's point from a and lambda of the linearization: gradients of joints that have MultiplierTwists directly, those of
/// others and of forces from their blocks of coordinates. `S`: SpatialSize or PlanarSize.
template <class S>
class TwistKkt final : public AnyTwistKkt {
 public:
  /// [setup] Of a model that fits.
  TwistKkt(Linearization& linearization, const ModelKkt& kkt, TwistTree&& tree);
  Status prepare(const KktMatrix& kkt, double c0, double c1) override;
  void solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;

 private:
  /// Element e between bodies; blocks[2 i + j] as MultiplierTwists has them.
  struct Joint {
    std::size_t element;
    const MultiplierTwists* twists;  ///< null: by `multiplier_gradient`
    ElementState state;              ///< but for the time and memory of the point
    double* blocks[4];
    double* clears;  ///< the pair of blocks between them, where it is the first to add to these
  };
  /// Where a block of a force goes.
  struct ForceBlock {
    std::size_t pair;
    double* to;
  };
  /// A joint that says its directions.
  struct Directed {
    const FreeDirections* joint;
    std::size_t element;  ///< its joint's place, too
    Index child;
    DirectionsOutput out;
  };
  void build_tree(TwistTree&& tree);
  void build_blocks();
  double* block_of(Index row_body, Index column_body);
  Status fill(const KktMatrix& kkt, double c0, double c1);
  Status find_directions(const KktMatrix& kkt);
  bool directions_by_rows(const KktMatrix& kkt, std::size_t link);
  TwistTreeView<S> view();
  void place_joints();

  Linearization& linearization_;
  const Assembly& assembly_;
  const TwistForm& form_;
  const ImplicitTwists& twists_;
  TwistTree tree_;
  std::vector<TwistNode<S>> nodes_;
  std::vector<double> diagonal_, couplings_, generals_, along_child_, along_parent_;
  std::vector<Joint> joints_;
  std::vector<ForceBlock> force_blocks_;
  std::vector<double*> cleared_first_;  // pairs of blocks that no joint clears
  std::vector<Directed> directed_;
  std::vector<std::size_t> by_rows_;  // links
  TwistLoops<S> loops_;
  std::vector<unsigned char> states_;
  std::vector<double> scratch_, wrenches_, g_, rows_, along_;
};

}  // namespace trammel
