// Implicit KKT matrices in twists: which blocks there are, their numbers, and solves.
#include "model/twist_kkt.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "linalg/sizes.h"
#include "model/model_kkt.h"
#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

Index eliminate(const TwistTreeView<SpatialSize>& tree) { return twist_kernels().eliminate_spatial(tree); }
Index eliminate(const TwistTreeView<PlanarSize>& tree) { return twist_kernels().eliminate_planar(tree); }
void gather(const TwistTreeView<SpatialSize>& tree, const double* g, double* loops) {
  twist_kernels().gather_spatial(tree, g, loops);
}
void gather(const TwistTreeView<PlanarSize>& tree, const double* g, double* loops) {
  twist_kernels().gather_planar(tree, g, loops);
}
void spread(const TwistTreeView<SpatialSize>& tree, const double* loops, double* lambda) {
  twist_kernels().spread_spatial(tree, loops, lambda);
}
void spread(const TwistTreeView<PlanarSize>& tree, const double* loops, double* lambda) {
  twist_kernels().spread_planar(tree, loops, lambda);
}

template <class E>
const E& of_system(const ModelKkt& kkt) {
  return *static_cast<const E*>(kkt.system_extension(E::id));
}

/// to -= factor from
void subtract(const double* from, double factor, double* to, int size) {
  for (int i = 0; i < size; ++i) to[i] -= factor * from[i];
}

}  // namespace

template <class S>
TwistKkt<S>::TwistKkt(Linearization& linearization, const ModelKkt& kkt, TwistTree&& tree)
    : linearization_(linearization),
      assembly_(linearization.assembly()),
      form_(of_system<TwistForm>(kkt)),
      twists_(of_system<ImplicitTwists>(kkt)) {
  build_tree(std::move(tree));
  build_blocks();
  if (!tree_.loops.empty()) loops_.build(tree_, assembly_);
}

template <class S>
void TwistKkt<S>::build_tree(TwistTree&& tree) {
  tree_ = std::move(tree);
  nodes_.assign(tree_.links.size(), TwistNode<S>{});
  along_child_.assign(tree_.row_of.size(), 0.0);
  along_parent_ = g_ = rows_ = along_child_;
  Index generals = 0;
  for (std::size_t l = 0; l < tree_.links.size(); ++l) {
    TwistLink& link = tree_.links[l];
    const FreeDirections* said = nullptr;
    if (tree_.elements[l].size() == 1) {
      const ConstraintSlot& slot = assembly_.constraints[tree_.elements[l][0]];
      if (slot.bodies.size() == 2) said = find_extension<FreeDirections>(*slot.constraint);
      if (said != nullptr) {
        directed_.push_back({said,
                             tree_.elements[l][0],
                             slot.bodies[0] == link.body ? 0 : 1,
                             {nodes_[l].basis[0], nodes_[l].shift, along_child_.data() + link.first_row,
                              along_parent_.data() + link.first_row}});
      }
    }
    if (said != nullptr) continue;
    by_rows_.push_back(l);
    if (link.parent >= 0) link.general = generals++;
  }
  generals_.assign(count(generals) * S::size * S::stride, 0.0);
}

