// Factorization and solves by the tree, for spatial and planar bodies.
#include "elimination.h"

#include <algorithm>
#include <cmath>

#include "trammel/body_state.h"
#include "trammel/sdk/math/wide.h"

namespace trammel::articulated {
namespace {

/// Squared sine of a row's angle to the other rows between its two bodies: closer ones are rows of a loop, whose factor
/// leaves them out where they depend on others.
constexpr double least_in_edge = 1e-8;

/// Links that are prepared together: few enough to stay in the first cache until the walk comes to them, where one thread
/// does both; and worth a round's bookkeeping where others prepare them.
constexpr Index alone = 16, shared = 32;

Four position(const void* states, Index body, Spatial) {
  const double* r = static_cast<const SpatialBodyState*>(states)[body].r;
  return Four{r[0], r[1], r[2], 0};
}
Four position(const void* states, Index body, Planar) {
  const double* r = static_cast<const PlanarBodyState*>(states)[body].r;
  return Four{r[0], r[1], 0, 0};
}

/// Diagonal of the inertia, with the same moment about all axes.
Spatial::Twist measure(const double* inertia, Spatial) {
  const double m = inertia[0], J = (inertia[1] + inertia[2] + inertia[3]) / 3;
  return {{Four{m, m, m, 0}, Four{J, J, J, 0}}};
}
Planar::Twist measure(const double* inertia, Planar) { return {{Four{inertia[0], inertia[0], inertia[1], 0}}}; }

/// w^T I^-1 w of a body alone.
double by_inverse(const double* in, const Spatial::Twist& w) {
  const Four n = w.part[1], x{in[1], in[4], in[5], 0}, y{in[4], in[2], in[6], 0}, z{in[5], in[6], in[3], 0};
  const Four c = cross(y, z);
  const double det = sum(x * c);
  const double turning = n[0] * sum(n * c) + n[1] * sum(n * cross(z, x)) + n[2] * sum(n * cross(x, y));
  return sum(w.part[0] * w.part[0]) / in[0] + turning / det;
}
double by_inverse(const double* in, const Planar::Twist& w) {
  const Four f = w.part[0];
  return (f[0] * f[0] + f[1] * f[1]) / in[0] + f[2] * f[2] / in[1];
}

}  // namespace

template <class S>
Status Elimination<S>::build(const KktMatrix& k, bool limited) {
  tree_.build(k, S::size, elements_, as_loop_);
  if (limited && !tree_.short_ways())
    return Status::failure(StatusCode::unsupported, "its loops lead over too many bodies");
  blocks_.clear(), read_.clear();
  row_place_.assign(static_cast<std::size_t>(k.block_count), -1);
  Index rows = 0;
  const auto use = [&](Index block) {
    if (block < 0) return;
    row_place_[static_cast<std::size_t>(block)] = rows;
    rows += k.blocks[block].rows;
    blocks_.push_back({k.blocks[block].body, k.blocks[block].rows, nullptr, nullptr, nullptr});
  };
  for (const RowGroup& group : tree_.edges) {
    if (group.joint != nullptr) continue;
    read_.push_back(group.element);
    use(group.child_block), use(group.other_block);
  }
  for (const RowGroup& group : tree_.loops) {
    read_.push_back(group.element);
    for (Index a = group.first_attached; a < group.first_attached + group.attached; ++a)
      use(tree_.attached[static_cast<std::size_t>(a)].block);
  }
  rows_.assign(static_cast<std::size_t>(rows) * S::stride, 0.0);
  along_rows_.assign(static_cast<std::size_t>(rows), 0.0);
  nodes_.assign(tree_.links.size(), Node<S>{});
  generals_.assign(static_cast<std::size_t>(tree_.generals), General<S>{});
  along_child_.assign(static_cast<std::size_t>(tree_.edge_rows), 0.0);
  along_parent_ = along_child_;
  const auto bodies = static_cast<std::size_t>(k.bodies);
  inertia_.assign(bodies * S::inertia, 0.0);
  wrenches_.assign(bodies * S::stride, 0.0);
  twists_ = wrenches_;
  joints_.clear(), joined_.clear(), by_rows_.clear();
  for (std::size_t l = 0; l < nodes_.size(); ++l) {
    Link& link = tree_.links[l];
    const RowGroup* group = tree_.edges.data() + link.first_group;
    const bool said = link.groups > 0 && group->joint != nullptr;
    if (said) {
      auto& calls = link.groups > 1 ? joined_ : joints_;
      if (link.groups == 1) link.joint = static_cast<Index>(joints_.size());
      calls.push_back({group->joint,
                       group->element,
                       group->child,
                       {reinterpret_cast<double*>(nodes_[l].basis), reinterpret_cast<double*>(&nodes_[l].shift),
                        along_child_.data() + link.first_row, along_parent_.data() + link.first_row}});
    }
    if (!said || link.groups > 1) by_rows_.push_back(l);
  }
  const auto links = static_cast<Index>(nodes_.size());
  chunk_ = ahead_.shares((links + shared - 1) / shared) ? shared : alone;
  ahead_.analyse((links + chunk_ - 1) / chunk_);
  if (!loops_.analyse(tree_)) return Status::failure(StatusCode::failed, "the block factor cannot be made");
  return Status::success();
}

template <class S>
double Elimination<S>::cost() const {
  // So that revolute, spherical and planar chains cost as much less than in range_space as their evaluations were measured
  // to take.
  double cost = loops_.cost();
  for (const Link& link : tree_.links) {
    cost += S::size == 6 ? 30 + 15.0 * link.rows + 15.5 * link.free : 48 + 15.0 * link.rows + 10.0 * link.free;
  }
  cost += (S::size == 6 ? 170 : 40) * static_cast<double>(generals_.size());
  return cost + 3.0 * S::size * static_cast<double>(along_rows_.size());
}

template <class S>
Status Elimination<S>::evaluate_rows(const KktMatrix& k) {
  if (read_.empty()) return Status::success();
  for (const Index element : read_) {
    if (elements_ == nullptr) break;
    const Status status = elements_->evaluate_rows(element);
    if (!status) return status;
  }
  std::size_t next = 0;  // in the order of `use`: edges, then loops
  const auto point = [&](Index block) {
    if (block < 0) return;
    const Index place = row_place_[static_cast<std::size_t>(block)];
    blocks_[next].full = k.Phi_q + k.blocks[block].offset;
    blocks_[next].twist = rows_.data() + place * S::stride;
    blocks_[next].along = S::intrinsic ? along_rows_.data() + place : nullptr;
    ++next;
  };
  for (const RowGroup& group : tree_.edges) {
    if (group.joint == nullptr) point(group.child_block), point(group.other_block);
  }
  for (const Attached& a : tree_.attached) point(a.block);
  form_.rows(k.states, blocks_.data(), static_cast<Index>(blocks_.size()));
  return Status::success();
}

template <class S>
Status Elimination<S>::add_rows(const RowGroup& group, EdgeRows<S>& edge, Index first) {
  const double* child = rows_of(group.child_block);
  const double* other = group.other_block >= 0 ? rows_of(group.other_block) : nullptr;
  for (Index r = 0; r < group.rows; ++r) {
    const Twist c = load_twist<sizeof(Twist) / sizeof(Four)>(child + r * S::stride);
    Twist p{};
    if (other != nullptr) p = load_twist<sizeof(Twist) / sizeof(Four)>(other + r * S::stride);
    const double sine = edge.add_row(c, other != nullptr ? &p : nullptr, least_in_edge);
    if (!(sine < INFINITY)) return Status::failure(StatusCode::not_finite, "a constraint row", group.first_row + r);
    if (!(sine > least_in_edge)) {
      weak_ = group.element;
      return Status::failure(StatusCode::singular, "", group.first_row + r);
    }
    if (sine < watch_.smallest_kept) watch_.smallest_kept = sine, watch_.smallest_kept_row = group.first_row + r;
    if (S::intrinsic) {
      along_child_[static_cast<std::size_t>(first + r)] = along_of(group.child_block)[r];
      along_parent_[static_cast<std::size_t>(first + r)] = other != nullptr ? along_of(group.other_block)[r] : 0;
    }
  }
  return Status::success();
}

template <class S>
Status Elimination<S>::find_directions(const KktMatrix& k) {
  for (const JointCall& call : joined_)
    call.joint->free_directions(elements_->state(call.element), call.child, call.out);
  for (const std::size_t link : by_rows_) {
    const Status status = find_directions_by_rows(k, link);
    if (!status) return status;
  }
  return Status::success();
}

template <class S>
Status Elimination<S>::find_directions_by_rows(const KktMatrix& k, std::size_t l) {
  const Link& link = tree_.links[l];
  Node<S>& n = nodes_[l];
  const RowGroup *group = tree_.edges.data() + link.first_group, *const end = group + link.groups;
  EdgeRows<S> edge(n.basis, measure(inertia_.data() + link.body * S::inertia, S()));
  Index rows = 0;
  if (group != end && group->joint != nullptr) {
    rows = group->rows;
    edge.go_on(static_cast<int>(rows), n.shift.part[0], general(link));
    ++group;
  } else {
    n.shift = {};
    if (link.parent >= 0)
      n.shift.part[0] = position(k.states, link.body, S()) -
                        position(k.states, tree_.links[static_cast<std::size_t>(link.parent)].body, S());
    edge.begin(n.shift.part[0], general(link));
  }
  for (; group != end; rows += group->rows, ++group) {
    const Status status = add_rows(*group, edge, link.first_row + rows);
    if (!status) return status;
  }
  return Status::success();
}

/// B c of (1) in node.h for `rows` rows of one group, added to `offset`. `own`, `parent`: right-hand sides of the bodies'
/// own rows.
template <class S, class Rows>
TRAMMEL_INLINE void add_offset(const typename S::Twist* B, const double* g, const double* child_along,
                               const double* parent_along, double own, double parent, Rows rows,
                               typename S::Twist& offset) {
  for (int r = 0; r < rows; ++r) {
    double c = g[r];
    if constexpr (S::intrinsic) c -= child_along[r] * own + parent_along[r] * parent;
    add(offset, c, B[r]);
  }
}

template <class S>
TRAMMEL_INLINE void Elimination<S>::write_offset(const Link& link, const double* g, const double* intrinsic,
                                                 Node<S>& n) const {
  const double *child = along_child_.data() + link.first_row, *other = along_parent_.data() + link.first_row;
  double own = 0, parent = 0;
  if constexpr (S::intrinsic) {
    own = intrinsic[link.body];
    if (link.parent >= 0) parent = intrinsic[tree_.links[static_cast<std::size_t>(link.parent)].body];
  }
  const RowGroup* group = tree_.edges.data() + link.first_group;
  Twist offset{};
  if (link.groups == 1) {
    with_free<S>(link.free, [&](auto free) TRAMMEL_INLINE_LAMBDA {
      add_offset<S>(n.basis, g + group->first_row, child, other, own, parent,
                    std::integral_constant<int, S::size - decltype(free)::value>(), offset);
    });
  } else {
    const Twist* B = n.basis;
    for (Index i = 0; i < link.groups; B += group->rows, child += group->rows, other += group->rows, ++group, ++i)
      add_offset<S>(B, g + group->first_row, child, other, own, parent, group->rows, offset);
  }
  n.offset = offset;
}

template <class S>
template <bool eliminates, bool gathers>
void Elimination<S>::prepare_links(Index begin, Index end, const KktMatrix& k, ConstVectorView g) {
  sdk::wide([&] {
    const double* const intrinsic = gathers ? g.data + k.rows : nullptr;
    for (Index l = begin; l < end; ++l) {
      const Link& link = tree_.links[static_cast<std::size_t>(l)];
      Node<S>& n = nodes_[static_cast<std::size_t>(l)];
      if (eliminates && link.joint >= 0) {
        const JointCall& call = joints_[static_cast<std::size_t>(link.joint)];
        call.joint->free_directions(elements_->state(call.element), call.child, call.out);
      }
      if constexpr (gathers) write_offset(link, g.data, intrinsic, n);
    }
  });
}

template <class S>
template <bool eliminates, bool gathers>
Index Elimination<S>::walk_links(Index begin, Index end) {
  return sdk::wide([&]() -> Index {
    for (Index l = end - 1; l >= begin; --l) {
      const Link& link = tree_.links[static_cast<std::size_t>(l)];
      Node<S>& n = nodes_[static_cast<std::size_t>(l)];
      if constexpr (eliminates) {
        const double* const own = inertia_.data() + link.body * S::inertia;
        if (link.leaf)
          S::own_inertia(own, n.inertia), n.diagonal = S::own_diagonal(own);
        else
          S::add_own_inertia(own, n.inertia), add(n.diagonal, S::own_diagonal(own));
        if (!with_free<S>(link.free, [&](auto free) TRAMMEL_INLINE_LAMBDA {
              return eliminate<S, decltype(free)::value>(n, general(link), parent(link), link.first);
            }))
          return l;
      }
      if constexpr (gathers) {
        const Twist wrench = load_twist<sizeof(Twist) / sizeof(Four)>(wrenches_.data() + link.body * S::stride);
        if (link.leaf) n.bias = {};
        add(n.bias, -1, wrench);
        with_free<S>(link.free, [&](auto free) TRAMMEL_INLINE_LAMBDA {
          gather<S, decltype(free)::value>(n, link.rows > 0, general(link), parent(link), link.first);
        });
      }
    }
    return -1;
  });
}

template <class S>
template <bool eliminates, bool gathers>
Status Elimination<S>::walk_back(const KktMatrix& k, ConstVectorView g) {
  const auto links = static_cast<Index>(nodes_.size());
  const auto begin_of = [&](Index c) { return std::max<Index>(links - (c + 1) * chunk_, 0); };
  Index bad = -1;
  ahead_.go([&](Index c) { prepare_links<eliminates, gathers>(begin_of(c), links - c * chunk_, k, g); },
            [&](const auto& ready) {
              for (Index c = 0; c * chunk_ < links && bad < 0; ++c) {
                ready(c);
                bad = walk_links<eliminates, gathers>(begin_of(c), links - c * chunk_);
              }
            });
  return bad < 0 ? Status::success() : why_stopped(k, bad);
}

template <class S>
Status Elimination<S>::why_stopped(const KktMatrix& k, Index link) const {
  bool finite = true;
  const Node<S>& n = nodes_[static_cast<std::size_t>(link)];
  for (const Twist& column : n.inertia) finite = finite && std::isfinite(dot(column, column));
  for (const Twist& column : n.basis) finite = finite && std::isfinite(dot(column, column));
  const Index subject = k.rows + tree_.links[static_cast<std::size_t>(link)].body;
  return finite ? Status::failure(StatusCode::singular, "a free direction without inertia beside what hangs on it",
                                  subject)
                : Status::failure(StatusCode::not_finite, "inertia or directions", subject);
}

template <class S>
double Elimination<S>::own_length(Index link, const Twist& row) const {
  return by_inverse(inertia_.data() + tree_.links[static_cast<std::size_t>(link)].body * S::inertia, row);
}

template <class S>
Status Elimination<S>::factorize(const KktMatrix& k, bool to_rounding) {
  if (!tree_.fits(k)) {
    const Status status = build(k, false);
    if (!status) return status;
  }
  Status status;
  do {
    watch_ = {}, weak_ = -1;
    status = evaluate_rows(k);
    if (!status) return status;
    form_.inertia(k.states, inertia_.data());
    status = find_directions(k);
    if (!status && weak_ < 0) return status;
    if (weak_ >= 0) {
      as_loop_[static_cast<std::size_t>(weak_)] = 1;
      status = build(k, false);
      if (!status) return status;
    }
  } while (weak_ >= 0);
  // Without loops the first solve does it on its way.
  eliminated_ = loops_.any();
  if (!eliminated_) return status;
  status = walk_back<true, false>(k, {});
  if (!status) return status;
  status = loops_.factorize(
      k, tree_, nodes_, generals_, to_rounding,
      [&](Index a) {
        const Index block = tree_.attached[static_cast<std::size_t>(a)].block;
        return RowsAt<S>{reinterpret_cast<const Twist*>(rows_of(block)), along_of(block)};
      },
      [&](Index link, const Twist& row) { return own_length(link, row); });
  const RankWatch& seen = loops_.watch();
  const double kept = watch_.smallest_kept;
  const Index row = watch_.smallest_kept_row;
  watch_ = seen;
  if (kept < watch_.smallest_kept) watch_.smallest_kept = kept, watch_.smallest_kept_row = row;
  return status;
}

template <class S>
Status Elimination<S>::solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x,
                             VectorView lambda) {
  const ConstVectorView intrinsic = g.segment(k.rows, k.intrinsic_rows);
  form_.wrenches(k.states, f, wrenches_.data());
  const Status status = eliminated_ ? walk_back<false, true>(k, g) : walk_back<true, true>(k, g);
  if (!status) return status;
  eliminated_ = true;
  if (loops_.any()) {
    loops_.solve(tree_, nodes_, [&](Index loop, Index r) {
      const RowGroup& group = tree_.loops[static_cast<std::size_t>(loop)];
      double c = g[group.first_row + r];
      for (Index a = group.first_attached; S::intrinsic && a < group.first_attached + group.attached; ++a) {
        const Attached& at = tree_.attached[static_cast<std::size_t>(a)];
        c -= along_of(at.block)[r] * intrinsic[tree_.links[static_cast<std::size_t>(at.link)].body];
      }
      return c;
    });
  }
  sdk::wide([&] {
    for (std::size_t l = 0; l < nodes_.size(); ++l) {
      const Link& link = tree_.links[l];
      Node<S>& n = nodes_[l];
      with_free<S>(link.free, [&](auto free) TRAMMEL_INLINE_LAMBDA {
        spread<S, decltype(free)::value>(n, general(link), parent(link));
      });
      store_twist(n.twist, twists_.data() + link.body * S::stride);
    }
  });
  form_.accelerations(k.states, twists_.data(), intrinsic, x);
  if (lambda.data != nullptr) write_multipliers(k, f, lambda);
  return status;
}

