// The rows of loops of an implicit matrix in twists, and their factor.
#include "model/twist_loops.h"

#include <algorithm>

#include "linalg/sizes.h"

namespace trammel {

template <class S>
void TwistLoops<S>::build(const TwistTree& tree, const Assembly& assembly) {
  MechanismPattern pattern;
  pattern.bodies = static_cast<Index>(tree.loops.size());
  for (std::size_t k = 0; k < tree.loops.size(); ++k) {
    pattern.coordinates.push_back(tree.first_cut[k + 1] - tree.first_cut[k]);
    pattern.intrinsic.push_back(0);
  }
  const auto loop_of = [&](Index row) {
    return static_cast<Index>(std::upper_bound(tree.first_cut.begin(), tree.first_cut.end(), row) -
                              tree.first_cut.begin()) -
           1;
  };
  for (const TwistLink& link : tree.links) {
    const Index* cut = tree.cut.data() + link.first_carried;
    for (Index i = 0; i < link.carried; ++i) {
      for (Index j = 0; j < i; ++j) pattern.pairs.emplace_back(loop_of(cut[i]), loop_of(cut[j]));
    }
  }
  std::sort(pattern.pairs.begin(), pattern.pairs.end());
  pattern.pairs.erase(std::unique(pattern.pairs.begin(), pattern.pairs.end()), pattern.pairs.end());
  factor_.analyse(pattern);
  for (auto link = tree.links.rbegin(); link != tree.links.rend(); ++link) {  // as eliminated
    const Index* cut = tree.cut.data() + link->first_carried;
    for (Index i = 0; i < link->carried; ++i) {
      for (Index j = 0; j < link->carried; ++j) places_.push_back(factor_.structure().place(cut[i], cut[j]).at);
    }
  }
  std::size_t rows = 0;
  for (std::size_t k = 0; k < tree.loops.size(); ++k) {
    const ConstraintSlot& slot = assembly.constraints[tree.loops[k]];
    Index block = slot.first_block;
    for (const Index body : slot.bodies) {
      if (body < 0) continue;
      const TwistLink& link = tree.links[count(tree.link_of_body[count(body)])];
      const auto first = tree.cut.begin() + link.first_carried;
      const auto at = std::find(first, first + link.carried, tree.first_cut[k]);
      ends_.push_back({tree.first_cut[k], block++, rows, static_cast<std::size_t>(at - tree.cut.begin())});
      end_rows_.push_back({body, slot.rows, nullptr, nullptr, nullptr});
      rows += count(slot.rows);
    }
  }
  end_twists_.assign(rows * S::stride, 0.0);
  end_along_.assign(rows, 0.0);
  rows_.assign(tree.cut.size() * S::stride, 0.0);
  columns_ = rows_;
  answers_.assign(tree.cut.size() * S::size, 0.0);
  numbers_.assign(count(factor_.structure().numbers()), 0.0);
  right_.assign(tree.cut_row_of.size(), 0.0);
  cut_row_of_ = tree.cut_row_of;
}

template <class S>
Status TwistLoops<S>::factorize() {
  std::copy(numbers_.begin(), numbers_.end(), factor_.clear());
  if (!factor_.factorize()) return Status::failure(StatusCode::singular, "");
  if (factor_.needs_given()) std::copy(numbers_.begin(), numbers_.end(), factor_.clear_given());
  return Status::success();
}

template <class S>
void TwistLoops<S>::find_rows(const KktMatrix& kkt, const TwistForm& form) {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    end_rows_[i].full = kkt.Phi_q + kkt.blocks[ends_[i].block].offset;
    end_rows_[i].twist = end_twists_.data() + ends_[i].first_row * S::stride;
    end_rows_[i].along = S::size == 6 ? end_along_.data() + ends_[i].first_row : nullptr;
  }
  form.rows(kkt.states, end_rows_.data(), static_cast<Index>(end_rows_.size()));
  std::fill(numbers_.begin(), numbers_.end(), 0.0);
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const double* twist = end_rows_[i].twist;
    std::copy(twist, twist + end_rows_[i].rows * S::stride, rows_.data() + ends_[i].carried * S::stride);
  }
  columns_ = rows_;
}

template <class S>
void TwistLoops<S>::show(TwistTreeView<S>& view) {
  view.rows = rows_.data(), view.columns = columns_.data(), view.answers = answers_.data();
  view.places = places_.data(), view.loops = numbers_.data();
}

template <class S>
double* TwistLoops<S>::right_side(const double* g, const double* sigma) {
  for (std::size_t r = 0; r < right_.size(); ++r) right_[r] = g[cut_row_of_[r]];
  for (std::size_t i = 0; S::size == 6 && i < ends_.size(); ++i) {
    double* row = right_.data() + ends_[i].first_cut;
    for (Index r = 0; r < end_rows_[i].rows; ++r) row[r] -= end_rows_[i].along[r] * sigma[end_rows_[i].body];
  }
  return right_.data();
}

template <class S>
void TwistLoops<S>::hand_out(double* lambda, double* mu) const {
  for (std::size_t r = 0; r < right_.size(); ++r) lambda[cut_row_of_[r]] = right_[r];
  for (std::size_t i = 0; S::size == 6 && i < ends_.size(); ++i) {
    const double* row = right_.data() + ends_[i].first_cut;
    for (Index r = 0; r < end_rows_[i].rows; ++r) mu[end_rows_[i].body] -= end_rows_[i].along[r] * row[r];
  }
}

template class TwistLoops<SpatialSize>;
template class TwistLoops<PlanarSize>;

}  // namespace trammel
