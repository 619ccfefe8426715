// Loops: rows that close loops of the tree, over what the tree makes of them: S = Y Y^T with a block of Y for each row group
// and each body on its way to the root.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "node.h"
#include "trammel/extensions/factor_services.h"
#include "tree.h"

// A row w of a body acts on its parent as X^T w - P G^T w / d, and what it gives on the way is Y = G^T w / sqrt(d).
namespace trammel::articulated {

/// Numbers of a group's rows at one body.
template <class S>
struct RowsAt {
  const typename S::Twist* twists;
  const double* along;
};

template <class S>
class Loops {
 public:
  using Twist = typename S::Twist;

  explicit Loops(const BlockFactors& services) : services_(services) {}
  ~Loops() { services_.end_block_factor(factor_); }
  Loops(const Loops&) = delete;
  Loops& operator=(const Loops&) = delete;

  /// [setup] False: the factor cannot be made.
  bool analyse(const Tree& tree) {
    ways_.clear(), groups_.clear(), blocks_.clear();
    Index rows = 0, twists = 0, entries = 0, counted = 0, groups_of_factor = 0;
    for (const RowGroup& loop : tree.loops) {
      Group group{rows, static_cast<Index>(ways_.size()), 0, -1};
      add_ways(tree, loop);
      group.end_way = static_cast<Index>(ways_.size());
      for (Index w = group.first_way; w < group.end_way; ++w) {
        Way& way = ways_[static_cast<std::size_t>(w)];
        way.first_twist = twists, way.first_entry = entries;
        twists += loop.rows;
        if (way.free == 0) continue;
        if (group.in_factor < 0) group.in_factor = counted;
        blocks_.push_back({groups_of_factor, way.link, counted, loop.rows, 0, entries, 0, 0, 0, way.free});
        entries += loop.rows * way.free;
      }
      if (group.in_factor >= 0) counted += loop.rows, ++groups_of_factor;
      rows += loop.rows;
      groups_.push_back(group);
    }
    W_.assign(static_cast<std::size_t>(twists), Twist{});
    Y_.assign(static_cast<std::size_t>(entries), 0.0);
    own_.assign(static_cast<std::size_t>(rows), 0.0);
    lambda_ = residual_ = own_;
    factor_rows_.assign(static_cast<std::size_t>(counted), 0.0);
    dropped_.assign(static_cast<std::size_t>(counted), 0);
    row_of_factor_.assign(static_cast<std::size_t>(counted), 0);
    matrix_ = {};
    matrix_.bodies = static_cast<Index>(tree.links.size());
    matrix_.reduced_coordinates = S::size;
    matrix_.mixed = true;
    matrix_.rows = counted;
    matrix_.blocks = blocks_.data(), matrix_.block_count = static_cast<Index>(blocks_.size());
    matrix_.reduced = Y_.data(), matrix_.dropped = dropped_.data();
    services_.end_block_factor(factor_);
    factor_ = nullptr;
    if (counted == 0) return true;
    factor_ = services_.make_block_factor(matrix_, nullptr);
    return factor_ != nullptr;
  }

  bool any() const { return !groups_.empty(); }
  /// Of a factorization and a solve, nanoseconds.
  double cost() const {
    return (factor_ != nullptr ? factor_->cost() : 0) + 6.0 * S::size * static_cast<double>(W_.size());
  }
  /// Of the row of a loop.
  double& multiplier(Index loop, Index row) { return lambda_[index(loop, row)]; }
  const RankWatch& watch() const { return watch_; }

  /// [hot] After the tree's elimination. `rows(attached)` gives RowsAt, `inertia(link)` the body's own.
  template <class Rows, class InverseInertia>
  Status factorize(const KktMatrix& k, const Tree& tree, const std::vector<Node<S>>& nodes,
                   const std::vector<General<S>>& generals, bool to_rounding, const Rows& rows,
                   const InverseInertia& own_length) {
    watch_ = {}, finite_ = true;
    std::fill(Y_.begin(), Y_.end(), 0.0);
    // As the kernel's factor has it of all rows.
    const double weak = to_rounding ? 1e-15 : 1e-11;
    for (std::size_t l = 0; l < groups_.size(); ++l) {
      const Group& group = groups_[l];
      const RowGroup& loop = tree.loops[l];
      gather_rows(group, tree, loop, rows, own_length);
      carry_down(group, nodes, generals, loop.rows);
      for (Index r = 0; r < loop.rows; ++r) look_at_row(k, group, loop, r, weak);
      if (!finite_) return Status::failure(StatusCode::not_finite, "rows of a loop", loop.first_row);
    }
    if (factor_ == nullptr) return Status::success();
    const Status status = to_rounding ? factor_->factorize_to_rounding(matrix_) : factor_->factorize(matrix_);
    if (!status) {
      return Status::failure(status.code, status.what,
                             status.subject >= 0 ? row_of_factor_[static_cast<std::size_t>(status.subject)] : -1);
    }
    take_watch();
    return status;
  }

