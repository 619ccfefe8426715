// The KKT matrix of implicit steps: assembled, factorized and solved with, by fronts or by KLU.
#include "model/implicit_kkt.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "linalg/sizes.h"
#include "model/pair_blocks.h"
#include "trammel/math/kkt_entries.h"

namespace trammel {
namespace {

// KLU's multiply-adds are of single numbers: one of them costs as much as this many in a front.
constexpr double dense_advantage = 12;

/// Multiply-adds of a sparse elimination in the best of all orders, at least. In column k with l_k entries below the pivot it
/// takes l_k^2; entries of the matrix stay entries, so that sum l_k^2 >= (sum l_k)^2 / n >= (entries below the diagonal)^2 / n.
double least_sparse_work(const Linearization& linearization, const KktMatrix& kkt, Index coordinates, Index unknowns) {
  std::vector<std::array<Index, 4>> blocks;  // row, column, rows, columns
  for (const Linearization::PairBlock& pair : linearization.pairs()) {
    if (pair.row >= pair.column) blocks.push_back({pair.row, pair.column, pair.rows, pair.columns});
  }
  for (Index i = 0; i < kkt.block_count; ++i) {
    const JacobianBlock& block = kkt.blocks[i];
    blocks.push_back({coordinates + block.first_row, block.column, block.rows, block.columns});
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  double entries = 0;
  for (const auto& [row, column, rows, columns] : blocks)
    entries += row == column ? 0.5 * columns * (columns - 1.0) : static_cast<double>(rows) * columns;
  return entries * entries / unknowns;
}

}  // namespace

ImplicitKkt::ImplicitKkt(Linearization& linearization, const InternalLinearization& internal)
    : linearization_(linearization),
      elimination_(linearization, internal),
      assembly_(linearization.assembly()),
      c_(linearization.assembly().body_coordinates()) {}

MechanismPattern ImplicitKkt::pattern() const {
  MechanismPattern pattern;
  pattern.bodies = assembly_.bodies();
  for (Index b = 0; b < assembly_.bodies(); ++b) {
    pattern.coordinates.push_back(assembly_.table.width(b));
    pattern.intrinsic.push_back(assembly_.table.shape(b).intrinsic ? 1 : 0);
  }
  const auto attached = [](const ElementSlot& slot) {
    std::vector<Index> bodies;
    std::copy_if(slot.bodies.begin(), slot.bodies.end(), std::back_inserter(bodies), [](Index b) { return b >= 0; });
    return bodies;
  };
  for (const ConstraintSlot& slot : assembly_.constraints)
    pattern.rows.push_back({slot.first_row, slot.rows, attached(slot)});
  for (const ForceSlot& slot : assembly_.forces) {
    const std::vector<Index> bodies = attached(slot);
    for (const Index a : bodies) {
      for (const Index b : bodies) pattern.pairs.emplace_back(a, b);
    }
  }
  return pattern;
}

void ImplicitKkt::set_up_fronts(const KktMatrix& kkt) {
  const FrontStructure& structure = fronts_.structure();
  const Index n = assembly_.coordinates();
  pair_targets_.clear(), block_targets_.clear(), intrinsic_targets_.clear(), row_targets_.clear();
  for (const Linearization::PairBlock& pair : linearization_.pairs())
    pair_targets_.push_back({structure.place(pair.row, pair.column), {}});
  const auto both = [&](Index row, Index column) {
    return Target{structure.place(row, column), structure.place(column, row)};
  };
  for (Index i = 0; i < kkt.block_count; ++i) {
    const JacobianBlock& block = kkt.blocks[i];
    block_targets_.push_back(block.rows > 0 ? both(n + block.first_row, block.column)
                                            : Target{});  // an impact has no rows
  }
  for (Index b = 0; b < kkt.intrinsic_rows; ++b) {
    intrinsic_targets_.push_back(both(n + kkt.rows + b, kkt.intrinsic_first[b]));
  }
  for (Index r = 0; r < kkt.rows; ++r) row_targets_.push_back(structure.place(n + r, n + r));
}

void ImplicitKkt::fill_fronts(const KktMatrix& kkt, double c0, double c1, double* numbers) const {
  const auto add_whole = c_ == 3 ? front_kernels().add_scaled_3 : front_kernels().add_scaled_7;
  const auto add_scaled = [&](const Linearization::PairBlock& pair, const double* K, double a, const double* C,
                              double b, FrontStructure::Place to) {
    double* at = numbers + to.at;
    if (pair.size() == c_ * c_ && (c_ == 3 || c_ == 7)) return add_whole(K, a, C, b, at, to.stride);
    for (Index j = 0; j < pair.columns; ++j, at += to.stride) {
      for (Index i = 0; i < pair.rows; ++i) {
        const Index k = j * pair.rows + i;
        at[i] += a * K[k] + (C != nullptr ? b * C[k] : 0);
      }
    }
  };
  const PairBlocks<double> numbers_of_pairs(linearization_, c0, c1);
  const double *K = numbers_of_pairs.K, *C = numbers_of_pairs.C;
  auto target = pair_targets_.begin();
  for (const Linearization::PairBlock& pair : linearization_.pairs()) {
    add_scaled(pair, K + pair.offset, c0, pair.damped ? C + pair.offset : nullptr, c1, (target++)->plain);
  }
  for (const StateElimination<double>::Block& block : elimination_.blocks()) {
    add_scaled(linearization_.pairs()[block.pair], elimination_.numbers().data() + block.offset, 1, nullptr, 0,
               pair_targets_[block.pair].plain);
  }
  for (Index b = 0; b < kkt.bodies; ++b) {
    const FrontStructure::Place to = pair_targets_[count(b)].plain;
    if (kkt.weight != nullptr) {
      add_scaled(linearization_.pairs()[count(b)], kkt.weight + assembly_.table.square(b), 1, nullptr, 0, to);
    } else {
      for (Index j = 0; j < kkt.width(b); ++j) numbers[to.at + j * (to.stride + 1)] += 1;
    }
  }
  const bool some_dropped =
      kkt.dropped != nullptr && std::any_of(kkt.dropped, kkt.dropped + kkt.rows, [](auto d) { return d != 0; });
  for (Index i = 0; i < kkt.block_count; ++i) {
    const JacobianBlock& block = kkt.blocks[i];
    const Target& to = block_targets_[count(i)];
    const double* value = kkt.Phi_q + block.offset;
    double *plain = numbers + to.plain.at, *transposed = numbers + to.transposed.at;
    for (Index j = 0; j < block.columns; ++j, plain += to.plain.stride, ++transposed) {
      for (Index r = 0; r < block.rows; ++r, ++value) {
        if (some_dropped && kkt.dropped[block.first_row + r] != 0) continue;
        plain[r] = transposed[r * to.transposed.stride] = *value;
      }
    }
  }
  for (Index b = 0; b < kkt.intrinsic_rows; ++b) {
    const Target& to = intrinsic_targets_[count(b)];
    for (Index j = 0; j < c_; ++j) {
      numbers[to.plain.at + j * to.plain.stride] = numbers[to.transposed.at + j] = kkt.intrinsic[b * c_ + j];
    }
  }
  if (!some_dropped) return;
  for (Index r = 0; r < kkt.rows; ++r) {
    if (kkt.dropped[r] != 0) numbers[row_targets_[count(r)].at] = 1;
  }
}

Status ImplicitKkt::prepare_twists(const ModelKkt& model, const KktMatrix& kkt, double c0, double c1) {
  if (twists_ == nullptr) twists_ = make_twist_kkt(linearization_, model);
  if (twists_ == nullptr) return Status::failure(StatusCode::unsupported, "");
  const Status status = twists_->prepare(kkt, c0, c1);
  by_twists_ = status.ok();
  return status;
}

// Long models know without KLU's analysis, which takes three times the memory of the fronts.
ImplicitKkt::Route ImplicitKkt::choose_route(const KktMatrix& kkt) {
  const double work = fronts_.structure().work();
  const Index n = assembly_.coordinates(), unknowns = n + assembly_.rows();
  if (work <= dense_advantage * least_sparse_work(linearization_, kkt, n, unknowns)) return Route::fronts;
  analyse_sparse(kkt);
  if (work > dense_advantage * lu_->work()) return Route::sparse;
  lu_.reset();
  return Route::fronts;
}

// Fronts first; where their pivots are too small, rows go with the last of their bodies from then on; where that fails
// too, KLU decides, and for good.
Status ImplicitKkt::prepare(const KktMatrix& kkt, double c0, double c1) {
  by_twists_ = false;
  unknowns_.resize(count(assembly_.coordinates() + assembly_.rows()));
  if (const Status status = linearization_.settle(); !status) return status;
  if (const Status status = elimination_.compute(c0, c1); !status) return status;
  if (route_ == Route::undecided) {
    const bool grounded =
        std::any_of(assembly_.constraints.begin(), assembly_.constraints.end(), [](const ConstraintSlot& slot) {
          return std::all_of(slot.bodies.begin(), slot.bodies.end(), [](Index b) { return b < 0; });
        });
    route_ = grounded || is_small(assembly_) ? Route::sparse : Route::fronts;
    if (route_ == Route::fronts) {
      fronts_.analyse(pattern());
      route_ = choose_route(kkt);
    }
    if (route_ == Route::fronts) set_up_fronts(kkt);
  }
  while (route_ != Route::sparse) {
    fill_fronts(kkt, c0, c1, fronts_.clear());
    if (fronts_.factorize()) {
      if (fronts_.needs_given()) fill_fronts(kkt, c0, c1, fronts_.clear_given());
      return Status::success();
    }
    fill_fronts(kkt, c0, c1, fronts_.clear_given());
    if (!fronts_.given_is_finite()) return Status::failure(StatusCode::not_finite, "matrix entry");
    if (route_ == Route::late_fronts) {
      route_ = Route::sparse;
      break;
    }
    route_ = Route::late_fronts;
    fronts_.analyse(pattern(), true);
    set_up_fronts(kkt);
  }
  return prepare_sparse(kkt, c0, c1);
}

void ImplicitKkt::analyse_sparse(const KktMatrix& kkt) {
  std::vector<std::pair<Index, Index>> entries;
  const auto collect = [&](Index row, Index column, double) { entries.emplace_back(row, column); };
  each_kkt_entry(kkt, collect);
  each_pair_entry(linearization_, [&](Index row, Index column) { entries.emplace_back(row, column); });
  elimination_.each_entry([&](Index row, Index column) { entries.emplace_back(row, column); });
  lu_.emplace();
  lu_->analyse(assembly_.coordinates() + assembly_.rows(), std::move(entries));
}

Status ImplicitKkt::prepare_sparse(const KktMatrix& kkt, double c0, double c1) {
  if (!lu_) analyse_sparse(kkt);
  const PairBlocks<double> pairs(linearization_, c0, c1);
  lu_->fill([&](auto& add) {
    const auto add_entry = [&](Index, Index, double value) { add(value); };
    each_kkt_entry(kkt, add_entry);
    for (std::size_t i = 0; i < pairs.count; ++i) add(pairs[i]);
    for (const double value : elimination_.numbers()) add(value);
  });
  return name_unknown(kkt, lu_->factorize());
}

void ImplicitKkt::solve_factorized(double* unknowns, Index columns, bool transposed) {
  if (route_ == Route::sparse) return lu_->solve(unknowns, columns, transposed);
  const Index size = assembly_.coordinates() + assembly_.rows();
  for (Index column = 0; column < columns; ++column) fronts_.solve(unknowns + column * size, transposed);
}

void ImplicitKkt::solve(const KktMatrix& kkt, double* unknowns, Index columns, bool transposed) {
  const Index n = assembly_.coordinates(), size = n + assembly_.rows();
  for (Index column = 0; column < columns; ++column) {
    for (Index r = 0; r < kkt.rows; ++r) {
      if (kkt.dropped[r] != 0) unknowns[column * size + n + r] = 0;
    }
  }
  solve_factorized(unknowns, columns, transposed);
}

void ImplicitKkt::solve(const KktMatrix& kkt, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  if (by_twists_) return twists_->solve(f, g, x, lambda);
  gather_unknowns(kkt, f, g, unknowns_.data());
  solve_factorized(unknowns_.data(), 1, false);
  scatter_unknowns(kkt, unknowns_.data(), x, lambda);
}

}  // namespace trammel