// The wrench of each joint from what moves behind it, with the bodies' own inertia: lambda = -B^T of it.
template <class S>
void Elimination<S>::write_multipliers(const KktMatrix& k, ConstVectorView f, VectorView lambda) {
  if (S::intrinsic) form_.along_intrinsic(k.states, f, lambda.segment(k.rows, k.intrinsic_rows));
  double* const intrinsic = lambda.data + k.rows;
  for (std::size_t l = 0; l < nodes_.size(); ++l) {
    const Index body = tree_.links[l].body;
    Twist I[S::size];
    S::own_inertia(inertia_.data() + body * S::inertia, I);
    nodes_[l].bias = product<S>(I, nodes_[l].twist);
    add(nodes_[l].bias, -1, load_twist<sizeof(Twist) / sizeof(Four)>(wrenches_.data() + body * S::stride));
  }
  for (std::size_t i = 0; i < tree_.loops.size(); ++i) {
    const RowGroup& loop = tree_.loops[i];
    for (Index r = 0; r < loop.rows; ++r) {
      const double multiplier = loops_.multiplier(static_cast<Index>(i), r);
      lambda[loop.first_row + r] = multiplier;
      for (Index a = loop.first_attached; a < loop.first_attached + loop.attached; ++a) {
        const Attached& at = tree_.attached[static_cast<std::size_t>(a)];
        add(nodes_[static_cast<std::size_t>(at.link)].bias, multiplier,
            load_twist<sizeof(Twist) / sizeof(Four)>(rows_of(at.block) + r * S::stride));
        if (S::intrinsic)
          intrinsic[tree_.links[static_cast<std::size_t>(at.link)].body] -= multiplier * along_of(at.block)[r];
      }
    }
  }
  for (std::size_t l = nodes_.size(); l-- > 0;) {
    const Link& link = tree_.links[l];
    const Node<S>& n = nodes_[l];
    const Twist* B = n.basis;
    Index row = link.first_row;
    for (const RowGroup* group = tree_.edges.data() + link.first_group;
         group != tree_.edges.data() + link.first_group + link.groups; ++group) {
      for (Index r = 0; r < group->rows; ++r, ++B, ++row) {
        const double multiplier = -dot(*B, n.bias);
        lambda[group->first_row + r] = multiplier;
        if (!S::intrinsic) continue;
        intrinsic[link.body] -= multiplier * along_child_[static_cast<std::size_t>(row)];
        if (link.parent >= 0)
          intrinsic[tree_.links[static_cast<std::size_t>(link.parent)].body] -=
              multiplier * along_parent_[static_cast<std::size_t>(row)];
      }
    }
    if (Node<S>* p = parent(link)) add(p->bias, moved_back<S>(n.shift.part[0], general(link), n.bias));
  }
}

std::unique_ptr<AnyElimination> make_elimination(const TwistForm& form, const BlockFactors& services,
                                                 const Workers* workers) {
  if (form.size() == Spatial::size) return std::make_unique<Elimination<Spatial>>(form, services, workers);
  return std::make_unique<Elimination<Planar>>(form, services, workers);
}

}  // namespace trammel::articulated
