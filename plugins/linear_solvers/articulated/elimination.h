// Elimination: the KKT matrix of a model by its tree and its loops.
#pragma once

#include "ahead.h"
#include "any_elimination.h"
#include "edge_rows.h"
#include "loops.h"

namespace trammel::articulated {

template <class S>
class Elimination final : public AnyElimination {
 public:
  using Twist = typename S::Twist;

  Elimination(const TwistForm& form, const BlockFactors& services, const Workers* workers)
      : form_(form), loops_(services), ahead_(workers) {}

  Status analyse(const KktMatrix& k, const KktElements* elements) override {
    elements_ = elements;
    Index last = -1;
    for (Index i = 0; i < k.block_count; ++i) last = std::max(last, k.blocks[i].element);
    as_loop_.assign(static_cast<std::size_t>(last + 1), 0);
    return build(k, true);
  }
  Status factorize(const KktMatrix& k, bool to_rounding) override;
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override;
  const RankWatch& watch() const override { return watch_; }
  double cost() const override;

 private:
  /// A joint that says its directions.
  struct JointCall {
    const FreeDirections* joint;
    Index element, child;
    DirectionsOutput out;
  };

  /// `limited`: refuses trees whose loops lead over too many bodies.
  Status build(const KktMatrix& k, bool limited);
  Status evaluate_rows(const KktMatrix& k);
  /// A failure with `weak_` set: this element depends on the others between its bodies.
  Status find_directions(const KktMatrix& k);
  Status find_directions_by_rows(const KktMatrix& k, std::size_t link);
  Status add_rows(const RowGroup& group, EdgeRows<S>& edge, Index first);
  /// From the ends of the tree to its root. `eliminates`: the inertias, with the directions of joints that say them;
  /// `gathers`: the biases for right-hand side g.
  template <bool eliminates, bool gathers>
  Status walk_back(const KktMatrix& k, ConstVectorView g);
  /// What no other body has a share in, of links `begin` to `end` - 1.
  template <bool eliminates, bool gathers>
  void prepare_links(Index begin, Index end, const KktMatrix& k, ConstVectorView g);
  /// The rest. Returns the link that stops it, or -1.
  template <bool eliminates, bool gathers>
  Index walk_links(Index begin, Index end);
  Status why_stopped(const KktMatrix& k, Index link) const;
  TRAMMEL_INLINE void write_offset(const Link& link, const double* g, const double* intrinsic, Node<S>& n) const;
  const double* rows_of(Index block) const { return rows_.data() + row_place_[block] * S::stride; }
  const double* along_of(Index block) const { return S::intrinsic ? along_rows_.data() + row_place_[block] : nullptr; }
  General<S>* general(const Link& link) {
    return link.general < 0 ? nullptr : &generals_[static_cast<std::size_t>(link.general)];
  }
  Node<S>* parent(const Link& link) {
    return link.parent < 0 ? nullptr : &nodes_[static_cast<std::size_t>(link.parent)];
  }
  double own_length(Index link, const Twist& row) const;
  void write_multipliers(const KktMatrix& k, ConstVectorView f, VectorView lambda);

  const TwistForm& form_;
  const KktElements* elements_ = nullptr;
  Tree tree_;
  Loops<S> loops_;
  Ahead ahead_;
  Index chunk_ = 1;                     ///< links of one round
  std::vector<unsigned char> as_loop_;  ///< per element
  Index weak_ = -1;
  RankWatch watch_;
  std::vector<Node<S>> nodes_;
  std::vector<General<S>> generals_;
  std::vector<double> along_child_, along_parent_;  ///< of the edges' rows: Phi_q n
  bool eliminated_ = false;                         ///< or the next solve has to
  std::vector<JointCall> joints_;                   ///< of links with nothing else, in their order
  std::vector<JointCall> joined_;                   ///< of links whose other rows are added to their directions
  std::vector<std::size_t> by_rows_;                ///< links whose rows say their directions, or some of them
  std::vector<TwistRows> blocks_;                   ///< read as they are
  std::vector<Index> read_;                         ///< elements of these
  std::vector<Index> row_place_;                    ///< per KKT block: its first row in `rows_`, -1: it is not read
  std::vector<double> rows_, along_rows_;
  std::vector<double> inertia_, wrenches_, twists_;  ///< per body
};

}  // namespace trammel::articulated