// Couplings are there only for those links whose bodies are coupled by more than their rows.
template <class S>
void TwistKkt<S>::build_blocks() {
  const auto link_between = [&](Index a, Index b) -> TwistLink& {
    TwistLink& link = tree_.links[count(tree_.link_of_body[count(a)])];
    return link.parent >= 0 && tree_.links[count(link.parent)].body == b
               ? link
               : tree_.links[count(tree_.link_of_body[count(b)])];
  };
  Index couplings = 0;
  const auto couple = [&](const ElementSlot& slot) {
    for (const Index a : slot.bodies) {
      for (const Index b : slot.bodies) {
        if (a < 0 || b < 0 || a == b) continue;
        TwistLink& link = link_between(a, b);
        if (link.coupling < 0) link.coupling = couplings++;
      }
    }
  };
  for (const ConstraintSlot& slot : assembly_.constraints) {
    const auto* twists = find_extension<MultiplierTwists>(*slot.constraint);
    if (slot.bodies.size() != 2 || twists == nullptr || twists->couples()) couple(slot);
  }
  for (const ForceSlot& slot : assembly_.forces) couple(slot);
  diagonal_.assign(count(assembly_.bodies()) * S::block, 0.0);
  couplings_.assign(2 * count(couplings) * S::block, 0.0);
  std::vector<unsigned char> cleared(count(couplings), 0);

  for (std::size_t e = 0; e < assembly_.constraints.size(); ++e) {
    const ConstraintSlot& slot = assembly_.constraints[e];
    Joint joint{e, nullptr, linearization_.point().element_state(slot), {}, nullptr};
    if (slot.bodies.size() == 2) joint.twists = find_extension<MultiplierTwists>(*slot.constraint);
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      for (std::size_t j = 0; j < slot.bodies.size(); ++j)
        joint.blocks[2 * i + j] = block_of(slot.bodies[i], slot.bodies[j]);
    }
    if (double* block = std::min(joint.blocks[1], joint.blocks[2]); block != nullptr) {
      auto& known = cleared[count(static_cast<Index>((block - couplings_.data()) / (2 * S::block)))];
      if (known == 0) joint.clears = block;
      known = 1;
    }
    joints_.push_back(joint);
  }
  for (std::size_t i = 0; i < cleared.size(); ++i) {
    if (cleared[i] == 0) cleared_first_.push_back(couplings_.data() + 2 * i * S::block);
  }
  const std::vector<Linearization::PairBlock>* pairs = assembly_.forces.empty() ? nullptr : &linearization_.pairs();
  for (std::size_t e = 0; e < assembly_.forces.size(); ++e) {
    std::size_t pair = linearization_.first_pair(e);
    for (const Index a : assembly_.forces[e].bodies) {
      for (const Index b : assembly_.forces[e].bodies) {
        if (a < 0 || b < 0) continue;
        force_blocks_.push_back({pair, block_of((*pairs)[pair].row_body, (*pairs)[pair].column_body)});
        ++pair;
      }
    }
  }
  states_.assign(count(assembly_.bodies() * assembly_.system.state_bytes()), 0);
  scratch_.assign(4 * 49, 0.0);
  wrenches_.assign(count(assembly_.bodies()) * S::stride, 0.0);
  along_.assign(count(assembly_.bodies()), 0.0);
}

template <class S>
double* TwistKkt<S>::block_of(Index row_body, Index column_body) {
  if (row_body < 0 || column_body < 0) return nullptr;
  if (row_body == column_body) return diagonal_.data() + row_body * S::block;
  const TwistLink& row = tree_.links[count(tree_.link_of_body[count(row_body)])];
  const bool row_is_child = row.parent >= 0 && tree_.links[count(row.parent)].body == column_body;
  const TwistLink& column = tree_.links[count(tree_.link_of_body[count(column_body)])];
  const bool column_is_child = column.parent >= 0 && tree_.links[count(column.parent)].body == row_body;
  if (!row_is_child && !column_is_child) return nullptr;  // the ends of a loop that do not couple
  const TwistLink& link = row_is_child ? row : column;
  if (link.coupling < 0) return nullptr;
  return couplings_.data() + (2 * link.coupling + (row_is_child ? 0 : 1)) * S::block;
}

template <class S>
TwistTreeView<S> TwistKkt<S>::view() {
  TwistTreeView<S> view{};
  view.links = tree_.links.data(), view.count = static_cast<Index>(tree_.links.size());
  view.nodes = nodes_.data(), view.diagonal = diagonal_.data();
  view.couplings = couplings_.data(), view.generals = generals_.data();
  view.cut = tree_.cut.data(), view.above = tree_.above.data();
  loops_.show(view);
  return view;
}

template <class S>
void TwistKkt<S>::place_joints() {
  const ModelPoint& point = linearization_.point();
  const bool remembers = point.memory().any();
  for (Joint& joint : joints_) {
    joint.state.t = point.t();
    if (remembers) joint.state = point.element_state(assembly_.constraints[joint.element]);
  }
}