  /// [hot] Multipliers from the tree's own motion: `J t - c = 0` for what `nodes` gathered, and their share in `rate` of
  /// the nodes. `right(loop, row)` is c.
  template <class Right>
  void solve(const Tree& tree, std::vector<Node<S>>& nodes, const Right& right) {
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    const int turns = watch_.smallest_kept < refined_below ? 2 : 1;
    for (int turn = 0; turn < turns; ++turn) {
      for (std::size_t l = 0; l < groups_.size(); ++l) {
        const Group& group = groups_[l];
        for (Index r = 0; r < tree.loops[l].rows; ++r) {
          double& x = residual_[static_cast<std::size_t>(group.first_row + r)];
          x = -right(static_cast<Index>(l), r);
        }
        for (Index w = group.first_way; w < group.end_way; ++w) add_motion(w, nodes, tree.loops[l].rows, group);
        if (group.in_factor < 0) continue;
        for (Index r = 0; r < tree.loops[l].rows; ++r) {
          factor_rows_[static_cast<std::size_t>(group.in_factor + r)] =
              residual_[static_cast<std::size_t>(group.first_row + r)];
        }
      }
      if (factor_ == nullptr) return;
      factor_->solve({factor_rows_.data(), static_cast<Index>(factor_rows_.size())});
      for (std::size_t l = 0; l < groups_.size(); ++l) push(groups_[l], nodes, tree.loops[l].rows);
    }
  }

 private:
  // Rows this close to the span of the others (squared sine) are solved for twice.
  static constexpr double refined_below = 1e-5;

  struct Group {
    Index first_row, first_way, end_way;
    Index in_factor;  ///< its first row there, -1: the tree leaves nothing of it
  };
  struct Way {
    Index link, next;  ///< towards the root, -1 at its end
    Index free, general;
    Index first_twist = 0, first_entry = 0;
  };

  std::size_t index(Index loop, Index row) const {
    return static_cast<std::size_t>(groups_[static_cast<std::size_t>(loop)].first_row + row);
  }

  void add_ways(const Tree& tree, const RowGroup& loop) {
    std::vector<Index> links;
    for (Index a = loop.first_attached; a < loop.first_attached + loop.attached; ++a) {
      for (Index l = tree.attached[static_cast<std::size_t>(a)].link; l >= 0;
           l = tree.links[static_cast<std::size_t>(l)].parent)
        links.push_back(l);
    }
    std::sort(links.rbegin(), links.rend());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    const auto first = static_cast<Index>(ways_.size());
    for (const Index l : links) {
      const Link& link = tree.links[static_cast<std::size_t>(l)];
      const auto next = std::lower_bound(links.begin(), links.end(), link.parent, std::greater<>());
      ways_.push_back(
          {l, link.parent < 0 ? -1 : first + static_cast<Index>(next - links.begin()), link.free, link.general});
    }
  }

  template <class Rows, class InverseInertia>
  void gather_rows(const Group& group, const Tree& tree, const RowGroup& loop, const Rows& rows,
                   const InverseInertia& own_length) {
    for (Index r = 0; r < loop.rows; ++r) own_[static_cast<std::size_t>(group.first_row + r)] = 0;
    for (Index w = group.first_way; w < group.end_way; ++w) {
      const Way& way = ways_[static_cast<std::size_t>(w)];
      for (Index r = 0; r < loop.rows; ++r) W_[static_cast<std::size_t>(way.first_twist + r)] = {};
      for (Index a = loop.first_attached; a < loop.first_attached + loop.attached; ++a) {
        if (tree.attached[static_cast<std::size_t>(a)].link != way.link) continue;
        const RowsAt<S> at = rows(a);
        for (Index r = 0; r < loop.rows; ++r) {
          add(W_[static_cast<std::size_t>(way.first_twist + r)], at.twists[r]);
          own_[static_cast<std::size_t>(group.first_row + r)] += own_length(way.link, at.twists[r]);
        }
      }
    }
  }

  void carry_down(const Group& group, const std::vector<Node<S>>& nodes, const std::vector<General<S>>& generals,
                  Index rows) {
    for (Index i = group.first_way; i < group.end_way; ++i) {
      const Way& way = ways_[static_cast<std::size_t>(i)];
      const Node<S>& n = nodes[static_cast<std::size_t>(way.link)];
      const General<S>* general = way.general >= 0 ? &generals[static_cast<std::size_t>(way.general)] : nullptr;
      const Twist* const G = n.basis + (S::size - way.free);
      double* const Y = Y_.data() + way.first_entry;
      for (Index r = 0; r < rows; ++r) {
        const Twist& w = W_[static_cast<std::size_t>(way.first_twist + r)];
        Twist* const next =
            way.next >= 0 ? &W_[static_cast<std::size_t>(ways_[static_cast<std::size_t>(way.next)].first_twist + r)]
                          : nullptr;
        if (next != nullptr) add(*next, moved_back<S>(n.shift.part[0], general, w));
        for (Index k = 0; k < way.free; ++k) {
          const double given = dot(G[k], w);
          Y[k * rows + r] = given * std::sqrt(n.inverse[k]);
          if (next != nullptr) add(*next, -given * n.inverse[k], n.moved[k]);
        }
      }
    }
  }