template <class S>
Status TwistKkt<S>::fill(const KktMatrix& kkt, double c0, double c1) {
  const ConstVectorView lambda = linearization_.lambda();
  const Index rows = assembly_.element_rows(), c = assembly_.body_coordinates();
  twists_.own_blocks(kkt.states,
                     {linearization_.a(), lambda.segment(rows, lambda.size - rows), c0, c1, diagonal_.data()});
  for (double* pair : cleared_first_) std::fill_n(pair, 2 * S::block, 0.0);
  for (const Joint& joint : joints_) {
    if (joint.clears != nullptr) std::fill_n(joint.clears, 2 * S::block, 0.0);  // while it is near
    const ConstraintSlot& slot = assembly_.constraints[joint.element];
    const ConstVectorView own = lambda.segment(slot.first_row, slot.rows);
    if (joint.twists != nullptr) {
      joint.twists->add_multiplier_twists(joint.state, own, c0, joint.blocks);
      continue;
    }
    MatrixView views[4];
    CoordinateBlock blocks[4];
    Index number = 0;
    const std::size_t k = slot.bodies.size();
    for (std::size_t i = 0; i < k * k; ++i) {
      const Index row = slot.bodies[i / k], column = slot.bodies[i % k];
      if (row < 0 || column < 0) continue;
      double* room = scratch_.data() + 49 * i;
      views[i] = {room, c, c, c};
      blocks[number++] = {row, column, room, joint.blocks[2 * (i / k) + i % k]};
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status status = slot.constraint->multiplier_gradient(joint.state, own, views);
    if (!status) return status;
    for (double& x : scratch_) x *= c0;
    twists_.add_blocks(kkt.states, blocks, number);
  }
  if (force_blocks_.empty()) return Status::success();
  if (const Status status = linearization_.compute_forces(); !status) return status;
  const double *K = linearization_.K().data(), *C = linearization_.C().data();
  for (const ForceBlock& force : force_blocks_) {
    const Linearization::PairBlock& pair = linearization_.pairs()[force.pair];
    for (Index i = 0; i < c * c; ++i) scratch_[count(i)] = c0 * K[pair.offset + i] + c1 * C[pair.offset + i];
    const CoordinateBlock block{pair.row_body, pair.column_body, scratch_.data(), force.to};
    twists_.add_blocks(kkt.states, &block, 1);
  }
  return Status::success();
}

template <class S>
Status TwistKkt<S>::prepare(const KktMatrix& kkt, double c0, double c1) {
  place_joints();
  Status status = fill(kkt, c0, c1);
  if (status) status = find_directions(kkt);
  if (!status) return status;
  std::memcpy(states_.data(), kkt.states, states_.size());
  if (eliminate(view()) >= 0) return Status::failure(StatusCode::singular, "");
  return loops_.empty() ? status : loops_.factorize();
}

template <class S>
Status TwistKkt<S>::find_directions(const KktMatrix& kkt) {
  for (const Directed& call : directed_) call.joint->free_directions(joints_[call.element].state, call.child, call.out);
  if (by_rows_.empty() && loops_.empty()) return Status::success();
  linearization_.point().rows.settle();
  if (!loops_.empty()) loops_.find_rows(kkt, form_);
  for (const std::size_t link : by_rows_) {
    if (!directions_by_rows(kkt, link)) return Status::failure(StatusCode::singular, "");
  }
  return Status::success();
}

template <class S>
bool TwistKkt<S>::directions_by_rows(const KktMatrix& kkt, std::size_t l) {
  const TwistLink& link = tree_.links[l];
  double child[S::size][S::stride] = {}, parent[S::size][S::stride] = {}, along[2][S::size] = {};
  Index row = 0;
  for (const std::size_t e : tree_.elements[l]) {
    const ConstraintSlot& slot = assembly_.constraints[e];
    Index at = slot.first_block;
    for (const Index body : slot.bodies) {
      if (body < 0) continue;
      const JacobianBlock& block = kkt.blocks[at++];
      const bool is_child = body == link.body;
      const TwistRows rows{body, block.rows, kkt.Phi_q + block.offset, is_child ? child[row] : parent[row],
                           S::size == 6 ? along[is_child ? 0 : 1] + row : nullptr};
      form_.rows(kkt.states, &rows, 1);
    }
    row += slot.rows;
  }
  std::copy(along[0], along[0] + link.rows, along_child_.begin() + link.first_row);
  std::copy(along[1], along[1] + link.rows, along_parent_.begin() + link.first_row);
  TwistNode<S>& node = nodes_[l];
  if (!directions_of_rows<S>(child, link.rows, node.basis)) return false;
  if (link.general < 0) return true;
  double* X = generals_.data() + count(link.general) * S::size * S::stride;  // -D J_p
  for (int k = 0; k < S::size; ++k, X += S::stride) {
    std::fill(X, X + S::stride, 0.0);
    for (Index r = 0; r < link.rows; ++r) subtract(node.basis[r], parent[r][twist_place<S>(k)], X, S::stride);
  }
  return true;
}

template <class S>
void TwistKkt<S>::solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  constexpr bool intrinsic = S::size == 6;
  const void* states = states_.data();
  const Index element_rows = assembly_.element_rows(), bodies = assembly_.bodies();
  const double* sigma = g.data + element_rows;
  const TwistKnown known{sigma, along_child_.data(), along_parent_.data()};
  form_.wrenches(states, f, wrenches_.data());
  for (std::size_t l = 0; l < tree_.links.size(); ++l)
    std::memcpy(nodes_[l].force, wrenches_.data() + count(tree_.links[l].body) * S::stride, sizeof nodes_[l].force);
  if constexpr (intrinsic) {
    form_.along_intrinsic(states, f, {along_.data(), bodies});
    twist_kernels().take_known(view(), known);
  }
  for (const TwistLink& link : tree_.links) {
    const double of_child = intrinsic ? sigma[link.body] : 0;
    const double of_parent = intrinsic && link.parent >= 0 ? sigma[tree_.links[count(link.parent)].body] : 0;
    for (std::size_t r = count(link.first_row), end = r + count(link.rows); r < end; ++r)
      g_[r] = g[tree_.row_of[r]] - along_child_[r] * of_child - along_parent_[r] * of_parent;
  }
  double* of_loops = loops_.right_side(g.data, sigma);
  gather(view(), g_.data(), of_loops);
  if (!loops_.empty()) loops_.solve();
  spread(view(), of_loops, rows_.data());
  for (std::size_t l = 0; l < tree_.links.size(); ++l)
    std::memcpy(wrenches_.data() + count(tree_.links[l].body) * S::stride, nodes_[l].twist, sizeof nodes_[l].twist);
  form_.accelerations(states, wrenches_.data(), g.segment(element_rows, g.size - element_rows), x);
  if (lambda.data == nullptr) return;
  for (std::size_t r = 0; r < tree_.row_of.size(); ++r) lambda[tree_.row_of[r]] = rows_[r];
  if constexpr (intrinsic) {  // mu = n^T (f - A x - Phi_q^T lambda)
    double* mu = lambda.data + element_rows;
    std::copy(along_.begin(), along_.end(), mu);
    twist_kernels().take_multipliers(view(), known, rows_.data(), mu);
  }
  loops_.hand_out(lambda.data, lambda.data + element_rows);
}