  /// Where the tree leaves nothing of a row but rounding, its entries of Y are 0: the factor then leaves it out.
  void look_at_row(const KktMatrix& k, const Group& group, const RowGroup& loop, Index r, double weak) {
    const Index row = loop.first_row + r;
    double left = 0;
    for (Index i = group.first_way; i < group.end_way; ++i) {
      const Way& way = ways_[static_cast<std::size_t>(i)];
      for (Index f = 0; f < way.free; ++f) {
        const double y = Y_[static_cast<std::size_t>(way.first_entry + f * loop.rows + r)];
        left += y * y;
      }
    }
    const double own = own_[static_cast<std::size_t>(group.first_row + r)];
    const double ratio = own > 0 ? left / own : own;  // NaN stays
    finite_ = finite_ && ratio < INFINITY;
    const bool left_out = k.dropped != nullptr && k.dropped[row] != 0;
    if (ratio <= weak) {
      for (Index i = group.first_way; i < group.end_way; ++i) {
        const Way& way = ways_[static_cast<std::size_t>(i)];
        for (Index f = 0; f < way.free; ++f) Y_[static_cast<std::size_t>(way.first_entry + f * loop.rows + r)] = 0;
      }
      if (left_out && ratio > watch_.largest_dropped) watch_.largest_dropped = ratio, watch_.largest_dropped_row = row;
      if (!left_out && watch_.weak++ == 0) watch_.weak_row = row;
    } else if (!left_out && ratio < watch_.smallest_kept) {
      watch_.smallest_kept = ratio, watch_.smallest_kept_row = row;
    }
    if (group.in_factor < 0) return;
    const auto at = static_cast<std::size_t>(group.in_factor + r);
    dropped_[at] = left_out || ratio <= weak ? 1 : 0;
    row_of_factor_[at] = row;
    factor_rows_[at] = ratio;
  }

  // The factor's pivots are relative to what the tree leaves of a row.
  void take_watch() {
    const RankWatch& seen = factor_->watch();
    if (seen.smallest_kept_row >= 0) {
      const auto at = static_cast<std::size_t>(seen.smallest_kept_row);
      const double kept = seen.smallest_kept * factor_rows_[at];
      if (kept < watch_.smallest_kept) watch_.smallest_kept = kept, watch_.smallest_kept_row = row_of_factor_[at];
    }
    if (seen.largest_dropped_row >= 0) {
      const auto at = static_cast<std::size_t>(seen.largest_dropped_row);
      const double left = seen.largest_dropped * factor_rows_[at];
      if (left > watch_.largest_dropped) watch_.largest_dropped = left, watch_.largest_dropped_row = row_of_factor_[at];
    }
    if (seen.weak > 0 && watch_.weak == 0) watch_.weak_row = row_of_factor_[static_cast<std::size_t>(seen.weak_row)];
    watch_.weak += seen.weak;
  }

  /// The motion of a body relative to its parent, along the rows on their way.
  void add_motion(Index w, const std::vector<Node<S>>& nodes, Index rows, const Group& group) {
    const Way& way = ways_[static_cast<std::size_t>(w)];
    const Node<S>& n = nodes[static_cast<std::size_t>(way.link)];
    Twist relative = n.offset;
    for (Index k = 0; k < way.free; ++k) add(relative, -n.rate[k], n.basis[S::size - way.free + k]);
    for (Index r = 0; r < rows; ++r) {
      residual_[static_cast<std::size_t>(group.first_row + r)] +=
          dot(W_[static_cast<std::size_t>(way.first_twist + r)], relative);
    }
  }

  /// What the multipliers of `factor_rows_` change.
  void push(const Group& group, std::vector<Node<S>>& nodes, Index rows) {
    if (group.in_factor < 0) return;
    for (Index r = 0; r < rows; ++r) {
      lambda_[static_cast<std::size_t>(group.first_row + r)] +=
          factor_rows_[static_cast<std::size_t>(group.in_factor + r)];
    }
    for (Index i = group.first_way; i < group.end_way; ++i) {
      const Way& way = ways_[static_cast<std::size_t>(i)];
      if (way.free == 0) continue;
      Node<S>& n = nodes[static_cast<std::size_t>(way.link)];
      Twist force{};
      for (Index r = 0; r < rows; ++r) {
        add(force, factor_rows_[static_cast<std::size_t>(group.in_factor + r)],
            W_[static_cast<std::size_t>(way.first_twist + r)]);
      }
      for (Index k = 0; k < way.free; ++k) n.rate[k] += dot(n.basis[S::size - way.free + k], force) * n.inverse[k];
    }
  }

  const BlockFactors& services_;
  BlockFactor* factor_ = nullptr;
  KktMatrix matrix_;
  std::vector<JacobianBlock> blocks_;
  std::vector<Group> groups_;
  std::vector<Way> ways_;
  std::vector<Twist> W_;  // rows at bodies, as the tree hands them on
  std::vector<double> Y_, own_, lambda_, residual_, factor_rows_;
  std::vector<unsigned char> dropped_;
  std::vector<Index> row_of_factor_;
  RankWatch watch_;
  bool finite_ = true;
};

}  // namespace trammel::articulated