template class TwistKkt<SpatialSize>;
template class TwistKkt<PlanarSize>;

std::unique_ptr<AnyTwistKkt> make_twist_kkt(Linearization& linearization, const ModelKkt& kkt) {
  const Assembly& assembly = linearization.assembly();
  const BodyTable& table = assembly.table;
  const auto* form = static_cast<const TwistForm*>(kkt.system_extension(TwistForm::id));
  if (form == nullptr || kkt.system_extension(ImplicitTwists::id) == nullptr) return nullptr;
  const int size = form->size();
  const bool spatial = size == SpatialSize::size && table.local() == SpatialBodyState::coordinates;
  if (!spatial && !(size == PlanarSize::size && table.local() == PlanarBodyState::coordinates)) return nullptr;
  if (table.mixed() || table.intrinsic_rows() != (spatial ? assembly.bodies() : 0)) return nullptr;
  for (Index b = 0; b < assembly.bodies(); ++b) {
    if (table.width(b) != table.local()) return nullptr;
  }
  if (assembly.internal_states() > 0 || assembly.velocity_rows() > 0) return nullptr;
  TwistTree tree;
  if (!tree.build(assembly, size)) return nullptr;
  if (spatial) return std::make_unique<TwistKkt<SpatialSize>>(linearization, kkt, std::move(tree));
  return std::make_unique<TwistKkt<PlanarSize>>(linearization, kkt, std::move(tree));
}

}  // namespace trammel
